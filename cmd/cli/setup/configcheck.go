package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/themes"
	"darkroom/tui/app"
)

// maxSettings bounds a settings file that is checked, in bytes; the reader's own bound is lower.
const maxSettings = 1 << 20

// settingsLint is what `config validate` tells.
type settingsLint struct {
	File   string          `json:"file"`
	OK     bool            `json:"ok"`
	Errors []kit.LintError `json:"errors"`
}

func newConfigValidate(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]", Short: "check the settings file",
		Long: `Checks the settings file, or another one before it takes its place (- for standard input):
keys that do not exist, values that are not allowed, and profiles, themes and actions that are
not there. Every mistake is printed with file, line and column, and with what is allowed. The
exit code is 2 if there is one.`,
		Example: "  darkroom config validate\n  darkroom config validate new.yaml\n  darkroom config validate -o json | jq '.errors[].message'",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return validate(cmd.Context(), k, args) },
	}
}

func validate(ctx context.Context, k *kit.Kit, args []string) error {
	path := k.IO.Paths.Config
	if len(args) == 1 {
		path = args[0]
	}
	b, err := k.IO.Read(ctx, "", path, maxSettings)
	if len(args) == 0 && errors.Is(err, fs.ErrNotExist) {
		return kit.NotFound("%s is not there: the defaults hold", path)
	}
	if err != nil {
		return err
	}
	r := settingsLint{File: kit.ShownFile("", path), Errors: lintSettings(k, b, kit.ShownFile("", path))}
	r.OK = len(r.Errors) == 0
	if !k.Out.Table() {
		err = k.Out.One(r)
	} else {
		printMistakes(k, r)
	}
	if !r.OK {
		return errors.Join(kit.Usage("%s", human.Plural(len(r.Errors), "mistake")), err)
	}
	return err
}

func printMistakes(k *kit.Kit, r settingsLint) {
	for _, e := range r.Errors {
		k.IO.Printf("%s:%d:%d: %s\n", client.CleanLine(e.File), e.Line, e.Column, client.Clean(e.Message))
	}
	if r.OK {
		k.IO.Printf("%s: ok\n", client.CleanLine(r.File))
	}
}

// lintSettings returns all mistakes in the text of a settings file.
func lintSettings(k *kit.Kit, b []byte, name string) []kit.LintError {
	out := []kit.LintError{}
	add := func(line, column int, message string) {
		out = append(out, kit.LintError{File: name, Line: max(line, 1), Column: max(column, 1), Message: client.Clean(message)})
	}
	for _, err := range config.Lint(b) {
		var p *config.Problem
		if errors.As(err, &p) {
			add(p.Line, p.Column, p.Message())
			continue
		}
		line, column, text := placed(err.Error())
		add(line, column, text)
	}
	if len(out) > 0 {
		return out
	}
	f, err := config.Parse(b)
	if err != nil {
		return out // Lint has said it
	}
	if err := checkProfile(f); err != nil {
		line, column := config.PlaceOf(b, "profile")
		add(line, column, err.Error())
	}
	if err := checkTheme(k, f); err != nil {
		line, column := config.PlaceOf(b, "theme")
		add(line, column, err.Error())
	}
	_, errs := app.Keys().Override(f.Keys)
	for _, err := range errs {
		keys := []string{"keys"}
		for _, id := range slices.Sorted(maps.Keys(f.Keys)) {
			if strings.Contains(err.Error(), id) {
				keys = []string{"keys", id}
			}
		}
		line, column := config.PlaceOf(b, keys...)
		add(line, column, "keys: "+err.Error())
	}
	return out
}

// placed takes the place off the text of an error, "[line:column] …"; zeros where it has none.
func placed(text string) (line, column int, rest string) {
	if _, err := fmt.Sscanf(text, "[%d:%d]", &line, &column); err == nil {
		_, rest, _ = strings.Cut(text, "] ")
		return line, column, rest
	}
	return 0, 0, text
}

// checkProfile says what is wrong with the profile that a settings file names.
func checkProfile(f config.File) error {
	if _, ok := f.Profiles[f.Profile]; ok || f.Profile == "" || f.Profile == config.Sandbox || config.IsEnv(f.Profile) {
		return nil
	}
	return fmt.Errorf("profile: there is no profile %q; there are %s", f.Profile, strings.Join(append(slices.Sorted(maps.Keys(f.Profiles)), config.Sandbox), ", "))
}

// autoTheme leaves the theme to the terminal's background.
const autoTheme = "auto"

// checkTheme says what is wrong with the theme that a settings file names.
func checkTheme(k *kit.Kit, f config.File) error {
	if f.Theme == "" || f.Theme == autoTheme {
		return nil
	}
	l, err := themes.Open(k.IO.Paths.Themes)
	if err == nil {
		_, err = l.Get(f.Theme)
	}
	return err
}

func newConfigSchema(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "print a JSON schema of the settings file, for editors", Args: cobra.NoArgs,
		Long: `Prints a JSON schema (draft 2020-12) of the settings file, with which editors complete keys and
values, explain them, and mark mistakes while you type. Most find it by a comment at the top of
the settings file:

  # yaml-language-server: $schema=config.schema.json`,
		Example: "  darkroom config schema > ~/.config/darkroom/config.schema.json",
		RunE: func(*cobra.Command, []string) error {
			var actions []config.Action
			for _, a := range app.Keys().Actions("") {
				actions = append(actions, config.Action{ID: a.ID, Title: a.Title})
			}
			schema := config.Schema(actions)
			if !k.Out.Table() {
				return k.Out.One(schema)
			}
			b, err := json.MarshalIndent(schema, "", "  ")
			if err != nil {
				return err
			}
			return k.IO.Raw(b)
		},
	}
}
