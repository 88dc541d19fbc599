package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
)

type lintOptions struct{ k *kit.Kit }

// lintResult is what `models lint` tells.
type lintResult struct {
	File string `json:"file"`
	// Found is false if there is no overlay to look at, which is not an error.
	Found   bool             `json:"found"`
	OK      bool             `json:"ok"`
	Errors  []kit.LintError  `json:"errors"`
	Changes []catalog.Change `json:"changes"`
}

func newLint(k *kit.Kit) *cobra.Command {
	o := &lintOptions{k: k}
	return &cobra.Command{
		Use: "lint [FILE]", Short: "check a catalog file, and tell what it adds and changes",
		Long: `Checks a file that adds models to the catalog or changes it, as strictly as it is when the
program starts with it: unknown keys, duplicates, names that lead nowhere. Every mistake is
printed with file, line and column, and the exit code is 2. Of a file without one it tells
what it adds and changes. - reads standard input; without FILE the overlay in use is
checked, $XDG_CONFIG_HOME/darkroom/catalog.yaml.

A file has the keys of the embedded catalog; what it says of an existing item replaces that
key by key, and new items are added:

  version: 1
  families:
    - token: famA
      models:
        - id: famA4`,
		Example: `  darkroom models lint
  darkroom models lint new-models.yaml
  darkroom models lint - -o json <new-models.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
}

func (o *lintOptions) run(ctx context.Context, args []string) error {
	own := len(args) == 0
	file := o.k.IO.Paths.Catalog
	if !own {
		file = args[0]
	}
	name := kit.ShownFile("", file)
	data, err := o.k.IO.Read(ctx, "", file, kit.MaxCatalog)
	res := lintResult{File: name, Errors: []kit.LintError{}, Changes: []catalog.Change{}}
	switch {
	case own && errors.Is(err, fs.ErrNotExist):
		res.OK = true
		if !o.k.Out.Table() {
			return o.k.Out.One(res)
		}
		o.k.IO.Printf("%s\n", client.CleanLine(fmt.Sprintf("there is no overlay at %s: only the embedded catalog is used", file)))
		return nil
	case err != nil:
		return err
	}
	res.Found = true
	for _, err := range catalog.Lint(data, name) {
		res.Errors = append(res.Errors, kit.LintErrorOf(err, name))
	}
	if res.OK = len(res.Errors) == 0; res.OK {
		if res.Changes, err = catalog.Changes(data, name); err != nil {
			return err
		}
	}
	if err := o.print(res); err != nil {
		return err
	}
	if !res.OK {
		return kit.Usage("%s: %s", client.CleanLine(name), human.Plural(len(res.Errors), "mistake"))
	}
	return nil
}

func (o *lintOptions) print(r lintResult) error {
	if !o.k.Out.Table() {
		return o.k.Out.One(r)
	}
	s := o.k.IO
	for _, e := range r.Errors {
		s.Printf("%s:%d:%d: %s\n", client.CleanLine(e.File), e.Line, e.Column, client.Clean(e.Message))
		if e.Excerpt != "" {
			s.Printf("%s\n", client.Clean(e.Excerpt))
		}
	}
	if !r.OK {
		return nil
	}
	s.Printf("%s: ok\n", client.CleanLine(r.File))
	if len(r.Changes) == 0 {
		s.Printf("  it adds nothing and changes nothing\n")
		return nil
	}
	var cells [][]string
	for _, c := range r.Changes {
		what := "changes"
		if c.New {
			what = "adds"
		}
		line := ""
		if c.Line > 0 {
			line = fmt.Sprint(c.Line)
		}
		cells = append(cells, []string{what, c.Kind, c.Name, c.In, line, strings.Join(c.Keys, ", ")})
	}
	return kit.Rows(s.Out, []string{"", "WHAT", "NAME", "OF", "LINE", "KEYS"}, cells)
}
