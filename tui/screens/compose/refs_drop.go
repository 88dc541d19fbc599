package compose

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/widgets/confirm"
)

// maxDropped bounds the text that is looked at as dropped files, in bytes.
const maxDropped = 64 << 10

// droppedMsg is a pasted text that may name files; they are those when all of it does.
type droppedMsg struct {
	text  []rune
	field string // that had the focus
	files []media.File
}

// readDropped looks whether a pasted text consists of files that are there, as terminals paste
// what is dropped onto them; false for a text that can not.
func (m *Model) readDropped(runes []rune) (tea.Cmd, bool) {
	if spec, ok := m.sheet.Pieces.Spec(m.sheet.Form.Focused()); len(runes) > maxDropped || m.doc.Side.Alone() || ok && spec.HoldsMedia() { // whose dialog takes lines
		return nil, false
	}
	text := string(runes)
	lists := media.Dropped(text)
	if len(lists) == 0 {
		return nil, false
	}
	field := m.sheet.Form.Focused()
	return m.pasting.Look(func() pasted.Text { return pasted.Text{Text: text} }, func() tea.Msg {
		msg := droppedMsg{text: runes, field: field}
		for _, list := range lists {
			if files, err := media.LookAll(list); err == nil {
				msg.files = files
				break
			}
		}
		return msg
	}), true
}

// droppedCame makes files references of the field that takes them, or asks. What is no file is
// text.
func (m *Model) droppedCame(msg droppedMsg) tea.Cmd {
	if len(msg.files) == 0 {
		return m.pasteText(msg.text)
	}
	if f, ok := m.sheet.FieldNamed(msg.field); ok && f.Kind.Refers() {
		return m.takeFiles(msg.files, f.Name)
	}
	said := make([]string, 0, 6)
	for i, f := range msg.files {
		if i == 5 {
			said = append(said, fmt.Sprintf("and %d more", len(msg.files)-i))
			break
		}
		said = append(said, client.CleanLine(filepath.Base(f.Path))+" ("+f.Kind+")")
	}
	return m.over.Open(ask.Choose(ask.QuestionOptions{
		Box: confirm.New("Add as references?", strings.Join(said, "\n"), "cancel",
			confirm.Button{ID: answerRefs, Label: "References", Key: "r"},
			confirm.Button{ID: answerText, Label: "As text", Key: "t"},
			confirm.Button{ID: "cancel", Label: "Cancel"}),
		Width: 84, Height: 22, Help: [][2]string{{"r", "as references"}, {"t", "as text"}, {"esc", "cancel"}}, Name: askDropped, About: msg,
	}))
}
