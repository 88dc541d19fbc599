package inspect

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/differs"
	"darkroom/tui/screen"
)

// Drift keeps counts of what answers about tasks of others have that the interface does not name; no
// job of the history keeps those. It touches the disk, and is called in commands.
type Drift interface {
	Count(*drift.Counter) error
}

func offDiffers(m *Model) string {
	if m.deps.Differs == nil {
		return "nothing is counted here"
	}
	return ""
}

// openDiffers lists what the answers have that the interface does not name.
func openDiffers(m *Model) tea.Cmd {
	return m.stack.Open(differs.New(m.deps.Differs, m.deps.Times.At(m.deps.Now())))
}

// countDrift counts what a look-up has shown of a task of somebody else, once.
func countDrift(m *Model) tea.Cmd {
	q := &m.q
	if m.deps.Drift == nil || q.counted || q.bundled != nil || q.open() || len(q.waves) > 0 || q.found.Job != nil || q.found.Task() == nil {
		return nil
	}
	q.counted = true
	return keepDrift(m.deps, []lookup.Result{{Asked: q.asked, Findings: q.found}})
}

// countMany does it for a list, when all have answered.
func countMany(m *Model) tea.Cmd {
	if m.deps.Drift == nil || m.many.open > 0 {
		return nil
	}
	var all []lookup.Result
	for _, r := range m.many.found {
		if r.Findings.Job == nil && r.Findings.Task() != nil {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return keepDrift(m.deps, all)
}

func keepDrift(d Deps, all []lookup.Result) tea.Cmd {
	now := d.Now()
	return func() tea.Msg {
		l, err := drift.Embedded()
		if err != nil {
			return nil // a test reads it
		}
		var c drift.Counter
		for i := range all {
			f := all[i].Findings.Drift(l)
			if d.Embedded {
				f = l.Own(f)
			}
			c.Add(f, now, all[i].Asked)
		}
		if err := d.Drift.Count(&c); err != nil {
			return screen.ToastMsg{Level: screen.Warn, Text: "what differs from the interface is not counted: " + client.CleanLine(err.Error())}
		}
		return nil
	}
}
