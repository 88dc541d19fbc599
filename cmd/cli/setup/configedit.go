package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/child"
	"darkroom/client/disk"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// firstSettings is what an editor begins with where there is no settings file.
const firstSettings = `# The settings of darkroom: darkroom config get lists them, docs/config.example.yaml explains each.
`

func newConfigEdit(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "edit", Short: "open the settings file in your editor, and check it before it is kept", Args: cobra.NoArgs,
		Long: `Opens a copy of the settings file in your editor (VISUAL, EDITOR, or nano or vi). When the
editor ends, the copy is checked and takes the place of the file. If there is a mistake in it,
the former settings stay, each mistake is printed with line and column, and you are asked
whether to go on editing. Without a terminal, or if you say no, what you wrote is kept beside
the file.`,
		Example: "  darkroom config edit\n  EDITOR='code --wait' darkroom config edit",
		RunE:    func(cmd *cobra.Command, _ []string) error { return editSettings(cmd.Context(), k) },
	}
}

// edited is what `config edit` did.
type edited struct {
	File    string          `json:"file"`
	Changed bool            `json:"changed"`
	Errors  []kit.LintError `json:"errors"`
	// Kept is where the text lies that was not taken; "" for none.
	Kept string `json:"kept,omitempty"`
}

func editSettings(ctx context.Context, k *kit.Kit) error {
	path := k.IO.Paths.Config
	words := app.Editor(k.IO.Env)
	if len(words) == 0 {
		return kit.Usage("no editor was found: set EDITOR")
	}
	was, err := os.ReadFile(path)
	text := was
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte(firstSettings), nil
	}
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "darkroom-settings-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "config.yaml")
	if err := disk.Replace(file, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	}); err != nil {
		return err
	}
	done := edited{File: path, Errors: []kit.LintError{}}
	for {
		if err := runEditor(k, words, file); err != nil {
			return err
		}
		now, err := kit.ReadFileNamed("", file, maxSettings)
		if err != nil {
			return err
		}
		if string(now) == string(text) {
			return printEdited(k, done)
		}
		if done.Errors = lintSettings(k, now, "config.yaml"); len(done.Errors) == 0 {
			if err := errors.Join(config.Replace(path, was, now)...); err != nil {
				return errors.Join(err, keepText(path, now, &done), printEdited(k, done))
			}
			done.Changed = true
			return printEdited(k, done)
		}
		if again, err := goOn(ctx, k, done.Errors); err != nil || !again {
			return errors.Join(err, keepText(path, now, &done), printEdited(k, done), kit.Usage("the former settings stay: %s", human.Plural(len(done.Errors), "mistake")))
		}
	}
}

// runEditor waits for the editor. An interruption by a key is the editor's.
func runEditor(k *kit.Kit, words []string, file string) error {
	cmd := child.Command(context.Background(), nil, words[0], append(words[1:len(words):len(words)], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = k.IO.In, k.IO.Out, k.IO.Err
	if k.IO.TtyIn != nil {
		cmd.Stdin = k.IO.TtyIn
	}
	switch {
	case k.IO.Tty != nil:
		cmd.Stdout = k.IO.Tty
	case k.IO.TtyErr != nil:
		cmd.Stdout = k.IO.TtyErr
	default:
		cmd.Stdout = k.IO.Err
	}
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return kit.Usage("the editor %s is not there: set EDITOR", words[0])
		}
		return kit.Usage("the editor %s failed, and nothing was changed: %w", words[0], err)
	}
	return nil
}

// goOn prints mistakes and asks whether to edit again.
func goOn(ctx context.Context, k *kit.Kit, all []kit.LintError) (bool, error) {
	for _, e := range all {
		k.IO.Notef("%d:%d: %s\n", e.Line, e.Column, client.Clean(e.Message))
	}
	if k.IO.TtyIn == nil {
		return false, nil
	}
	return k.IO.Ask(ctx, "The former settings stay so far. Go on editing?")
}

// keepText keeps what was written, beside the settings.
func keepText(path string, text []byte, done *edited) error {
	kept := path + ".edited"
	err := config.WritePrivate(kept, text)
	if err == nil {
		done.Kept = kept
	}
	return err
}

func printEdited(k *kit.Kit, done edited) error {
	if !k.Out.Table() {
		return k.Out.One(done)
	}
	path := client.CleanLine(done.File)
	switch {
	case done.Changed:
		k.IO.Printf("%s is changed\n", path)
	case done.Kept != "":
		k.IO.Printf("what you wrote is kept in %s\n", client.CleanLine(done.Kept))
	default:
		k.IO.Printf("nothing was changed\n")
	}
	return nil
}
