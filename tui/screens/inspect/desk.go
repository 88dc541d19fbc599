package inspect

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/lookup"
	"darkroom/jobs/sighting"
	typing "darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/notes"
	"darkroom/tui/screen"
)

// The subjects of dialogs about what a person notes.
type (
	keeping   struct{ o jobs.Observation }
	tagging   struct{ id string }
	remarking struct{ id string }
)

func offWatch(m *Model) string {
	if m.sights.Watching(m.q.asked) {
		return ""
	}
	t := m.q.found.Task()
	switch j := m.q.found.Job; {
	case m.listing:
		return "a list is not watched: open one of its ids"
	case m.q.asked == "":
		return "nothing was looked up yet"
	case j != nil && j.State.Polled():
		return "its job is followed already: the timeline shows what is new"
	case t == nil:
		return "no route knows it, so there is nothing to watch"
	case t.Status.Terminal():
		return "it has ended: there is nothing to watch"
	}
	return ""
}

// turnWatch watches the id that shows, or stops that.
func turnWatch(m *Model) tea.Cmd {
	if m.sights.Watching(m.q.asked) {
		m.sights.Stop()
		return screen.Toast(screen.Info, "it is no longer watched")
	}
	return m.sights.Watch(m.q.asked)
}

// look asks the route that knows the id once more.
func (q *question) look(g Gateway) tea.Cmd {
	i := q.found.Best()
	if i < 0 {
		i = q.last
	}
	if i < 0 || i >= len(q.found.Routes) {
		return nil
	}
	q.last = i
	return ask(q.ctx, g, q.asked, q.found.Routes[i].Format, q.gen, i)
}

// saw notes what a whole look-up, or a look at one route, has shown.
func (m *Model) saw() tea.Cmd {
	if m.q.found.Busy() > 0 || len(m.q.waves) > 0 {
		return nil
	}
	return m.sights.Saw(m.q.asked, sighting.Of(&m.q.found, m.deps.Now()))
}

func offKeep(m *Model) string {
	switch {
	case m.listing:
		return "open one of the ids first"
	case m.q.found.Job != nil:
		return "the history has it already: t tags its job, n remarks on it"
	case m.q.found.Task() == nil:
		return "no route knows it, so there is nothing to take over"
	case m.deps.Tags == nil:
		return "nothing can be kept here"
	}
	return ""
}

// askKeep asks for the ticket of the task that is to be taken into the history.
func askKeep(m *Model) tea.Cmd {
	o, ok := lookup.Observation(&m.q.found, m.q.asked, m.deps.Catalog, m.deps.Now())
	if !ok {
		return nil
	}
	return m.stack.Open(notes.Adopt(client.CleanLine(m.q.asked), keeping{o}))
}

func askTags(m *Model) tea.Cmd {
	j := m.q.found.Job
	return m.stack.Open(notes.Tags("job "+jobs.ShortID(j.ID), tagging{j.ID}))
}

func askRemark(m *Model) tea.Cmd {
	j := m.q.found.Job
	return m.stack.Open(notes.Remark("job "+jobs.ShortID(j.ID), j.Remark, remarking{j.ID}))
}

// noted does what a person answered in a dialog.
func (q *question) noted(t Tagger, a typing.Typed) tea.Cmd {
	switch on := a.About.(type) {
	case keeping:
		on.o.Tags = jobs.Ticket(a.Text)
		return keep(t, on.o, q.subject.Value)
	case tagging:
		add, remove := notes.SplitTags(a.Text)
		return note("tagged its job", func(ctx context.Context) error { return t.Tag(ctx, on.id, add, remove) })
	case remarking:
		return note("noted on its job", func(ctx context.Context) error { return t.Remark(ctx, on.id, a.Text) })
	}
	return nil
}

// note writes into the history. The news brings what the job looks like then.
func note(done string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), historyLimit)
		defer stop()
		if err := do(ctx); err != nil {
			return screen.ToastMsg{Level: screen.Bad, Text: err.Error()}
		}
		return screen.ToastMsg{Level: screen.Good, Text: done}
	}
}

// keptMsg says that an id that was looked up has a job in the history now.
type keptMsg struct {
	id, job string
	fresh   bool
}

// keep takes a task into the history; id is what was looked up.
func keep(t Tagger, o jobs.Observation, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), historyLimit)
		defer stop()
		job, fresh, err := t.Observe(ctx, o)
		if err != nil {
			return screen.ToastMsg{Level: screen.Bad, Text: err.Error()}
		}
		return keptMsg{id: id, job: job, fresh: fresh}
	}
}

// kept shows the job that the id has now.
func (m *Model) kept(msg keptMsg) tea.Cmd {
	text := "job " + jobs.ShortID(msg.job) + " is in the history now: it is watched and never sent"
	if !msg.fresh {
		text = "job " + jobs.ShortID(msg.job) + " has this task already; the ticket is noted there"
	}
	m.sights.Stop()
	cmd := screen.Toast(screen.Good, text)
	if msg.id == m.q.id {
		cmd = tea.Batch(cmd, remember(m.q.ctx, m.deps.Jobs, m.q.subject, m.q.gen))
	}
	return cmd
}
