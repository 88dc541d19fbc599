package compose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sheet"
)

// offShelf says why there are no presets, "" when there are.
func (m *Model) offShelf() string {
	if m.deps.Shelf == nil {
		return "presets are not kept here"
	}
	return ""
}

func (m *Model) presetOptions() presets.Options {
	return presets.Options{Shelf: m.deps.Shelf, Keys: m.deps.Keys, Modality: m.sheet.Modality, Changes: m.presetChanges}
}

// openPresets opens the dialog over the presets.
func (m *Model) openPresets() tea.Cmd {
	return m.open(presets.New(m.presetOptions()))
}

// openSave opens the dialog that keeps the form, from the dialog over the presets where that is
// open.
func (m *Model) openSave() tea.Cmd {
	if _, ok := m.over.Top().(*presets.Dialog); ok {
		cmd, _ := m.over.Update(screen.ActionMsg{ID: presets.Keeps})
		return cmd
	}
	return m.keepPreset(presets.Keep{})
}

// keepPreset opens the dialog that keeps the form, once its references are resolved.
func (m *Model) keepPreset(begin presets.Keep) tea.Cmd {
	open := func() tea.Cmd {
		m.doc.Refresh()
		return m.open(presets.NewSave(m.presetOptions(), m.presetForm(), begin))
	}
	if look := m.sheet.ResolveTyped(references.GoOn); look != nil {
		m.ready = open
		return look
	}
	return open()
}

// presetForm is the form as a preset keeps it.
func (m *Model) presetForm() presets.Form {
	return presets.Form{Draft: m.sheet.Draft, Mode: m.sheet.Template.Mode, Vars: m.sheet.Template.Vars}
}

// takePreset puts a preset over the form, and says what is another now.
func (m *Model) takePreset(a presets.Taken) tea.Cmd {
	changes := m.presetChanges(a.Preset, a.Draft)
	cmd := m.doc.Fill(m.withPreset(a.Preset, a.Draft))
	said := "preset " + client.CleanLine(a.Preset.Name) + ": "
	if len(changes) == 0 {
		said += "the form has all of it already"
	} else {
		var labels []string
		for _, c := range changes {
			labels = append(labels, c.Label)
		}
		said = m.doc.WithBack(said + text.Clip(strings.Join(labels, ", "), 120) + " changed")
	}
	if a.Preset.Project {
		said += "; it is the project's"
	}
	return tea.Batch(cmd, screen.Toast(screen.Good, said))
}

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
func (m *Model) withPreset(x expand.PresetFile, d client.Draft) screen.ComposeDraft {
	to := m.presetBase(d)
	t := &to.Draft
	for _, p := range []struct {
		to   *string
		from string
	}{{&t.Model, d.Model}, {&t.ModelName, d.ModelName}, {&t.Mode, d.Mode}, {&t.Prompt, d.Prompt}} {
		if expand.Says(p.from) {
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
	if expand.Says(d.Prompt) {
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

func (m *Model) canonical(mod client.Modality, name string) string {
	if c, ok := m.deps.Catalog.Canonical(mod, name); ok {
		return c
	}
	return name
}

// presetChanges are what a preset makes another in the form, in a few words each.
func (m *Model) presetChanges(x expand.PresetFile, d client.Draft) []presets.Change {
	base := m.presetBase(d)
	b := &base.Draft
	var out []presets.Change
	add := func(label, was, is string) {
		if expand.Says(is) && was != is {
			out = append(out, presets.Change{Label: label, Was: brief(was), Is: brief(is)})
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
		out = append(out, presets.Change{Label: "Template", Is: "submitting asks; a project's word alone makes no batch"})
	case base.Expand != string(x.Expand):
		out = append(out, presets.Change{Label: "Template", Was: batch.PromptMode(base.Expand).Label(), Is: batch.PromptMode(x.Expand).Label()})
	}
	return out
}

// brief is a value in one short line.
func brief(s string) string {
	return client.CleanLine(text.Clip(strings.Join(strings.Fields(media.Readable(s)), " "), 120))
}

// Shelf is where presets and wildcard files are kept. Its methods touch the disk.
type Shelf interface {
	presets.Shelf
	// Wildcards opens the wildcard files, and returns what closes them.
	Wildcards() (fs.FS, func(), error)
}

// wildcards opens the wildcard files, where there are any.
func (d *Deps) wildcards() (fs.FS, func(), error) {
	if d.Shelf == nil {
		return nil, func() {}, nil
	}
	return d.Shelf.Wildcards()
}
