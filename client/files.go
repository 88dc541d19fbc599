package client

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// MaxFile caps a local file that is sent as a data URI, in bytes.
const MaxFile = 32 << 20

const fileScheme = "file://"

// FileURL is the media value of a local file; path must be absolute.
func FileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// FilePath returns the path of a "file://" media value.
func FilePath(v string) (string, bool) {
	if !strings.HasPrefix(v, fileScheme) {
		return "", false
	}
	p := strings.TrimPrefix(v, fileScheme)
	p = strings.TrimPrefix(p, "localhost")
	if !strings.HasPrefix(p, "/") {
		return "", false
	}
	if u, err := url.PathUnescape(p); err == nil {
		p = u
	}
	return filepath.FromSlash(p), true
}

// fileMode returns what stands for a local file in a request.
type fileMode func(path string) (string, error)

// LocalFile is a field of a draft that names a file of the machine that the draft was made on.
type LocalFile struct {
	Field string // the canonical field that holds it, however deep
	Ref   string // the "file://" value as it stands
}

// Path is the path that the reference names; "" where it names none.
func (f LocalFile) Path() string {
	p, _ := FilePath(f.Ref)
	return p
}

// LocalFiles lists the "file://" values of a draft, which a client reads when it sends, with their
// fields; nil for none. It lists files that cannot be read, too.
func (d Draft) LocalFiles() []LocalFile {
	var out []LocalFile
	for _, name := range d.Values.Names() {
		out = localFiles(out, name, d.Values[name])
	}
	return out
}

func localFiles(out []LocalFile, field string, v any) []LocalFile {
	switch t := v.(type) {
	case string:
		if strings.HasPrefix(t, fileScheme) {
			out = append(out, LocalFile{Field: field, Ref: t})
		}
	case []any:
		for _, x := range t {
			out = localFiles(out, field, x)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(t)) {
			out = localFiles(out, field, t[k])
		}
	}
	return out
}

// WithoutFiles returns the draft without its "file://" values, however deep they sit: such items of
// lists and members of objects are removed.
func (d Draft) WithoutFiles() Draft {
	d = d.Clone()
	for name, v := range d.Values {
		if kept, ok := withoutFiles(v); ok {
			d.Values[name] = kept
		} else {
			delete(d.Values, name)
		}
	}
	return d
}

// withoutFiles changes v in place, so the caller must own it; false where nothing is left of it.
func withoutFiles(v any) (any, bool) {
	switch t := v.(type) {
	case string:
		return t, !strings.HasPrefix(t, fileScheme)
	case []any:
		kept := make([]any, 0, len(t))
		for _, x := range t {
			if x, ok := withoutFiles(x); ok {
				kept = append(kept, x)
			}
		}
		return kept, len(kept) > 0 || len(t) == 0
	case map[string]any:
		had := len(t)
		for k, x := range t {
			if x, ok := withoutFiles(x); ok {
				t[k] = x
			} else {
				delete(t, k)
			}
		}
		return t, len(t) > 0 || had == 0
	default:
		return v, true
	}
}

// mapFiles returns the draft with its "file://" values replaced, however deep they sit.
// Only what holds one is copied. Errors name the field and the path.
func mapFiles(ctx context.Context, d Draft, mode fileMode) (Draft, error) {
	var out Values
	for _, name := range d.Values.Names() {
		v, changed, err := mapFile(ctx, d.Values[name], mode)
		if err != nil {
			return d, fmt.Errorf("%s: %w", name, err)
		}
		if !changed {
			continue
		}
		if out == nil {
			out = d.Values.Clone()
		}
		out[name] = v
	}
	if out != nil {
		d.Values = out
	}
	return d, nil
}

func mapFile(ctx context.Context, v any, mode fileMode) (any, bool, error) {
	switch t := v.(type) {
	case string:
		if !strings.HasPrefix(t, fileScheme) {
			return v, false, nil
		}
		path, ok := FilePath(t)
		if !ok {
			return v, false, fmt.Errorf("%q is not a file:// URL with an absolute path", CleanLine(t))
		}
		if err := ctx.Err(); err != nil {
			return v, false, err
		}
		s, err := mode(path)
		return s, true, err
	case []any:
		out, any := make([]any, len(t)), false
		for i, x := range t {
			y, changed, err := mapFile(ctx, x, mode)
			if err != nil {
				return v, false, err
			}
			out[i], any = y, any || changed
		}
		return out, any, nil
	case map[string]any:
		out, any := make(map[string]any, len(t)), false
		for k, x := range t {
			y, changed, err := mapFile(ctx, x, mode)
			if err != nil {
				return v, false, err
			}
			out[k], any = y, any || changed
		}
		return out, any, nil
	default:
		return v, false, nil
	}
}
