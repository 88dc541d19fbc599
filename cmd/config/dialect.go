package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/dialect"
)

const (
	dialectsKind  = "dialects"
	dialectSuffix = ".yaml"
	// maxDialects bounds how many files of the folder are listed.
	maxDialects = 500
)

// ErrNoDialect means that there is no dialect of that name.
var ErrNoDialect = errors.New("there is no such dialect")

// DialectRef is a profile's entry for its gateway's dialect: a dialect's name, or the dialect
// itself.
type DialectRef struct {
	Name string
	Own  dialect.File
}

// UnmarshalYAML accepts a name or a mapping.
func (r *DialectRef) UnmarshalYAML(read func(any) error) error {
	var name string
	if read(&name) == nil {
		*r = DialectRef{Name: name}
		return nil
	}
	var own dialect.File
	if err := read(&own); err != nil {
		return err
	}
	*r = DialectRef{Own: own}
	return nil
}

// MarshalYAML writes what was read.
func (r DialectRef) MarshalYAML() (any, error) {
	if r.Name != "" {
		return r.Name, nil
	}
	return r.Own, nil
}

// IsZero reports whether a profile has no entry for a dialect.
func (r DialectRef) IsZero() bool { return r.Name == "" && r.Own.Empty() }

// Dialect is the dialect of a profile; the zero value is none.
type Dialect struct {
	Name string // "" for none
	// From tells a person where the dialect is written.
	From string
	File dialect.File
}

// Client is the dialect as the client takes it. The error names what the catalog does not have.
func (d Dialect) Client(cat *catalog.Catalog) (client.Dialect, error) {
	if d.Name == "" {
		return client.Dialect{}, nil
	}
	if all := d.File.Problems(cat); len(all) > 0 {
		return client.Dialect{}, fmt.Errorf("dialect %s (%s): %s; `darkroom gateway dialects lint` shows where", d.Name, d.From, all[0])
	}
	return d.File.Dialect(d.Name), nil
}

// CheckDialectName checks the name of a dialect, which is also a file name.
func CheckDialectName(name string) error {
	if name == "" || len(name) > maxName ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return fmt.Errorf("dialect name %q: 1 to %d letters, digits, - and _ are allowed", client.CleanLine(name), maxName)
	}
	return nil
}

// shipped is the source of the program's own dialects.
const shipped = "shipped with darkroom"

// ReadDialect reads the dialect of a name: a person's own file wins over a shipped one. from says
// where it is.
func (p Paths) ReadDialect(name string) (data []byte, from string, err error) {
	if err := CheckDialectName(name); err != nil {
		return nil, "", err
	}
	path := p.DialectFile(name)
	data, err = dialect.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, path, err
	}
	if data, ok := dialect.Example(name); ok {
		return data, shipped, nil
	}
	return nil, "", fmt.Errorf("%w: %q; there are %s, and `darkroom gateway probe --write %s` makes one", ErrNoDialect, name, strings.Join(p.DialectNames(), ", "), name)
}

// DialectFile is the path, existing or not, of a person's own dialect of that name.
func (p Paths) DialectFile(name string) string { return filepath.Join(p.Dialects, name+dialectSuffix) }

// OwnDialects are the names of a person's own dialects, sorted.
func (p Paths) OwnDialects() (names []string) {
	entries, _ := os.ReadDir(p.Dialects) // none if there is no such folder
	for _, e := range entries[:min(len(entries), maxDialects)] {
		name, ok := strings.CutSuffix(e.Name(), dialectSuffix)
		if ok && !e.IsDir() && CheckDialectName(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

// DialectNames are the names of all dialects, a person's own and the shipped ones, sorted.
func (p Paths) DialectNames() []string {
	names := append(p.OwnDialects(), dialect.Examples()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// WriteDialect writes a person's own dialect, readable by its owner only. It replaces an existing
// one only with force. It returns the path.
func (p Paths) WriteDialect(name string, data []byte, force bool) (string, error) {
	if err := CheckDialectName(name); err != nil {
		return "", err
	}
	path := p.DialectFile(name)
	if force {
		return path, WritePrivate(path, data)
	}
	return path, Unwritable(path, "written", writeNew(path, data))
}

// writeNew is WritePrivate for a new file: it never overwrites one.
func writeNew(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if err := fill(f, data); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

// loadDialect resolves a profile's entry for a dialect.
func (p Paths) loadDialect(ref DialectRef) (Dialect, error) {
	switch {
	case ref.IsZero():
		return Dialect{}, nil
	case ref.Name == "":
		return Dialect{Name: "of the profile", From: p.Config, File: ref.Own}, nil
	}
	data, from, err := p.ReadDialect(ref.Name)
	if err != nil {
		return Dialect{}, err
	}
	f, err := dialect.Parse(data, from)
	return Dialect{Name: ref.Name, From: from, File: f}, err
}

// checkDialect checks a profile's entry for a dialect, as far as its text alone allows. keys lead
// to what is wrong.
func checkDialect(ref DialectRef) (keys []string, err error) {
	if ref.Name != "" {
		return nil, CheckDialectName(ref.Name)
	}
	if all := ref.Own.Problems(nil); len(all) > 0 {
		return all[0].Keys, errors.New(all[0].Message)
	}
	return nil, nil
}
