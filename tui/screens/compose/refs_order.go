package compose

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/items"
	"darkroom/tui/widgets/picker"
)

// offMove says why no reference can be moved, "" when one can.
func (m *Model) offMove(by int) string {
	f, ok := m.sheet.FieldNamed(m.sheet.Form.Focused())
	switch {
	case ok && m.sheet.Pieces.Shows(f.Name, m.sheet.Draft.Values[f.Name]):
		return "the items are moved in their dialog, which " + or(m.deps.Keys.Keys(sheet.ActItems), "the palette") + " opens"
	case !ok || f.Kind != catalog.Medias:
		return "no list of references has the focus"
	}
	_, at, ok := m.sheet.Form.Item()
	last := len(m.sheet.Draft.Values.List(f.Name)) - 1
	switch {
	case !ok:
		return "no reference is under the cursor"
	case by < 0 && at == 0:
		return "it is the first one"
	case by > 0 && at >= last:
		return "it is the last one"
	}
	return ""
}

// namedRef is a reference with what it can be called.
type namedRef struct {
	field, ordinal, ref string
	name, role          string // of a content item
}

// namedRefs are all references of the draft, in the order of the form.
func (m *Model) namedRefs() (out []namedRef) {
	for i := range m.sheet.Fields {
		f := &m.sheet.Fields[i]
		v := m.sheet.Draft.Values[f.Name]
		switch f.Kind {
		case catalog.Content:
			for n, x := range (client.Values{"": v}).List("") {
				it, _ := x.(map[string]any)
				name, _ := it["name"].(string)
				role, _ := it["role"].(string)
				kind, _ := it["type"].(string)
				obj, _ := it[kind].(map[string]any)
				if ref, ok := obj["url"].(string); ok {
					out = append(out, namedRef{f.Name, items.Ordinal(n), ref, name, role})
				}
			}
		case catalog.Medias:
			for n, ref := range (client.Values{"": v}).Strings("") {
				out = append(out, namedRef{field: f.Name, ordinal: items.Ordinal(n), ref: ref})
			}
		case catalog.Media:
			if ref, ok := v.(string); ok && strings.TrimSpace(ref) != "" {
				out = append(out, namedRef{field: f.Name, ref: ref})
			}
		}
	}
	return out
}

// called is what a reference is called in a prompt: its own name, else that of its file, else its
// role, else the field's.
func (r namedRef) called() string {
	if r.name != "" {
		return client.CleanLine(r.name)
	}
	if !strings.HasPrefix(r.ref, "data:") {
		name := r.ref
		if p, ok := client.FilePath(strings.TrimSpace(r.ref)); ok {
			name = p
		} else {
			name, _, _ = strings.Cut(name, "?")
		}
		base := path.Base(name)
		base = strings.TrimSuffix(base, path.Ext(base))
		if base = client.CleanLine(base); base != "" && base != "." && base != "/" {
			return base
		}
	}
	return or(client.CleanLine(r.role), r.field)
}

// nameRef puts the name of a reference into the prompt; of several one is chosen.
func (m *Model) nameRef() tea.Cmd {
	list := m.namedRefs()
	switch len(list) {
	case 0:
		return nil
	case 1:
		return m.insertName("0")
	}
	out := make([]picker.Item, len(list))
	for i, r := range list {
		detail := strings.TrimSpace(strings.Join([]string{r.ordinal, m.doc.Label(r.field), client.CleanLine(r.role)}, " "))
		out[i] = picker.Item{ID: strconv.Itoa(i), Title: r.called(), Detail: detail}
	}
	return m.choose(picker.New("Which reference?", "name, field …", out), forName{})
}

func (m *Model) offName() string {
	if len(m.namedRefs()) == 0 {
		return "there is no reference to name"
	}
	return ""
}

// insertName puts the name of a reference at the cursor of the prompt. Only of the names of
// content items the interface says that a text may use them.
func (m *Model) insertName(id string) tea.Cmd {
	list := m.namedRefs()
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	name := list[i].called()
	m.doc.GoTo(client.FieldPrompt)
	if t := m.sheet.Form.Before(client.FieldPrompt); t != "" && !unicode.IsSpace([]rune(t)[0]) {
		name = " " + name
	}
	if !m.sheet.Form.Insert(client.FieldPrompt, name) {
		return nil
	}
	said := "its own name is in the prompt: a text may refer to an item of content by it"
	if list[i].name == "" {
		said = "the interface shows no way for a text to refer to this reference: the plain name is in the prompt"
		if f, ok := m.sheet.FieldNamed("content"); ok && f.Kind == catalog.Content {
			said += "; an item of Content can have a name of its own"
		}
	}
	return tea.Batch(m.doc.Changed(client.FieldPrompt), screen.Toast(screen.Info, said))
}
