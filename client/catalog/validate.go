package catalog

import (
	"fmt"
	"maps"
	"slices"

	"darkroom/client"
)

// validate finds mistakes that a strict decoder cannot: duplicates, names that lead nowhere, and
// limits that contradict themselves.
func (d *document) validate() error {
	if err := d.duplicates(); err != nil {
		return err
	}
	v := &validator{doc: d, modeIDs: map[string]bool{}, modeNames: map[string]bool{}}
	for i := range d.Modes {
		v.modeIDs[d.Modes[i].ID] = true
		v.modeNames[d.Modes[i].Name] = true
	}
	for m := range d.Fields {
		if !slices.Contains(modalities, m) {
			v.fail(d.at, []any{"fields", string(m)}, "fields: %q is not a modality; allowed: video, image, music, speech, chat", m)
		}
	}
	for i := range d.Families {
		v.models = append(v.models, familyModels(&d.Families[i])...)
		v.families = append(v.families, d.Families[i].Token)
	}
	v.formats()
	v.errors()
	for i := range d.Modes {
		v.mode(&d.Modes[i])
	}
	for _, m := range slices.Sorted(maps.Keys(d.Fields)) {
		for i := range d.Fields[m] {
			v.field(m, &d.Fields[m][i])
		}
	}
	for i := range d.Families {
		v.family(&d.Families[i])
	}
	return firstErrors(v.errs)
}

var (
	modalities = client.Modalities()
	kinds      = []Kind{Text, Lines, Integer, Number, Boolean, Scalar, Choice, Size, Ratio, Media, Medias, List, Object, Content}
	mediaKinds = []string{"image", "video", "audio"}
	severities = []Severity{"", Block, Warn, Info}
	modeRules  = []string{"", ruleRequired, ruleUsual}
	nameRules  = []string{"", ruleRequired, ruleUsual, ruleListed}
	itemTypes  = []string{"text", "image_url", "video_url", "audio_url"}
	// ownFields belong to the draft itself and cannot be values.
	ownFields = []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt}
)

func familyModels(f *familyDef) []string {
	var out []string
	for i := range f.Models {
		out = append(out, f.Models[i].ID)
	}
	return out
}

// duplicates finds missing and repeated keys of items.
func (d *document) duplicates() error {
	var errs []error
	once := func(seen map[string]string, at *place, key, what, name string) {
		switch first, dup := seen[name]; {
		case name == "":
			errs = append(errs, at.errorf(nil, "%s without %s", what, key))
		case dup:
			errs = append(errs, at.errorf([]any{key}, "%s %q is already there (%s)", what, name, first))
		default:
			seen[name] = what
		}
	}
	modes, families, models := map[string]string{}, map[string]string{}, map[string]string{}
	formats := map[string]string{}
	for i := range d.Formats {
		once(formats, d.formatAt[d.Formats[i].Name], "name", "format", d.Formats[i].Name)
	}
	for i := range d.Modes {
		once(modes, d.Modes[i].at, "id", "mode", d.Modes[i].ID)
	}
	for _, m := range slices.Sorted(maps.Keys(d.Fields)) {
		names := map[string]string{}
		for _, n := range ownFields {
			names[n] = "a field of the draft itself"
		}
		list := d.Fields[m]
		for i := range list {
			once(names, list[i].at, "name", string(m)+" field", list[i].Name)
		}
		for i := range list {
			for j, a := range list[i].Aliases {
				if first, dup := names[a]; dup || a == "" {
					errs = append(errs, list[i].at.errorf([]any{"aliases", j}, "%s field %q: alias %q is already there (%s)", m, list[i].Name, a, first))
				}
				names[a] = "alias of " + list[i].Name
			}
		}
	}
	for i := range d.Families {
		f := &d.Families[i]
		once(families, f.at, "token", "family", f.Token)
		for j := range f.Models {
			once(models, f.Models[j].at, "id", "model", f.Models[j].ID)
		}
	}
	return firstErrors(errs)
}

// validator collects errors as it walks a document.
type validator struct {
	doc       *document
	modeIDs   map[string]bool
	modeNames map[string]bool
	models    []string
	families  []string
	errs      []error
}

func (v *validator) fail(at *place, path []any, format string, args ...any) {
	v.errs = append(v.errs, at.errorf(path, format, args...))
}

// hasField reports whether any modality of ms, or any at all if ms is empty, has a field under a
// canonical name.
func (v *validator) hasField(name string, ms ...client.Modality) bool {
	for m, list := range v.doc.Fields {
		if len(ms) > 0 && !slices.Contains(ms, m) {
			continue
		}
		if slices.ContainsFunc(list, func(f fieldDef) bool { return f.Name == name }) {
			return true
		}
	}
	return false
}

