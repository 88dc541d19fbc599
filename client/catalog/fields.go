package catalog

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"darkroom/client"
)

// FieldsFor is [Catalog.Fields] for a draft sent in a format: fields that the format is known not
// to carry are left out, and limits that hold only in it are merged in. "" means no format and
// gives the same as Fields.
func (c *Catalog) FieldsFor(d client.Draft, format string) []Field {
	info := c.format(format)
	out := c.fieldsOf(d, info)
	if format == "" {
		return out
	}
	out = slices.DeleteFunc(out, func(f Field) bool {
		return len(f.Formats) > 0 && !slices.Contains(f.Formats, format) || info != nil && slices.Contains(info.Without, f.Name)
	})
	m, mode := c.resolve(d)
	if m == nil {
		return out
	}
	for i := range out {
		f := &out[i]
		if _, fixed := m.Fixed[f.Name]; fixed {
			continue
		}
		for j := range m.limits {
			l := &m.limits[j]
			if l.Field == f.Name && slices.Contains(l.Formats, format) && (len(l.Modes) == 0 || slices.Contains(l.Modes, mode)) {
				l.apply(f)
			}
		}
	}
	return out
}

// AllFields returns every field of a modality in catalog order, whatever model takes
// it, without any model's limits.
func (c *Catalog) AllFields(m client.Modality) []Field {
	if set := c.fields[m]; set != nil {
		return slices.Clone(set.list)
	}
	return nil
}

// Says is the help without what it says is not documented, for places where the choices and the checks
// show what there is; the whole help where nothing else would be left.
func (f *Field) Says() string {
	var parts []string
	for _, p := range strings.Split(f.Help, "; ") {
		if !strings.Contains(p, " not documented") || strings.Contains(p, "raw JSON") {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return f.Help
	}
	return strings.Join(parts, "; ")
}

// Limit is a bound of one model's own, in some modes or formats or in all. [Catalog.Fields] merges
// in only the limits that hold everywhere; Limits lists them all.
type Limit struct {
	Field string `json:"field"` // canonical
	// Modes and Formats in which it holds; empty means all.
	Modes   []string `json:"modes,omitempty"`
	Formats []string `json:"formats,omitempty"`
	Allowed []string `json:"allowed,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	// MinItems and MaxItems of a list, 0 for none.
	MinItems int `json:"min_items,omitempty"`
	MaxItems int `json:"max_items,omitempty"`
	// Hard: other values are refused; Mapped: they are mapped to one of Allowed; neither: they are
	// unusual.
	Hard   bool   `json:"hard"`
	Mapped bool   `json:"mapped,omitempty"`
	Source string `json:"source,omitempty"` // section of GATEWAY.md
}

// Limits returns the model's own bounds, in catalog order.
func (m Model) Limits() []Limit {
	var out []Limit
	for i := range m.limits {
		l := &m.limits[i]
		if l.Allowed == nil && l.Min == nil && l.Max == nil && l.MinItems == 0 && l.MaxItems == 0 {
			continue
		}
		out = append(out, Limit{
			Field: l.Field, Modes: l.Modes, Formats: l.Formats, Allowed: l.Allowed, Min: l.Min, Max: l.Max,
			MinItems: l.MinItems, MaxItems: l.MaxItems, Hard: l.Hard, Mapped: l.Mapped, Source: l.Source,
		})
	}
	return out
}

// Worded is a finding's message in the words of a form: label stands for the finding's own field, and
// the labels of their rows for other fields that the message names, and what modes do for their names.
// Only names that cannot be taken for words are replaced in running text; all are where the message
// lists the fields that would do.
func (c *Catalog) Worded(m client.Modality, p *Problem, label string) string {
	text := p.Called(label)
	list := func(names string) string {
		parts := strings.Split(names, ", ")
		for i := range parts {
			parts[i] = c.LabelOf(m, parts[i])
		}
		return strings.Join(parts, ", ")
	}
	text = anyOf.ReplaceAllStringFunc(text, func(s string) string {
		return "(any of " + list(strings.TrimSuffix(strings.TrimPrefix(s, "(any of "), ")")) + ")"
	})
	text = together.ReplaceAllStringFunc(text, func(s string) string {
		return "together with " + list(strings.TrimPrefix(s, "together with "))
	})
	text = ofMode.ReplaceAllStringFunc(text, func(s string) string {
		if does := c.modeLabel(m, strings.TrimPrefix(s, "mode ")); does != "" {
			return "“" + does + "”"
		}
		return s
	})
	return named.ReplaceAllStringFunc(text, func(s string) string {
		return s[:1] + cmp.Or(c.modeLabel(m, s[1:]), c.LabelOf(m, s[1:]))
	})
}

// anyOf, together, ofMode and named are where a message names fields and modes. A name with a dot, a
// quote or a slash before it is part of something else.
var (
	anyOf    = regexp.MustCompile(`\(any of [a-z_, ]+\)`)
	together = regexp.MustCompile(`\btogether with [a-z_]+`)
	ofMode   = regexp.MustCompile(`\bmode [a-z0-9_]+\b`)
	named    = regexp.MustCompile(`[ (](?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+[0-9][a-z0-9_]*)\b`)
)

// LabelOf is what a form calls a field; a name that no field has stands for itself.
func (c *Catalog) LabelOf(m client.Modality, name string) string {
	switch name {
	case client.FieldModelName:
		return "Model name"
	case client.FieldPrompt:
		return "Prompt"
	}
	f, _ := c.Field(m, name)
	return cmp.Or(f.Label, name)
}

// modeLabel is what a mode of a modality does, in words; "" for a name that no mode has.
func (c *Catalog) modeLabel(m client.Modality, name string) string {
	for i := range c.models {
		if x, ok := c.models[i].Mode(name); ok && c.models[i].Modality == m {
			return x.Label
		}
	}
	return ""
}
