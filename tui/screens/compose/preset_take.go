package compose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// presetBase is the form of the kind that a preset is for.
func (m *Model) presetBase(d client.Draft) screen.ComposeDraft {
	if d.Modality == "" || d.Modality == m.sheet.Modality {
		return m.sheet.Whole()
	}
	for _, k := range m.sheet.Kept() {
		if k.Draft.Modality == d.Modality {
			return k
		}
	}
	return screen.ComposeDraft{Draft: client.Draft{Modality: d.Modality}}
}

// withPreset is the form with a preset over it: what the preset does not hold stays.
func (m *Model) withPreset(x Preset, d client.Draft) screen.ComposeDraft {
	to := m.presetBase(d)
	t := &to.Draft
	for _, p := range []struct {
		to   *string
		from string
	}{{&t.Model, d.Model}, {&t.ModelName, d.ModelName}, {&t.Mode, d.Mode}, {&t.Prompt, d.Prompt}} {
		if written(p.from) {
			*p.to = p.from
		}
	}
	t.Values = t.Values.Clone()
	for name, v := range d.Values {
		if t.Values == nil {
			t.Values = client.Values{}
		}
		t.Values[m.canonical(t.Modality, name)] = v
	}
	if len(d.Extra) > 0 {
		extra := maps.Clone(t.Extra)
		if extra == nil {
			extra = map[string]json.RawMessage{}
		}
		maps.Copy(extra, d.Extra)
		t.Extra = extra
	}
	if written(d.Prompt) {
		to.Expand = string(batch.Undecided)
	}
	if x.Expand != expand.AsIs && !x.Project { // somebody else's word alone makes no batch
		to.Expand = string(x.Expand)
	}
	if len(x.Variables) > 0 {
		vars := maps.Clone(to.Vars)
		if vars == nil {
			vars = map[string]string{}
		}
		maps.Copy(vars, x.Variables)
		to.Vars = vars
	}
	return to
}

// written reports whether a text says anything: line breaks alone take the place of nothing.
func written(text string) bool { return strings.TrimSpace(text) != "" }

func (m *Model) canonical(mod client.Modality, name string) string {
	if c, ok := m.deps.Catalog.Canonical(mod, name); ok {
		return c
	}
	return name
}

// presetChanges are what a preset makes another in the form, in a few words each.
func (m *Model) presetChanges(x Preset, d client.Draft) []change {
	base := m.presetBase(d)
	b := &base.Draft
	var out []change
	add := func(label, was, is string) {
		if written(is) && was != is {
			out = append(out, change{label, brief(was), brief(is)})
		}
	}
	add("Kind", string(m.sheet.Modality), string(d.Modality))
	add("Model", b.Model, d.Model)
	add("Model name", b.ModelName, d.ModelName)
	add("Mode", b.Mode, d.Mode)
	add("Prompt", b.Prompt, d.Prompt)
	mod := cmp.Or(d.Modality, m.sheet.Modality)
	for _, name := range d.Values.Names() {
		label, canonical := name, m.canonical(mod, name)
		f, ok := m.deps.Catalog.Field(mod, canonical)
		if ok {
			label = f.Label
		}
		add(label, sheet.FieldText(f, m.sheet.Data.Shrink(b.Values[canonical])), sheet.FieldText(f, m.sheet.Data.Shrink(d.Values[name])))
	}
	for _, name := range sheet.SortedKeys(d.Extra) {
		if !bytes.Equal(b.Extra[name], d.Extra[name]) {
			add("raw "+name, string(b.Extra[name]), string(d.Extra[name]))
		}
	}
	for _, name := range sheet.SortedKeys(x.Variables) {
		add("${"+name+"}", base.Vars[name], x.Variables[name])
	}
	switch {
	case x.Expand == expand.AsIs:
	case x.Project:
		out = append(out, change{"Template", "", "submitting asks; a project's word alone makes no batch"})
	case base.Expand != string(x.Expand):
		out = append(out, change{"Template", batch.PromptMode(base.Expand).Label(), batch.PromptMode(x.Expand).Label()})
	}
	return out
}

// brief is a value in one short line.
func brief(s string) string {
	return client.CleanLine(client.Clip(strings.Join(strings.Fields(media.Readable(s)), " "), 120))
}
