// Package files is a dialog that picks files, one folder at a time, with the wanted kinds of media
// in the foreground. It does no I/O itself: [List] and [Look] are for commands.
package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
)

// Bounds of one listing.
const (
	maxEntries = 200_000
	maxLinks   = 2_000 // symbolic links that are followed to tell folders from files
	portion    = 4_096 // entries that are read at a time
)

// Entry is one name in a folder.
type Entry struct {
	Name string // as on disk: clean it before showing it
	Dir  bool   // a folder, or a link to one
	Link bool
	// Broken marks a dangling link, Odd an entry that is neither a folder nor a regular file.
	Broken, Odd bool

	lower string // by which it is found and sorted
}

// Listing is the content of a folder: folders first, then by name, numbers by their value.
type Listing struct {
	Dir     string
	Entries []Entry
	// Cut says that the folder has more entries than are listed.
	Cut bool
	// Err is why the folder could not be read, wholly or from some entry on.
	Err error
}

// List reads a folder. It does I/O that may take long: call it in a command.
func List(dir string) Listing {
	l := Listing{Dir: dir}
	f, err := open(dir)
	if err != nil {
		l.Err = err
		return l
	}
	defer func() { _ = f.Close() }()
	links := 0
	for {
		part, err := f.ReadDir(portion)
		for _, d := range part {
			if len(l.Entries) == maxEntries {
				l.Cut = true
				break
			}
			l.Entries = append(l.Entries, entry(dir, d, &links))
		}
		if l.Cut || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			l.Err = err
			break
		}
	}
	slices.SortFunc(l.Entries, func(a, b Entry) int {
		switch {
		case a.Dir != b.Dir && a.Dir:
			return -1
		case a.Dir != b.Dir:
			return 1
		}
		if c := natural(a.lower, b.lower); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return l
}

// open opens a folder, and refuses anything else before opening it: a named pipe would wait.
func open(dir string) (*os.File, error) {
	st, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, fmt.Errorf("%s is not a folder", dir)
	}
	return os.Open(dir) //nolint:gosec // a folder that the person asked to see
}

func entry(dir string, d os.DirEntry, links *int) Entry {
	e := Entry{Name: d.Name(), Dir: d.IsDir(), lower: strings.ToLower(d.Name())}
	switch {
	case d.Type()&os.ModeSymlink != 0:
		e.Link = true
		if *links++; *links > maxLinks {
			return e
		}
		st, err := os.Stat(filepath.Join(dir, e.Name))
		e.Broken = err != nil
		e.Dir = err == nil && st.IsDir()
		e.Odd = err == nil && !st.IsDir() && !st.Mode().IsRegular()
	case !e.Dir && !d.Type().IsRegular():
		e.Odd = true
	}
	return e
}

// natural compares texts, runs of ASCII digits by their values.
func natural(a, b string) int {
	for a != "" && b != "" {
		if digit(a[0]) && digit(b[0]) {
			x, restA := number(a)
			y, restB := number(b)
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// number is the number at the beginning of a text, without zeros in front, and what follows.
func number(s string) (n, rest string) {
	i := 0
	for i < len(s) && digit(s[i]) {
		i++
	}
	return strings.TrimLeft(s[:i], "0"), s[i:]
}

// Fact is what is known about a file.
type Fact struct {
	Bytes int64
	// Type is the type told by its first bytes, as image/png; "" for no medium.
	Type string
	// Err says why it cannot be read, "" when it can.
	Err string
}

// Look finds the facts about files, by their paths. It opens them: call it in a command.
func Look(paths []string) map[string]Fact {
	out := make(map[string]Fact, len(paths))
	for _, path := range paths {
		out[path] = look(path)
	}
	return out
}

func look(path string) Fact {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return Fact{Err: reason(err)}
	case !st.Mode().IsRegular():
		return Fact{Err: "not a file"}
	}
	f := Fact{Bytes: st.Size()}
	if mt, err := client.SniffMedia(path); err == nil {
		f.Type = mt
	} else if r, err := os.Open(path); err != nil { //nolint:gosec // only whether it may be read
		f.Err = reason(err)
	} else {
		_ = r.Close()
	}
	return f
}

// reason is an error without the path, which stands beside it.
func reason(err error) string {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	return client.CleanLine(err.Error())
}
