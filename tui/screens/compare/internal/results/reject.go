package results

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/facts"
)

// rejects are the jobs that were rejected here since the console began.
type rejects struct {
	agreed bool     // the person knows what it means
	undo   []string // what can be taken back, the latest last
	now    map[string]bool
}

// rejecting is the subject of the question.
type rejecting struct{ job string }

// rejectedMsg says that a job was rejected, or that this was taken back.
type rejectedMsg struct {
	job string
	on  bool
	err error
}

func offReject(m *Model, x facts.Trial) string {
	switch {
	case offJob(m, x) != "":
		return offJob(m, x)
	case !x.Trial.Ended():
		return "it has not ended; " + m.commands.Key(actStop) + " stops the run"
	case m.rejects.now[x.Trial.JobID]:
		return "it was rejected already; " + m.commands.Key(actRestore) + " takes it back"
	}
	return ""
}

// askReject rejects the result. It asks the first time.
func askReject(m *Model) tea.Cmd {
	x := m.current()
	if m.rejects.agreed {
		return setRejected(m.o.Jobs, x.Trial.JobID, true)
	}
	text := x.Where() + "\nIt leaves Queue, and its files are removed when the console ends; the run keeps its numbers. Until then " +
		m.commands.Key(actRestore) + " takes it back."
	return m.o.Open(ask.Decide("Reject the result?", text, "Keep", "Reject", rejecting{x.Trial.JobID}))
}

func offRestore(m *Model) string {
	if len(m.rejects.undo) == 0 {
		return "nothing was rejected here since the console began"
	}
	return ""
}

func restore(m *Model) tea.Cmd {
	n := len(m.rejects.undo) - 1
	return setRejected(m.o.Jobs, m.rejects.undo[n], false)
}

func setRejected(d Jobs, id string, on bool) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		return rejectedMsg{id, on, d.Reject(ctx, []string{id}, on)}
	}
}

// rejected takes what became of it.
func (m *Model) rejected(msg rejectedMsg) tea.Cmd {
	if msg.err != nil {
		return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
	}
	r := &m.rejects
	m.panel.stale = true
	if !msg.on {
		delete(r.now, msg.job)
		for i := len(r.undo) - 1; i >= 0; i-- {
			if r.undo[i] == msg.job {
				r.undo = append(r.undo[:i], r.undo[i+1:]...)
			}
		}
		return screen.Toast(screen.Good, "brought back "+human.Plural(1, "result"))
	}
	if r.now == nil {
		r.now = map[string]bool{}
	}
	r.now[msg.job] = true
	r.undo = append(r.undo, msg.job)
	return screen.Toast(screen.Good, "rejected · "+m.commands.Key(actRestore)+" takes it back")
}
