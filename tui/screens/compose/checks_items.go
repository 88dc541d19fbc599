package compose

import (
	"strconv"
	"strings"

	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
)

// signed is the message of a finding, with an item of a list of references as the form numbers
// it: what the catalog calls images[0] is images ①, and images where it is the only one.
func (m *sheet) signed(p *catalog.Problem) string {
	f, ok := m.fieldNamed(p.Field)
	rest, cut := strings.CutPrefix(p.Message, p.Field+"[")
	if !ok || !cut || f.Kind != catalog.Medias {
		return p.Message
	}
	digits, rest, cut := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if !cut || err != nil {
		return p.Message
	}
	if list, ok := m.draft.Values[p.Field].([]any); ok && len(list) > 1 {
		return p.Field + " " + form.NumberOf(n) + rest
	}
	return p.Field + rest
}
