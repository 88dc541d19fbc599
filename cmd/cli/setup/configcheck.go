package setup

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	console "darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
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
	for _, x := range console.LintSettings(k.IO.Paths, b) {
		out = append(out, kit.LintError{File: name, Line: x.Line, Column: x.Column, Message: x.Text})
	}
	return out
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
