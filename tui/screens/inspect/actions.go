package inspect

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// anyFormat is the id of "guess" in the picker.
const anyFormat = "guess"

// do does an action by its id.
func (m *Model) do(id string) tea.Cmd {
	if off := m.off(id); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	switch id {
	case "inspect.lookup":
		return m.lookup()
	case "inspect.again":
		m.input.SetValue(m.id)
		return m.lookup()
	case "inspect.stop":
		m.escape()
	case "inspect.format":
		m.openPicker()
	case "inspect.copy":
		text := string(m.current().body)
		return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the answer"} }
	case "inspect.copy-id":
		text := m.askedID
		return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the id"} }
	case "inspect.edit-id":
		m.setFocus(inputPane)
	case "inspect.raw":
		m.plain = !m.plain
		m.raw.SetTop(0)
	case "inspect.to-queue":
		return screen.Open(screen.Queue, screen.ShowJob{JobID: m.job.ID})
	case "inspect.star":
		return star(m.deps.Tags, m.job.ID, !m.job.Starred())
	case "inspect.resubmit":
		d, left := m.job.OwnDraft()
		return screen.Warned(screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: m.job.Format, Job: m.job.ID}), left)
	case "inspect.use":
		return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.job.ID, As: string(chain.Reference)})
	case "inspect.next-pane":
		m.turn(1)
	case "inspect.prev-pane":
		m.turn(-1)
	default:
		return m.outside.Do(strings.TrimPrefix(id, scope+"."), m.job)
	}
	return nil
}

// noJob says why nothing can be done with a job.
const noJob = "the history on this machine knows no job with this id"

// off says why an action can not be done now, "" when it can.
func (m *Model) off(id string) string {
	switch id {
	case "inspect.again", "inspect.copy-id":
		if m.id == "" {
			return "nothing was looked up yet"
		}
	case "inspect.copy":
		if len(m.current().body) == 0 {
			return "there is no answer with a body to copy"
		}
	case "inspect.player", "inspect.player-forward", "inspect.player-back", "inspect.player-stop":
		if id == "inspect.player" && m.job == nil {
			return noJob
		}
		return m.outside.Off(strings.TrimPrefix(id, scope+"."), m.job)
	case "inspect.to-queue", "inspect.star", "inspect.resubmit", "inspect.use":
		if m.job == nil {
			return noJob
		}
		if id == "inspect.star" && m.deps.Tags == nil {
			return "nothing can be tagged here"
		}
		if id == "inspect.use" {
			if _, err := chain.Take(m.job, chain.Reference); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// escape stops what is asked; when nothing is, it leaves or enters the input.
func (m *Model) escape() {
	switch {
	case m.busy() > 0 || m.histDue:
		m.stop()
	case m.focus != inputPane:
		m.setFocus(inputPane)
	case m.id != "":
		m.setFocus(m.page)
	}
}

// current is the route under the cursor; an empty one when there is none.
func (m *Model) current() route {
	if i := m.table.Cursor(); i >= 0 && i < len(m.routes) {
		return m.routes[i]
	}
	return route{}
}

func (m *Model) setFocus(p pane) {
	m.focus = p
	if p == inputPane {
		_ = m.input.Focus()
		return
	}
	m.page = p
	m.input.Blur()
}

// turn goes around the panes that hold something.
func (m *Model) turn(n pane) {
	p := m.focus
	for range panes {
		p = (p + n + panes) % panes
		if p == inputPane || p == factsPane || len(m.routes) > 0 {
			m.setFocus(p)
			return
		}
	}
}

func (m *Model) openPicker() {
	items := []picker.Item{{ID: anyFormat, Title: anyFormat, Detail: "asks every route at once, the likely ones first"}}
	for _, f := range m.deps.Gateway.Formats() {
		if q := f.Query("{id}"); q.Path != "" {
			items = append(items, picker.Item{ID: f.Name(), Title: f.Name(), Detail: f.Label()})
		}
	}
	p := picker.New("Format", "which route to ask", items)
	if m.format != "" {
		p.Select(m.format)
	}
	m.picker = &p
}

// picked takes over the format. A look-up that was made is made again by it.
func (m *Model) picked(ev picker.Event) tea.Cmd {
	if ev == picker.None {
		return nil
	}
	it, ok := m.picker.Current()
	m.picker = nil
	if ev == picker.Cancelled || !ok {
		return nil
	}
	m.format = it.ID
	if it.ID == anyFormat {
		m.format = ""
	}
	if m.id != "" && cleanID(m.input.Value()) == m.id {
		return m.lookup()
	}
	return nil
}
