// Package themes has the commands about the console's colours.
package themes

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/themes"
)

// maxFile bounds what is read of a file that is named, in bytes; the reader's own bound is lower.
const maxFile = 1 << 20

// New makes the commands.
func New(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{Use: "themes", Short: "the console's colours: list, print, check",
		Long: `A theme is a YAML file with the console's colours by role. Some are built in; your own lie in
the folder themes beside the settings ('darkroom config path' prints it). Each is called what
its file is called, and takes the place of a built-in one of the same name.

'darkroom config set theme NAME' chooses one.`,
		Example: "  darkroom themes list\n  darkroom themes show dusk | sed 's/^name: .*/name: mine/' > ~/.config/darkroom/themes/mine.yaml\n  darkroom themes lint mine",
	}, newList(k), newShow(k), newLint(k))
}

// row is a theme in `themes list`.
type row struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Dark says for which background it is, Fill whether it paints that.
	Dark     bool            `json:"dark"`
	Fill     bool            `json:"fill"`
	Contrast float64         `json:"contrast"`       // that it promises for text
	File     string          `json:"file,omitempty"` // "" for a built-in one
	Errors   []kit.LintError `json:"errors"`
}

func newList(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the themes", Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		Long:    "Lists the themes, your own among them, the contrast that each promises for text, and how many\nmistakes there are in it.",
		Example: "  darkroom themes list\n  darkroom themes list -o json | jq -r '.[] | select(.dark | not) | .name'",
		RunE:    func(*cobra.Command, []string) error { return list(k) },
	}
}

func list(k *kit.Kit) error {
	l, err := open(k)
	if err != nil {
		return err
	}
	var all []row
	var cells [][]string
	for _, name := range l.Names() {
		r := row{Name: name, File: l.File(name), Errors: mistakes(l, name)}
		background := "-"
		if t, err := l.Get(name); err == nil {
			r.Title, r.Dark, r.Fill, r.Contrast = t.Title, t.Dark, t.Fill, t.Contrast
			background = map[bool]string{true: "dark", false: "light"}[t.Dark]
		}
		all = append(all, r)
		state := "ok"
		if len(r.Errors) > 0 {
			state = human.Plural(len(r.Errors), "mistake")
		}
		cells = append(cells, []string{name, cmp.Or(r.Title, "-"), background, cmp.Or(r.File, "built in"), state})
	}
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	return kit.Rows(k.IO.Out, []string{"NAME", "TITLE", "FOR", "FROM", "STATE"}, cells)
}

// open reads the person's own themes.
func open(k *kit.Kit) (themes.Library, error) { return themes.Open(k.IO.Paths.Themes) }

// mistakes are those of a theme, by its place.
func mistakes(l themes.Library, name string) []kit.LintError {
	file := cmp.Or(l.File(name), name)
	all, err := l.Lint(name)
	if err != nil {
		return []kit.LintError{kit.LintErrorOf(err, file)}
	}
	return located(all, file)
}

func located(all []themes.Mistake, file string) []kit.LintError {
	out := []kit.LintError{}
	for _, m := range all {
		out = append(out, kit.LintError{File: file, Line: m.Line, Column: m.Column, Message: client.CleanLine(m.Message)})
	}
	return out
}

func newShow(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "print a theme's file", Args: cobra.ExactArgs(1), ValidArgsFunction: complete(k),
		Long:    "Prints the file of a theme: something to begin your own with. The name in it has to be the name\nof its file.",
		Example: "  darkroom themes show paper",
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := open(k)
			if err != nil {
				return err
			}
			b, err := l.Source(args[0])
			if err != nil {
				return kit.Exit(kit.ExitNotFound, err)
			}
			t, err := l.Get(args[0])
			if !k.Out.Table() && err == nil {
				return k.Out.One(t)
			}
			if !k.Out.Table() {
				return kit.Exit(kit.ExitUsage, err)
			}
			return k.IO.Raw([]byte(strings.TrimSuffix(string(b), "\n")))
		},
	}
}

// result is what `themes lint` tells of one theme.
type result struct {
	File   string          `json:"file"`
	OK     bool            `json:"ok"`
	Errors []kit.LintError `json:"errors"`
}

func newLint(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "lint [NAME|FILE]", Short: "check a theme, or all of your own", Args: cobra.MaximumNArgs(1), ValidArgsFunction: complete(k),
		Long: `Checks a theme: unknown and missing keys, values that are not colours, and the contrast of
each pair of colours where one is drawn on the other. Text needs what the theme promises (contrast:
4.5 unless it says otherwise), borders and signs 3; in a theme that promises 7 they need 4.5.

Every mistake is printed with file, line and column, and the exit code is 2. - reads standard
input; without an argument all themes of your own are checked. A theme with too little contrast
can be used; one with another mistake cannot.`,
		Example: "  darkroom themes lint\n  darkroom themes lint mine\n  darkroom themes lint mine.yaml -o json",
		RunE:    func(cmd *cobra.Command, args []string) error { return lint(cmd.Context(), k, args) },
	}
}

func lint(ctx context.Context, k *kit.Kit, args []string) error {
	l, err := open(k)
	if err != nil {
		return err
	}
	all := []result{}
	if len(args) == 0 {
		for _, name := range l.Own() {
			all = append(all, result{File: l.File(name), Errors: mistakes(l, name)})
		}
	} else {
		r, err := lintOne(ctx, k, l, args[0])
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	wrong := 0
	for i := range all {
		all[i].OK = len(all[i].Errors) == 0
		wrong += len(all[i].Errors)
	}
	if err := report(k, all); err != nil {
		return err
	}
	if wrong > 0 {
		return kit.Usage("%s", human.Plural(wrong, "mistake"))
	}
	return nil
}

// lintOne checks the theme of a name, else a file.
func lintOne(ctx context.Context, k *kit.Kit, l themes.Library, arg string) (result, error) {
	if slices.Contains(l.Names(), arg) {
		return result{File: cmp.Or(l.File(arg), arg), Errors: mistakes(l, arg)}, nil
	}
	if themes.IsName(arg) {
		if _, err := l.Get(arg); err != nil {
			return result{}, kit.Exit(kit.ExitNotFound, err)
		}
	}
	b, err := k.IO.Read(ctx, "", arg, maxFile)
	if err != nil {
		return result{}, err
	}
	name := strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))
	if arg == kit.Stdin {
		name = themes.NameIn(b)
	}
	file := kit.ShownFile("", arg)
	r := result{File: file, Errors: located(themes.Lint(name, b), file)}
	if !themes.IsName(name) && arg != kit.Stdin {
		r.Errors = append(r.Errors, kit.LintError{File: file, Line: 1, Column: 1, Message: "the file's name may have lower case letters, digits and - alone, and ends in .yaml"})
	}
	return r, nil
}

func report(k *kit.Kit, all []result) error {
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	if len(all) == 0 {
		k.IO.Printf("there is no theme of your own in %s\n", client.CleanLine(k.IO.Paths.Themes))
	}
	for _, r := range all {
		for _, e := range r.Errors {
			k.IO.Printf("%s:%d:%d: %s\n", client.CleanLine(e.File), e.Line, e.Column, e.Message)
		}
		if r.OK {
			k.IO.Printf("%s: ok\n", client.CleanLine(r.File))
		}
	}
	return nil
}

func complete(k *kit.Kit) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		l, err := open(k)
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return l.Names(), cobra.ShellCompDirectiveDefault
	}
}
