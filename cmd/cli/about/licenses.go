package about

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/notices"
)

type licensesOptions struct {
	k    *kit.Kit
	text bool
}

// NewLicenses makes the command that prints the licences of what the program is built from.
func NewLicenses(k *kit.Kit) *cobra.Command {
	o := &licensesOptions{k: k}
	cmd := &cobra.Command{
		Use: "licenses [MODULE...]", Short: "print the licences of what the program is built from",
		Long: `Lists the modules that the program is linked with, on Linux or macOS, their versions and
licences (SPDX identifiers). Modules that are named, or all of them with --text, are printed
with the whole texts of their licences and notices. Go's own library is "std".

Everything is within the program: nothing is asked for. A module that it does not have is
exit code 3.`,
		Example: `  darkroom licenses
  darkroom licenses github.com/spf13/cobra
  darkroom licenses --text > NOTICES.txt
  darkroom licenses -o json | jq -r '.[].licence' | sort | uniq -c`,
		ValidArgsFunction: completeModules,
		RunE:              func(_ *cobra.Command, modules []string) error { return o.run(modules) },
	}
	cmd.Flags().BoolVar(&o.text, "text", false, "print the whole texts")
	return cmd
}

func (o *licensesOptions) run(modules []string) error {
	all, err := notices.All()
	if err != nil {
		return err
	}
	if len(modules) > 0 {
		if all, err = named(all, modules); err != nil {
			return err
		}
	}
	whole := o.text || len(modules) > 0
	switch {
	case !o.k.Out.Table():
		if !whole {
			for i := range all {
				all[i].Texts = nil
			}
		}
		return kit.List(o.k.Out, all)
	case whole:
		return o.texts(all)
	}
	cells := make([][]string, len(all))
	for i, n := range all {
		cells[i] = []string{n.Module, n.Version, n.Licence}
	}
	return kit.Rows(o.k.IO.Out, []string{"MODULE", "VERSION", "LICENCE"}, cells)
}

// named returns the notices of the named modules, in the order of the names.
func named(all []notices.Notice, modules []string) ([]notices.Notice, error) {
	var out []notices.Notice
	for _, m := range modules {
		i := slices.IndexFunc(all, func(n notices.Notice) bool { return n.Module == m })
		if i < 0 {
			return nil, kit.Exit(kit.ExitNotFound, noModule(all, m))
		}
		out = append(out, all[i])
	}
	return out, nil
}

func noModule(all []notices.Notice, module string) error {
	var near []string
	for _, n := range all {
		if module != "" && strings.Contains(strings.ToLower(n.Module), strings.ToLower(module)) {
			near = append(near, n.Module)
		}
	}
	if len(near) > 0 {
		return fmt.Errorf("module %q is not in this program; near it: %s", module, strings.Join(near, ", "))
	}
	return fmt.Errorf("module %q is not in this program; `darkroom licenses` lists those that are", module)
}

// texts prints the licence texts, which a person may have to pass on with the program.
func (o *licensesOptions) texts(all []notices.Notice) error {
	var b strings.Builder
	for i, n := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s %s (%s)\n", n.Module, n.Version, n.Licence)
		for _, t := range n.Texts {
			fmt.Fprintf(&b, "\n--- %s\n\n%s\n", t.File, strings.Trim(client.Clean(t.Text), "\n"))
		}
	}
	_, err := fmt.Fprint(o.k.IO.Out, b.String())
	return err
}

func completeModules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all, _ := notices.All()
	var names []string
	for _, n := range all {
		names = append(names, n.Module)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
