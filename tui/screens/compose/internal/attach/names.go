package attach

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/widgets/items"
	"darkroom/tui/widgets/picker"
)

// forName is the purpose of picking a reference to put its name into the prompt.
type forName struct{}

// named is a reference with what it can be called.
type named struct {
	field, ordinal, ref string
	name, role          string // of a content item
}

// allNamed are all references of the draft, in the order of the form.
func allNamed(s *sheet.Sheet) (out []named) {
	for i := range s.Fields {
		f := &s.Fields[i]
		v := s.Draft.Values[f.Name]
		switch f.Kind {
		case catalog.Content:
			for n, x := range (client.Values{"": v}).List("") {
				it, _ := x.(map[string]any)
				name, _ := it["name"].(string)
				role, _ := it["role"].(string)
				kind, _ := it["type"].(string)
				obj, _ := it[kind].(map[string]any)
				if ref, ok := obj["url"].(string); ok {
					out = append(out, named{f.Name, items.Ordinal(n), ref, name, role})
				}
			}
		case catalog.Medias:
			for n, ref := range (client.Values{"": v}).Strings("") {
				out = append(out, named{field: f.Name, ordinal: items.Ordinal(n), ref: ref})
			}
		case catalog.Media:
			if ref, ok := v.(string); ok && strings.TrimSpace(ref) != "" {
				out = append(out, named{field: f.Name, ref: ref})
			}
		}
	}
	return out
}

// called is the name of a reference in a prompt: its own, else its file's, else its role, else the
// field's.
func (r named) called() string {
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
	return cmp.Or(client.CleanLine(r.role), r.field)
}

// OffName says why there is nothing to name, "" when there is.
func (r *References) OffName() string {
	if len(allNamed(r.sheet)) == 0 {
		return "there is no reference to name"
	}
	return ""
}

// Name puts the name of a reference into the prompt; if there are several, one is chosen.
func (r *References) Name() tea.Cmd {
	list := allNamed(r.sheet)
	if len(list) == 1 {
		return r.insertName("0")
	}
	out := make([]picker.Item, len(list))
	for i, x := range list {
		detail := strings.TrimSpace(strings.Join([]string{x.ordinal, r.doc.Label(x.field), client.CleanLine(x.role)}, " "))
		out[i] = picker.Item{ID: strconv.Itoa(i), Title: x.called(), Detail: detail}
	}
	return r.open(choose.New(picker.New("Which reference?", "name, field …", out), forName{}))
}

// insertName puts the name of a reference at the cursor of the prompt. The interface allows a text
// to use only the names of content items.
func (r *References) insertName(id string) tea.Cmd {
	list := allNamed(r.sheet)
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	name := list[i].called()
	r.doc.GoTo(client.FieldPrompt)
	if t := r.sheet.Form.Before(client.FieldPrompt); t != "" && !unicode.IsSpace([]rune(t)[0]) {
		name = " " + name
	}
	if !r.sheet.Form.Insert(client.FieldPrompt, name) {
		return nil
	}
	said := "its own name is in the prompt: a text may refer to an item of content by it"
	if list[i].name == "" {
		said = "the interface shows no way for a text to refer to this reference: the plain name is in the prompt"
		if f, ok := r.sheet.FieldNamed("content"); ok && f.Kind == catalog.Content {
			said += "; an item of Content can have a name of its own"
		}
	}
	return tea.Batch(r.doc.Changed(client.FieldPrompt), screen.Toast(screen.Info, said))
}

// OffMove says why no reference can be moved, "" when one can.
func (r *References) OffMove(by int) string {
	f, ok := r.sheet.FieldNamed(r.sheet.Form.Focused())
	switch {
	case ok && r.sheet.Pieces.Shows(f.Name, r.sheet.Draft.Values[f.Name]):
		return "the items are moved in their dialog, which " + cmp.Or(r.o.Keys.Keys(sheet.ActItems), "the palette") + " opens"
	case !ok || f.Kind != catalog.Medias:
		return "no list of references has the focus"
	}
	_, at, ok := r.sheet.Form.Item()
	last := len(r.sheet.Draft.Values.List(f.Name)) - 1
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
