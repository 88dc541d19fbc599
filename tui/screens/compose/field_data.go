package compose

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/datauri"
)

// mayHoldData reports whether a field may hold references, and so data URIs.
func mayHoldData(f *catalog.Field) bool { return holdsMedia(f) || structured(f.Kind) }

// foldField folds the text of a field that may hold references.
func (m *sheet) foldField(id string) {
	for i := range m.fields {
		if f := &m.fields[i]; f.Name != id || !mayHoldData(f) {
			continue
		}
		t := m.form.Text(id)
		if folded := m.data.Fold(t); folded != t {
			m.form.SetText(id, folded)
		}
		return
	}
}

// pasted is a pasted text as the focused field is to get it: a data URI in one piece,
// also when it came in lines, and folded.
func (m *sheet) pasted(runes []rune) []rune {
	id := m.form.Focused()
	for i := range m.fields {
		f := &m.fields[i]
		if f.Name != id || !mayHoldData(f) || len(runes) <= datauri.Long {
			continue
		}
		text := strings.TrimSpace(string(runes))
		if holdsMedia(f) && strings.HasPrefix(text, "data:") && strings.Count(text, ":") == 1 {
			text = strings.Join(strings.Fields(text), "")
		}
		return []rune(m.data.Fold(text))
	}
	return runes
}

// edited is the text that an editor gets: the focused one, else the prompt; and the ending of its
// file's name.
func (m *sheet) edited() (id, text, suffix string) {
	id, suffix = client.FieldPrompt, ".txt"
	if f, ok := m.fieldNamed(m.form.Focused()); ok && (m.form.Capturing() || m.pieces(f.Name)) {
		id = f.Name
		if structured(f.Kind) {
			suffix = ".json"
		}
	}
	return id, m.data.Unfold(m.form.Text(id)), suffix
}

// takesJSON reports whether JSON is what the focused field takes.
func (m *sheet) takesJSON() bool {
	f, ok := m.fieldNamed(m.form.Focused())
	return ok && structured(f.Kind)
}

// paste is a pasted text as the focused field is to get it.
func (m *sheet) paste(runes []rune) []rune { return m.itemsApart(m.pasted(runes)) }
