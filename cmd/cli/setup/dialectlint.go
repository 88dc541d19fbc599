package setup

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/dialect"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// dialectLint is what `gateway dialects lint` tells of one file.
type dialectLint struct {
	File   string          `json:"file"`
	OK     bool            `json:"ok"`
	Errors []kit.LintError `json:"errors"`
}

func newDialectLint(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "lint [NAME|FILE]", Short: "check a dialect, or all of your own",
		Long: `Checks a dialect as strictly as it is when a profile uses it: unknown keys, formats, models
and fields, paths that lead nowhere, names that two fields would share. Every mistake is
printed with file, line and column, and the exit code is 2. - reads standard input; without
an argument all dialects of your own are checked.`,
		Example: `  darkroom gateway dialects lint
  darkroom gateway dialects lint ours
  darkroom gateway dialects lint - -o json <ours.yaml`,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: completeDialects(k),
		RunE: func(cmd *cobra.Command, args []string) error { return lintDialects(cmd.Context(), k, args) },
	}
}

func lintDialects(ctx context.Context, k *kit.Kit, args []string) error {
	cat, err := k.Catalog()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = k.IO.Paths.OwnDialects()
	}
	all := []dialectLint{}
	mistakes := 0
	for _, arg := range args {
		data, name, err := dialectText(ctx, k, arg)
		if err != nil {
			return err
		}
		r := dialectLint{File: name, Errors: []kit.LintError{}}
		for _, err := range dialect.Lint(data, name, cat) {
			r.Errors = append(r.Errors, kit.LintErrorOf(err, name))
		}
		r.OK = len(r.Errors) == 0
		mistakes += len(r.Errors)
		all = append(all, r)
	}
	if err := printDialectLint(k, all); err != nil {
		return err
	}
	if mistakes > 0 {
		return kit.Usage("%s", human.Plural(mistakes, "mistake"))
	}
	return nil
}

// dialectText reads the dialect with a name, else a file.
func dialectText(ctx context.Context, k *kit.Kit, arg string) (data []byte, name string, err error) {
	if config.CheckDialectName(arg) == nil && arg != kit.Stdin {
		if data, name, err = k.IO.Paths.ReadDialect(arg); !errors.Is(err, config.ErrNoDialect) {
			return data, name, err
		}
	}
	missing := err
	data, err = k.IO.Read(ctx, "", arg, kit.MaxCatalog)
	if errors.Is(err, fs.ErrNotExist) && missing != nil {
		return nil, "", kit.Exit(kit.ExitNotFound, missing)
	}
	return data, kit.ShownFile("", arg), err
}

func printDialectLint(k *kit.Kit, all []dialectLint) error {
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	if len(all) == 0 {
		k.IO.Printf("there is no dialect of your own in %s\n", client.CleanLine(k.IO.Paths.Dialects))
	}
	for _, r := range all {
		for _, e := range r.Errors {
			k.IO.Printf("%s:%d:%d: %s\n", client.CleanLine(e.File), e.Line, e.Column, client.Clean(e.Message))
		}
		if r.OK {
			k.IO.Printf("%s: ok\n", client.CleanLine(r.File))
		}
	}
	return nil
}
