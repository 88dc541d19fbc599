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

// follow keeps the video playing in its current place, pauses it while nobody watches, and ends it
// when another result is looked at.
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

// failed says why a video does not play. What was in its place before shows again.
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

// needsColours says where a video cannot play because colours are missing.
func (f *film) needsColours(k *kit) string {
	if f.Loader.Mode(k.st).Colors == preview.NoColor {
		return "videos play here in colours only; " + k.keys.Keys(actOpenFile) + " opens the file"
	}
	return ""
}

// stage is where a video of the current job plays now.
func (m *Model) stage() (s stage) {
	switch {
	case m.deps.Previews == nil:
		s.off = offPreview(m)
	case m.zoom.On():
		s = m.zoom.stage()
		s.seen = true
	default:
		s = m.detail.stage(m.list.job(), &m.film)
		s.seen = m.detailShows() && (s.h == 0 || m.detail.pictureHeight(m.list.job()) > 0)
	}
	s.none = m.detail.picture.off
	return s
}
