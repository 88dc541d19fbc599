package compose

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/latest"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sheet"
)

// input handles what a person does.
func (m *Model) input(msg tea.Msg) tea.Cmd {
	m.heads.Awaited = false
	return m.pasting.Do(msg)
}

func (m *Model) act(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.ActionMsg:
		return m.do(msg.ID)
	}
	return nil
}

// key does what a key means.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if cmd, ok := m.over.Update(k); ok {
		return cmd
	}
	name := k.String()
	if k.Paste {
		if cmd, ok := m.pasting.Take(k.Runes); ok {
			return cmd
		}
	} else if cmd, ok := m.latestKey(k); ok {
		return cmd
	} else if id, ok := m.commands.Lookup(name); ok {
		return m.do(id)
	} else if id, ok := m.latest.Lookup(k); ok {
		return m.do(id)
	}
	if m.latest.Focused() && !k.Paste {
		return nil
	}
	if m.doc.Side.Alone() && !m.doc.Side.Whole() {
		if name == "esc" {
			m.doc.Side.ShowForm()
			return nil
		}
		m.doc.Side.Request.Update(k)
		return nil
	}
	if k.Paste {
		return m.pasteText(k.Runes)
	}
	if cmd, ok := m.doc.Undo(name); ok {
		return cmd
	}
	switch name {
	case "alt+up", "ctrl+up":
		m.doc.Side.Request.Move(-3)
		return nil
	case "alt+down", "ctrl+down":
		m.doc.Side.Request.Move(3)
		return nil
	}
	return m.handle(m.sheet.Form.Update(k))
}

// pasteText pastes into the focused text, else into the prompt.
func (m *Model) pasteText(runes []rune) tea.Cmd {
	m.doc.Side.ShowForm()
	f := m.sheet.Form
	if !f.Capturing() {
		if cmd, ok := m.structured.Paste(runes); ok {
			return cmd
		}
		if f.Focus(f.Focused()); !f.Capturing() {
			f.Focus(client.FieldPrompt)
		}
	}
	return m.handle(f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: m.sheet.Paste(runes), Paste: true}))
}

// click does what a press on a zone means.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	if cmd, ok := m.over.Update(msg); ok {
		return cmd
	}
	if cmd, ok := m.latest.Click(msg.Zone); ok {
		return cmd
	}
	if t, ok := request.TabAt(msg.Zone); ok {
		return m.doc.Side.Show(t)
	}
	if id, ok := request.CopyAt(msg.Zone); ok {
		return m.doc.Side.Copy(id)
	}
	if rest, ok := strings.CutPrefix(msg.Zone, sheet.ZoneDiffer); ok {
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 && n < len(m.sheet.Differ) {
			m.doc.GoTo(m.sheet.Differ[n].ID)
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(msg.Zone, sheet.ZoneCheck); ok {
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 && n < len(m.sheet.Problems) {
			m.doc.Side.ShowForm()
			m.sheet.GoToProblem(&m.sheet.Problems[n])
		}
		return nil
	}
	m.latest.Blur()
	return m.handle(m.sheet.Form.Click(msg))
}

// wheel scrolls whatever is under the pointer, or else the form.
func (m *Model) wheel(msg screen.WheelMsg) tea.Cmd {
	switch {
	case m.over.Top() != nil:
		cmd, _ := m.over.Update(msg)
		return cmd
	case latest.Holds(msg.Zone) || m.doc.Side.Whole():
		m.latest.Wheel(msg.Delta)
	case inChecks(msg.Zone):
		m.doc.Side.Checks.Scroll(3 * msg.Delta)
	case request.Holds(msg.Zone) || m.doc.Side.Alone():
		m.doc.Side.Request.Wheel(msg.Delta)
	default:
		m.sheet.Form.Wheel(3 * msg.Delta)
	}
	return nil
}

// inChecks reports whether a zone is in Checks.
func inChecks(id string) bool {
	return id == checks.Zone || strings.HasPrefix(id, sheet.ZoneCheck) || strings.HasPrefix(id, sheet.ZoneDiffer)
}
