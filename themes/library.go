package themes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// maxOwn bounds how many files of a person's folder are read.
const maxOwn = 200

// suffix is that of palette files.
const suffix = ".yaml"

// Library is the built-in themes and a person's own, as they were when it was opened. One of a
// person's own with the name of a built-in one takes its place. The zero value has the built-in
// ones alone.
type Library struct{ own []file }

// file is a palette file of a person's own; err is why it could not be read.
type file struct {
	name, path string
	data       []byte
	err        error
}

// Open reads the palette files of a folder, which need not exist.
func Open(dir string) (Library, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Library{}, nil
	}
	var l Library
	for _, e := range entries[:min(len(entries), maxOwn)] {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); !ok || !IsName(name) || err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := limits().Read(path)
		l.own = append(l.own, file{name, path, data, err})
	}
	return l, err
}

// shape is that of a name.
var shape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`) })

// IsName reports whether a theme may have this name, which is also that of its file: lower case
// letters, digits and "-".
func IsName(name string) bool { return shape().MatchString(name) }

// Names lists the themes in the order in which they are offered: the built-in ones, then a person's
// own.
func (l Library) Names() []string {
	names := Names()
	for _, f := range l.own {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	return names
}

// Own lists the themes of a person's own.
func (l Library) Own() (names []string) {
	for _, f := range l.own {
		names = append(names, f.name)
	}
	return names
}

// File is the file of a theme; "" for a built-in one, and one that there is not.
func (l Library) File(name string) string {
	if i := l.index(name); i >= 0 {
		return l.own[i].path
	}
	return ""
}

func (l Library) index(name string) int {
	return slices.IndexFunc(l.own, func(f file) bool { return f.name == name })
}

// Get loads one theme. It reads no file.
func (l Library) Get(name string) (Theme, error) {
	data, err := l.data(name)
	if err != nil {
		return Theme{}, err
	}
	return Load(name, data)
}

// Lint is what is wrong with a theme; see [Lint]. The error is for one that there is not, or that
// cannot be read.
func (l Library) Lint(name string) ([]Mistake, error) {
	data, err := l.data(name)
	if err != nil {
		return nil, err
	}
	return Lint(name, data), nil
}

// Source is the text of a theme's file.
func (l Library) Source(name string) ([]byte, error) { return l.data(name) }

// NameIn is the name that a palette file has for itself; "" for none.
func NameIn(data []byte) string { return read("", data).theme.Name }

func (l Library) data(name string) ([]byte, error) {
	if i := l.index(name); i >= 0 {
		return l.own[i].data, l.own[i].err
	}
	data, err := palettes.ReadFile("palettes/" + name + suffix)
	if err != nil {
		return nil, unknown(name, l.Names())
	}
	return data, nil
}
