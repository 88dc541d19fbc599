// Package setup has the commands about gateways, profiles, keys and settings, and the one that
// serves the embedded gateway.
package setup

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/cmd/cli/kit"
	"darkroom/tui/app"
	"darkroom/tui/keys"
)

// NewConfig makes the commands about the settings.
func NewConfig(k *kit.Kit) *cobra.Command {
	cmd := kit.Parent(&cobra.Command{Use: "config", Short: "show and change settings, and say where files live",
		Long:    configLong,
		Example: "  darkroom config\n  darkroom config get\n  darkroom config set theme light\n  darkroom config edit",
	}, newConfigShow(k), newConfigGet(k), newConfigSet(k), newConfigUnset(k), newConfigEdit(k), newConfigValidate(k), newConfigSchema(k), newConfigPath(k), newConfigKeys(k))
	cmd.RunE = func(*cobra.Command, []string) error { return showConfig(k) }
	return cmd
}

// place is one line of `config path`.
type place struct {
	Name string `json:"name"`
	Path string `json:"path"`
	What string `json:"what"`
}

func newConfigPath(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "print the files and folders in use", Args: cobra.NoArgs,
		Long:    "Prints the files and folders in use, whether they are there already or not.",
		Example: "  darkroom config path -o json",
		RunE: func(*cobra.Command, []string) error {
			all := places(k)
			if !k.Out.Table() {
				return kit.List(k.Out, all)
			}
			cells := make([][]string, 0, len(all))
			for _, p := range all {
				cells = append(cells, []string{p.Name, p.Path, p.What})
			}
			return kit.Rows(k.IO.Out, []string{"NAME", "PATH", "WHAT"}, cells)
		},
	}
}

// places works without a readable configuration, since it is what one consults then.
func places(k *kit.Kit) []place {
	p := k.IO.Paths
	downloads, history := p.Downloads, p.History
	if c, err := k.Config(); err == nil {
		downloads = c.Downloads
		if s := c.Profile.Shared(); s != "" {
			history = s
		}
	}
	return []place{
		{"config", p.Config, "settings and profiles (YAML)"},
		{"catalog", p.Catalog, "models that you add or change (YAML)"},
		{"dialects", p.Dialects, "gateways' own words, for all profiles (YAML)"},
		{"themes", p.Themes, "themes of your own (YAML)"},
		{"views", p.Views, "your views: named filters for jobs (YAML)"},
		{"keys", p.Secrets, "keys, where the system has no keyring"},
		{"history", history, "jobs, and everything seen of them"},
		{"runs", p.Runs, "runs of comparisons, a file each"},
		{"drafts", p.Drafts, "what you were typing"},
		{"marks", p.Marks, "starred and recent models"},
		{"folders", p.Folders, "where files were taken from"},
		{"looks", p.Looks, "the layout of Queue and Compose"},
		{"previews", p.Previews, "scaled pictures, a cache"},
		{"frames", p.Frames, "last frames that other videos begin with, a cache"},
		{"sandbox", p.Sandbox, "tasks of the embedded gateway"},
		{"downloads", downloads, "results"},
	}
}

// keyRow is one line of `config keys`.
type keyRow struct {
	Action string   `json:"action"`
	Title  string   `json:"title"`
	Keys   []string `json:"keys"`
}

func newConfigKeys(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "keys", Short: "print the console's actions and their keys", Args: cobra.NoArgs,
		Long: `Prints the console's actions and their keys, as the settings have them. Other keys are
given to an action in the settings file:

  keys:
    queue.download: [d, ctrl+d]`,
		Example: "  darkroom config keys -o json",
		RunE: func(*cobra.Command, []string) error {
			c, err := k.Config()
			if err != nil {
				return err
			}
			m, errs := app.Keys().Override(c.File.Keys)
			if err := errors.Join(errs...); err != nil {
				return kit.Usage("%s: keys: %v", k.IO.Paths.Config, err)
			}
			var (
				all   []keyRow
				cells [][]string
			)
			for _, a := range m.Actions("") {
				all = append(all, keyRow{a.ID, a.Title, a.Keys})
				var shown []string
				for _, k := range a.Keys {
					shown = append(shown, keys.Show(k))
				}
				cells = append(cells, []string{a.ID, strings.Join(shown, " "), a.Title})
			}
			if !k.Out.Table() {
				return kit.List(k.Out, all)
			}
			return kit.Rows(k.IO.Out, []string{"ACTION", "KEYS", "WHAT"}, cells)
		},
	}
}
