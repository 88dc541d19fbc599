package batch

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/media"
	"darkroom/client/text"
)

// file is a table or lines of prompts, as read.
type file struct {
	typed   string // the path, as it was typed
	path    string // absolute, "" for none
	name    string // of the file, for messages
	text    string
	lines   bool // a prompt a line
	columns map[string]string
	err     string // why there is none
	have    bool
}

// readFile reads a file of MaxTable bytes at most. It checks the kind of the file first: opening a
// pipe would wait.
func readFile(typed string) file {
	f := file{typed: typed}
	var err error
	if f.text, f.path, err = readText(typed); err != nil {
		f.err = client.CleanLine(err.Error())
		return f
	}
	f.name, f.have = filepath.Base(f.path), true
	f.lines = strings.EqualFold(filepath.Ext(f.name), ".txt")
	return f
}

func readText(typed string) (text, path string, err error) {
	ref, err := media.Reference(typed)
	if err != nil {
		return "", "", err
	}
	path, ok := client.FilePath(ref)
	if !ok {
		return "", "", fmt.Errorf("%s is not a file on this machine: give the path of a table (.csv, .tsv) or of lines (.txt)", shortened(typed))
	}
	in, err := os.Open(path)
	if err != nil {
		return "", "", media.Unreadable(path, err)
	}
	defer func() { _ = in.Close() }()
	b, err := io.ReadAll(io.LimitReader(in, expand.MaxTable+1))
	if err != nil {
		return "", "", media.Unreadable(path, err)
	}
	return string(b), path, nil
}

// otherFile says what to do about a file that cannot be used.
func (d *Dialog) otherFile() string {
	out := "type another path under File"
	if k := d.commands.Key(actRead); k != "" {
		out += ", " + k + " reads this one again"
	}
	return out + ", " + cmp.Or(d.commands.Key(actClose), "Back") + " leaves it"
}

// unread says how a path being typed is read, "" when there is none.
func (d *Dialog) unread() string {
	typed := strings.TrimSpace(d.form.Text(rowFile))
	if d.o.Kind != OfFile || d.looks || typed == "" || typed == d.o.Memory.file.typed {
		return ""
	}
	return "enter reads " + shortened(typed) + ", and goes on"
}

// shortened cuts a text for a message.
func shortened(s string) string { return text.Clip(s, 60) }