// formats checks the wire formats and the open modalities.
func (v *validator) formats() {
	for i, m := range v.doc.Open {
		if !slices.Contains(modalities, m) {
			v.fail(v.doc.at, []any{"open", i}, "open: %q is not a modality; allowed: %v", m, modalities)
		}
	}
	for i := range v.doc.Formats {
		f := &v.doc.Formats[i]
		at, what := v.doc.formatAt[f.Name], "format "+f.Name
		for j, m := range f.Modalities {
			if !slices.Contains(modalities, m) {
				v.fail(at, []any{"modalities", j}, "%s: modality %q; allowed: %v", what, m, modalities)
			}
		}
		v.modeNamesIn(at, []any{"bare"}, what, f.Bare)
		v.modeNamesIn(at, []any{"modes"}, what, f.Modes)
		for key, list := range map[string][]string{"without": f.Without, "whole": f.Whole, "digits": f.Digits, "text_refs": f.TextRefs, "into_content": f.IntoContent,
			"ref_keys": slices.Sorted(maps.Keys(f.RefKeys)), "takes": slices.Sorted(maps.Keys(f.Takes))} {
			v.each(at, []any{key}, what, list, func(n string) bool { return v.hasField(n, f.Modalities...) }, key+" names %q, which is not a canonical field")
		}
		v.itemTypes(at, []any{"item_types"}, what, f.ItemTypes)
		for _, name := range slices.Sorted(maps.Keys(f.Names)) {
			if name != client.FieldPrompt && !v.hasField(name, f.Modalities...) {
				v.fail(at, []any{"names", name}, "%s: names has %q, which is not a canonical field", what, name)
			}
		}
		v.needs(at, []any{"needs"}, what, f.Needs, f.Modalities...)
	}
}

// each checks the names of a list; wrong says what is the matter with a bad one.
func (v *validator) each(at *place, path []any, what string, names []string, good func(string) bool, wrong string) {
	for i, n := range names {
		if !good(n) {
			v.fail(at, append(slices.Clone(path), i), "%s: "+wrong, what, n)
		}
	}
}

func (v *validator) formatNames(at *place, path []any, what string, names []string) {
	v.each(at, path, what, names, v.hasFormat, "there is no format %q")
}

func (v *validator) modeNamesIn(at *place, path []any, what string, names []string) {
	v.each(at, path, what, names, func(n string) bool { return v.modeNames[n] }, "no mode has the name %q")
}

func (v *validator) itemTypes(at *place, path []any, what string, names []string) {
	v.each(at, path, what, names, isOneOf(itemTypes), fmt.Sprintf("%%q is not a type of a content item; allowed: %v", itemTypes))
}

// isOneOf returns a test for whether a name is in a list.
func isOneOf(list []string) func(string) bool {
	return func(n string) bool { return slices.Contains(list, n) }
}

func (v *validator) mode(d *modeDef) {
	v.needs(d.at, []any{"needs"}, "mode "+d.ID, d.Needs)
}

func (v *validator) needs(at *place, path []any, what string, needs []Need, ms ...client.Modality) {
	for i, n := range needs {
		p := append(slices.Clone(path), i)
		if len(n.AnyOf) == 0 {
			v.fail(at, p, "%s: a need without any_of", what)
		}
		if n.Text == "" {
			v.fail(at, p, "%s: a need without text", what)
		}
		isField := func(f string) bool { return v.hasField(f, ms...) }
		v.each(at, append(slices.Clone(p), "any_of"), what, n.AnyOf, func(f string) bool { return f == client.FieldPrompt || isField(f) }, "any_of names %q, which is not a canonical field")
		v.each(at, append(slices.Clone(p), "total"), what, n.Total, isField, "total names %q, which is not a canonical field")
		v.itemTypes(at, append(slices.Clone(p), "types"), what, n.Types)
		v.formatNames(at, append(slices.Clone(p), "formats"), what, n.Formats)
		v.formatNames(at, append(slices.Clone(p), "hard_on"), what, n.HardOn)
		if n.Min < 0 || n.Max < 0 || n.Max > 0 && n.Min > n.Max {
			v.fail(at, p, "%s: min %d and max %d contradict", what, n.Min, n.Max)
		}
		if !slices.Contains(severities, n.Severity) {
			v.fail(at, append(slices.Clone(p), "severity"), "%s: severity %q; allowed: block, warn, info", what, n.Severity)
		}
	}
}
