package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
)

// strict makes wrong arguments to any command a usage error.
func strict(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			var told *kit.ExitError
			if err == nil || errors.As(err, &told) {
				return err
			}
			return kit.Usage("%s: %w; usage: %s", c.CommandPath(), err, c.UseLine())
		}
	}
	for _, c := range cmd.Commands() {
		strict(c)
	}
}

// strictCompletion makes cobra's completion command refuse a shell that it does not know: a script
// would source the help text.
func strictCompletion(root *cobra.Command) {
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil || cmd == root {
		return
	}
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return kit.Usage("completion %q: allowed are %s", args[0], strings.Join(shells, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}
