// Package models has the commands about models and the catalog.
package models

import (
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// New makes the commands about models. Without a subcommand it lists them, and with the name of a
// model it shows that one, as it did before there were subcommands.
func New(k *kit.Kit) *cobra.Command {
	l, s := &listOptions{k: k}, &showOptions{k: k}
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
				return kit.Usage("%s is for the list, and %q asks for one model", given, client.CleanLine(args[0]))
			}
			s.kind = l.kind
			return s.run(args[0])
		},
		ValidArgsFunction: completeModel(k),
	}
	cmd.SuggestionsMinimumDistance = 2
	l.flags(cmd)
	cmd.AddCommand(newList(k), newShow(k), newLint(k), newStar(k, true), newStar(k, false))
	return cmd
}

// changedOf returns the first of the flags that was given, "" for none.
func changedOf(cmd *cobra.Command, names ...string) string {
	for _, n := range names {
		if cmd.Flags().Changed(n) {
			return "--" + n
		}
	}
	return ""
}

func completeModel(k *kit.Kit) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return kit.ModelIDs(k, ""), cobra.ShellCompDirectiveNoFileComp
	}
}
