package kit

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// ModelIDs are the catalog's models of a kind, or all models for "".
func ModelIDs(k *Kit, m client.Modality) []string {
	cat, err := k.Catalog()
	if err != nil {
		return nil
	}
	var ids []string
	for _, x := range cat.Models(m) {
		ids = append(ids, x.ID)
	}
	return ids
}

// UnknownModel is the error for an unknown model, with similar ones.
func UnknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return fmt.Errorf("%q is not in the catalog; `darkroom models` lists it", client.CleanLine(id))
	}
	return fmt.Errorf("%q is not in the catalog; near it are: %s", client.CleanLine(id), strings.Join(near, ", "))
}

// FlagName is the flag for a field of the catalog.
func FlagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// AllowedOf describes a field's allowed values in a few words.
func AllowedOf(f catalog.Field) string {
	if len(f.Allowed) > 0 {
		return strings.Join(f.Allowed, ", ")
	}
	return Between(f.Min, f.Max)
}

// Between is a range in words, "" for none.
func Between(low, high *float64) string {
	switch {
	case low != nil && high != nil:
		return fmt.Sprintf("%g to %g", *low, *high)
	case low != nil:
		return fmt.Sprintf("%g or more", *low)
	case high != nil:
		return fmt.Sprintf("%g or less", *high)
	default:
		return ""
	}
}
