package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"darkroom/client/sniff"
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

// fileMode turns a local file into what stands for it in a request.
type fileMode func(path string) (string, error)

// LocalFile is a place of a draft that names a file of the machine that it was made on.
type LocalFile struct {
	Field string // the canonical field that holds it, however deep
	Ref   string // the "file://" value as it stands
}

// Path is the path that the reference means; "" for one that means none.
func (f LocalFile) Path() string {
	p, _ := FilePath(f.Ref)
	return p
}

// LocalFiles lists the "file://" values of a draft, which a client reads when it sends, by
// their fields; nil for none. It names what cannot be read, too.
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

// WithoutFiles is the draft without its "file://" values, however deep they sit; an item of
// a list that is one goes, as does a member of an object.
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

// withoutFiles changes a value of one's own; false where nothing is left of it.
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

// inlineFiles reads a file into a data URI.
func inlineFiles(path string) (string, error) {
	f, size, err := openMedia(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return "", tell(path, err)
	}
	if len(data) > MaxFile || int64(len(data)) != size {
		return "", fmt.Errorf("%s: changed while it was read, or is larger than %d MiB", CleanLine(path), MaxFile>>20)
	}
	mt, err := mediaType(path, data)
	if err != nil {
		return "", err
	}
	return "data:" + mt + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// openMedia opens a regular file below the cap. It is checked before the open too,
// since opening a pipe would wait.
func openMedia(path string) (*os.File, int64, error) {
	size, err := statMedia(path)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path) //nolint:gosec // the path is the person's own choice
	if err != nil {
		return nil, 0, tell(path, err)
	}
	return f, size, nil
}

func statMedia(path string) (int64, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, tell(path, err)
	case !st.Mode().IsRegular():
		return 0, fmt.Errorf("%s: is not a regular file", CleanLine(path))
	case st.Size() == 0:
		return 0, fmt.Errorf("%s: is empty", CleanLine(path))
	case st.Size() > MaxFile:
		return 0, fmt.Errorf("%s: is %.1f MiB, the limit is %d MiB: pass a URL instead", CleanLine(path), float64(st.Size())/(1<<20), MaxFile>>20)
	}
	return st.Size(), nil
}

// tell says what is wrong with a path, once and cleaned.
func tell(path string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", CleanLine(path), err)
}

// mediaType sniffs a type from the first bytes, and takes the name's word only where
// the bytes say nothing. Anything but pictures, video and sound is refused, so that a
// mistyped path does not leave the machine.
func mediaType(path string, head []byte) (string, error) {
	t := sniff.Bytes(head)
	if named := sniff.Name(path); t.Class == sniff.Unknown && named.Media() {
		t = named
	}
	if !t.Media() {
		what, _, _ := strings.Cut(http.DetectContentType(head), ";") // knows more of what is no media
		return "", fmt.Errorf("%s: is %s, not a picture, a video or a sound", CleanLine(path), what)
	}
	return t.MediaType, nil
}

// SniffMedia returns the media type of a local file, as "image/png", from its first bytes
// (from its name where those say nothing). It is an error, which names the path, when the
// file is no picture, video or sound, or is one that a request would not take: not a
// regular file, empty, or larger than [MaxFile].
func SniffMedia(path string) (string, error) {
	f, _, err := openMedia(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, sniff.Len))
	if err != nil {
		return "", tell(path, err)
	}
	return mediaType(path, head)
}

// size in words, for what stands for a file in a preview.
func sizeWords(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000*1000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	default:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
}
