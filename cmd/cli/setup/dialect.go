package setup

import (
	"errors"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/dialect"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// dialectInUse is a dialect as `config` shows it.
type dialectInUse struct {
	Name string `json:"name"`
	From string `json:"from"`
	dialect.File
}

// dialectOf returns the dialect of a profile, nil for none.
func dialectOf(p config.Profile, cat *catalog.Catalog) (*dialectInUse, error) {
	if p.Dialect.Name == "" {
		return nil, nil
	}
	_, err := p.Dialect.Client(cat)
	return &dialectInUse{Name: p.Dialect.Name, From: p.Dialect.From, File: p.Dialect.File}, err
}

// String names the dialect in one line.
func (d *dialectInUse) String() string {
	if d == nil {
		return "none: the interface's own words (`dialect:` of a profile names one)"
	}
	return d.Name + " (" + d.From + ")"
}

// dialectCells returns the words of a dialect, one a line: what each is about, what it is here, and
// at the gateway.
func dialectCells(f dialect.File) (out [][]string) {
	for _, e := range f.Entries() {
		out = append(out, []string{e.Part, e.Here, e.There})
	}
	return out
}

// dialectRow is one line of `gateway dialects`.
type dialectRow struct {
	Name   string `json:"name"`
	From   string `json:"from"`
	InUse  bool   `json:"in_use"`
	Title  string `json:"title,omitempty"`
	Origin string `json:"origin,omitempty"`
	Error  string `json:"error,omitempty"`
}

func newDialects(k *kit.Kit) *cobra.Command {
	cmd := &cobra.Command{
		Use: "dialects", Short: "list the dialects that there are", Args: kit.NoSuchCommand,
		Long: `Lists the dialects that a profile can name: your own, in the folder dialects beside the
settings, and those that are shipped as examples. None is used by itself; ORIGIN says where
its words are from.`,
		Example: "  darkroom gateway dialects\n  darkroom gateway dialects show suno-kling\n  darkroom gateway dialects lint",
		RunE:    func(*cobra.Command, []string) error { return listDialects(k) },
	}
	cmd.AddCommand(newDialectShow(k), newDialectLint(k))
	return cmd
}

func listDialects(k *kit.Kit) error {
	used := ""
	if c, err := k.Config(); err == nil {
		used = c.Profile.Dialect.Name
	}
	all := []dialectRow{}
	for _, name := range k.IO.Paths.DialectNames() {
		r := dialectRow{Name: name, InUse: name == used}
		data, from, err := k.IO.Paths.ReadDialect(name)
		r.From = from
		if err == nil {
			var f dialect.File
			f, err = dialect.Parse(data, from)
			r.Title, r.Origin = client.CleanLine(f.Title), client.CleanLine(f.Origin)
		}
		if err != nil {
			r.Error = client.CleanLine(err.Error())
		}
		all = append(all, r)
	}
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	var cells [][]string
	for _, r := range all {
		mark := ""
		if r.InUse {
			mark = "in use"
		}
		title := r.Title
		if r.Error != "" {
			title = "cannot be used: " + r.Error
		}
		cells = append(cells, []string{r.Name, mark, r.From, title, r.Origin})
	}
	return kit.Rows(k.IO.Out, []string{"DIALECT", "", "FROM", "TITLE", "ORIGIN"}, cells)
}

func completeDialects(k *kit.Kit) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return k.IO.Paths.DialectNames(), cobra.ShellCompDirectiveNoFileComp
	}
}

func newDialectShow(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "print a dialect as it is written", Args: cobra.ExactArgs(1),
		Long:              "Prints a dialect as it is written: to read, or to begin your own with.",
		Example:           "  darkroom gateway dialects show suno-kling\n  darkroom gateway dialects show suno-kling -o json",
		ValidArgsFunction: completeDialects(k),
		RunE: func(_ *cobra.Command, args []string) error {
			data, from, err := k.IO.Paths.ReadDialect(args[0])
			if errors.Is(err, config.ErrNoDialect) {
				return kit.Exit(kit.ExitNotFound, err)
			}
			if err != nil {
				return kit.Exit(kit.ExitUsage, err)
			}
			if k.Out.Table() {
				k.IO.Printf("%s", client.Clean(string(data)))
				return nil
			}
			f, err := dialect.Parse(data, from)
			if err != nil {
				return kit.Exit(kit.ExitUsage, err)
			}
			return k.Out.One(dialectInUse{Name: args[0], From: from, File: f})
		},
	}
}
