package catalog

import (
	"cmp"
	"fmt"
	"slices"
)

// checkMax warns of a list that is longer than a mode takes. In the formats for which the
// count is stated it refuses.
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

// checkTotal refuses more references than a mode takes, over all fields of the same media:
// a format whose counts are stated sends them as one list, what two fields name once.
func (k *checker) checkTotal(name string, most int, where, source string) {
	f, ok := k.c.Field(k.d.Modality, name)
	if !ok || len(f.MediaKinds) == 0 {
		return
	}
	total, biggest := 0, 0
	seen := map[string]string{}
	for i := range k.set.list {
		x := &k.set.list[i]
		if k.info != nil && slices.Contains(k.info.Without, x.Name) {
			continue
		}
		n := k.refs(x, f.MediaKinds[0])
		for _, v := range items(k.d.Values[x.Name]) {
			s, isText := v.(string)
			switch {
			case !isText || s == "" || n == 0:
			case seen[s] == "":
				seen[s] = x.Name
			case seen[s] != x.Name:
				n--
			}
		}
		if total += n; n > biggest {
			biggest, name = n, x.Name
		}
	}
	if total > most {
		k.add(k.rank(name), Problem{Field: name, Value: fmt.Sprintf("%d items", total), Severity: Block,
			Message: fmt.Sprintf("%s: the request has %d %s references; %s takes at most %d", name, total, f.MediaKinds[0], where, most),
			Source:  source})
	}
}

// checkWidest is for a request without a mode, where the number of references says it: it
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
			n := k.refs(f, kind)
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

// refs counts the references of a media kind in one field.
func (k *checker) refs(f *Field, kind string) int {
	v := k.d.Values[f.Name]
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
