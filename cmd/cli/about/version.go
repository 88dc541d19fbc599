// Package about has the commands about the program itself: version, licences, exit codes.
package about

import (
	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
)

// NewVersion makes the command that prints the version.
func NewVersion(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Long:    "Prints the version of the program, as `darkroom --version` does.",
		Example: "  darkroom version -o json",
		RunE:    func(*cobra.Command, []string) error { return Version(k) },
	}
}

// Version prints the version.
func Version(k *kit.Kit) error {
	if k.Out.Table() {
		k.IO.Printf("darkroom %s\n", k.Version)
		return nil
	}
	return k.Out.One(map[string]string{"version": k.Version})
}
