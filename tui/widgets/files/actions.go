package files

import (
	"path/filepath"
	"slices"
	"strconv"
)

// Do carries out an action by its name.
func (m *Model) Do(action string) Event {
	switch action {
	case Close:
		if m.latest {
			m.latest = false
			m.search("")
			return Moved
		}
		return Cancelled
	case Take:
		return m.take()
	case Mark:
		if m.Path() != "" {
			return m.complete()
		}
		return m.mark()
	case Up:
		if up := filepath.Dir(m.dir); up != m.dir {
			m.back = filepath.Base(m.dir)
			return m.Open(up)
		}
	case Hidden:
		m.hidden = !m.hidden
		m.search(m.name())
		return Moved
	case All:
		m.all = !m.all
		m.search(m.name())
		return Moved
	case Recent:
		m.latest = !m.latest && len(m.recent) > 0
		m.in.SetValue("")
		m.search("")
		return Moved
	}
	return None
}

// Off says why an action is unavailable now, "" when it is available.
func (m *Model) Off(action string) string {
	path, dir, ok := m.Current()
	switch action {
	case Take:
		if !ok && m.Path() == "" && len(m.marked) == 0 {
			return "nothing is under the cursor"
		}
	case Mark:
		switch {
		case m.Path() != "": // then it completes
		case !m.Many:
			return "this field takes one file"
		case !ok || dir:
			return "no file is under the cursor"
		case len(m.marked) == maxMarked && !slices.Contains(m.marked, path):
			return "at most " + strconv.Itoa(maxMarked) + " files are taken at once"
		}
	case Recent:
		if len(m.recent) == 0 {
			return "no folder was used yet"
		}
	case Up:
		if filepath.Dir(m.dir) == m.dir {
			return "there is no folder above this one"
		}
	}
	return ""
}

// Open goes to a folder, which must then be listed.
func (m *Model) Open(dir string) Event {
	m.dir, m.from, m.busy, m.latest, m.list = dir, dir, true, false, Listing{}
	m.in.SetValue("")
	m.shown = nil
	m.rows.Reset(0)
	return Opening
}

func (m *Model) take() Event {
	if m.Path() != "" && !m.narrowed() {
		return Typed
	}
	path, dir, ok := m.Current()
	switch {
	case ok && dir:
		return m.Open(path)
	case len(m.Chosen()) > 0:
		return Picked
	}
	return None
}

// mark marks or unmarks the file under the cursor, and goes on to the next.
func (m *Model) mark() Event {
	if m.Off(Mark) != "" {
		return None
	}
	path, _, _ := m.Current()
	if i := slices.Index(m.marked, path); i >= 0 {
		m.marked = slices.Delete(m.marked, i, i+1)
	} else {
		m.marked = append(m.marked, path)
	}
	return m.move(1)
}
