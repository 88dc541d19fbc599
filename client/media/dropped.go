package media

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/shell"
)

// maxDropped bounds how many paths are read from a text.
const maxDropped = 100

// Begins reports whether a text begins as a reference does: with a scheme, or as a path.
func Begins(text string) bool {
	s := strings.TrimLeft(text, `'"`)
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || leads(s) || Scheme(s) != ""
}

// Dropped are the ways to read a text as absolute paths of this machine, as terminals and file
// managers write them: one plain path a line, file:// URLs, or words quoted for a shell. Empty
// where it cannot be read so.
func Dropped(text string) (ways [][]string) {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || !leads(strings.TrimLeft(text, `'"`)) {
		return nil
	}
	var lines []string
	plain := true
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") { // a list of URIs has remarks
			continue
		}
		path, ok := absolute(line)
		plain = plain && ok
		lines = append(lines, path)
	}
	if plain && len(lines) > 0 && len(lines) <= maxDropped {
		ways = append(ways, lines)
	}
	if words, ok := shell.Words(text); ok && len(words) <= maxDropped {
		for i, w := range words {
			path, ok := absolute(w)
			if !ok {
				return ways
			}
			words[i] = path
		}
		ways = append(ways, words)
	}
	return ways
}

// File is a file on this machine that can be a reference.
type File struct {
	Path, Kind string // the kind is image, video or audio
}

// LookAll returns the kinds of files; all of them must be media files.
func LookAll(paths []string) ([]File, error) {
	out := make([]File, 0, len(paths))
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			home, err := os.UserHomeDir()
			if err != nil {
				return nil, err
			}
			path = filepath.Join(home, rest)
		}
		st, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !st.Mode().IsRegular() {
			return nil, errors.New("not a file")
		}
		f, err := LookAt(path)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// LookAt determines the kind of a file from its first bytes.
func LookAt(path string) (File, error) {
	mt, err := client.SniffMedia(path)
	if err != nil {
		return File{}, err
	}
	return File{Path: filepath.Clean(path), Kind: Local{Type: mt}.Kind()}, nil
}

// leads reports whether a text begins as a path does.
func leads(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") || len(s) > 7 && strings.EqualFold(s[:7], "file://")
}

// absolute reads a word or a line as an absolute path.
func absolute(s string) (string, bool) {
	if len(s) > 7 && strings.EqualFold(s[:7], "file://") {
		return client.FilePath("file://" + s[7:])
	}
	return s, leads(s) && !strings.ContainsRune(s, 0)
}
