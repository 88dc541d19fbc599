package files

import (
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client"
)

// name is the name under the cursor, "" for none.
func (m *Model) name() string {
	if path, _, ok := m.Current(); ok {
		return filepath.Base(path)
	}
	return ""
}

// search filters the entries by the typed text; the cursor goes to a name, or to the first.
func (m *Model) search(name string) {
	m.shown, m.others = m.shown[:0], 0
	at := 0
	defer func() {
		m.rows.Reset(len(m.shown))
		m.rows.Select(at)
	}()
	var words []string
	if m.Path() == "" {
		words = strings.Fields(strings.ToLower(m.in.Value()))
	}
	_, begun, path := m.parts()
	begun = strings.ToLower(begun)
	if m.latest {
		for i, dir := range m.recent {
			if hasAll(strings.ToLower(dir), words) {
				m.shown = append(m.shown, i)
			}
		}
		return
	}
	kinds := kinds{accepts: m.Accepts, ending: m.Ending}
	hidden := m.hidden || len(words) > 0 && words[0][0] == '.' || strings.HasPrefix(begun, ".")
	for i := range m.list.Entries {
		e := &m.list.Entries[i]
		if !hidden && strings.HasPrefix(e.Name, ".") || !hasAll(e.lower, words) || path && !strings.HasPrefix(e.lower, begun) {
			continue
		}
		if !m.all && !kinds.wanted(e) {
			m.others++
			continue
		}
		if name != "" && e.Name == name {
			at = len(m.shown)
		}
		m.shown = append(m.shown, i)
	}
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// kinds decides which name endings stand for a wanted kind of media; it remembers them for one
// search of a folder.
type kinds struct {
	accepts []string // empty is all of them
	ending  string   // the only one that is wanted, "" for media
	known   map[string]bool
}

// wanted reports whether an entry may be a wanted file: its ending stands for a wanted kind of
// media, or says nothing. Folders are always wanted: they lead to files.
func (k *kinds) wanted(e *Entry) bool {
	s := ending(e.Name)
	if k.ending != "" {
		return e.Dir || s == k.ending
	}
	if e.Dir || s == "" {
		return true
	}
	fits, ok := k.known[s]
	if !ok {
		kind := client.MediaKind("x." + s)
		fits = kind != "" && (len(k.accepts) == 0 || slices.Contains(k.accepts, kind))
		if k.known == nil {
			k.known = map[string]bool{}
		}
		k.known[s] = fits
	}
	return fits
}

// longestEnding is the greatest length of an ending that tells a file's type.
const longestEnding = 8

// ending is the end of a name that tells the file's type, in lower case, "" for none: not every
// dot begins one.
func ending(name string) string {
	s := strings.ToLower(strings.TrimPrefix(filepath.Ext(strings.TrimLeft(name, ".")), "."))
	switch {
	case len(s) > longestEnding, strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") != "", strings.Trim(s, "0123456789") == "":
		return ""
	}
	return s
}
