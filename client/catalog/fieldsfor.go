package catalog

import (
	"slices"

	"darkroom/client"
)

// FieldsFor is [Catalog.Fields] for a draft that goes through a format: what the format
// is known not to carry is left out, and limits that hold in it alone are merged in. ""
// stands for no format and is Fields itself.
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
