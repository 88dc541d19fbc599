package queue

import (
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

const playSlot = "queue.detail.play"

// playRequest is what playing a video here asks for: that of the current job in the detail, or
// the result that is on the whole screen.
func (m *Model) playRequest() preview.Request {
	w, _ := widgets.Inner(m.detailWidth(), m.h)
	h := m.pictureHeight()
	mode := m.deps.Previews.Mode(m.st)
	if m.zoom.on {
		w, h = m.zoomRoom()
		w, h = zoomPlace(w, h, mode.Surface)
	}
	return preview.Request{Slot: playSlot, Path: m.playPath(), Width: w, Height: h, Mode: mode}
}

// How large a video on the whole screen is where each frame costs the terminal, and us, all of
// it: in pixels that the terminal does not scale, and in cells. More would take more than 5 % of
// a core while it plays.
const (
	maxExact = 640_000
	maxFilm  = 8_000
)

// zoomPlace is how much of the whole screen a video takes.
func zoomPlace(w, h int, s preview.Surface) (int, int) {
	cost, most := float64(w*h), float64(maxFilm)
	switch {
	case s.Exact:
		cost, most = cost*float64(s.Cell.X*s.Cell.Y), maxExact
	case s != preview.Surface{}: // it scales by itself
		return w, h
	}
	if cost <= most {
		return w, h
	}
	by := math.Sqrt(most / cost)
	return max(1, int(float64(w)*by)), max(1, int(float64(h)*by))
}

// zoomFilm are the lines of the video in the middle of w x h cells.
func (m *Model) zoomFilm(w, h int) string {
	lines := m.play.Lines()
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, strings.Repeat(" ", max(0, w-widgets.Width(l))/2)+l)
	}
	return strings.Join(m.framed(out, w, h, false), "\n")
}

// playPath is the file that the place for a video is about.
func (m *Model) playPath() string {
	if m.zoom.on {
		r, _ := m.looked()
		return r.Path
	}
	return m.job().Face().Path
}

// playShows reports whether the place where a video plays is on the screen.
func (m *Model) playShows() bool { return m.zoom.on || m.detailShows() }

// zoomPlays reports whether the result on the whole screen is a video that plays, or pauses.
func (m *Model) zoomPlays() bool {
	r, ok := m.looked()
	return ok && m.zoom.on && m.play.Of(r.Path)
}

// doPlay does the actions of the video that plays here; false for others.
func (m *Model) doPlay(id string) (tea.Cmd, bool) {
	switch id {
	case "queue.play", "queue.step", "queue.step-back":
		if !m.playShows() {
			m.setFocus(detailPane) // or nobody would see it
		}
		m.zoom.part = preview.Part{Whole: true}
	}
	switch id {
	case "queue.play":
		return m.play.Toggle(m.playRequest()), true
	case "queue.step":
		return m.play.Step(m.playRequest(), 1), true
	case "queue.step-back":
		return m.play.Step(m.playRequest(), -1), true
	}
	return nil, false
}

// playOff says why no video plays here, "" where one can.
func (m *Model) playOff(j *jobs.Job) string {
	switch {
	case m.deps.Previews == nil:
		return "there are no previews here"
	case m.zoom.on:
		return m.zoomPlayOff()
	case !j.Filmed():
		return "no video of this job is on the disk"
	case m.playColours() != "":
		return m.playColours()
	case m.picture.off:
		return "previews are off; " + m.deps.Keys.Keys("queue.preview") + " brings them back"
	case m.pictureHeight() == 0:
		return "there is no room for the preview; Facts in a higher window has it"
	}
	return ""
}

// zoomPlayOff is playOff for what is on the whole screen.
func (m *Model) zoomPlayOff() string {
	r, ok := m.looked()
	switch {
	case !ok || r.Kind != client.AssetVideo:
		return "this is no video; " + m.deps.Keys.Keys("zoom.next") + " goes to the next result"
	case m.playRequest().Height <= 0:
		return "there is no room for the video"
	}
	return m.playColours()
}

// playColours says where the lack of colours is in the way.
func (m *Model) playColours() string {
	if m.deps.Previews.Mode(m.st).Colors == preview.NoColor {
		return "videos play here in colours only; " + m.deps.Keys.Keys("queue.open-file") + " opens the file"
	}
	return ""
}

// playFailed tells why a video does not play. What showed in its place shows again.
func (m *Model) playFailed() tea.Cmd {
	err := m.play.Err()
	if err == nil {
		return nil
	}
	m.play.Stop()
	return screen.Toast(screen.Bad, m.deps.Keys.Keys("queue.player")+" plays it elsewhere; here it does not play: "+client.CleanLine(err.Error()))
}

// playWord is the button's text.
func (m *Model) playWord() string {
	if m.play.Playing() {
		return "pause"
	}
	return "play"
}

// followPlay has the video go on in the place that it has now, wait while nobody sees it, and
// end when another result is looked at.
func (m *Model) followPlay() tea.Cmd {
	if !m.play.Active() {
		return nil
	}
	if m.hidden || m.away || !m.playShows() {
		m.play.Rest()
		return nil
	}
	if m.job() == nil || m.playOff(m.job()) != "" {
		if !m.play.Of(m.playPath()) || m.picture.off {
			m.play.Stop()
		} else {
			m.play.Rest()
		}
		return nil
	}
	return tea.Batch(m.play.Fit(m.playRequest()), m.play.Wake())
}
