package compose

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
)

// itemsApart is a pasted text as the focused field is to get it: in a list of references a URL or a
// path is an item of its own, never the rest of the one that stands there.
func (m *sheet) itemsApart(runes []rune) []rune {
	f, ok := m.fieldNamed(m.form.Focused())
	text := strings.TrimSpace(string(runes))
	if !ok || f.Kind != catalog.Medias || !media.Begins(text) {
		return runes
	}
	return []rune(m.form.Apart(text))
}

// glued are warnings of references in which two may stand: the second one would be a part of the
// address of the first.
func (m *sheet) glued() []catalog.Problem {
	var out []catalog.Problem
	for i := range m.fields {
		f := &m.fields[i]
		if !holdsMedia(f) && !m.nested(f.Name) {
			continue
		}
		n := 0
		for ref := range m.references(f.Name) {
			if strings.TrimSpace(ref) == "" {
				continue
			}
			n++
			if strings.HasPrefix(ref, "data:") || strings.Count(ref, "://") < 2 {
				continue
			}
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Warn, Message: fmt.Sprintf(
				"%s: item %d holds :// twice, two references are two items: %s", f.Name, n, client.CleanLine(client.Clip(ref, 100)))})
		}
	}
	return out
}
