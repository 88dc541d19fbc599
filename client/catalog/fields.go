package catalog

import (
	"slices"

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
