package app

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// openedMsg is the outcome of opening a file with the desktop.
type openedMsg struct {
	path string
	err  error
}

func (m *Model) openFile(path string) tea.Cmd {
	open := m.o.Open
	return func() tea.Msg { return openedMsg{path, open(path)} }
}

// edit opens a text in the person's editor. The text lies in a private folder meanwhile, and comes
// back to the screen that asked, whatever happens.
func (m *Model) edit(to screen.ID, e screen.EditMsg) tea.Cmd {
	return func() tea.Msg {
		editor := m.o.Editor()
		if len(editor) == 0 {
			return wrap(to, screen.EditedMsg{Text: e.Text, Tag: e.Tag, Err: fmt.Errorf("no editor was found: set EDITOR")})
		}
		path, err := editFile(e)
		if err != nil {
			return wrap(to, screen.EditedMsg{Text: e.Text, Tag: e.Tag, Err: err})
		}
		args := append(append([]string(nil), editor[1:]...), path)
		return m.o.Exec(editor[0], args, func(err error) tea.Msg {
			return wrap(to, edited(e, path, err))
		})()
	}
}

// editFile writes the text where only its owner can read it.
func editFile(e screen.EditMsg) (string, error) {
	dir, err := os.MkdirTemp("", "darkroom-edit-")
	if err != nil {
		return "", err
	}
	suffix := e.Suffix
	if suffix == "" {
		suffix = ".txt"
	}
	path := filepath.Join(dir, "prompt"+suffix)
	if err := os.WriteFile(path, []byte(e.Text), 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	return path, nil
}

// maxText is the longest text that a field takes at once, in bytes.
const maxText = 16 << 20

// readEdited reads back the file that we wrote and the person's editor may have changed.
func readEdited(path string) ([]byte, error) {
	f, err := os.Open(path) // #nosec G304 -- the file that we wrote
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("the text has more than %d MiB", maxText>>20)
	}
	return b, err
}

// edited returns the edited text. When the editor failed, or the file cannot be read or is too
// long, the text is the original one, and the file stays for inspection.
func edited(e screen.EditMsg, path string, err error) screen.EditedMsg {
	if err != nil {
		return screen.EditedMsg{Text: e.Text, Tag: e.Tag, Err: fmt.Errorf("the editor failed: %w (its file: %s)", err, path)}
	}
	b, err := readEdited(path)
	if err != nil {
		return screen.EditedMsg{Text: e.Text, Tag: e.Tag, Err: fmt.Errorf("%w; what was typed is kept in %s", err, path)}
	}
	_ = os.RemoveAll(filepath.Dir(path))
	return screen.EditedMsg{Text: string(b), Tag: e.Tag}
}
