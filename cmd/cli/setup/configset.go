package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/themes"
)

func newConfigGet(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "get [KEY]", Short: "print the settings, and where each comes from",
		Long: `Prints each setting, its value, and where that comes from: a line of the settings file, a
variable of the environment, or the default. With a key, only its value is printed. Passwords
are left out.`,
		Example: "  darkroom config get\n  darkroom config get theme\n  darkroom config get -o json | jq '.[] | select(.from != \"default\")'",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: completeSettings(k),
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := values(k)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return printValue(k, all, args[0])
			}
			if !k.Out.Table() {
				return kit.List(k.Out, all)
			}
			var cells [][]string
			for _, v := range all {
				cells = append(cells, []string{v.Key, cmp.Or(v.Value, "-"), strings.TrimSpace(v.From + " " + v.Place)})
			}
			return kit.Rows(k.IO.Out, []string{"KEY", "VALUE", "FROM"}, cells)
		},
	}
}

// values are the settings as they hold.
func values(k *kit.Kit) ([]config.Value, error) {
	c, err := k.Config()
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(c.Paths.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return k.Request().Values(&c, b), nil
}

func printValue(k *kit.Kit, all []config.Value, key string) error {
	s, err := config.SettingAt(key)
	if err != nil {
		return kit.Exit(kit.ExitNotFound, err)
	}
	v := config.Value{Key: key, Value: s.Default, From: config.FromDefault, Help: s.Help}
	for _, x := range all {
		if x.Key == key {
			v = x
		}
	}
	if !k.Out.Table() {
		return k.Out.One(v)
	}
	k.IO.Printf("%s\n", v.Value)
	return nil
}

func newConfigSet(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY VALUE", Short: "change a setting in the settings file",
		Long: `Changes one setting in the settings file. Comments, order and all other lines stay as they
are, and a value that is not allowed changes nothing. A list is given as words within one pair
of quotes.

The settings of a profile are named after it, as profiles.work.rate, and the keys of an action
after the action, as keys.queue.download. 'darkroom config get' lists what there is.`,
		Example: `  darkroom config set theme light
  darkroom config set profiles.work.banner PRODUCTION
  darkroom config set player "mpv --fs"
  darkroom config set keys.queue.download "d ctrl+d"`,
		Args: cobra.ExactArgs(2), ValidArgsFunction: completeSettings(k),
		RunE: func(_ *cobra.Command, args []string) error { return setSetting(k, args[0], args[1]) },
	}
}

// written is what `config set` did.
type written struct {
	Key  string `json:"key"`
	File string `json:"file"`
	Line int    `json:"line"`
	// Outranked is the variable that holds in the place of the file; "" for none.
	Outranked string `json:"outranked_by,omitempty"`
}

func setSetting(k *kit.Kit, key, value string) error {
	s, err := config.SettingAt(key)
	if err != nil {
		return kit.Exit(kit.ExitNotFound, err)
	}
	path := k.IO.Paths.Config
	line, err := config.Set(path, key, value, func(f config.File) error { return checkBeyond(k, f, key) })
	if err != nil && !errors.As(err, new(*config.UnwritableError)) {
		return kit.Exit(kit.ExitUsage, err)
	}
	if err != nil {
		return err
	}
	done := written{Key: key, File: path, Line: line}
	if s.Env != "" && k.IO.Env(s.Env) != "" {
		done.Outranked = s.Env
	}
	if !k.Out.Table() {
		return k.Out.One(done)
	}
	k.IO.Printf("%s is set in %s, line %d\n", key, client.CleanLine(path), line)
	if done.Outranked != "" {
		k.IO.Tell(done.Outranked + " is set, and overrides it")
	}
	return nil
}

func newConfigUnset(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "unset KEY", Short: "remove a setting from the settings file",
		Long: `Removes one setting from the settings file, so that its default holds again. Comments, order
and all other lines stay as they are. If it is not set there, nothing changes.`,
		Example: "  darkroom config unset theme\n  darkroom config unset keys.queue.download",
		Args:    cobra.ExactArgs(1), ValidArgsFunction: completeSettings(k),
		RunE: func(_ *cobra.Command, args []string) error { return unsetSetting(k, args[0]) },
	}
}

// removed is what `config unset` did.
type removed struct {
	Key  string `json:"key"`
	File string `json:"file"`
	// Stood says that the file had it.
	Stood bool `json:"stood"`
	// Default is what holds now, Outranked the variable that holds in its place; "" for none.
	Default   string `json:"default,omitempty"`
	Outranked string `json:"outranked_by,omitempty"`
}

func unsetSetting(k *kit.Kit, key string) error {
	s, err := config.SettingAt(key)
	if err != nil {
		return kit.Exit(kit.ExitNotFound, err)
	}
	path := k.IO.Paths.Config
	stood, err := config.Unset(path, key, func(f config.File) error { return checkBeyond(k, f, key) })
	if err != nil && !errors.As(err, new(*config.UnwritableError)) {
		return kit.Exit(kit.ExitUsage, err)
	}
	if err != nil {
		return err
	}
	done := removed{Key: key, File: path, Stood: stood, Default: s.Default}
	if s.Env != "" && k.IO.Env(s.Env) != "" {
		done.Outranked = s.Env
	}
	if !k.Out.Table() {
		return k.Out.One(done)
	}
	text := key + " is removed from " + client.CleanLine(path)
	if !stood {
		text = key + " is not set in " + client.CleanLine(path)
	}
	if s.Default != "" {
		text += "; the default is " + s.Default
	}
	k.IO.Printf("%s\n", text)
	if done.Outranked != "" {
		k.IO.Tell(done.Outranked + " is set, and overrides it")
	}
	return nil
}

// checkBeyond checks what the table of settings cannot tell of a key.
func checkBeyond(k *kit.Kit, f config.File, key string) error {
	return app.CheckSettings(k.IO.Paths, f, key)
}

func completeSettings(k *kit.Kit) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var out []string
		switch {
		case len(args) == 0:
			for _, s := range config.Settings() {
				if !strings.Contains(s.Key, "*") {
					out = append(out, s.Key+"\t"+s.Help)
				}
			}
			if all, err := values(k); err == nil {
				for _, v := range all {
					if strings.Contains(v.Key, ".") {
						out = append(out, v.Key)
					}
				}
			}
		case len(args) == 1:
			if s, err := config.SettingAt(args[0]); err == nil {
				if out = s.Allowed; s.Kind == config.Bool {
					out = []string{"true", "false"}
				}
				if l, err := themes.Open(k.IO.Paths.Themes); s.Key == "theme" && err == nil {
					out = append(l.Names(), app.AutoTheme)
				}
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
