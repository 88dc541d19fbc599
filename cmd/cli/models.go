package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
)

// newModels makes the commands about models. Without a word it lists, and with the name
// of a model it shows that one, as it did before there were words for it.
func newModels(g *globals) *cobra.Command {
	l, s := &modelsListOptions{g: g}, &modelsShowOptions{g: g}
	cmd := &cobra.Command{
		Use: "models [MODEL]", Short: "list the models, print all about one, check a catalog file",
		Long: `Lists the models that the catalog knows, or prints one with its modes, what they need at
least, and every field that it takes with the values that are allowed. With --live the lists
of the gateway are asked too.`,
		Example: `  darkroom models --kind image
  darkroom models famI-omni
  darkroom models list --live -o json
  darkroom models star famI-omni
  darkroom models lint my-catalog.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return l.run(cmd.Context())
			}
			if given := changedOf(cmd, "live", "family", "format"); given != "" {
				return usage("%s is of the list, and %q asks for one model", given, client.CleanLine(args[0]))
			}
			s.kind = l.kind
			return s.run(args[0])
		},
		ValidArgsFunction: completeModel(g),
	}
	cmd.SuggestionsMinimumDistance = 2
	l.flags(cmd)
	cmd.AddCommand(newModelsList(g), newModelsShow(g), newModelsLint(g), newModelsStar(g, true), newModelsStar(g, false))
	return cmd
}

// changedOf is the first of the flags that was given, "" for none.
func changedOf(cmd *cobra.Command, names ...string) string {
	for _, n := range names {
		if cmd.Flags().Changed(n) {
			return "--" + n
		}
	}
	return ""
}

func completeModel(g *globals) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return modelIDs(g, ""), cobra.ShellCompDirectiveNoFileComp
	}
}

func modelIDs(g *globals, m client.Modality) []string {
	cat, err := g.catalog()
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

// unknownModel names the models that are near an unknown one.
func unknownModel(cat *catalog.Catalog, id string) error {
	near := cat.Suggest(id, 3)
	if len(near) == 0 {
		return fmt.Errorf("%q is not in the catalog; `darkroom models` lists it", client.CleanLine(id))
	}
	return fmt.Errorf("%q is not in the catalog; near it are: %s", client.CleanLine(id), strings.Join(near, ", "))
}
