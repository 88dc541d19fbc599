// Package media recognises references to pictures, videos and sounds, and tells how much of a
// request they take: once for the forms, the command line and the widgets.
package media

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"darkroom/client"
)

// Scheme is the scheme of a reference, in lower case; "" for a path. Before a colon alone, only the
// schemes of references count: a:b.png is the name of a file.
func Scheme(s string) string {
	name, rest, ok := strings.Cut(s, ":")
	name = strings.ToLower(name)
	switch {
	case !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "":
		return ""
	case name == "http", name == "https", name == "data", name == "file", strings.HasPrefix(rest, "//"):
		return name
	default:
		return ""
	}
}

// Remote reports whether a reference needs no file on this machine.
func Remote(s string) bool {
	switch Scheme(s) {
	case "http", "https", "data":
		return true
	default:
		return false
	}
}

// Typed reports whether a reference is a path of this machine as people type it.
func Typed(s string) bool {
	if strings.HasPrefix(s, "data:") { // which may be megabytes long
		return false
	}
	s = unquote(strings.TrimSpace(s))
	return s != "" && Scheme(s) == ""
}

// Reference is the form in which a draft keeps a typed reference: URLs as they are, a path as a
// file:// URL. A path that leads to no file stays as it was typed, with an error.
func Reference(typed string) (string, error) {
	s := strings.TrimSpace(typed)
	if s == "" || Remote(s) {
		return s, nil
	}
	path := unquote(s)
	switch name := Scheme(path); name {
	case "":
	case "file":
		p, ok := client.FilePath("file" + path[len(name):])
		if !ok || p == "/" {
			return s, fmt.Errorf("%q is not a file:// URL with an absolute path", path)
		}
		path = p
	default:
		return s, fmt.Errorf("%s:// cannot be used; a reference is an http:// or https:// URL, a data: URI, or a file on this machine", name)
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		if err != nil {
			return s, err
		}
		path = home + rest
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, fmt.Errorf("there is no file %s", path)
	case err != nil:
		return s, Unreadable(path, err)
	case !info.Mode().IsRegular():
		return s, fmt.Errorf("%s is not a file", path)
	}
	return client.FileURL(path), nil
}

// Unreadable says why a file cannot be read, naming its path once.
func Unreadable(path string, err error) error {
	if bad, ok := errors.AsType[*os.PathError](err); ok {
		err = bad.Err
	}
	return fmt.Errorf("%s cannot be read: %w", path, err)
}

// unquote undoes what terminals and shells do to a dragged or pasted path.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return strings.ReplaceAll(s, `\ `, " ")
}

// Readable is a text with its file:// URLs as plain paths, for people.
func Readable(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if p, ok := client.FilePath(l); ok {
			lines[i] = p
		}
	}
	return strings.Join(lines, "\n")
}
