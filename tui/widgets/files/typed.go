package files

import (
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// parts are the folder that a typed path is in, and the beginning of a name there; false when no path
// is being typed, or it is not known what it begins with.
func (m *Model) parts() (folder, name string, ok bool) {
	path := strings.TrimLeft(m.in.Value(), " ")
	if m.Path() == "" {
		return "", "", false
	}
	if rest, home := strings.CutPrefix(path, "~"); home {
		if m.Home == "" || rest != "" && rest[0] != '/' {
			return "", "", false
		}
		if rest == "" {
			return m.Home, "", true
		}
		path = m.Home + rest
	}
	if !strings.HasPrefix(path, "/") {
		path = m.from + "/" + path
	}
	at := strings.LastIndexByte(path, '/')
	return filepath.Clean(path[:at+1]), path[at+1:], true
}

// typed follows the typed text: the names that it filters, in the folder that it leads to.
func (m *Model) typed() Event {
	folder, _, ok := m.parts()
	if !ok || folder == m.dir && !m.latest {
		m.search("")
		return Moved
	}
	m.dir, m.busy, m.latest, m.list = folder, true, false, Listing{}
	m.search("")
	return Opening
}

// complete writes as much of a name as all that begin as typed have in common, and the slash behind
// a folder, as a shell does.
func (m *Model) complete() Event {
	folder, begun, ok := m.parts()
	if !ok || m.busy || folder != m.dir {
		return None
	}
	common, n, dir := "", 0, false
	for _, i := range m.shown {
		e := &m.list.Entries[i]
		if !strings.HasPrefix(e.lower, strings.ToLower(begun)) {
			continue
		}
		if n++; n == 1 {
			common, dir = e.Name, e.Dir
			continue
		}
		common, dir = shared(common, e.Name), false
	}
	if n == 1 && dir {
		common += "/"
	}
	if len(common) < len(begun) || common == "" {
		return None
	}
	m.in.SetValue(strings.TrimSuffix(m.in.Value(), begun) + common)
	return m.typed()
}

// shared is the common beginning of two names, in whole letters.
func shared(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// narrowed reports whether a typed path stands for the entry under the cursor: it is begun, and no
// name is exactly what was typed.
func (m *Model) narrowed() bool {
	folder, begun, ok := m.parts()
	if !ok || m.busy || folder != m.dir || begun == "" || len(m.shown) == 0 {
		return false
	}
	for _, i := range m.shown {
		if m.list.Entries[i].Name == begun {
			return false
		}
	}
	return true
}
