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
	Moved           // the view has changed: look at [Model.Wants], and at the item under the cursor
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
	All    = "all" // toggle between files of every kind and the wanted kinds only
	Recent = "recent"
	Close  = "close"
)

// maxFacts bounds how many facts about files are kept, maxMarked how many files are taken at once.
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
	// Ending is how the names of the wanted files end, as "zip"; "" for media.
	Ending string
	// Home is what ~ stands for in a typed path, "" for unknown.
	Home string
	// Many allows more than one file.
	Many bool

	in     *form.Editor
	dir    string // the folder shown, or on its way
	from   string // the folder that a typed path begins in
	list   Listing
	busy   bool
	back   string // the name to put the cursor on once the folder above is there
	hidden bool   // hidden files show
	all    bool   // also files of unwanted kinds show
	others int    // how many files of unwanted kinds are left out
	recent []string
	latest bool // the recent folders show in the place of a folder

	shown  []int // of the listing, or of recent
	rows   list.Model
	marked []string
	facts  map[string]Fact
}

// New makes a dialog for a folder, which must then be listed; recent are the recently used
// folders, newest first.
func New(title, dir string, accepts, recent []string) *Model {
	return &Model{Title: title, Accepts: accepts, in: form.NewEditor(false), dir: dir, from: dir, busy: true, rows: list.New(10),
		recent: recent, facts: map[string]Fact{}}
}

// AddRecent appends folders to the recent ones.
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

// Dir is the folder shown, or yet to be listed.
func (m *Model) Dir() string { return m.dir }

// Path is the path being typed in place of a name, "" for none.
func (m *Model) Path() string {
	if q := m.in.Value(); strings.HasPrefix(q, "/") || strings.HasPrefix(q, "~") {
		return strings.TrimSpace(q)
	} else if strings.Contains(q, "/") && !m.latest { // from here on
		return filepath.Join(m.from, strings.TrimSpace(q))
	}
	return ""
}

// SetListing takes the content of the folder; a listing of another folder is ignored.
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

// SetFacts adds facts about files.
func (m *Model) SetFacts(facts map[string]Fact) {
	if len(m.facts)+len(facts) > maxFacts {
		m.facts = map[string]Fact{}
	}
	for path, f := range facts {
		m.facts[path] = f
	}
}

// Wants are the paths of the files shown without known facts.
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

// Current is the path under the cursor, and whether it is a folder; ok is false when there is
// none.
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

// Chosen are the marked files in the order of marking, else the one under the cursor.
func (m *Model) Chosen() []string {
	if len(m.marked) > 0 {
		return slices.Clone(m.marked)
	}
	if path, dir, ok := m.Current(); ok && !dir {
		return []string{path}
	}
	return nil
}

// Fits reports whether a file is of a wanted kind: by its facts if known, else by its name.
func (m *Model) Fits(path string) bool {
	if m.Ending != "" {
		return ending(filepath.Base(path)) == m.Ending
	}
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
	if m.in.Len() == 0 {
		m.from = m.dir
	}
	return m.typed()
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
