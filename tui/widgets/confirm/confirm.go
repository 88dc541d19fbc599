// Package confirm asks a question with a few buttons.
package confirm

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Button is an answer. Key answers at once, as "y"; it should occur in the label.
type Button struct{ ID, Label, Key string }

// Model is an open question. Make it with [New].
type Model struct {
	title, text string
	buttons     []Button
	focus       int
	cancel      string
}

// New asks a question. The first button has the focus: put the harmless answer there. Cancel is
// the id that escape answers, "" for "cancel".
func New(title, text, cancel string, buttons ...Button) Model {
	if cancel == "" {
		cancel = "cancel"
	}
	return Model{title: title, text: text, buttons: buttons, cancel: cancel}
}

// Update takes a key. It returns the id of the answer, or "" as long as there is none.
func (m *Model) Update(k tea.KeyMsg) string {
	n := len(m.buttons)
	switch name := k.String(); name {
	case "esc", "ctrl+c":
		return m.cancel
	case "left", "shift+tab", "up", "h":
		m.focus = (m.focus + n - 1) % max(1, n)
	case "right", "tab", "down", "l":
		m.focus = (m.focus + 1) % max(1, n)
	case "enter", " ":
		if n == 0 {
			return m.cancel
		}
		return m.buttons[m.focus].ID
	default:
		for _, b := range m.buttons {
			if b.Key != "" && strings.EqualFold(b.Key, name) {
				return b.ID
			}
		}
	}
	return ""
}

// Click takes a click, and returns the id of the answer, or "".
func (m *Model) Click(c zone.Click) string {
	id, ok := strings.CutPrefix(c.Zone, "btn:")
	if !ok {
		return ""
	}
	for _, b := range m.buttons {
		if b.ID == id {
			return id
		}
	}
	return ""
}

// View draws the dialog, at most w x h cells; its buttons are the zones "btn:<id>".
func (m *Model) View(st *themes.Styles, w, h int) string {
	w = min(w, max(44, widgets.Width(m.title)+6))
	iw, _ := widgets.Inner(w, h)
	if iw <= 0 || h < 3 {
		return ""
	}
	rows := m.buttonRows(st, iw)
	body := widgets.WrapLines(m.text, iw, max(1, h-3-len(rows)))
	ink := widgets.NewInk(st.Dialog)
	for i, l := range body {
		body[i] = ink.Text(l)
	}
	if h >= len(body)+len(rows)+3 {
		body = append(body, "")
	}
	body = append(body, rows...)
	title := widgets.NewInk(st.DialogTitle).Text(m.title)
	return widgets.Box(st, title, "", strings.Join(body, "\n"), w, min(h, len(body)+2), true)
}

// buttonRows sets the buttons in as many lines as they need, right-aligned.
func (m *Model) buttonRows(st *themes.Styles, w int) []string {
	var rows []string
	line, used := "", 0
	flush := func() {
		if line != "" {
			rows = append(rows, widgets.PadLeft(line, w))
		}
		line, used = "", 0
	}
	for i, b := range m.buttons {
		s := widgets.Button(st, b.ID, b.Label, i == m.focus, false)
		n := widgets.Width(s)
		if used > 0 && used+2+n > w {
			flush()
		}
		if used > 0 {
			line += "  "
			used += 2
		}
		line += s
		used += n
	}
	flush()
	return rows
}
