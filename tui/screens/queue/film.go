package queue

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

const filmSlot = "queue.detail.play"

// film is the video that plays here.
type film struct{ preview.Play }

// stage is the place where a video plays: in the detail, or on the whole screen.
type stage struct {
	path string // of the file that the place is about
	w, h int
	off  string // why no video plays there, "" where one can
	seen bool   // it is on the screen
	none bool   // previews are off there, so that nothing is to wait
}

func (f *film) request(k *kit, s stage) preview.Request {
	return preview.Request{Slot: filmSlot, Path: s.path, Width: s.w, Height: s.h, Mode: f.Loader.Mode(k.st)}
}

// follow has the video go on in the place that it has now, wait while nobody watches it, and
// end when another result is looked at.
func (f *film) follow(k *kit, s stage, watched bool) tea.Cmd {
	switch {
	case !watched || !s.seen:
		f.Rest()
	case s.off == "":
		return tea.Batch(f.Fit(f.request(k, s)), f.Wake())
	case !f.Of(s.path) || s.none:
		f.Stop()
	default:
		f.Rest()
	}
	return nil
}

// failed tells why a video does not play. What showed in its place shows again.
func (f *film) failed(k *kit) tea.Cmd {
	err := f.Err()
	if err == nil {
		return nil
	}
	f.Stop()
	return screen.Toast(screen.Bad, k.keys.Keys(actPlayer)+" plays it elsewhere; here it does not play: "+client.CleanLine(err.Error()))
}

// word is the button's text.
func (f *film) word() string {
	if f.Playing() {
		return "pause"
	}
	return "play"
}

// zoomPlays reports whether the result on the whole screen is a video that plays, or pauses.
func (m *Model) zoomPlays() bool {
	media, ok := m.zoom.Media()
	return ok && m.zoom.On() && m.film.Of(media.Path)
}

// stage is where a video of the current job plays now.
func (m *Model) stage() stage {
	j := m.job()
	s := stage{seen: m.zoom.On() || m.detailShows(), none: m.detail.picture.off}
	switch {
	case m.deps.Previews == nil:
		s.off = "there are no previews here"
		return s
	case m.zoom.On():
		m.zoomStage(&s)
	default:
		s.path, s.w, s.h = j.Face().Path, m.detail.inner(), m.detail.pictureHeight(j)
		switch {
		case j == nil || !j.Filmed():
			s.off = "no video of this job is on the disk"
		case m.needsColours() != "":
			s.off = m.needsColours()
		case s.none:
			s.off = "previews are off; " + m.keys.Keys(actPreview) + " brings them back"
		case s.h == 0:
			s.off = "there is no room for the preview; Facts in a higher window has it"
		}
	}
	return s
}

func (m *Model) zoomStage(s *stage) {
	all := m.job().Results()
	s.w, s.h = m.zoom.FilmRoom()
	n := m.zoom.At().File
	if n < len(all) {
		s.path = all[n].Path
	}
	switch {
	case n >= len(all) || all[n].Kind != client.AssetVideo:
		s.off = "this is no video; " + m.keys.Keys(actNext) + " goes to the next result"
	case s.h <= 0:
		s.off = "there is no room for the video"
	default:
		s.off = m.needsColours()
	}
}

// needsColours says where the lack of colours is in the way of a video.
func (m *Model) needsColours() string {
	if m.deps.Previews.Mode(m.st).Colors == preview.NoColor {
		return "videos play here in colours only; " + m.keys.Keys(actOpenFile) + " opens the file"
	}
	return ""
}
