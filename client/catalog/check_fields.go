package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxItemProblems bounds the findings about the items of one list.
const maxItemProblems = 5

// checkValues judges every set value: is the field known, does the model take it in this mode, does
// the value have the right shape, is it within the limits.
func (k *checker) checkValues() {
	for i := range k.set.list {
		name := k.set.list[i].Name
		v, ok := k.own.Values[name]
		f := k.set.list[i]
		if list, isList := v.([]any); !ok || v == nil || isList && len(list) == 0 && slices.Contains([]Kind{Medias, List, Content}, f.Kind) {
			continue // a list of empty items is still worth a look, and so is an empty text
		}
		k.checkTaken(&f, v)
		k.checkCarried(&f)
		merge(&f, k.m, k.mode)
		c := &valueCheck{k: k, f: &f, label: name, rank: k.rank(name)}
		c.value(v)
		k.checkCompanions(&f)
	}
	for _, name := range slices.Sorted(maps.Keys(k.own.Values)) {
		v := k.own.Values[name]
		i, ok := k.set.names[name]
		if ok && k.set.list[i].Name == name || !isSet(v) {
			continue
		}
		p := Problem{Field: show(name), Value: showAny(v), Severity: Warn}
		switch {
		case ok:
			p.Allowed = []string{k.set.list[i].Name}
			p.Message = fmt.Sprintf("%s is another name of %s; a draft keeps it under that one", name, k.set.list[i].Name)
		case slices.Contains(ownFields, name):
			p.Message = fmt.Sprintf("%s is a field of the draft itself, no value", name)
		default:
			p.Allowed = Nearest(name, fieldNames(k.set.list), 3)
			p.Message = fmt.Sprintf("%s is not in the catalog for %s", p.Field, k.d.Modality)
			if len(p.Allowed) > 0 {
				p.Message += "; near: " + strings.Join(p.Allowed, ", ")
			}
		}
		k.add(rankUnknown, p)
	}
}

// checkTaken warns about a field that is not documented for the model or the mode. The value is kept and
// sent.
func (k *checker) checkTaken(f *Field, v any) {
	p := Problem{Field: f.Name, Value: showAny(v), Severity: Warn, Source: f.Source}
	switch {
	case k.m == nil:
		return
	case !takesModel(f, k.m):
		p.Message = fmt.Sprintf("%s is not documented for this model, %s", f.Name, k.m.ID)
		if shown := slices.Concat(f.Models, f.Families); len(shown) > 0 {
			p.Message += "; documented for " + strings.Join(shown, ", ")
		}
	case !takesMode(f, k.m, k.mode) && !k.takesHere(f):
		p.Message = fmt.Sprintf("%s is not documented for mode %s", f.Name, k.mode)
		var shown []string
		for _, n := range k.m.ModeNames() {
			if slices.Contains(f.Modes, n) {
				shown = append(shown, n)
			}
		}
		if len(shown) > 0 {
			p.Message += " of " + k.m.ID + "; documented for " + strings.Join(shown, ", ")
		}
	default:
		return
	}
	k.add(k.rank(f.Name), p)
}

// takesHere reports whether this format takes a field in a mode in which others do not.
func (k *checker) takesHere(f *Field) bool {
	return k.info != nil && slices.Contains(k.info.Takes[f.Name], k.mode)
}

// checkCompanions checks what a set field requires of other fields.
func (k *checker) checkCompanions(f *Field) {
	for i := range f.Needs {
		n := &f.Needs[i]
		if k.met(n) {
			continue
		}
		k.add(k.rank(f.Name), Problem{Field: f.Name, Value: showAny(k.d.Values[f.Name]),
			Severity: cmp.Or(n.Severity, Warn), Allowed: n.AnyOf, Source: cmp.Or(n.Source, f.Source),
			Message: fmt.Sprintf("%s goes with %s%s", f.Name, n.Text, alternatives(n))})
	}
	if f.OnlyWith == nil {
		return
	}
	other, ok := k.c.Field(k.d.Modality, f.OnlyWith.Field)
	if !ok {
		return
	}
	now := other.Default
	if s, ok := k.d.Values.Text(other.Name); ok && s != "" {
		now = s
	}
	if now = other.Value(now); slices.Contains(f.OnlyWith.Values, now) {
		return
	}
	k.add(k.rank(f.Name), Problem{Field: f.Name, Value: showAny(k.d.Values[f.Name]), Severity: Info,
		Allowed: f.OnlyWith.Values, Source: f.Source,
		Message: fmt.Sprintf("%s applies to %s %s; it is %s", f.Name, other.Name, strings.Join(f.OnlyWith.Values, ", "), show(now))})
}

// Value resolves a spelling: an alias becomes the value it stands for, any other text stays.
func (f Field) Value(text string) string {
	if v, ok := f.ValueAliases[text]; ok {
		return v
	}
	return text
}
