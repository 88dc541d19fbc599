package jobs

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/library"
	"darkroom/jobs/filter"
)

func newViews(k *kit.Kit) *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "list views", Args: cobra.NoArgs,
		Long:    "Lists the views that come with the program, and your own.",
		Example: "  darkroom jobs views list -o json",
		RunE:    func(*cobra.Command, []string) error { return listViews(k) }}
	cmd := kit.Parent(&cobra.Command{Use: "views", Short: "named filters for jobs",
		Long: `Views are filters with a name: some come with the program, your own are kept in the file that
'darkroom config path' calls views, for all profiles. ` + "`darkroom jobs list --view NAME`" + ` lists
the jobs of one. Alone it lists them.`,
		Example: `  darkroom jobs views
  darkroom jobs list --view 'failed today' -o json
  darkroom jobs views save 'unanswered' 'is:fault age<1d -tag:answered'`,
	}, list, newViewsSave(k), newViewsRemove(k))
	cmd.RunE = list.RunE
	return cmd
}

func listViews(k *kit.Kit) error {
	all, err := views(k).All()
	if err != nil {
		k.IO.Tell(err.Error())
	}
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	var cells [][]string
	for _, v := range all {
		from := ""
		if v.Own {
			from = "own"
		}
		cells = append(cells, []string{v.Name, from, v.Filter, v.About})
	}
	return kit.Rows(k.IO.Out, []string{"NAME", "FROM", "FILTER", "ABOUT"}, cells)
}

func newViewsSave(k *kit.Kit) *cobra.Command {
	var about string
	var at int
	cmd := &cobra.Command{Use: "save NAME FILTER", Short: "keep a filter under a name", Args: cobra.MinimumNArgs(2),
		Long: `Keeps a filter under a name, and replaces your own view of that name. One that has the name
of a built-in view replaces that one until you remove it.`,
		Example: `  darkroom jobs views save unanswered 'is:fault age<1d -tag:answered'
  darkroom jobs views save unanswered 'is:fault age<2d -tag:answered' --at 1`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return viewNames(k, true), cobra.ShellCompDirectiveNoFileComp
			}
			return filter.Complete(word), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if at < 0 {
				return kit.Usage("--at %d: give a place from 1 on", at)
			}
			v := filter.View{Name: args[0], Filter: strings.Join(args[1:], " "), About: about}
			if err := v.Check(); err != nil {
				return kit.UsageOf(err)
			}
			if err := views(k).Save(v, at); err != nil {
				return err
			}
			v.Own = true
			if !k.Out.Table() {
				return k.Out.One(v)
			}
			k.IO.Printf("kept the view %s: %s\n", client.CleanLine(v.Name), client.CleanLine(v.Filter))
			return nil
		}}
	cmd.Flags().StringVar(&about, "about", "", "a line about it")
	cmd.Flags().IntVar(&at, "at", 0, "its position among your views, from 1; 0 keeps it where it is, or adds it last")
	_ = cmd.RegisterFlagCompletionFunc("about", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("at", cobra.NoFileCompletions)
	return cmd
}

func newViewsRemove(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "rm NAME", Short: "remove a view of your own", Args: cobra.ExactArgs(1),
		Long:              "Removes a view of your own. One of the program that it stood for shows again.",
		Example:           "  darkroom jobs views rm unanswered",
		ValidArgsFunction: completeViews(k, true),
		RunE: func(_ *cobra.Command, args []string) error {
			err := views(k).Remove(args[0])
			if errors.Is(err, library.ErrNoView) {
				return kit.NotFound("%w", err)
			}
			if err != nil {
				return err
			}
			if !k.Out.Table() {
				return k.Out.One(map[string]string{"removed": args[0]})
			}
			k.IO.Printf("removed the view %s\n", client.CleanLine(args[0]))
			return nil
		}}
}

func views(k *kit.Kit) library.Views { return library.OpenViews(k.IO.Paths.Views) }

// viewOf looks a view up by its name.
func viewOf(k *kit.Kit, name string) (filter.View, error) {
	all, err := views(k).All()
	v, known := filter.FindView(all, name)
	switch {
	case known && err != nil: // one of the program's: the file is not asked
		k.IO.Tell(err.Error())
		return v, nil
	case known || err != nil:
		return v, err
	}
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	return v, kit.Usage("--view %q: there are %s", name, strings.Join(names, ", "))
}

func viewNames(k *kit.Kit, own bool) (names []string) {
	all, _ := views(k).All() // those of the program at least
	for _, v := range all {
		if v.Own || !own {
			names = append(names, v.Name)
		}
	}
	return names
}

func completeViews(k *kit.Kit, own bool) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return viewNames(k, own), cobra.ShellCompDirectiveNoFileComp
	}
}
