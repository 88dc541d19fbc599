package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"darkroom/client"
)

// mention counts the references in one field that no field before it names.
type mention struct {
	field string
	n     int
}

// mentions counts the references in fields; one that two fields name counts once. A last frame
// always counts separately: a film may end as it began. types are content item types, nil for
// images.
func (k *checker) mentions(d *client.Draft, fields, types []string) (out []mention) {
	seen := map[string]string{}
	for _, name := range fields {
		i, ok := k.set.names[name]
		if !ok || !k.carries(&k.set.list[i]) {
			continue
		}
		m := mention{field: name}
		for _, x := range items(d.Values[name]) {
			url, counts := x, isSet(x)
			if k.set.list[i].Kind == Content {
				url, counts = itemURL(x, types)
			}
			s, _ := url.(string)
			switch {
			case !counts:
			case s == "" || seen[s] == "" || seen[s] == name || name == fieldEndImage:
				m.n++
				if s != "" {
					seen[s] = name
				}
			}
		}
		out = append(out, m)
	}
	return out
}

// itemURL returns the address of a content item of one of the types.
func itemURL(x any, types []string) (url any, ok bool) {
	item, _ := x.(map[string]any)
	kind, _ := item["type"].(string)
	obj, _ := item[kind].(map[string]any)
	return obj["url"], slices.Contains(types, kind)
}

// carries reports whether the format has a place for a field.
func (k *checker) carries(f *Field) bool {
	if len(f.Formats) > 0 && !slices.Contains(f.Formats, k.format) {
		return false
	}
	return k.info == nil || !slices.Contains(k.info.Without, f.Name)
}

// moves reports whether the format itself moves a field's references into content.
func (k *checker) moves(f *Field) bool {
	if k.info == nil || len(f.MediaKinds) == 0 || f.Kind == Content || f.Name == fieldEndImage {
		return false
	}
	if k.m != nil && k.m.wireNames[k.format][f.Name] != "" {
		return false
	}
	if slices.Contains(k.info.IntoContent, f.Name) {
		return true
	}
	for name, value := range k.info.IntoContentWith {
		if s, _ := k.d.Values.Text(name); s == value || name == client.FieldMode && k.d.Mode == value {
			return true
		}
	}
	return false
}

// moved counts the references that the format moves into content and that meet a need.
func (k *checker) moved(n *Need) int {
	total := 0
	for i := range k.set.list {
		f := &k.set.list[i]
		if !k.moves(f) || len(n.Roles) > 0 {
			continue
		}
		if kind := f.MediaKinds[0]; len(n.Types) == 0 || slices.Contains(n.Types, kind+"_url") {
			total += k.refs(k.d, f, kind)
		}
	}
	return total
}

// onlyContent reports whether there are references and all of them are in content.
func (k *checker) onlyContent() bool {
	any := countContent(k.d.Values[fieldContent], nil, nil) > 0
	for i := range k.set.list {
		f := &k.set.list[i]
		switch {
		case f.Kind == Content || len(f.MediaKinds) == 0 || !isSet(k.d.Values[f.Name]):
		case k.moves(f):
			any = true
		default:
			return false
		}
	}
	return any
}

// checkMax warns about a list longer than a mode takes, and refuses it in the formats for which the
// count is stated.
func (k *checker) checkMax(n *Need, where, source string) {
	switch {
	case n.Max == 0:
	case slices.Contains(n.HardOn, k.format):
		k.checkTotal(n.AnyOf[0], n.Max, where, source)
	default:
		for _, name := range n.AnyOf {
			if count, list := k.count(name, n); list && count > n.Max {
				k.add(k.rank(name), Problem{Field: name, Value: fmt.Sprintf("%d items", count), Severity: Warn,
					Message: fmt.Sprintf("%s has %d items; %s takes at most %d", name, count, where, n.Max), Source: source})
			}
		}
	}
}

// checkTotal refuses more references than a mode takes, counted over all fields of the same media:
// a format whose counts are stated sends them as one list, and sends a reference that two fields
// name once.
func (k *checker) checkTotal(name string, most int, where, source string) {
	total, kind, name := k.total(name)
	if total > most {
		k.add(k.rank(name), Problem{Field: name, Value: fmt.Sprintf("%d items", total), Severity: Block,
			Message: fmt.Sprintf("%s: the request has %d %s references; %s takes at most %d", name, total, kind, where, most),
			Source:  source})
	}
}

// over reports whether there are more references than a need takes.
func (k *checker) over(n *Need) bool {
	total, _, _ := k.total(n.AnyOf[0])
	return n.Max > 0 && total > n.Max
}

// total counts the references of the field's kind over all fields, and names the field that holds
// most of them.
func (k *checker) total(name string) (total int, kind, most string) {
	f, ok := k.c.Field(k.d.Modality, name)
	if !ok || len(f.MediaKinds) == 0 {
		return 0, "", name
	}
	var same []string
	for i := range k.set.list {
		if slices.Contains(k.set.list[i].MediaKinds, f.MediaKinds[0]) {
			same = append(same, k.set.list[i].Name)
		}
	}
	biggest, most := 0, name
	for _, m := range k.mentions(k.own, same, []string{f.MediaKinds[0] + "_url"}) {
		if total += m.n; m.n > biggest {
			biggest, most = m.n, m.field
		}
	}
	return total, f.MediaKinds[0], most
}

// checkWidest checks a request without a mode, whose mode follows from the number of references: it
// refuses more of them than any mode takes.
func (k *checker) checkWidest() {
	var widest *Need
	source := ""
	for i := range k.m.Modes {
		for j := range k.m.Modes[i].Needs {
			if n := &k.m.Modes[i].Needs[j]; slices.Contains(n.HardOn, k.format) && (widest == nil || n.Max > widest.Max) {
				widest, source = n, cmp.Or(n.Source, k.m.Modes[i].Source)
			}
		}
	}
	if widest != nil {
		k.checkTotal(widest.AnyOf[0], widest.Max, "any mode of "+k.m.ID, source)
	}
}

// checkRefs compares the number of references of each media kind, over all fields and
// content, with the model's bounds (GATEWAY: Limits, famK references).
func (k *checker) checkRefs() {
	for _, kind := range mediaKinds {
		most, ok := k.m.MaxRefs[kind]
		if !ok {
			continue
		}
		total, biggest, name := 0, 0, ""
		for i := range k.set.list {
			f := &k.set.list[i]
			n := k.refs(k.own, f, kind)
			total += n
			if n > biggest {
				biggest, name = n, f.Name
			}
		}
		if total > most {
			k.add(k.rank(name), Problem{Field: name, Value: fmt.Sprintf("%d", total), Severity: Block,
				Message: fmt.Sprintf("%s: the request has %d %s references, %s takes up to %d", name, total, kind, k.m.ID, most),
				Source:  "Limits"})
		}
	}
}

// refs counts the references of a media kind in one field of a draft.
func (k *checker) refs(d *client.Draft, f *Field, kind string) int {
	v := d.Values[f.Name]
	if !isSet(v) || !slices.Contains(f.MediaKinds, kind) {
		return 0
	}
	switch f.Kind {
	case Content:
		return countContent(v, []string{kind + "_url"}, nil)
	case Medias:
		return countSet(v)
	default:
		return 1
	}
}
