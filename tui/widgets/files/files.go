package files

import (
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// Event is what a key or a click did.
type Event int

// Events of the dialog.
const (
	None      Event = iota
	Moved           // something else shows: look at [Model.Wants], and at what is under the cursor
	Opening         // [Model.Dir] is to be listed
	Picked          // [Model.Chosen] were chosen
	Typed           // a path was typed: [Model.Path] is a folder to open, or a file
	Cancelled       // the dialog was left
)

// Actions of the dialog, by which keys are bound to them.
const (
	Take   = "take"
	Mark   = "mark"
	Up     = "up"
	Hidden = "hidden"
	All    = "all" // files of every kind, or those that can be wanted only
	Recent = "recent"
	Close  = "close"
)

// maxFacts bounds what is remembered about files, maxMarked how many are taken at once.
const (
	maxFacts  = 4000
	maxMarked = 100
)

// Model is the dialog. Make it with [New]. It belongs to one model: not safe for concurrent use.
type Model struct {
	// Title stands in the border, Keys below the list; AllKey is what the action All is bound to,
	// for messages.
	Title, Keys, AllKey string
	// Accepts are the kinds of media that are wanted: image, video, audio. Empty is all three.
	Accepts []string
	// Many allows more than one file.
	Many bool

	in     *form.Editor
	dir    string // that shows, or is on its way
	list   Listing
	busy   bool
	back   string // the name to put the cursor on once the folder above is there
	hidden bool   // hidden files show
	all    bool   // and those of kinds that are not wanted
	others int    // how many of such kinds do not show
	recent []string
	latest bool // the recent folders show in the place of a folder

	shown  []int // of the listing, or of recent
	rows   list.Model
	marked []string
	facts  map[string]Fact
}

// New makes a dialog that is to list a folder; recent are folders that were used, newest first.
func New(title, dir string, accepts, recent []string) *Model {
	return &Model{Title: title, Accepts: accepts, in: form.NewEditor(false), dir: dir, busy: true, rows: list.New(10),
		recent: recent, facts: map[string]Fact{}}
}

// AddRecent puts folders behind those that were used.
func (m *Model) AddRecent(dirs ...string) {
	for _, d := range dirs {
		if !slices.Contains(m.recent, d) {
			m.recent = append(m.recent, d)
		}
	}
	if m.latest {
		m.search("")
	}
}

// Dir is the folder that shows, or is to be listed.
func (m *Model) Dir() string { return m.dir }

// Path is the path that is being typed in the place of a name, "" for none.
func (m *Model) Path() string {
	if q := m.in.Value(); strings.HasPrefix(q, "/") || strings.HasPrefix(q, "~") {
		return strings.TrimSpace(q)
	} else if strings.Contains(q, "/") && !m.latest { // from here on
		return filepath.Join(m.dir, strings.TrimSpace(q))
	}
	return ""
}

// SetListing takes what is in the folder; that of another one is left aside.
func (m *Model) SetListing(l Listing) {
	if l.Dir != m.dir {
		return
	}
	m.list, m.busy, m.latest = l, false, false
	m.search("")
	if m.back != "" {
		for row, i := range m.shown {
			if m.list.Entries[i].Name == m.back {
				m.rows.Select(row)
			}
		}
		m.back = ""
	}
}

// SetFacts adds what was found out about files.
func (m *Model) SetFacts(facts map[string]Fact) {
	if len(m.facts)+len(facts) > maxFacts {
		m.facts = map[string]Fact{}
	}
	for path, f := range facts {
		m.facts[path] = f
	}
}

// Wants are the paths of the files that show and of which nothing is known yet.
func (m *Model) Wants() []string {
	if m.latest || m.busy {
		return nil
	}
	var out []string
	from, to := m.rows.Window()
	for _, i := range m.shown[from:to] {
		e := &m.list.Entries[i]
		path := filepath.Join(m.dir, e.Name)
		if _, known := m.facts[path]; !known && !e.Dir && !e.Broken && !e.Odd {
			out = append(out, path)
		}
	}
	return out
}

// Current is the path under the cursor, and whether it is a folder; false when there is none.
func (m *Model) Current() (path string, dir, ok bool) {
	if m.busy && !m.latest || len(m.shown) == 0 {
		return "", false, false
	}
	if m.latest {
		return m.recent[m.shown[m.rows.Cursor()]], true, true
	}
	e := &m.list.Entries[m.shown[m.rows.Cursor()]]
	return filepath.Join(m.dir, e.Name), e.Dir, true
}

// Chosen are the marked files in the order in which they were marked, else the one under the
// cursor.
func (m *Model) Chosen() []string {
	if len(m.marked) > 0 {
		return slices.Clone(m.marked)
	}
	if path, dir, ok := m.Current(); ok && !dir {
		return []string{path}
	}
	return nil
}

// Fits reports whether a file is of a kind that is wanted: by what was found out about it, else
// by its name.
func (m *Model) Fits(path string) bool {
	kind := client.MediaKind(path)
	if f, ok := m.facts[path]; ok {
		kind, _, _ = strings.Cut(f.Type, "/")
	}
	return kind != "" && (len(m.Accepts) == 0 || slices.Contains(m.Accepts, kind))
}

// Update takes a key.
func (m *Model) Update(k tea.KeyMsg) Event {
	switch k.String() {
	case "esc", "ctrl+c":
		return m.Do(Close)
	case "enter":
		return m.Do(Take)
	case "up", "ctrl+p":
		return m.move(-1)
	case "down", "ctrl+n":
		return m.move(1)
	case "pgup":
		return m.move(-m.rows.Rows())
	case "pgdown":
		return m.move(m.rows.Rows())
	case "home":
		return m.move(-len(m.shown))
	case "end":
		return m.move(len(m.shown))
	case "backspace", "left":
		if m.in.Len() == 0 {
			return m.Do(Up)
		}
	case "right":
		if _, dir, ok := m.Current(); ok && dir && m.in.Len() == 0 {
			return m.Do(Take)
		}
	}
	before := m.in.Value()
	m.in.Update(form.InLine(k), 40)
	if m.in.Value() == before {
		return None
	}
	m.search("")
	return Moved
}

// Wheel moves the cursor by notches of the mouse wheel.
func (m *Model) Wheel(delta int) Event { return m.move(delta) }

// Click takes a click; one on a row moves to it, another one takes it.
func (m *Model) Click(c zone.Click) Event {
	switch again, ok := m.rows.Click(c, zonePrefix); {
	case !ok:
		return None
	case again:
		return m.take()
	default:
		return Moved
	}
}

const zonePrefix = "file:"

// move moves the cursor and stops at the ends.
func (m *Model) move(n int) Event {
	m.rows.Move(n)
	return Moved
}
