package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/places"
)

// addition is a member of the body as raw additions leave it.
type addition struct {
	canonical string // "" for one of the draft's own fields
	member    string // its name, or its path inside an object
	value     any
}

// overlay makes the draft whose minimum input is checked: the raw additions are in place. One that
// cannot be put in place is the encoder's error and does not count here.
func (k *checker) overlay() {
	if len(k.d.Extra) == 0 {
		return
	}
	body, ok := k.withRaw()
	if !ok {
		return
	}
	d := k.d.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	own := map[string]*string{client.FieldModelName: &d.ModelName, client.FieldMode: &d.Mode, client.FieldPrompt: &d.Prompt}
	for _, a := range k.additions(body) {
		if to := own[a.canonical]; to != nil {
			*to, _ = scalar(a.value)
			continue
		}
		k.raw = append(k.raw, a)
		i := k.set.names[a.canonical]
		f := &k.set.list[i]
		switch now := d.Values[f.Name]; {
		case a.member == k.writes(f.Name): // it takes the place of the draft's own
			d.Values[f.Name] = a.value
		case f.Kind == Medias || f.Kind == Content:
			d.Values[f.Name] = join(now, a.value)
		case !isSet(now):
			d.Values[f.Name] = a.value
		}
	}
	k.d = &d
}

// withRaw returns the parts of the body that raw additions touch: what the draft has there, with
// the additions on top.
func (k *checker) withRaw() (map[string]any, bool) {
	below := map[string]any{}
	own := map[string]string{client.FieldModelName: k.d.ModelName, client.FieldMode: k.d.Mode, client.FieldPrompt: k.d.Prompt}
	for _, place := range slices.Sorted(maps.Keys(k.d.Extra)) {
		member, err := places.Check(place)
		if err != nil {
			return nil, false
		}
		if i, ok := k.set.names[member]; ok && k.writes(k.set.list[i].Name) == member && isSet(k.d.Values[k.set.list[i].Name]) {
			below[member] = k.d.Values[k.set.list[i].Name]
		}
		if own[member] != "" {
			below[member] = own[member]
		}
	}
	raw, err := json.Marshal(below)
	if err == nil {
		raw, err = places.Overlay(raw, k.d.Extra)
	}
	if err != nil {
		return nil, false
	}
	v, err := client.ParseJSON(string(raw))
	body, ok := v.(map[string]any)
	return body, ok && err == nil
}

// additions reads the members of a body that raw additions touch, in a fixed order.
func (k *checker) additions(body map[string]any) (out []addition) {
	for _, member := range slices.Sorted(maps.Keys(body)) {
		v := body[member]
		if i, ok := k.set.names[member]; ok {
			out = append(out, addition{k.set.list[i].Name, member, v})
			continue
		}
		if slices.Contains(ownFields, member) {
			out = append(out, addition{member, member, v})
			continue
		}
		obj, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(obj)) {
			if a, ok := k.placed(member+"."+name, obj[name]); ok {
				out = append(out, a)
			}
		}
	}
	return out
}

// placed reads the value at a path inside an object where the format writes a field: a single
// field, or references with their roles.
func (k *checker) placed(place string, v any) (addition, bool) {
	if k.info == nil {
		return addition{}, false
	}
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(k.info.Names)) {
		if k.info.Names[name] == place {
			fields = append(fields, name)
		}
	}
	switch {
	case len(fields) == 1:
		return addition{fields[0], place, v}, true
	case slices.Contains(fields, fieldContent):
		return addition{fieldContent, place, roleItems(v)}, true
	}
	return addition{}, false
}

// roleItems converts references {type: ROLE, url: URL} to content items.
func roleItems(v any) []any {
	var out []any
	for _, x := range items(v) {
		m, _ := x.(map[string]any)
		role, _ := m["type"].(string)
		url, _ := m["url"].(string)
		kind := cmp.Or(roleMedia(role), "image") + "_url"
		if url != "" {
			out = append(out, map[string]any{"type": kind, kind: map[string]any{"url": url}, "role": role})
		}
	}
	return out
}

const (
	fieldContent  = "content"
	fieldEndImage = "end_image"
)

// writes returns where the format writes a field of the model.
func (k *checker) writes(field string) string {
	name := field
	if k.info != nil {
		name = cmp.Or(k.info.Names[field], name)
	}
	if k.m != nil {
		name = cmp.Or(k.m.wireNames[k.format][field], name)
	}
	return name
}

