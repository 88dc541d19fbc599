package cli

import (
	"github.com/spf13/cobra"
)

func newConfig(g *globals) *cobra.Command {
	return parent(&cobra.Command{Use: "config", Short: "where configuration and data live",
		Long:    "Tells where settings, keys, the history and results live on this machine.",
		Example: "  darkroom config path",
	}, newConfigPath(g))
}

// place is one line of `config path`.
type place struct {
	Name string `json:"name"`
	Path string `json:"path"`
	What string `json:"what"`
}

func newConfigPath(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "print the files and folders in use", Args: cobra.NoArgs,
		Long:    "Prints the files and folders in use, whether they are there already or not.",
		Example: "  darkroom config path -o json",
		RunE: func(*cobra.Command, []string) error {
			all := g.places()
			if !g.out.table() {
				return list(g, all)
			}
			cells := make([][]string, 0, len(all))
			for _, p := range all {
				cells = append(cells, []string{p.Name, p.Path, p.What})
			}
			return rows(g.io.Out, []string{"NAME", "PATH", "WHAT"}, cells)
		},
	}
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
