package sheet

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
)

// Edited is the text for the editor: the focused one, else the prompt; suffix is the extension of
// its file's name.
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

// Paste is a pasted text as the focused field should get it: a data URI in one piece and folded,
// and in a list of references a URL or a path as an item of its own, never joined to the one before
// it.
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
