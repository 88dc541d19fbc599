// Package preset applies presets to the form of Compose, and tells beforehand what they will
// change.
package preset

import (
	"bytes"
	"cmp"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sheet"
)

// Options are where presets come from.
type Options struct {
	Shelf   presets.Shelf // nil: none are kept
	Keys    keys.Map
	Catalog *catalog.Catalog
}

// Presets opens the dialogs over presets, and applies those that are taken to the form. Make it
// with [New].
type Presets struct {
	o    Options
	doc  *document.Document
	over *screen.Stack
}

// New puts presets over the form of a document.
func New(o Options, d *document.Document, over *screen.Stack) *Presets {
	return &Presets{o: o, doc: d, over: over}
}

// Off says why there are no presets, "" when there are.
func (p *Presets) Off() string {
	if p.o.Shelf == nil {
		return "presets are not kept here"
	}
	return ""
}

func (p *Presets) options() presets.Options {
	return presets.Options{Shelf: p.o.Shelf, Keys: p.o.Keys, Modality: p.doc.Sheet.Modality, Changes: p.changes}
}

// Open opens the dialog over presets.
func (p *Presets) Open() tea.Cmd {
	p.doc.Side.ShowForm()
	return p.over.Open(presets.New(p.options()))
}

// Save opens the dialog that saves the form as a preset, from the dialog over presets where that is
// open.
func (p *Presets) Save() tea.Cmd {
	if _, ok := p.over.Top().(*presets.Dialog); ok {
		cmd, _ := p.over.Update(screen.ActionMsg{ID: presets.Keeps})
		return cmd
	}
	return p.Keep(presets.Keep{})
}

// Keep opens the dialog that saves the form, once its references are resolved.
func (p *Presets) Keep(begin presets.Keep) tea.Cmd {
	return p.doc.After(p.doc.Sheet.ResolveTyped(references.GoOn), func() tea.Cmd {
		p.doc.Refresh()
		p.doc.Side.ShowForm()
		return p.over.Open(presets.NewSave(p.options(), p.form(), begin))
	})
}

// form is the form as a preset holds it.
func (p *Presets) form() presets.Form {
	s := p.doc.Sheet
	return presets.Form{Draft: s.Draft, Mode: s.Template.Mode, Vars: s.Template.Vars}
}

// Recount updates a dialog that shows the form after the form was changed behind it.
func (p *Presets) Recount() tea.Cmd {
	if !p.over.Has(presets.Scope) {
		return nil
	}
	cmd, _ := p.over.Update(p.form())
	return cmd
}

// Take applies a preset to the form, and says what has changed.
func (p *Presets) Take(a presets.Taken) tea.Cmd {
	changes := p.changes(a.Preset, a.Draft)
	cmd := p.doc.Fill(p.with(a.Preset, a.Draft))
	said := "preset " + client.CleanLine(a.Preset.Name) + ": "
	if len(changes) == 0 {
		said += "the form has all of it already"
	} else {
		var labels []string
		for _, c := range changes {
			labels = append(labels, c.Label)
		}
		said = p.doc.WithBack(said + text.Clip(strings.Join(labels, ", "), 120) + " changed")
	}
	if a.Preset.Project {
		said += "; it is the project's"
	}
	return tea.Batch(cmd, screen.Toast(screen.Good, said))
}

// base is the form of the kind that a preset is meant for.
func (p *Presets) base(d client.Draft) screen.ComposeDraft {
	if d.Modality == "" || d.Modality == p.doc.Sheet.Modality {
		return p.doc.Sheet.Whole()
	}
	for _, k := range p.doc.Sheet.Kept() {
		if k.Draft.Modality == d.Modality {
			return k
		}
	}
	return screen.ComposeDraft{Draft: client.Draft{Modality: d.Modality}}
}

// with is the form with a preset applied; what the preset does not hold stays.
func (p *Presets) with(x expand.PresetFile, d client.Draft) screen.ComposeDraft {
	to := p.base(d)
	t := &to.Draft
	for _, x := range []struct {
		to   *string
		from string
	}{{&t.Model, d.Model}, {&t.ModelName, d.ModelName}, {&t.Mode, d.Mode}, {&t.Prompt, d.Prompt}} {
		if expand.Says(x.from) {
			*x.to = x.from
		}
	}
	t.Values = t.Values.Clone()
	for name, v := range d.Values {
		if t.Values == nil {
			t.Values = client.Values{}
		}
		t.Values[p.canonical(t.Modality, name)] = v
	}
	t.Extra = merged(t.Extra, d.Extra)
	if expand.Says(d.Prompt) {
		to.Expand = string(batch.Undecided)
	}
	if x.Expand != expand.AsIs && !x.Project { // somebody else's word alone makes no batch
		to.Expand = string(x.Expand)
	}
	to.Vars = merged(to.Vars, x.Variables)
	return to
}

// merged is a map with the entries of another added.
func merged[V any](m, more map[string]V) map[string]V {
	if len(more) == 0 {
		return m
	}
	out := maps.Clone(m)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, more)
	return out
}

func (p *Presets) canonical(m client.Modality, name string) string {
	if c, ok := p.o.Catalog.Canonical(m, name); ok {
		return c
	}
	return name
}

// changes are what a preset changes in the form, in a few words each.
func (p *Presets) changes(x expand.PresetFile, d client.Draft) []presets.Change {
	base := p.base(d)
	b := &base.Draft
	var out []presets.Change
	add := func(label, was, is string) {
		if expand.Says(is) && was != is {
			out = append(out, presets.Change{Label: label, Was: brief(was), Is: brief(is)})
		}
	}
	add("Kind", string(p.doc.Sheet.Modality), string(d.Modality))
	add("Model", b.Model, d.Model)
	add("Model name", b.ModelName, d.ModelName)
	add("Mode", b.Mode, d.Mode)
	add("Prompt", b.Prompt, d.Prompt)
	mod := cmp.Or(d.Modality, p.doc.Sheet.Modality)
	for _, name := range d.Values.Names() {
		label, canonical := name, p.canonical(mod, name)
		f, ok := p.o.Catalog.Field(mod, canonical)
		if ok {
			label = f.Label
		}
		add(label, sheet.FieldText(f, p.doc.Sheet.Data.Shrink(b.Values[canonical])), sheet.FieldText(f, p.doc.Sheet.Data.Shrink(d.Values[name])))
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
