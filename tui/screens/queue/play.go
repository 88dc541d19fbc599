package queue

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

const playSlot = "queue.detail.play"

// playRequest is what playing the video of the current job here asks for.
func (m *Model) playRequest() preview.Request {
	path, _ := media(m.job())
	iw, _ := widgets.Inner(m.detailWidth(), m.h)
	return preview.Request{Slot: playSlot, Path: path, Width: iw, Height: m.pictureHeight(), Mode: m.deps.Previews.Mode(m.st)}
}

// doPlay does the actions of the video that plays in the preview; false for others.
func (m *Model) doPlay(id string) (tea.Cmd, bool) {
	if !m.detailShows() {
		switch id {
		case "queue.play", "queue.step", "queue.step-back":
			m.setFocus(detailPane) // or nobody would see it
		}
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

// playOff says why no video plays in the preview, "" where one can.
func (m *Model) playOff(j *jobs.Job) string {
	path, _ := media(j)
	switch {
	case m.deps.Previews == nil:
		return "there are no previews here"
	case !slices.ContainsFunc(j.Files, func(f jobs.File) bool {
		return f.Kind == client.AssetVideo && f.State == jobs.FileSaved && f.Path == path
	}):
		return "no video of this job is on the disk"
	case m.deps.Previews.Mode(m.st).Colors == preview.NoColor:
		return "videos play here in colours only; " + m.deps.Keys.Keys("queue.open-file") + " opens the file"
	case m.picture.off:
		return "previews are off; " + m.deps.Keys.Keys("queue.preview") + " brings them back"
	case m.pictureHeight() == 0:
		return "there is no room for the preview; Facts in a higher window has it"
	}
	return ""
}

// playWord is the button's text.
func (m *Model) playWord() string {
	if m.play.Playing() {
		return "pause"
	}
	return "play"
}

// followPlay has the video wait while nobody sees it, and end when the cursor is on another
// job.
func (m *Model) followPlay() tea.Cmd {
	if !m.play.Active() {
		return nil
	}
	if m.hidden || m.away || !m.detailShows() {
		m.play.Rest()
		return nil
	}
	if m.job() == nil || m.playOff(m.job()) != "" {
		if path, _ := media(m.job()); !m.play.Of(path) || m.picture.off {
			m.play.Stop()
		} else {
			m.play.Rest()
		}
		return nil
	}
	return tea.Batch(m.play.Fit(m.playRequest()), m.play.Wake())
}
