package sheet

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/screens/compose/internal/datauri"
)

// mayHoldData reports whether a field may hold references, and so data URIs.
func mayHoldData(f *catalog.Field) bool { return f.Kind.Refers() || f.Kind.IsJSON() }

// foldField folds the text of a field that may hold references.
func (m *Sheet) foldField(id string) {
	for i := range m.Fields {
		if f := &m.Fields[i]; f.Name != id || !mayHoldData(f) {
			continue
		}
		t := m.Form.Text(id)
		if folded := m.Data.Fold(t); folded != t {
			m.Form.SetText(id, folded)
		}
		return
	}
}

// pasted is a pasted text as the focused field is to get it: a data URI in one piece,
// also when it came in lines, and folded.
func (m *Sheet) pasted(runes []rune) []rune {
	id := m.Form.Focused()
	for i := range m.Fields {
		f := &m.Fields[i]
		if f.Name != id || !mayHoldData(f) || len(runes) <= datauri.Long {
			continue
		}
		text := strings.TrimSpace(string(runes))
		if f.Kind.Refers() && strings.HasPrefix(text, "data:") && strings.Count(text, ":") == 1 {
			text = strings.Join(strings.Fields(text), "")
		}
		return []rune(m.Data.Fold(text))
	}
	return runes
}

// Edited is the text that an editor gets: the focused one, else the prompt; and the ending of its
// file's name.
func (m *Sheet) Edited() (id, text, suffix string) {
	id, suffix = client.FieldPrompt, ".txt"
	if f, ok := m.FieldNamed(m.Form.Focused()); ok && (m.Form.Capturing() || m.Pieces.Shows(f.Name, m.Draft.Values[f.Name])) {
		id = f.Name
		if f.Kind.IsJSON() {
			suffix = ".json"
		}
	}
	return id, m.Data.Unfold(m.Form.Text(id)), suffix
}

// TakesJSON reports whether JSON is what the focused field takes.
func (m *Sheet) TakesJSON() bool {
	f, ok := m.FieldNamed(m.Form.Focused())
	return ok && f.Kind.IsJSON()
}

// Paste is a pasted text as the focused field is to get it.
func (m *Sheet) Paste(runes []rune) []rune { return m.itemsApart(m.pasted(runes)) }

// itemsApart is a pasted text as the focused field is to get it: in a list of references a URL or a
// path is an item of its own, never the rest of the one that stands there.
func (m *Sheet) itemsApart(runes []rune) []rune {
	f, ok := m.FieldNamed(m.Form.Focused())
	text := strings.TrimSpace(string(runes))
	if !ok || f.Kind != catalog.Medias || !media.Begins(text) {
		return runes
	}
	return []rune(m.Form.Apart(text))
}
