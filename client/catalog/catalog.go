package catalog

import (
	"slices"

	"darkroom/client"
)

// Catalog is what the gateway is known to offer. It is immutable and safe for concurrent use;
// callers must not change the slices and maps inside the values it returns: they are shared.
type Catalog struct {
	doc      document
	families []Family
	models   []Model
	variants []Model // further modalities of models
	byID     map[string]int
	fields   map[client.Modality]*fieldSet
}

// fieldSet is the fields of one modality.
type fieldSet struct {
	list  []Field
	names map[string]int // canonical names and aliases -> index in list
}

// Families returns all families in catalog order.
func (c *Catalog) Families() []Family { return slices.Clone(c.families) }

// Models returns the models of a modality in catalog order, all for "".
func (c *Catalog) Models(m client.Modality) []Model {
	out := make([]Model, 0, len(c.models))
	for _, x := range c.models {
		if m == "" || x.Modality == m {
			out = append(out, x)
		}
	}
	for _, x := range c.variants {
		if x.Modality == m {
			out = append(out, x)
		}
	}
	return out
}

// ModelFor returns the model with an identifier as used for one modality: famN_music serves both
// music and speech.
func (c *Catalog) ModelFor(m client.Modality, id string) (Model, bool) {
	if x := c.find(m, id); x != nil {
		return *x, true
	}
	return Model{}, false
}

func (c *Catalog) find(m client.Modality, id string) *Model {
	if i, ok := c.byID[id]; ok && c.models[i].Modality == m {
		return &c.models[i]
	}
	for i := range c.variants {
		if c.variants[i].ID == id && c.variants[i].Modality == m {
			return &c.variants[i]
		}
	}
	return nil
}

// Model returns the model with an identifier.
func (c *Catalog) Model(id string) (Model, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Model{}, false
	}
	return c.models[i], true
}

// Mode returns the mode with a name.
func (m Model) Mode(name string) (Mode, bool) {
	for _, x := range m.Modes {
		if x.Name == name {
			return x, true
		}
	}
	return Mode{}, false
}

// ModeCalled is what a form calls a mode: what it does, with its name where two modes do the same; a
// name that no mode has stands for itself. The one mode of a model whose requests carry none is called
// by what it does as well.
func (m Model) ModeCalled(name string) string {
	mode, ok := m.Mode(name)
	if !ok || mode.Label == "" {
		return name
	}
	alike := 0
	for _, x := range m.Modes {
		if x.Label == mode.Label {
			alike++
		}
	}
	if alike > 1 && name != "" {
		return mode.Label + " " + name
	}
	return mode.Label
}

// ModeNames returns the names of the model's modes; empty if its requests carry no mode.
func (m Model) ModeNames() []string {
	var out []string
	for _, x := range m.Modes {
		if x.Name != "" {
			out = append(out, x.Name)
		}
	}
	return out
}

// Fields returns the fields that a draft's modality, model and mode take, with the model's limits
// merged in: basic ones first, then the others, each group in catalog order. An unknown model takes
// every field that is not tied to a model; an unknown or empty mode restricts nothing. model,
// model_name, mode and prompt are not values, so they are not included.
func (c *Catalog) Fields(d client.Draft) []Field { return c.fieldsOf(d, nil) }

// fieldsOf is Fields plus the fields that a format takes in further modes; info is nil for no
// format.
func (c *Catalog) fieldsOf(d client.Draft, info *FormatInfo) []Field {
	set := c.fields[d.Modality]
	if set == nil {
		return nil
	}
	m, mode := c.resolve(d)
	var basic, rest []Field
	for i := range set.list {
		f := set.list[i]
		if here := info != nil && slices.Contains(info.Takes[f.Name], mode); !takesModel(&f, m) || !here && !takesMode(&f, m, mode) {
			continue
		}
		merge(&f, m, mode)
		if f.Basic {
			basic = append(basic, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(basic, rest...)
}

// Field returns a field of a modality by its canonical name, without any model's
// limits.
func (c *Catalog) Field(m client.Modality, name string) (Field, bool) {
	set := c.fields[m]
	if set == nil {
		return Field{}, false
	}
	i, ok := set.names[name]
	if !ok || set.list[i].Name != name {
		return Field{}, false
	}
	return set.list[i], true
}

// Canonical returns the canonical name for a canonical name or an alias.
func (c *Catalog) Canonical(m client.Modality, name string) (string, bool) {
	set := c.fields[m]
	if set == nil {
		return "", false
	}
	i, ok := set.names[name]
	if !ok {
		return "", false
	}
	return set.list[i].Name, true
}

// WireNames returns the names that a model uses in a format in place of the format's usual ones,
// canonical -> wire; nil if there are none.
func (c *Catalog) WireNames(model, format string) map[string]string {
	m, ok := c.Model(model)
	if !ok {
		return nil
	}
	return m.wireNames[format]
}

// DefaultFormat returns the preferred create format of a model, "" for an unknown one.
func (c *Catalog) DefaultFormat(model string) string {
	m, ok := c.Model(model)
	if !ok || len(m.Formats) == 0 {
		return ""
	}
	return m.Formats[0]
}

// Default returns a draft to start from: the first model of the modality in its first mode. Without
// such a model, only the modality is set.
func (c *Catalog) Default(m client.Modality) client.Draft {
	d := client.Draft{Modality: m}
	all := c.Models(m)
	if len(all) == 0 {
		return d
	}
	x := all[0]
	d.Model = x.ID
	if len(x.ModelNames) > 0 {
		d.ModelName = x.ModelNames[0]
	}
	if len(x.Modes) > 0 {
		d.Mode = x.Modes[0].Name
		d.Values = c.presets(m, &x.Modes[0])
	}
	return d
}

// presets returns the values that a mode needs and that have a default of their own, such as the
// engine that speech needs.
func (c *Catalog) presets(m client.Modality, mode *Mode) client.Values {
	var out client.Values
	for i := range mode.Needs {
		f, ok := c.Field(m, mode.Needs[i].AnyOf[0])
		if !ok || f.Default == "" || mode.Needs[i].Severity != "" {
			continue
		}
		if out == nil {
			out = client.Values{}
		}
		out[f.Name] = f.Default
	}
	return out
}

// resolve returns the model of a draft, nil if unknown, and the name of the mode that applies: the
// draft's, or the model's only one.
func (c *Catalog) resolve(d client.Draft) (*Model, string) {
	m := c.find(d.Modality, d.Model)
	if m == nil {
		return nil, d.Mode
	}
	if d.Mode == "" && len(m.Modes) == 1 {
		return m, m.Modes[0].Name
	}
	return m, d.Mode
}

func takesModel(f *Field, m *Model) bool {
	tied := len(f.Models) > 0 || len(f.Families) > 0
	if m == nil {
		return !tied
	}
	if slices.Contains(m.without, f.Name) {
		return false
	}
	if len(f.Formats) > 0 && !slices.ContainsFunc(f.Formats, func(n string) bool { return slices.Contains(m.Formats, n) }) {
		return false
	}
	return !tied || slices.Contains(f.Models, m.ID) || slices.Contains(f.Families, m.Family)
}

func takesMode(f *Field, m *Model, mode string) bool {
	if mode == "" || len(f.Modes) == 0 || slices.Contains(f.Modes, mode) {
		return true
	}
	if m == nil {
		return true
	}
	_, known := m.Mode(mode)
	return !known
}
