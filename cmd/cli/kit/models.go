package kit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// ModelIDs are the models of the catalog that make a kind, or with "" all.
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

// Kinds are the modalities that models may have.
func Kinds() []string {
	return []string{string(client.Video), string(client.Image), string(client.Music), string(client.Speech), string(client.Chat)}
}

// CheckKind refuses a kind that there is none of; "" is all of them.
func CheckKind(kind string) error {
	if kind == "" || slices.Contains(Kinds(), kind) {
		return nil
	}
	return Usage("--kind %q: allowed are %s", kind, strings.Join(Kinds(), ", "))
}

// KindFlag declares --kind and completes it.
func KindFlag(cmd *cobra.Command, to *string, text string) {
	cmd.Flags().StringVar(to, "kind", "", text)
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(Kinds(), cobra.ShellCompDirectiveNoFileComp))
}

// UnknownModel names the models that are near an unknown one.
func UnknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return fmt.Errorf("%q is not in the catalog; `darkroom models` lists it", client.CleanLine(id))
	}
	return fmt.Errorf("%q is not in the catalog; near it are: %s", client.CleanLine(id), strings.Join(near, ", "))
}

// FormatNames are the formats that this version has.
func FormatNames() []string {
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name())
	}
	return names
}

// FlagName is the flag of a field of the catalog.
func FlagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// AllowedOf is what a field's values may be, in few words.
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
