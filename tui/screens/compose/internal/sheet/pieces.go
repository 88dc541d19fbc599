package sheet

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
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
func (m *Sheet) parse(f *catalog.Field, text string) (any, error) {
	if !Structured(f.Kind) {
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

// Spec says what the value of a field of the form is made of; false for a field that is
// not edited piece by piece.
func (m *Sheet) Spec(name string) (items.Spec, bool) {
	s := &m.pieced
	if s.specs == nil || s.known != m.Known {
		s.known, s.specs = m.Known, map[string]items.Spec{}
		for _, f := range m.Fields {
			if spec, ok := m.specOf(f); ok {
				s.specs[f.Name] = spec
			}
		}
	}
	spec, ok := s.specs[name]
	return spec, ok
}

// Pieces reports whether a field shows as pieces now, not as JSON.
func (m *Sheet) Pieces(name string) bool {
	if _, ok := m.Spec(name); !ok || m.Raw[name] {
		return false
	}
	if _, bad := m.Draft.Values[name].(string); bad {
		m.Raw[name] = true // no JSON: it is mended as text
		return false
	}
	return true
}

// PieceValue is the value of a field as it is edited: long data URIs are abbreviated.
func (m *Sheet) PieceValue(name string) any { return m.Data.Shrink(m.Draft.Values[name]) }

// entries is how a row shows a value that is edited piece by piece.
func (m *Sheet) entries(r form.Field) form.Field {
	if !m.Pieces(r.ID) {
		return r
	}
	spec, _ := m.Spec(r.ID)
	r.Kind, r.MaxRows, r.Hint, r.Detail = form.Items, 6, "", m.keys.Keys(ActItems)
	if spec.List {
		r.Add = "+ add"
	}
	value := m.Draft.Values[r.ID]
	list, ok := value.([]any)
	if !ok && value != nil {
		list = []any{value}
	}
	for i, x := range list {
		e := form.Entry{}
		if i < r.MaxRows { // the others do not show
			x = m.Data.Shrink(x)
			e.Text = spec.Summary(x, m.Facts).String()
			if spec.List {
				e.Text = items.Ordinal(i) + " " + e.Text
			}
			for _, f := range spec.Judge(x, m.Facts) {
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

// Shape shows a field as pieces; the steps back of its text as JSON go.
func (m *Sheet) Shape(field string) {
	if !m.Raw[field] {
		return
	}
	delete(m.Raw, field)
	text := m.Form.Text(field)
	m.Form.SetFields(m.Rows())
	m.Form.Forget(field)
	m.Form.SetText(field, text)
}

// shapeAgain shows a field whose JSON was left as pieces, unless it is none.
func (m *Sheet) shapeAgain(field string) {
	if _, ok := m.Spec(field); !ok {
		return
	}
	if _, bad := m.Draft.Values[field].(string); !bad {
		m.Shape(field)
	}
}

// JSONProblem is why the text of a field is no JSON that fits.
func (m *Sheet) JSONProblem(field string) string {
	for i := range m.Problems {
		if p := &m.Problems[i]; p.Field == field && p.Severity == catalog.Block {
			return client.CleanLine(p.Message)
		}
	}
	return field + " is no JSON that fits"
}

// Nested reports whether a field holds references within its items.
func (m *Sheet) Nested(name string) bool {
	spec, ok := m.Spec(name)
	return ok && spec.HoldsMedia()
}

// nestedRefs is a field of items in which some reference is one that a test picks.
func (m *Sheet) nestedRefs(f *catalog.Field, pick func(string) bool) (mediaField, bool) {
	spec, _ := m.Spec(f.Name)
	found := false
	spec.EachReference(m.Draft.Values[f.Name], func(ref string, _ []string) string {
		found = found || pick(ref)
		return ref
	})
	if !found {
		return mediaField{}, false
	}
	return mediaField{name: f.Name, text: m.Form.Text(f.Name), kinds: f.MediaKinds, spec: &spec, value: m.PieceValue(f.Name)}, true
}

// resolveNested is [mediaField.resolve] for references within items.
func (f *mediaField) resolveNested() {
	f.facts = map[string]items.Fact{}
	changed := false
	kinds := f.kinds
	value := f.spec.EachReference(f.value, func(ref string, takes []string) string {
		if media.Remote(ref) || f.onlyLook && media.Typed(ref) {
			return ref
		}
		done, err := media.Reference(ref)
		f.kinds = takes
		if err == nil {
			err = f.lookAt(done)
		}
		if err != nil {
			f.facts[done] = items.Fact{Err: client.CleanLine(err.Error())}
			if f.problem == "" {
				f.problem = fmt.Sprintf("%s: %s", f.name, client.CleanLine(err.Error()))
			}
		}
		changed = changed || done != ref
		return done
	})
	f.kinds, f.done = kinds, f.text
	if changed {
		f.done = items.Format(value)
	}
}

// lookAt is [mediaField.look] with what was found kept as a fact.
func (f *mediaField) lookAt(ref string) error {
	if err := f.look(ref); err != nil {
		return err
	}
	if w, local := f.files[ref]; local {
		f.facts[ref] = items.Fact{Size: w.Bytes, Type: w.mediaType}
	}
	return nil
}

// nestedWeights are the weights of the references within the items of a field.
func (m *Sheet) nestedWeights(spec *items.Spec, value any) []Weight {
	var out []Weight
	spec.EachReference(value, func(ref string, _ []string) string {
		if w, ok := m.weightOf(ref); ok {
			out = append(out, w)
		}
		return ref
	})
	return out
}

// specOf is what the value of a field is made of, from the catalog alone: a field that a
// person's own catalog adds is edited like any other. It is false where no keys are named.
func (m *Sheet) specOf(f catalog.Field) (items.Spec, bool) {
	switch f.Kind {
	case catalog.Content:
		return contentSpec(f), true
	case catalog.List, catalog.Object:
	default:
		return items.Spec{}, false
	}
	parts := m.catalog.Parts(m.Modality, f.Name)
	if len(parts) == 0 {
		return items.Spec{}, false
	}
	spec := items.Spec{Title: client.CleanLine(f.Label), List: f.Kind == catalog.List}
	for _, p := range parts {
		spec.Parts = append(spec.Parts, m.partOf(f, p))
	}
	// What there are few values of comes first, long text last.
	slices.SortStableFunc(spec.Parts, func(a, b items.Part) int { return partRank(a) - partRank(b) })
	return spec, true
}

// partRank sorts the parts of an item.
func partRank(p items.Part) int {
	switch {
	case p.Kind == items.Lines || p.Kind == items.JSON:
		return 2
	case len(p.Options) > 0 && p.Seen != "":
		return 0
	default:
		return 1
	}
}

// partOf is how a named key is edited: with the values and the words of the field that
// means the same, where there is one.
func (m *Sheet) partOf(f catalog.Field, p catalog.Part) items.Part {
	out := items.Part{Path: []string{p.Name}, Kind: pieceKind(p.Kind), Media: f.MediaKinds, Help: f.Help}
	if len(p.Values) > 0 {
		out.Options, out.Seen = p.Values, "shown are"
		out.Expected = f.Kind == catalog.List
	}
	if out.Kind == items.Media {
		out.Hint = mediaHint
	}
	i := slices.IndexFunc(m.Fields, func(x catalog.Field) bool { return x.Name == p.Canonical })
	var same catalog.Field
	if i >= 0 {
		same = m.Fields[i]
	} else if x, ok := m.catalog.Field(m.Modality, p.Canonical); ok {
		same = x
	} else {
		return out
	}
	out.Unit, out.Help, out.Hint, out.Media = same.Unit, same.Help, hint(same), same.MediaKinds
	if out.Options == nil {
		out.Options = same.Offered()
	}
	return out
}

const mediaHint = "path or URL; a file is sent as a data URI"

func pieceKind(k catalog.Kind) items.Kind {
	switch k {
	case catalog.Integer:
		return items.Integer
	case catalog.Number:
		return items.Number
	case catalog.Boolean:
		return items.Boolean
	case catalog.Lines:
		return items.Lines
	case catalog.Media:
		return items.Media
	case catalog.Medias, catalog.List, catalog.Object, catalog.Content:
		return items.JSON
	default:
		return items.Text
	}
}

// contentSpec is that of content items (GATEWAY: Content item).
func contentSpec(f catalog.Field) items.Spec {
	spec := items.Spec{Title: client.CleanLine(f.Label), List: true, Tag: "type", Tags: catalog.ContentTypes()}
	for _, t := range spec.Tags {
		p := items.Part{Path: []string{t}, Only: t, Required: true, Kind: items.Lines, Hint: "what it says"}
		if kind, ok := strings.CutSuffix(t, "_url"); ok {
			p.Path, p.Kind, p.Media, p.Hint = []string{t, "url"}, items.Media, []string{kind}, mediaHint
			p.Help = "http(s) URL, data: URI or a file of this machine; a file goes as a data URI, which is not shown as accepted"
		}
		spec.Parts = append(spec.Parts, p)
	}
	spec.Parts = append(spec.Parts,
		items.Part{Path: []string{"role"}, Options: catalog.ContentRoles(), Seen: "seen are", Hint: Unset,
			Help: "purpose of the asset; these values were seen, others may do too"},
		items.Part{Path: []string{"name"}, Hint: Unset, Help: "label of the asset, usable for reference from text"})
	return spec
}
