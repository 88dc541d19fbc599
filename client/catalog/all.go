package catalog

import (
	"slices"

	"darkroom/client"
)

// AllFields returns every field of a modality in catalog order, whatever model takes
// it, without any model's limits.
func (c *Catalog) AllFields(m client.Modality) []Field {
	if set := c.fields[m]; set != nil {
		return slices.Clone(set.list)
	}
	return nil
}
