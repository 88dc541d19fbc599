package compose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/catalog"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/datauri"
	"darkroom/tui/widgets/items"
)

// itemsKey is a key while the dialog is open.
func (m *Model) itemsKey(k tea.KeyMsg) tea.Cmd {
	d, name := m.items.dialog, k.String()
	if k.Paste {
		k.Runes = m.pastedItem(k.Runes)
	}
	typed := d.Capturing() && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt
	if !k.Paste && !typed {
		if id, ok := m.deps.Keys.Lookup(scopeItems, name); ok {
			if verb := strings.TrimPrefix(id, scopeItems+"."); d.Takes(verb) {
				return m.itemsEvent(d.Do(verb))
			}
		}
		if id, ok := m.deps.Keys.Lookup(scope, name); ok && (id == scope+".editor" || id == scope+".pick-file" || id == scope+".from-results") {
			return m.do(id)
		}
	}
	return m.itemsEvent(d.Key(k))
}

// tagItem marks a text of an item that is in the editor.
const tagItem = "#item"

// editItems opens the text of the item that is written, else the whole value as JSON, in
// the person's editor.
func (m *Model) editItems() tea.Cmd {
	s := &m.items
	msg := screen.EditMsg{Text: m.sheet.Data.Unfold(m.sheet.Form.Text(s.field)), Suffix: ".json", Tag: s.field}
	if text, ok := s.dialog.Writing(); ok {
		msg = screen.EditMsg{Text: text, Suffix: ".txt", Tag: tagItem}
	}
	return func() tea.Msg { return msg }
}

func (m *Model) editedItem(text string) tea.Cmd {
	if m.items.dialog == nil || m.replacedSince(m.editor) {
		return m.offer("the text of an item from the editor, for the clipboard", func() tea.Cmd {
			return func() tea.Msg { return screen.CopyMsg{Text: text, What: "the text from the editor"} }
		})
	}
	return m.itemsEvent(m.items.dialog.Write(strings.TrimSuffix(text, "\n")))
}

// pastedItem is [Model.pasted] for the dialog: a data URI in one piece, and abbreviated.
func (m *Model) pastedItem(runes []rune) []rune {
	if len(runes) <= datauri.Long {
		return runes
	}
	text := strings.TrimSpace(string(runes))
	if strings.HasPrefix(text, "data:") && strings.Count(text, ":") == 1 {
		text = strings.Join(strings.Fields(text), "")
	}
	return []rune(m.sheet.Data.Fold(text))
}

// itemsDo does an action of the dialog by its name.
func (m *Model) itemsDo(verb string) tea.Cmd {
	if m.items.dialog == nil {
		return nil
	}
	return m.itemsEvent(m.items.dialog.Do(verb))
}

// itemKey is the key of an action of the dialog that works now: one that types nothing
// while text is typed.
func (m *Model) itemKey(action string) string {
	a, ok := m.deps.Keys.Action(scopeItems + "." + action)
	if !ok {
		return ""
	}
	for _, k := range a.Keys {
		if !m.items.dialog.Capturing() || utf8.RuneCountInString(k) > 1 {
			return keys.Show(k)
		}
	}
	return ""
}

// itemsHints are what the last lines of the dialog offer.
func (m *Model) itemsHints() []items.Hint {
	out := make([]items.Hint, 0, 13)
	for _, a := range items.Actions() {
		out = append(out, items.Hint{Action: a, Keys: m.itemKey(a), Label: m.itemWord(a)})
	}
	return out
}

// itemWord is the one word for an action of the dialog as it works now.
func (m *Model) itemWord(action string) string {
	if action == items.Close && m.items.dialog.Inside() {
		return "back"
	}
	return itemWords[action]
}

// itemsActions are what the palette offers while the dialog is open.
func (m *Model) itemsActions() []screen.Action {
	if m.items.dialog == nil {
		return nil
	}
	var out []screen.Action
	for _, a := range items.Actions() {
		id := scopeItems + "." + a
		out = append(out, screen.Action{ID: id, Title: m.deps.Keys.Title(id), Off: m.items.dialog.Off(a)})
	}
	return out
}

// itemsBindings are the keys of what can be done in the dialog now.
func (m *Model) itemsBindings() []key.Binding {
	var out []key.Binding
	for _, a := range items.Actions() {
		if m.items.dialog.Takes(a) && m.items.dialog.Off(a) == "" {
			b := m.deps.Keys.Short(scopeItems+"."+a, itemWords[a])
			b.SetHelp(m.itemKey(a), m.itemWord(a))
			out = append(out, b)
		}
	}
	return out
}

// offItems says why there is nothing to edit piece by piece, "" when there is.
func (m *Model) offItems() string {
	if slices.ContainsFunc(m.sheet.Fields, func(f catalog.Field) bool { _, ok := m.sheet.Spec(f.Name); return ok }) {
		return ""
	}
	return "no field of this model has named keys"
}
