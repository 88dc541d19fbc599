package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"darkroom/client"
	"darkroom/client/places"
)

// Normalize reads a request body, as a gateway gets it or a person pastes it, into a
// draft: names become canonical ones, unknown keys go to Extra, values keep their
// types ("5" for a number stays "5"). Numbers must be json.Number to keep their
// digits. Another spelling of a value becomes that value, as 126 the engine that it names.
// When one meaning comes under several names, lists are joined and of other
// values the first in the catalog's order (canonical name, then aliases) is kept; a
// differing one is refused, or reported and kept as a raw addition where it is a reference; so
// is a model, model_name,
// mode or prompt that is not text. It does not check the draft: see [Catalog.Check].
func (c *Catalog) Normalize(m client.Modality, body map[string]any) (client.Draft, []Problem) {
	d := client.Draft{Modality: m}
	var problems []Problem
	own := map[string]*string{
		client.FieldModel: &d.Model, client.FieldModelName: &d.ModelName,
		client.FieldMode: &d.Mode, client.FieldPrompt: &d.Prompt,
	}
	used := map[string]bool{}
	for _, name := range ownFields {
		v, ok := body[name]
		if !ok {
			continue
		}
		used[name] = true
		s, isText := v.(string)
		if !isText && v != nil {
			problems = append(problems, Problem{Field: name, Value: showAny(v), Severity: Block,
				Message: fmt.Sprintf("%s is %s; it must be text", name, showAny(v)), Source: "Resources and their fields"})
			used[name] = false // kept as a raw addition, so that nothing is lost
		}
		*own[name] = s
	}
	if set := c.fields[m]; set != nil {
		for i := range set.list {
			problems = append(problems, set.list[i].gather(&d, body, used)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if used[name] {
			continue
		}
		raw, err := json.Marshal(body[name])
		if err != nil {
			problems = append(problems, Problem{Field: show(name), Severity: Block,
				Message: fmt.Sprintf("%s has no JSON form", show(name))})
			continue
		}
		if d.Extra == nil {
			d.Extra = map[string]json.RawMessage{}
		}
		d.Extra[places.Quote(name)] = raw
	}
	return d, problems
}

// gather moves a field's value, under whichever of its names, from body to the draft.
func (f *Field) gather(d *client.Draft, body map[string]any, used map[string]bool) []Problem {
	var problems []Problem
	var kept any
	from := ""
	take := func(name string) {
		v, ok := body[name]
		if !ok {
			return
		}
		used[name] = true
		switch {
		case from == "":
			kept, from = v, name
		case f.Kind == Medias && isSet(kept) && isSet(v):
			kept = join(kept, v)
		case !isSet(kept) && isSet(v):
			kept, from = v, name
		case isSet(v) && !f.same(kept, v):
			p := Problem{Field: f.Name, Value: showAny(v), Severity: Block, Message: disagree(f.Name, from, kept, name, v), Source: f.Source}
			if len(f.MediaKinds) > 0 {
				p.Severity = Warn
				p.Message = fmt.Sprintf("%s is %s and %s is %s, which mean the same field; %s is the field's, the other is sent as it stands", from, showAny(kept), name, showAny(v), from)
				used[name] = false // kept as a raw addition, so that no reference is lost
			}
			problems = append(problems, p)
		}
	}
	take(f.Name)
	for _, a := range f.Aliases {
		take(a)
	}
	if from != "" {
		if d.Values == nil {
			d.Values = client.Values{}
		}
		if s, plain := scalar(kept); plain && len(f.ValueAliases) > 0 && s != f.Value(s) {
			kept = f.Value(s)
		}
		d.Values[f.Name] = kept
	}
	return problems
}

// join appends the items of b that are not in a.
func join(a, b any) []any {
	out := slices.Clone(items(a))
	for _, x := range items(b) {
		if !slices.ContainsFunc(out, func(y any) bool { return same(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// same compares values of a field: another spelling of a value is that value.
func (f *Field) same(a, b any) bool {
	x, okX := scalar(a)
	y, okY := scalar(b)
	return okX && okY && f.Value(x) == f.Value(y) || same(a, b)
}

// same compares scalars by text or number ("5", 5 and 5.0 are the same), anything else deeply.
func same(a, b any) bool {
	x, okX := scalar(a)
	y, okY := scalar(b)
	if okX && okY {
		n, errN := strconv.ParseFloat(x, 64)
		m, errM := strconv.ParseFloat(y, 64)
		return x == y || errN == nil && errM == nil && n == m && len(x) < 16 && len(y) < 16
	}
	return okX == okY && reflect.DeepEqual(a, b)
}
