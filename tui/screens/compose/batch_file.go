package compose

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/media"
)

// batchFile is a table or lines of prompts, as they were read.
type batchFile struct {
	typed   string // the path, as it was typed
	path    string // absolute, "" for none
	name    string // of the file, for messages
	text    string
	lines   bool // a prompt a line
	columns map[string]string
	err     string // why there is none
	have    bool
}

// fileMsg is a file that was read.
type fileMsg struct {
	gen  uint64
	file batchFile
}

// readBatch reads a file of a batch, of MaxTable bytes at most. What it is is asked first:
// opening a pipe would wait.
func readBatch(typed string, gen uint64) tea.Cmd {
	return func() tea.Msg {
		f := batchFile{typed: typed}
		var err error
		if f.text, f.path, err = batchText(typed); err != nil {
			f.err = client.CleanLine(err.Error())
			return fileMsg{gen, f}
		}
		f.name, f.have = filepath.Base(f.path), true
		f.lines = strings.EqualFold(filepath.Ext(f.name), ".txt")
		return fileMsg{gen, f}
	}
}

func batchText(typed string) (text, path string, err error) {
	ref, err := media.Reference(typed)
	if err != nil {
		return "", "", err
	}
	path, ok := client.FilePath(ref)
	if !ok {
		return "", "", fmt.Errorf("%s is no file of this machine: the path of a table (.csv, .tsv) or of lines (.txt) is needed", shortened(typed))
	}
	file, err := os.Open(path)
	if err != nil {
		return "", "", media.Unreadable(path, err)
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, expand.MaxTable+1))
	if err != nil {
		return "", "", media.Unreadable(path, err)
	}
	return string(b), path, nil
}

// otherFile says what is to be done about a file that can not be taken.
func (m *Model) otherFile() string {
	out := "type another path under File"
	if k := m.deps.Keys.Keys("batch.read"); k != "" {
		out += ", " + k + " reads this one again"
	}
	return out + ", " + cmp.Or(m.deps.Keys.Keys("batch.close"), "Back") + " leaves it"
}

// unread says how a path that is being typed is read, "" when there is none.
func (m *Model) unread() string {
	d := m.batch.dialog
	typed := strings.TrimSpace(d.form.Text(rowFile))
	if d.kind != ofFile || d.looks || typed == "" || typed == m.batch.file.typed {
		return ""
	}
	return "enter reads " + shortened(typed) + ", and goes on"
}

// shortened is a text for a message.
func shortened(s string) string { return clipped(s, 60) }
