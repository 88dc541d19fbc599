package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"darkroom/client"
)

func (v *validator) field(m client.Modality, d *fieldDef) {
	what := string(m) + " field " + d.Name
	if !slices.Contains(kinds, d.Kind) {
		v.fail(d.at, []any{"kind"}, "%s: kind %q; allowed: %v", what, d.Kind, kinds)
	}
	if d.Label == "" || d.Help == "" {
		v.fail(d.at, nil, "%s: label and help are required", what)
	}
	v.each(d.at, []any{"media"}, what, d.MediaKinds, isOneOf(mediaKinds), fmt.Sprintf("media %%q; allowed: %v", mediaKinds))
	if isMedia := d.Kind.Refers() || d.Kind == Content; isMedia && len(d.MediaKinds) == 0 {
		v.fail(d.at, nil, "%s: a field of kind %s says its media", what, d.Kind)
	}
	v.each(d.at, []any{"modes"}, what, d.Modes, func(n string) bool { return n != "" && v.modeNames[n] }, "no mode has the name %q")
	v.each(d.at, []any{"models"}, what, d.Models, isOneOf(v.models), "there is no model %q")
	v.each(d.at, []any{"families"}, what, d.Families, isOneOf(v.families), "there is no family %q")
	for _, alias := range slices.Sorted(maps.Keys(d.ValueAliases)) {
		if !slices.Contains(d.Allowed, d.ValueAliases[alias]) {
			v.fail(d.at, []any{"value_aliases", alias}, "%s: alias %q stands for %q, which is not allowed", what, alias, d.ValueAliases[alias])
		}
	}
	v.keys(m, d, what)
	if d.OnlyWith != nil && !v.hasField(d.OnlyWith.Field, m) {
		v.fail(d.at, []any{"only_with", "field"}, "%s: only_with names %q, which is not a canonical field", what, d.OnlyWith.Field)
	}
	v.formatNames(d.at, []any{"formats"}, what, d.Formats)
	v.bounds(d.at, nil, what, d.Kind, d.Min, d.Max, d.MinItems, d.MaxItems)
	v.needs(d.at, []any{"needs"}, what, d.Needs, m)
}

