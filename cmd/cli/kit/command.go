package kit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Parent makes a command that only groups others: by itself it prints its help.
func Parent(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.Args = NoSuchCommand
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(children...)
	return cmd
}

// NoSuchCommand refuses unknown commands and suggests similar ones.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("there is no command %q", cmd.CommandPath()+" "+args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return Usage("%s; near it: %s", text, strings.Join(near, ", "))
	}
	return Usage("%s; `%s --help` lists them", text, cmd.CommandPath())
}

// FlagError is a usage error; for an unknown flag it suggests similar ones.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Exit(ExitUsage, err)
	}
	near := nearFlags(cmd, unknown.GetSpecifiedName())
	if len(near) == 0 {
		return Usage("%w; `%s --help` lists them", err, cmd.CommandPath())
	}
	return Usage("%w; near it: %s", err, strings.Join(near, ", "))
}

// nearFlags finds similar flags as cobra finds similar commands.
func nearFlags(cmd *cobra.Command, name string) []string {
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	near := names.SuggestionsFor(name)
	for i, n := range near {
		near[i] = "--" + n
	}
	return near[:min(4, len(near))]
}
