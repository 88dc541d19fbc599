package cli

import (
	"github.com/spf13/cobra"
)

func newConfig(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "where configuration and data live", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newConfigPath(g))
	return cmd
}

// place is one line of `config path`.
type place struct {
	Name string `json:"name"`
	Path string `json:"path"`
	What string `json:"what"`
}

func newConfigPath(g *globals) *cobra.Command {
	o := &output{}
	cmd := &cobra.Command{
		Use: "path", Short: "print the files and folders in use", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := o.check(); err != nil {
				return err
			}
			all := g.places()
			if !o.table() {
				return list(o, g.io.Out, all)
			}
			cells := make([][]string, 0, len(all))
			for _, p := range all {
				cells = append(cells, []string{p.Name, p.Path, p.What})
			}
			return rows(g.io.Out, []string{"NAME", "PATH", "WHAT"}, cells)
		},
	}
	o.flag(cmd)
	return cmd
}

// places works without a readable configuration, since it is what one looks at then.
func (g *globals) places() []place {
	p := g.io.Paths
	downloads := p.Downloads
	if c, err := g.config(); err == nil {
		downloads = c.Downloads
	}
	return []place{
		{"config", p.Config, "settings and profiles (YAML)"},
		{"catalog", p.Catalog, "models that you add or change (YAML)"},
		{"keys", p.Secrets, "keys, where the system has no keyring"},
		{"history", p.History, "jobs and everything seen of them"},
		{"drafts", p.Drafts, "what you were typing"},
		{"sandbox", p.Sandbox, "tasks of the embedded gateway"},
		{"downloads", downloads, "results"},
	}
}
