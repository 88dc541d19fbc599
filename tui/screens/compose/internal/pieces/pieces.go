// Package pieces knows the fields of a form that are edited piece by piece: what their items
// consist of, and which of them show as pieces now. In the form, the text of such a field is its
// JSON, however it is edited.
package pieces

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/items"
)

// Pieces are the fields of a form that are edited piece by piece.
type Pieces struct {
	specs  map[string]*items.Spec
	raw    map[string]bool   // fields that show as JSON, since somebody wanted it or it is none
	parsed map[string]parsed // by field: what its text was parsed to
}

// parsed is the result of parsing a text, so that a long list is not parsed on every key.
type parsed struct {
	text  string
	kind  catalog.Kind
	value any
	err   error
}

// New is a Pieces without fields.
func New() Pieces { return Pieces{raw: map[string]bool{}, parsed: map[string]parsed{}} }

// SetFields takes the fields of a form for a kind of request.
func (p *Pieces) SetFields(c *catalog.Catalog, kind client.Modality, fields []catalog.Field) {
	p.specs = map[string]*items.Spec{}
	b := builder{c, kind, fields}
	for _, f := range fields {
		if spec, ok := b.spec(f); ok {
			p.specs[f.Name] = &spec
		}
	}
}

// Spec says what the value of a field consists of; false for a field that is not edited piece by
// piece.
func (p *Pieces) Spec(field string) (*items.Spec, bool) {
	spec, ok := p.specs[field]
	return spec, ok
}

// Any reports whether there is such a field.
func (p *Pieces) Any() bool { return len(p.specs) > 0 }

// Parse is [catalog.Field.Parse], called once per text.
func (p *Pieces) Parse(f *catalog.Field, text string) (any, error) {
	if !f.Kind.IsJSON() {
		return f.Parse(text)
	}
	if x, ok := p.parsed[f.Name]; ok && x.text == text && x.kind == f.Kind {
		return x.value, x.err
	}
	v, err := f.Parse(text)
	p.parsed[f.Name] = parsed{text, f.Kind, v, err}
	return v, err
}

// Show has a field show as pieces, or as JSON; it reports whether that changed.
func (p *Pieces) Show(field string, pieces bool) (changed bool) {
	changed = p.raw[field] == pieces
	if pieces {
		delete(p.raw, field)
	} else {
		p.raw[field] = true
	}
	return changed
}

// Shows reports whether a field shows as pieces rather than JSON. A value that is not valid JSON is
// mended as text, and stays text until the field is left.
func (p *Pieces) Shows(field string, value any) bool {
	if _, ok := p.specs[field]; !ok || p.raw[field] {
		return false
	}
	if _, bad := value.(string); bad {
		p.raw[field] = true
		return false
	}
	return true
}

// maxRows is how many items a row shows.
const maxRows = 6

// Row is how a row shows a value piece by piece; shrink abbreviates long values, and facts are
// about references.
func (p *Pieces) Row(r form.Field, value any, shrink func(any) any, facts map[string]items.Fact) form.Field {
	spec := p.specs[r.ID]
	r.Kind, r.MaxRows, r.Hint = form.Items, maxRows, ""
	if spec.List {
		r.Add = "+ add"
	}
	list, ok := value.([]any)
	if !ok && value != nil {
		list = []any{value}
	}
	for i, x := range list {
		e := form.Entry{}
		if i < maxRows { // the others do not show
			x = shrink(x)
			e.Text = spec.Summary(x, facts).String()
			if spec.List {
				e.Text = items.Ordinal(i) + " " + e.Text
			}
			for _, f := range spec.Judge(x, facts) {
				e.Mark = max(e.Mark, f.Mark)
			}
		}
		r.Entries = append(r.Entries, e)
	}
	if len(list) == 0 {
		r.Hint = strings.Join(spec.Names(), ", ")
	}
	return r
}
