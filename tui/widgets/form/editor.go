package form

import (
	"slices"
	"strings"
)

// undoDepth is how many undo steps are kept.
const undoDepth = 200

// Editor is the text of one field and the cursor in it. The zero value is an empty text
// of one line.
type Editor struct {
	// Limit bounds the text, in grapheme clusters; 0 means no limit.
	Limit int

	multi bool
	cells []string // grapheme clusters
	cur   int      // 0..len(cells): the cluster that the cursor stands on
	goal  int      // the column that up and down aim at, -1 for the cursor's own
	all   bool     // the whole text is selected: typing replaces it

	undo, redo []snapshot
	run        editKind // the kind of the last edit; a run of one kind is one undo step

	version uint64 // grows with every change of text or cursor
	text    string // the joined cells, when fresh
	fresh   bool

	wrapAt      int // the width that lines was made for
	wrapVersion uint64
	lines       []span
	top         int // first visual line that shows
}

type snapshot struct {
	text string
	cur  int
}

type editKind int

const (
	editNone editKind = iota
	editType
	editErase
	editOther
)

// NewEditor is an editor of one line, or of many.
func NewEditor(multi bool) *Editor { return &Editor{multi: multi, goal: -1} }

// Value is the text.
func (e *Editor) Value() string {
	if !e.fresh {
		e.text, e.fresh = strings.Join(e.cells, ""), true
	}
	return e.text
}

// Len is the number of grapheme clusters, which is what a person counts as characters.
func (e *Editor) Len() int { return len(e.cells) }

// Split is the text before the cursor, under it and behind it.
func (e *Editor) Split() (before, under, behind string) {
	at := min(e.cur+1, len(e.cells))
	return strings.Join(e.cells[:e.cur], ""), strings.Join(e.cells[e.cur:at], ""), strings.Join(e.cells[at:], "")
}

// SetValue replaces the text, as an undo step, and puts the cursor at its end. Setting the same
// text changes nothing.
func (e *Editor) SetValue(s string) {
	s = e.bounded(tidy(s, e.multi), 0)
	if s == e.Value() {
		return
	}
	e.remember(editOther)
	e.cells = clusters(s)
	e.cur = len(e.cells)
	e.changed()
}

// SetCursor puts the cursor before the i-th cluster, or the nearest one.
func (e *Editor) SetCursor(i int) {
	e.cur = min(max(i, 0), len(e.cells))
	e.all, e.goal, e.run = false, -1, editNone
	e.version++
}

// selectAll selects the whole text: typing then replaces it.
func (e *Editor) selectAll() {
	e.all = len(e.cells) > 0
	e.cur = len(e.cells)
	e.version++
}

// Insert inserts text at the cursor, as typing and pasting do.
func (e *Editor) Insert(s string) bool {
	had := len(e.cells)
	if e.all {
		had = 0
	}
	s = e.bounded(tidy(s, e.multi), had)
	if s == "" {
		return false
	}
	kind := editType
	if len(s) > 8 || strings.ContainsAny(s, " \n") {
		kind = editOther
	}
	e.remember(kind)
	if e.all {
		e.cells, e.cur, e.all = e.cells[:0:0], 0, false
	}
	e.splice(e.cur, e.cur, s)
	e.changed()
	return true
}

// bounded is as much of a text as fits behind that many clusters.
func (e *Editor) bounded(s string, had int) string {
	if e.Limit <= 0 || len(s) <= e.Limit-had {
		return s
	}
	all := clusters(s)
	return strings.Join(all[:max(0, min(len(all), e.Limit-had))], "")
}

// erase removes the clusters from a to b and leaves the cursor at a.
func (e *Editor) erase(a, b int) bool {
	if e.all {
		a, b, e.all = 0, len(e.cells), false
	}
	a, b = max(0, a), min(len(e.cells), b)
	if a >= b {
		return false
	}
	kind := editErase
	if b-a > 1 {
		kind = editOther
	}
	e.remember(kind)
	e.splice(a, b, "")
	e.changed()
	return true
}

// splice puts s in place of the clusters from a to b, with the cursor behind it. The text on both
// sides of the seam is split anew with it, since a combining mark joins the character before it,
// and regional indicators pair up from the left.
func (e *Editor) splice(a, b int, s string) {
	from, to := max(0, a-1), min(len(e.cells), b+1)
	for to < len(e.cells) && regional(e.cells[to]) {
		to++
	}
	before := strings.Join(e.cells[from:a], "") + s
	fresh := clusters(before + strings.Join(e.cells[b:to], ""))
	e.cells = slices.Replace(e.cells, from, to, fresh...)
	e.cur = from
	for n := 0; n < len(before) && e.cur < len(e.cells); e.cur++ {
		n += len(e.cells[e.cur])
	}
}

func (e *Editor) changed() {
	e.fresh, e.goal, e.all = false, -1, false
	e.version++
}

// remember keeps the present text for Undo, once for a run of like edits.
func (e *Editor) remember(kind editKind) {
	if kind == e.run && kind != editOther {
		return
	}
	e.run = kind
	e.undo = append(e.undo, snapshot{e.Value(), e.cur})
	if len(e.undo) > undoDepth {
		e.undo = slices.Delete(e.undo, 0, len(e.undo)-undoDepth)
	}
	e.redo = nil
}

// Undo undoes the last step; it reports whether there was one.
func (e *Editor) Undo() bool { return e.travel(&e.undo, &e.redo) }

// Redo repeats the last undone step; it reports whether there was one.
func (e *Editor) Redo() bool { return e.travel(&e.redo, &e.undo) }

func (e *Editor) travel(from, to *[]snapshot) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	s := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, snapshot{e.Value(), e.cur})
	e.cells = clusters(s.text)
	e.cur = min(s.cur, len(e.cells))
	e.run = editNone
	e.changed()
	return true
}