// keys checks what a field says about the keys of its objects.
func (v *validator) keys(m client.Modality, d *fieldDef, what string) {
	for _, k := range slices.Sorted(maps.Keys(d.Keys)) {
		if c := d.Keys[k]; c != "" && !v.hasField(c, m) {
			v.fail(d.at, []any{"keys", k}, "%s: key %q means %q, which is not a canonical field", what, k, c)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.KeyKinds)) {
		if _, ok := d.Keys[k]; !ok || !slices.Contains(kinds, d.KeyKinds[k]) {
			v.fail(d.at, []any{"key_kinds", k}, "%s: key %q of kind %q; it has to be one of keys, with a kind of %v", what, k, d.KeyKinds[k], kinds)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(d.KeyValues)) {
		if _, ok := d.Keys[k]; !ok || len(d.KeyValues[k]) == 0 {
			v.fail(d.at, []any{"key_values", k}, "%s: key_values of %q; it has to be one of keys, with at least one value", what, k)
		}
	}
}

func (v *validator) bounds(at *place, path []any, what string, k Kind, lo, hi *float64, minItems, maxItems int) {
	if (lo != nil || hi != nil) && k != Number && k != Integer {
		v.fail(at, path, "%s: min and max are for numbers, the field is %s", what, k)
	}
	if lo != nil && hi != nil && *lo > *hi {
		v.fail(at, path, "%s: min %g is above max %g", what, *lo, *hi)
	}
	if minItems < 0 || maxItems < 0 || maxItems > 0 && minItems > maxItems {
		v.fail(at, path, "%s: min_items %d and max_items %d contradict", what, minItems, maxItems)
	}
}

func (v *validator) family(f *familyDef) {
	what := "family " + f.Token
	v.traits(f.at, what, &f.Traits, f.Traits.Modality)
	for i := range f.Models {
		m := &f.Models[i]
		what := "model " + m.ID
		modality := cmp.Or(m.Traits.Modality, f.Traits.Modality)
		if modality == "" {
			v.fail(m.at, nil, "%s: neither it nor its family says the modality", what)
		}
		if len(firstList(m.Traits.Modes, f.Traits.Modes)) == 0 {
			v.fail(m.at, nil, "%s: neither it nor its family says the modes", what)
		}
		if len(firstList(m.Traits.Formats, f.Traits.Formats)) == 0 {
			v.fail(m.at, nil, "%s: neither it nor its family says the formats", what)
		}
		v.traits(m.at, what, &m.Traits, modality)
	}
}

func (v *validator) traits(at *place, what string, t *traits, m client.Modality) {
	if t.Modality != "" && !slices.Contains(modalities, t.Modality) {
		v.fail(at, []any{"traits", "modality"}, "%s: modality %q; allowed: %v", what, t.Modality, modalities)
		return
	}
	seen := map[string]bool{}
	for i, id := range t.Modes {
		if !v.modeIDs[id] {
			v.fail(at, []any{"traits", "modes", i}, "%s: there is no mode with id %q", what, id)
		}
		if seen[id] {
			v.fail(at, []any{"traits", "modes", i}, "%s: mode %q twice", what, id)
		}
		seen[id] = true
	}
	if !slices.Contains(modeRules, t.ModeRule) {
		v.fail(at, []any{"traits", "mode_rule"}, "%s: mode_rule %q; allowed: required, usual", what, t.ModeRule)
	}
	if !slices.Contains(nameRules, t.NameRule) {
		v.fail(at, []any{"traits", "name_rule"}, "%s: name_rule %q; allowed: required, usual, listed", what, t.NameRule)
	}
	for _, k := range slices.Sorted(maps.Keys(t.MaxRefs)) {
		if !slices.Contains(mediaKinds, k) {
			v.fail(at, []any{"traits", "max_refs", k}, "%s: max_refs %q; allowed: %v", what, k, mediaKinds)
		}
		if t.MaxRefs[k] < 0 {
			v.fail(at, []any{"traits", "max_refs", k}, "%s: max_refs of %s is %d, below 0", what, k, t.MaxRefs[k])
		}
	}
	for key, list := range map[string][]string{"formats": t.Formats, "routes": t.Routes} {
		v.formatNames(at, []any{"traits", key}, what, list)
	}
	for i := range t.Variants {
		x := &t.Variants[i]
		if !slices.Contains(modalities, x.Modality) || len(x.Modes) == 0 {
			v.fail(at, []any{"traits", "variants", i}, "%s: a variant has a modality of %v, and modes", what, modalities)
		}
		for _, id := range x.Modes {
			if !v.modeIDs[id] {
				v.fail(at, []any{"traits", "variants", i}, "%s: there is no mode with id %q", what, id)
			}
		}
	}
	v.traitFields(at, what, t, m)
}

func (v *validator) hasFormat(name string) bool {
	return len(v.doc.Formats) == 0 || slices.ContainsFunc(v.doc.Formats, func(f FormatInfo) bool { return f.Name == name })
}

// traitFields checks the field names in traits. A family of several modalities names no modality,
// so a field of any modality will do.
func (v *validator) traitFields(at *place, what string, t *traits, m client.Modality) {
	var ms []client.Modality
	if m != "" {
		ms = append(ms, m)
	}
	isField := func(name string) bool { return v.hasField(name, ms...) }
	const wrong = "%q is not a canonical field"
	check := func(name string, path ...any) {
		if !isField(name) {
			v.fail(at, append([]any{"traits"}, path...), "%s: "+wrong, what, name)
		}
	}
	v.each(at, []any{"traits", "mode_with"}, what, t.ModeWith, isField, wrong)
	v.each(at, []any{"traits", "without"}, what, t.Without, isField, wrong)
	for _, f := range slices.Sorted(maps.Keys(t.Fixed)) {
		check(f, "fixed", f)
	}
	for _, format := range slices.Sorted(maps.Keys(t.WireNames)) {
		v.formatNames(at, []any{"traits", "wire_names"}, what, []string{format})
		for _, f := range slices.Sorted(maps.Keys(t.WireNames[format])) {
			check(f, "wire_names", format, f)
		}
	}
	for i := range t.Limits {
		l := &t.Limits[i]
		check(l.Field, "limits", i, "field")
		v.formatNames(at, []any{"traits", "limits", i, "formats"}, what, l.Formats)
		v.modeNamesIn(at, []any{"traits", "limits", i, "modes"}, what, l.Modes)
		if m != "" {
			v.bounds(at, []any{"traits", "limits", i}, what, v.kindOf(m, l.Field), l.Min, l.Max, l.MinItems, l.MaxItems)
		}
	}
	for i, x := range t.Caveats {
		if x.Text == "" || x.About != CaveatMode && x.About != CaveatFormat && !v.hasField(x.About, ms...) {
			v.fail(at, []any{"traits", "caveats", i}, "%s: a caveat has a text, and is about %s, %s or a canonical field", what, CaveatMode, CaveatFormat)
		}
	}
	for i, a := range t.Advice {
		if a.Text == "" {
			v.fail(at, []any{"traits", "advice", i}, "%s: advice without text", what)
		}
		v.modeNamesIn(at, []any{"traits", "advice", i, "modes"}, what, a.Modes)
	}
}

func (v *validator) kindOf(m client.Modality, name string) Kind {
	for i := range v.doc.Fields[m] {
		if v.doc.Fields[m][i].Name == name {
			return v.doc.Fields[m][i].Kind
		}
	}
	return Number // an unknown field is already an error of its own
}
