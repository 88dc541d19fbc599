package compose

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/items"
)

// structure is what the screen knows of fields that are edited piece by piece. The text
// of such a field in the form is its JSON, whichever way it is edited.
type structure struct {
	known fieldsKey // what specs was made for
	specs map[string]items.Spec

	parsed map[string]parsed // by field: what its text was parsed to
}

// parsed is what a text was parsed to, so that a long list is not parsed at every key.
type parsed struct {
	text  string
	kind  catalog.Kind
	value any
	err   error
}

// parse is [catalog.Field.Parse], once for a text.
func (m *sheet) parse(f *catalog.Field, text string) (any, error) {
	if !structured(f.Kind) {
		return f.Parse(text)
	}
	if p, ok := m.pieced.parsed[f.Name]; ok && p.text == text && p.kind == f.Kind {
		return p.value, p.err
	}
	v, err := f.Parse(text)
	if m.pieced.parsed == nil {
		m.pieced.parsed = map[string]parsed{}
	}
	m.pieced.parsed[f.Name] = parsed{text, f.Kind, v, err}
	return v, err
}

// maxFacts bounds what is remembered about references.
const maxFacts = 4000

// spec says what the value of a field of the form is made of; false for a field that is
// not edited piece by piece.
func (m *sheet) spec(name string) (items.Spec, bool) {
	s := &m.pieced
	if s.specs == nil || s.known != m.known {
		s.known, s.specs = m.known, map[string]items.Spec{}
		for _, f := range m.fields {
			if spec, ok := m.specOf(f); ok {
				s.specs[f.Name] = spec
			}
		}
	}
	spec, ok := s.specs[name]
	return spec, ok
}

// pieces reports whether a field shows as pieces now, not as JSON.
func (m *sheet) pieces(name string) bool {
	if _, ok := m.spec(name); !ok || m.raw[name] {
		return false
	}
	if _, bad := m.draft.Values[name].(string); bad {
		m.raw[name] = true // no JSON: it is mended as text
		return false
	}
	return true
}

// pieceValue is the value of a field as it is edited: long data URIs are abbreviated.
func (m *sheet) pieceValue(name string) any { return m.data.Shrink(m.draft.Values[name]) }

// entries is how a row shows a value that is edited piece by piece.
func (m *sheet) entries(r form.Field) form.Field {
	if !m.pieces(r.ID) {
		return r
	}
	spec, _ := m.spec(r.ID)
	r.Kind, r.MaxRows, r.Hint, r.Detail = form.Items, 6, "", m.keys.Keys("compose.items")
	if spec.List {
		r.Add = "+ add"
	}
	value := m.draft.Values[r.ID]
	list, ok := value.([]any)
	if !ok && value != nil {
		list = []any{value}
	}
	for i, x := range list {
		e := form.Entry{}
		if i < r.MaxRows { // the others do not show
			x = m.data.Shrink(x)
			e.Text = spec.Summary(x, m.facts).String()
			if spec.List {
				e.Text = items.Ordinal(i) + " " + e.Text
			}
			for _, f := range spec.Judge(x, m.facts) {
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

// shape shows a field as pieces; the steps back of its text as JSON go.
func (m *sheet) shape(field string) {
	if !m.raw[field] {
		return
	}
	delete(m.raw, field)
	text := m.form.Text(field)
	m.form.SetFields(m.rows())
	m.form.Forget(field)
	m.form.SetText(field, text)
}

// shapeAgain shows a field whose JSON was left as pieces, unless it is none.
func (m *sheet) shapeAgain(field string) {
	if _, ok := m.spec(field); !ok {
		return
	}
	if _, bad := m.draft.Values[field].(string); !bad {
		m.shape(field)
	}
}

func (m *sheet) jsonProblem(field string) string {
	for i := range m.problems {
		if p := &m.problems[i]; p.Field == field && p.Severity == catalog.Block {
			return client.CleanLine(p.Message)
		}
	}
	return field + " is no JSON that fits"
}
