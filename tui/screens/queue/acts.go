package queue

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/screen"
)

// What the actions of the table do.

// turnTimes writes times in the next way, on all screens.
func turnTimes(m *Model) tea.Cmd {
	m.detail.dirty = true
	return m.deps.Times.Turn()
}

func download(m *Model) tea.Cmd {
	return m.bulk(deed{act: jobs.ActDownload, did: "downloading", verb: "Download the files of", button: "Download", do: m.deps.Jobs.Download})
}

func downloadAgain(m *Model) tea.Cmd {
	return m.bulk(deed{act: jobs.ActDownload, did: "downloading again", verb: "Download again the files of", button: "Download", do: m.deps.Jobs.DownloadAgain})
}

func repoll(m *Model) tea.Cmd {
	what := "asking again about"
	for _, id := range m.list.able(jobs.ActRepoll) {
		if len(m.scene.Holds(m.list.jobs.Get(id))) > 0 {
			what = "when the pause ends, asking again about"
		}
	}
	return m.bulk(deed{act: jobs.ActRepoll, did: what, verb: "Ask again about", button: "Ask again", do: m.deps.Jobs.Repoll})
}

// openBodies opens the dialog of bodies, with the request first where that shows.
func openBodies(m *Model) tea.Cmd {
	o := m.deps.Bodies
	o.Title, o.Job, o.Request = "Job "+shortID(m.list.current), m.list.current, m.detail.section == request
	return m.stack.Open(body.New(o))
}

// star stars the picked jobs; if all of them are starred, it removes the stars.
func star(m *Model) tea.Cmd {
	ids := m.list.jobs.picked(m.list.current)
	add, remove, what := []string{jobs.Star}, []string(nil), "starred"
	if !slices.ContainsFunc(ids, func(id string) bool { j := m.list.jobs.Get(id); return j == nil || !j.Starred() }) {
		add, remove, what = remove, add, "took the star from"
	}
	if m.zoom.On() {
		return each(what, ids, func(ctx context.Context, id string) error { return m.deps.Jobs.Tag(ctx, id, add, remove) })
	}
	return m.bulk(deed{did: what, verb: "Star", ids: ids, asked: true, do: func(ctx context.Context, id string) error {
		return m.deps.Jobs.Tag(ctx, id, add, remove)
	}})
}

// pause pauses the picked jobs, or resumes them when all are paused. It asks about a job that is
// not sent because it names local files of another installation.
func pause(m *Model) tea.Cmd {
	ids := m.list.able(jobs.ActPause)
	if len(ids) == 1 {
		if j := m.list.jobs.Get(ids[0]); j.Foreign && j.State == jobs.Planned {
			return m.stack.Open(filesQuestion(j))
		}
	}
	on := slices.ContainsFunc(ids, func(id string) bool { return !m.list.jobs.Get(id).Paused })
	d := deed{act: jobs.ActPause, did: "going on with", verb: "Go on with", button: "Go on",
		do: func(ctx context.Context, id string) error { return m.deps.Jobs.SetPaused(ctx, id, on) }}
	if on {
		d.did, d.verb, d.button = "paused", "Pause", "Pause"
	}
	return m.bulk(d)
}

func openFile(m *Model) tea.Cmd {
	path := m.list.job().OpenPath()
	return func() tea.Msg { return screen.OpenFileMsg{Path: path} }
}

func copyID(m *Model) tea.Cmd {
	j := m.list.job()
	text, what := j.TaskID, "the task id"
	if text == "" {
		text, what = j.ID, "the job id"
	}
	text = client.CleanLine(text) // it will be pasted into shells and chats
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
}

func resubmit(m *Model) tea.Cmd {
	j := m.list.job()
	d, left := j.OwnDraft()
	return screen.Warned(screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
}

func inspect(m *Model) tea.Cmd {
	return screen.Open(screen.Inspect, screen.InspectID{ID: m.list.job().TaskID})
}

func use(u chain.Use) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.list.current, As: string(u)})
	}
}

func openFilter(m *Model) tea.Cmd {
	m.focus = tablePane
	m.list.filter.Begin()
	m.layout()
	return nil
}

func reload(m *Model) tea.Cmd {
	m.list.views.Again()
	m.heart.Again()
	m.list.jobs.guest = m.list.current
	return m.reload()
}

func mark(m *Model) {
	m.list.jobs.mark(m.list.current)
	if m.focus == tablePane && !m.zoom.On() {
		m.list.table.SetCursor(m.list.table.Cursor() + 1)
	}
}

// togglePicture hides the preview or brings it back, and says so where there is none to see.
func togglePicture(m *Model) tea.Cmd {
	p, j := &m.detail.picture, m.list.job()
	before := m.detail.pictureHeight(j)
	p.off = !p.off
	m.layout()
	if m.detailShows() && m.detail.pictureHeight(j) != before {
		return nil
	}
	if p.off {
		return screen.Toast(screen.Info, "previews are off")
	}
	return screen.Toast(screen.Info, "previews are on")
}

// play plays the video, or advances it by a frame.
func play(step int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if !m.stage().seen {
			m.setFocus(detailPane) // or nobody would see it
		}
		m.zoom.Whole()
		r := m.film.request(m.kit, m.stage())
		if step == 0 {
			return m.film.Toggle(r)
		}
		return m.film.Step(r, step)
	}
}

func toggleGallery(m *Model) {
	m.gallery = !m.gallery
	m.setFocus(tablePane)
}

func resize(by int) func(*Model) tea.Cmd {
	return screen.Act(func(m *Model) {
		m.list.grid.Resize(by)
		m.layout()
	})
}
