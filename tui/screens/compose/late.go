package compose

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/format"
)

// asked is what the form was when something was asked for that comes later. What comes is put
// into no other form than that: it waits until the person takes it.
type asked struct {
	edits, fills uint64
	dialog       bool // something was open over the form
}

// late is something that came when the form was another one.
type late struct {
	what string // in a few clean words
	take func() tea.Cmd
}

// maxLate bounds how many are kept.
const maxLate = 20

func (m *Model) asks() asked { return asked{m.edits, m.sheet.Fills, m.dialogOpen()} }

// untouched reports whether nobody has changed the form since, and nothing was opened over it;
// what is pasted just now is a change, too.
func (m *Model) untouched(at asked) bool {
	return !m.pasting.Looking() && m.edits == at.edits && m.sheet.Fills == at.fills && (at.dialog || !m.dialogOpen())
}

// replacedSince reports whether another form took the place of the one that was there.
func (m *Model) replacedSince(at asked) bool { return m.sheet.Fills != at.fills }

// offer keeps what came late, and says how it is taken.
func (m *Model) offer(what string, take func() tea.Cmd) tea.Cmd {
	m.late = append(m.late, late{what, take})
	if len(m.late) > maxLate {
		m.late = slices.Delete(m.late, 0, 1)
	}
	return screen.Toast(screen.Warn, m.lateTells())
}

// lateTells says what waits to be taken, "" for nothing.
func (m *Model) lateTells() string {
	if len(m.late) == 0 {
		return ""
	}
	s := "the form was changed and stays as it is; kept is " + m.late[len(m.late)-1].what
	if n := len(m.late) - 1; n > 0 {
		s += " and " + format.Plural(n, "other")
	}
	if k := m.deps.Keys.Keys("compose.take-late"); k != "" {
		s += ": " + k + " takes it"
	}
	return s
}

// takeLate goes on with what came last, in the form as it is now.
func (m *Model) takeLate() tea.Cmd {
	if off := m.offLate(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	n := len(m.late) - 1
	x := m.late[n]
	m.late = m.late[:n]
	return x.take()
}

// offLate says why nothing is taken now, "" when it is.
func (m *Model) offLate() string {
	switch {
	case len(m.late) == 0:
		return "nothing waits to be taken"
	case m.dialogOpen():
		return overForm
	}
	return ""
}

// editedText puts a text from the editor into the field that it is of.
func (m *Model) editedText(msg screen.EditedMsg) tea.Cmd {
	put := func() tea.Cmd {
		m.sheet.Form.SetText(msg.Tag, m.sheet.Data.Fold(strings.TrimSuffix(msg.Text, "\n")))
		return m.changed(msg.Tag)
	}
	if m.replacedSince(m.editor) {
		return m.offer("the text from the editor for "+client.CleanLine(m.label(msg.Tag)), put)
	}
	return put()
}
