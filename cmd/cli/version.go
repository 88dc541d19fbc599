package cli

import (
	"github.com/spf13/cobra"
)

func newVersion(k *globals) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Long:    "Prints the version of the program.",
		Example: "  darkroom version -o json",
		RunE: func(*cobra.Command, []string) error {
			if k.out.table() {
				k.io.printf("darkroom %s\n", k.version)
				return nil
			}
			return k.out.one(map[string]string{"version": k.version})
		},
	}
}
