package compare

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
)

// askFrom is from how many jobs on a run asks first: each of them is billed.
const askFrom = 5

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	switch id {
	case "compare.run":
		return m.askRun()
	case "compare.toggle":
		m.toggle()
	case "compare.all":
		m.toggleAll()
	case "compare.repeat":
		m.repeats = m.repeats%maxRepeats + 1
	case "compare.prompt":
		m.setFocus(promptPane)
	case "compare.open":
		return screen.Open(screen.Queue, screen.ShowJob{JobID: m.cells[m.at].jobID})
	case "compare.inspect":
		return screen.Open(screen.Inspect, screen.InspectID{ID: m.cells[m.at].job.TaskID})
	case "compare.edit":
		d, format := m.base, m.format
		if m.focus == gridPane && m.at < len(m.cells) {
			d, format = m.cells[m.at].draft, m.cells[m.at].format
		}
		return screen.Open(screen.Compose, screen.ComposeDraft{Draft: d.Clone(), Format: format})
	case "compare.resubmit":
		c := &m.cells[m.at]
		d := screen.ComposeDraft{Draft: c.draft.Clone(), Format: c.format, Job: c.jobID}
		left := ""
		if c.have && !c.job.Draft.Cut {
			d.Draft, left = c.job.OwnDraft()
			d.Format = c.job.Format
		}
		return screen.Warned(screen.Open(screen.Compose, d), left)
	case "compare.use":
		return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.cells[m.at].jobID, As: string(chain.Reference)})
	case "compare.leave":
		m.setFocus(modelsPane)
	case "compare.next-pane":
		m.turn(1)
	case "compare.prev-pane":
		m.turn(-1)
	}
	return nil
}

// off says why an action can not be done now, "" when it can.
func (m *Model) off(id string) string {
	switch id {
	case "compare.run":
		switch {
		case m.sending:
			return "a run is just being sent"
		case len(m.in()) == 0:
			return "choose at least one model that can take the draft"
		case slices.ContainsFunc(m.in(), func(c candidate) bool { return c.needsPrompt }):
			return "type a prompt first"
		}
	case "compare.toggle":
		if c, ok := m.candidate(); !ok {
			return "there is no model to choose"
		} else if c.block != "" {
			return client.CleanLine(c.model.ID) + " can not take this: " + c.block
		}
	case "compare.open", "compare.resubmit", "compare.use":
		if len(m.cells) == 0 {
			return "nothing was run yet"
		}
		if id == "compare.use" {
			if _, err := chain.Take(&m.cells[m.at].job, chain.Reference); err != nil {
				return err.Error()
			}
		}
	case "compare.inspect":
		if len(m.cells) == 0 {
			return "nothing was run yet"
		}
		return jobs.WhyNot(jobs.ActLookUp, &m.cells[m.at].job)
	}
	return ""
}

// candidate is the model under the cursor of the list.
func (m *Model) candidate() (candidate, bool) {
	if i := m.table.Cursor(); i >= 0 && i < len(m.candidates) {
		return m.candidates[i], true
	}
	return candidate{}, false
}

func (m *Model) toggle() {
	c, ok := m.candidate()
	if !ok {
		return
	}
	if m.chosen[c.model.ID] {
		delete(m.chosen, c.model.ID)
	} else {
		m.chosen[c.model.ID] = true
	}
}

// toggleAll chooses every model of the catalog that can take the draft, or none when all are chosen.
// Of the others nobody knows the kind: they are chosen one by one.
func (m *Model) toggleAll() {
	all := true
	for _, c := range m.candidates {
		if c.able() && !m.chosen[c.model.ID] {
			all = false
		}
	}
	clear(m.chosen)
	if all {
		return
	}
	for _, c := range m.candidates {
		if c.able() {
			m.chosen[c.model.ID] = true
		}
	}
}

func (m *Model) askRun() tea.Cmd {
	n := len(m.in()) * m.repeats
	if n < askFrom {
		return m.run()
	}
	text := fmt.Sprintf("%d jobs are created and billed: %s", n, count(len(m.in()), "model"))
	if m.repeats > 1 {
		text += fmt.Sprintf(", each %d times", m.repeats)
	}
	q := confirm.New(fmt.Sprintf("Create %d jobs?", n), text+".", "no",
		confirm.Button{ID: "no", Label: "Not now", Key: "n"}, confirm.Button{ID: "yes", Label: "Create", Key: "y"})
	m.asking = &q
	return nil
}

// answer ends the question, "" when there is no answer yet.
func (m *Model) answer(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	m.asking = nil
	if id != "yes" || m.off("compare.run") != "" {
		return nil
	}
	return m.run()
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	if p == promptPane {
		_ = m.prompt.Focus()
		return
	}
	m.prompt.Blur()
}

// turn goes around the panes that hold something.
func (m *Model) turn(n pane) {
	p := (m.focus + n + panes) % panes
	if p == gridPane && len(m.cells) == 0 {
		p = (p + n + panes) % panes
	}
	m.setFocus(p)
}
