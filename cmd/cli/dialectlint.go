package cli

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/dialect"
	"darkroom/cmd/config"
)

// dialectLint is what `gateway dialects lint` tells of one file.
type dialectLint struct {
	File   string      `json:"file"`
	OK     bool        `json:"ok"`
	Errors []lintError `json:"errors"`
}

func newDialectLint(k *globals) *cobra.Command {
	return &cobra.Command{
		Use: "lint [NAME|FILE]", Short: "check a dialect, or all of one's own",
		Long: `Checks a dialect as strictly as it is when a profile uses it: unknown keys, formats, models
and fields, paths that lead nowhere, names that two fields would share. Every mistake is
printed with file, line and column, and the exit code is 2. - reads standard input; without
an argument all dialects of one's own are checked.`,
		Example: `  darkroom gateway dialects lint
  darkroom gateway dialects lint ours
  darkroom gateway dialects lint - -o json <ours.yaml`,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: completeDialects(k),
		RunE: func(cmd *cobra.Command, args []string) error { return lintDialects(cmd.Context(), k, args) },
	}
}

func lintDialects(ctx context.Context, k *globals, args []string) error {
	cat, err := k.catalog()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = k.io.Paths.OwnDialects()
	}
	all := []dialectLint{}
	mistakes := 0
	for _, arg := range args {
		data, name, err := dialectText(ctx, k, arg)
		if err != nil {
			return err
		}
		r := dialectLint{File: name, Errors: []lintError{}}
		for _, err := range dialect.Lint(data, name, cat) {
			r.Errors = append(r.Errors, lintErrorOf(err, name))
		}
		r.OK = len(r.Errors) == 0
		mistakes += len(r.Errors)
		all = append(all, r)
	}
	if err := printDialectLint(k, all); err != nil {
		return err
	}
	if mistakes > 0 {
		return usage("%s", count(mistakes, "mistake"))
	}
	return nil
}

// dialectText is that of a name, else of a file.
func dialectText(ctx context.Context, k *globals, arg string) (data []byte, name string, err error) {
	if config.CheckDialectName(arg) == nil && arg != stdinWord {
		if data, name, err = k.io.Paths.ReadDialect(arg); !errors.Is(err, config.ErrNoDialect) {
			return data, name, err
		}
	}
	missing := err
	data, err = k.io.readNamed(ctx, "", arg, maxCatalog)
	if errors.Is(err, fs.ErrNotExist) && missing != nil {
		return nil, "", exitWith(ExitNotFound, missing)
	}
	return data, shownFile("", arg), err
}

func printDialectLint(k *globals, all []dialectLint) error {
	if !k.out.table() {
		return list(k.out, all)
	}
	if len(all) == 0 {
		k.io.printf("there is no dialect of one's own in %s\n", client.CleanLine(k.io.Paths.Dialects))
	}
	for _, r := range all {
		for _, e := range r.Errors {
			k.io.printf("%s:%d:%d: %s\n", client.CleanLine(e.File), e.Line, e.Column, client.Clean(e.Message))
		}
		if r.OK {
			k.io.printf("%s: ok\n", client.CleanLine(r.File))
		}
	}
	return nil
}
