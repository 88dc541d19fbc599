package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

func modelIDs(k *globals, m client.Modality) []string {
	cat, err := k.catalog()
	if err != nil {
		return nil
	}
	var ids []string
	for _, x := range cat.Models(m) {
		ids = append(ids, x.ID)
	}
	return ids
}

// modelKinds are the modalities that models may have.
func modelKinds() []string {
	return []string{string(client.Video), string(client.Image), string(client.Music), string(client.Speech), string(client.Chat)}
}

func checkModelKind(kind string) error {
	if kind == "" || slices.Contains(modelKinds(), kind) {
		return nil
	}
	return usage("--kind %q: allowed are %s", kind, strings.Join(modelKinds(), ", "))
}

func kindFlag(cmd *cobra.Command, to *string, text string) {
	cmd.Flags().StringVar(to, "kind", "", text)
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(modelKinds(), cobra.ShellCompDirectiveNoFileComp))
}

// unknownModel names the models that are near an unknown one.
func unknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return fmt.Errorf("%q is not in the catalog; `darkroom models` lists it", client.CleanLine(id))
	}
	return fmt.Errorf("%q is not in the catalog; near it are: %s", client.CleanLine(id), strings.Join(near, ", "))
}

// formatNames are the formats that this version has.
func formatNames() []string {
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name())
	}
	return names
}

func flagName(field string) string { return strings.ReplaceAll(field, "_", "-") }

// allowedOf is what a field's values may be, in few words.
func allowedOf(f catalog.Field) string {
	if len(f.Allowed) > 0 {
		return strings.Join(f.Allowed, ", ")
	}
	return between(f.Min, f.Max)
}

// between is a range in words, "" for none.
func between(low, high *float64) string {
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
