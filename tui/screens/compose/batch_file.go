package compose

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
)

// batchFile is a table or lines of prompts, as they were read.
type batchFile struct {
	typed   string // the path, as it was typed
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
		text, name, err := batchText(typed)
		if err != nil {
			f.err = client.CleanLine(err.Error())
			return fileMsg{gen, f}
		}
		f.text, f.name, f.have = text, name, true
		f.lines = strings.EqualFold(filepath.Ext(name), ".txt")
		return fileMsg{gen, f}
	}
}

func batchText(typed string) (text, name string, err error) {
	ref, err := reference(typed)
	if err != nil {
		return "", "", err
	}
	path, ok := client.FilePath(ref)
	if !ok {
		return "", "", fmt.Errorf("%s is no file of this machine: the path of a table (.csv, .tsv) or of lines (.txt) is needed", shortened(typed))
	}
	file, err := os.Open(path)
	if err != nil {
		if bad, ok := errors.AsType[*os.PathError](err); ok {
			err = bad.Err
		}
		return "", "", fmt.Errorf("%s can not be read: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, expand.MaxTable+1))
	if err != nil {
		return "", "", fmt.Errorf("%s can not be read: %w", path, err)
	}
	return string(b), filepath.Base(path), nil
}

// shortened is a text for a message.
func shortened(s string) string { return clipped(s, 60) }
