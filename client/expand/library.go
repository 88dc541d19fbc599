package expand

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of wildcards.
const (
	// maxWildcard bounds a wildcard file, in bytes.
	maxWildcard  = 1 << 20
	maxLines     = 20_000   // of a wildcard file
	maxWildcards = 200      // files of a batch
	maxAll       = 16 << 20 // bytes of all of them
	maxAllLines  = 200_000
)

// suffix is the file name extension of wildcard files.
const suffix = ".txt"

// Library holds the wildcard files of one batch: each is read once, when first asked for. It is not
// safe for concurrent use.
type Library struct {
	fsys  fs.FS
	files map[string][]seq
	nodes map[string]*node // of wildcards that depend on no variable: the same in all rows
	bytes int
	count int // of lines

	ways  map[shape][][]*big.Int // by which choices of several alternatives are counted
	words int                    // of all of them; see maxWays
}

// NewLibrary makes a library of the files below fsys; nil means no files.
func NewLibrary(fsys fs.FS) *Library {
	return &Library{fsys: fsys, files: map[string][]seq{}, nodes: map[string]*node{}, ways: map[shape][][]*big.Int{}}
}

// errNoWildcard is reported with the place that asks for the file.
type errNoWildcard struct{ text string }

func (e errNoWildcard) Error() string { return e.text }

// lines returns the templates in a file.
func (l *Library) lines(name string) ([]seq, error) {
	if s, ok := l.files[name]; ok {
		return s, nil
	}
	if len(l.files) >= maxWildcards {
		return nil, errNoWildcard{fmt.Sprintf("more than %d wildcard files", maxWildcards)}
	}
	text, err := l.read(name)
	if err != nil {
		return nil, err
	}
	if l.bytes += len(text); l.bytes > maxAll {
		return nil, errNoWildcard{fmt.Sprintf("the wildcard files together have more than %d bytes", maxAll)}
	}
	all, err := wildcardLines(&source{"wildcard " + name, text})
	if err != nil {
		return nil, err
	}
	if l.count += len(all); l.count > maxAllLines {
		return nil, errNoWildcard{fmt.Sprintf("the wildcard files together have more than %d lines", maxAllLines)}
	}
	l.files[name] = all
	return all, nil
}

func (l *Library) read(name string) (string, error) {
	missing := errNoWildcard{fmt.Sprintf("there is no wildcard file %s%s", show(name), suffix)}
	if l.fsys == nil {
		return "", errNoWildcard{missing.text + ": there are no wildcard files here"}
	}
	f, err := l.fsys.Open(name + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		if near := l.Names(); len(near) > 0 {
			missing.text += "; there are " + listed(near, 12)
		}
		return "", missing
	}
	if err != nil {
		return "", errNoWildcard{fmt.Sprintf("wildcard file %s%s cannot be read: %v", show(name), suffix, reason(err))}
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errNoWildcard{fmt.Sprintf("%s%s is not a file", show(name), suffix)}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxWildcard+1))
	if err != nil {
		return "", errNoWildcard{fmt.Sprintf("wildcard file %s%s cannot be read: %v", show(name), suffix, reason(err))}
	}
	if len(b) > maxWildcard {
		return "", errNoWildcard{fmt.Sprintf("wildcard file %s%s has more than %d bytes", show(name), suffix, maxWildcard)}
	}
	return strings.TrimPrefix(string(b), "\ufeff"), nil
}

// reason returns an error without its path, whose name the message already has.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Names returns the available wildcards, sorted, without those whose names cannot stand in a
// template. It looks at 1,000 files at most.
func (l *Library) Names() []string {
	var out []string
	if l.fsys == nil {
		return nil
	}
	seen := 0
	_ = fs.WalkDir(l.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // an unreadable folder counts as missing
		}
		if seen++; seen > 1000 || strings.Count(p, "/") > 10 {
			return fs.SkipAll
		}
		name, ok := strings.CutSuffix(p, suffix)
		if ok && !d.IsDir() && wildcardName(name) && path.Clean(name) == name {
			out = append(out, name)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// wildcardLines reads a file: one template per line, without blank lines and comments.
func wildcardLines(src *source) ([]seq, error) {
	if !utf8.ValidString(src.text) {
		return nil, src.errorf(firstInvalid(src.text), "the text is not UTF-8")
	}
	if err := src.noControls(); err != nil {
		return nil, err
	}
	var out []seq
	from, parts := 0, 0
	for line := range strings.Lines(src.text) {
		at := from
		from += len(line)
		words := strings.TrimSpace(line)
		if words == "" || words[0] == '#' {
			continue
		}
		at += strings.Index(line, words)
		p := &parser{src: src, i: at, end: at + len(words), parts: parts}
		if strings.HasPrefix(words, `\#`) {
			p.i++
		}
		s, err := p.all()
		if err != nil {
			return nil, err
		}
		parts = p.parts
		if out = append(out, s); len(out) > maxLines {
			return nil, src.errorf(at, "more than %d lines", maxLines)
		}
	}
	if len(out) == 0 {
		return nil, &Error{Name: src.name, Message: "the file has no line to take"}
	}
	return out, nil
}

// listed joins the first n names for an error.
func listed(names []string, n int) string {
	more := ""
	if len(names) > n {
		more = fmt.Sprintf(" and %d more", len(names)-n)
		names = names[:n]
	}
	out := make([]string, len(names))
	for i, s := range names {
		out[i] = show(s)
	}
	return strings.Join(out, ", ") + more
}