// checkRaw judges the values that raw additions set. It does not refuse them, since they are the
// person's own; the exception is two values for one meaning, since nobody knows which one counts.
func (k *checker) checkRaw() {
	for _, a := range k.raw {
		if i := k.set.names[a.canonical]; a.value != nil && !isSet(k.own.Values[k.set.list[i].Name]) {
			f := k.set.list[i]
			merge(&f, k.m, k.mode)
			k.soft = true
			c := &valueCheck{k: k, f: &f, label: a.member, rank: rankUnknown}
			c.value(a.value)
			k.soft = false
		}
	}
	for i := range k.set.list {
		k.checkAgree(&k.set.list[i])
	}
}

// checkAgree refuses a field whose values come under several names and differ.
func (k *checker) checkAgree(f *Field) {
	switch f.Kind {
	case Media, Medias, List, Object, Content:
		return // joined, or another matter
	}
	said := k.said(f)
	for i := 1; i < len(said); i++ {
		if f.same(said[0].value, said[i].value) {
			continue
		}
		k.add(k.rank(f.Name), Problem{Field: f.Name, Value: showAny(said[i].value), Severity: Block, Source: f.Source,
			Message: disagree(f.Name, said[0].member, said[0].value, said[i].member, said[i].value)})
		return
	}
}

// said returns the set values of a field, each with the name it is sent under.
func (k *checker) said(f *Field) (out []addition) {
	if v := k.own.Values[f.Name]; isSet(v) {
		out = append(out, addition{f.Name, k.writes(f.Name), v})
	}
	put := func(member string, v any) {
		if i := slices.IndexFunc(out, func(x addition) bool { return x.member == member }); i >= 0 {
			out[i].value = v
		} else {
			out = append(out, addition{f.Name, member, v})
		}
	}
	for _, a := range k.raw {
		if a.canonical == f.Name && isSet(a.value) {
			put(a.member, a.value)
		}
	}
	if f.Overrides {
		return out
	}
	for i := range k.set.list {
		whole := &k.set.list[i]
		if whole.Kind != Object || len(whole.Keys) == 0 {
			continue
		}
		at := slices.IndexFunc(k.raw, func(x addition) bool { return x.canonical == whole.Name })
		obj, _ := k.own.Values[whole.Name].(map[string]any)
		if at >= 0 {
			obj, _ = k.raw[at].value.(map[string]any)
		}
		for _, key := range slices.Sorted(maps.Keys(obj)) {
			switch place := k.writes(whole.Name) + "." + key; {
			case whole.Keys[key] != f.Name || !isSet(obj[key]):
			case at >= 0:
				put(place, obj[key])
			default:
				out = append(out, addition{f.Name, place, obj[key]})
			}
		}
	}
	return out
}

// disagree words the message about two values for one meaning.
func disagree(field, one string, v any, other string, w any) string {
	text := fmt.Sprintf("%s is %s and %s is %s, which mean the same and differ; leave one of them out", one, showAny(v), other, showAny(w))
	if one != field && other != field {
		text = field + ": " + text
	}
	return text
}

// checkExtra names the raw additions that are sent: those with known names override the form.
func (k *checker) checkExtra() {
	for _, name := range slices.Sorted(maps.Keys(k.own.Extra)) {
		p := Problem{Field: name, Value: show(string(k.own.Extra[name])), Severity: Info,
			Message: fmt.Sprintf("%s is not in the catalog for %s; it is sent as it stands", show(name), k.d.Modality)}
		member, err := places.Check(name)
		if err != nil {
			p.Severity, p.Message = Block, client.CleanLine(err.Error())
		} else if canonical := k.rawField(name, member); canonical != "" {
			p.Severity = Warn
			p.Message = fmt.Sprintf("%s is a raw addition, sent as it stands on top of field %s", name, canonical)
		} else if slices.Contains(ownFields, member) {
			p.Severity = Warn
			p.Message = fmt.Sprintf("%s is a raw addition, sent as it stands on top of the draft's own", name)
		}
		p.Field = show(name)
		k.add(rankUnknown, p)
	}
}

// rawField returns the field that a raw addition goes on top of, "" if none.
func (k *checker) rawField(place, member string) string {
	if canonical, ok := k.c.Canonical(k.own.Modality, member); ok {
		return canonical
	}
	place, _, _ = strings.Cut(place, "[")
	if a, ok := k.placed(place, nil); ok {
		return a.canonical
	}
	return ""
}
