package sheet

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
)

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

// Paste is a pasted text as the focused field is to get it: a data URI in one piece and folded, and
// in a list of references a URL or a path as an item of its own, never the rest of the one that
// stands there.
func (m *Sheet) Paste(runes []rune) []rune {
	f, ok := m.FieldNamed(m.Form.Focused())
	if !ok || !f.Kind.Refers() && !f.Kind.IsJSON() {
		return runes
	}
	runes = m.Data.Pasted(runes, f.Kind.Refers())
	if text := strings.TrimSpace(string(runes)); f.Kind == catalog.Medias && media.Begins(text) {
		return []rune(m.Form.Apart(text))
	}
	return runes
}
