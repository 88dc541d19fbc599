package jsonview

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// Tree is a document with a cursor, branches that fold, and a search. The zero value shows
// nothing; give it a size. Only what is in sight is drawn.
type Tree struct {
	doc    Doc
	folded map[int]bool
	vis    []int // the lines that are not within a folded branch
	at     int   // the place of the cursor in vis
	top    int   // the place of the first line in sight
	w, h   int
	wrap   bool
	find   string
	hits   []int // lines with what is searched for
}

// NewTree is a tree with nothing folded; wrap breaks long lines.
func NewTree(d Doc, wrap bool) Tree {
	t := Tree{doc: d, folded: map[int]bool{}, wrap: wrap}
	t.unfold(nil)
	return t
}

// Doc is what it shows.
func (t *Tree) Doc() Doc { return t.doc }

// SetSize sets the size in cells, the scroll bar included.
func (t *Tree) SetSize(w, h int) { t.w, t.h = max(0, w), max(0, h) }

// Wraps reports whether long lines are broken; SetWrap breaks or cuts them.
func (t *Tree) Wraps() bool { return t.wrap }

// SetWrap breaks long lines, or cuts them.
func (t *Tree) SetWrap(on bool) { t.wrap = on }

// line is the line under the cursor, -1 for none.
func (t *Tree) line() int {
	if t.at >= len(t.vis) {
		return -1
	}
	return t.vis[t.at]
}

// Path is where the value under the cursor stands, as jq writes it; "" where there is none.
func (t *Tree) Path() string { return t.doc.Path(t.line()) }

// Value is the value under the cursor as it came, never shortened.
func (t *Tree) Value() string { return t.doc.Value(t.line()) }

// Place is the number of the line under the cursor, and how many there are, with none folded.
func (t *Tree) Place() (line, of int) { return t.line() + 1, len(t.doc.lines) }

// unfold makes the visible lines anew. The cursor stays on its line, or on the one that hides it.
func (t *Tree) unfold(at *int) {
	line := t.line()
	if at != nil {
		line = *at
	}
	t.vis = t.vis[:0]
	for i := 0; i < len(t.doc.lines); i++ {
		t.vis = append(t.vis, i)
		if end := t.doc.lines[i].end; t.folded[i] && end > i {
			i = end
		}
	}
	i, ok := slices.BinarySearch(t.vis, line)
	if !ok {
		i--
	}
	t.set(i)
}

func (t *Tree) set(i int) { t.at = max(0, min(i, len(t.vis)-1)) }

// Key moves the cursor or folds by a key, and reports whether it was one of these: arrows, h j k l,
// pages, home end, g G; space folds and unfolds, - and + all.
func (t *Tree) Key(name string) bool {
	page := max(1, t.h-1)
	switch name {
	case "up", "k":
		t.set(t.at - 1)
	case "down", "j":
		t.set(t.at + 1)
	case "pgup", "b", "ctrl+b":
		t.set(t.at - page)
	case "pgdown", "ctrl+f":
		t.set(t.at + page)
	case "ctrl+u":
		t.set(t.at - page/2)
	case "ctrl+d":
		t.set(t.at + page/2)
	case "home", "g":
		t.set(0)
	case "end", "G":
		t.set(len(t.vis) - 1)
	case "left", "h":
		t.close()
	case "right", "l":
		t.open()
	case " ":
		t.Toggle()
	case "-":
		t.foldAll(true)
	case "+", "=":
		t.foldAll(false)
	default:
		return false
	}
	return true
}

// branch is the line that opens what the line under the cursor opens or closes, -1 for none.
func (t *Tree) branch() int {
	i := t.line()
	switch {
	case i < 0:
		return -1
	case t.doc.lines[i].opener > 0:
		return t.doc.lines[i].opener - 1
	case t.doc.lines[i].end > i:
		return i
	default:
		return -1
	}
}

// Toggle folds the branch under the cursor, or unfolds it.
func (t *Tree) Toggle() {
	if i := t.branch(); i >= 0 {
		t.folded[i] = !t.folded[i]
		t.unfold(&i)
	}
}

// close folds the branch under the cursor; what is none, or is folded, is left for the branch that
// it is in.
func (t *Tree) close() {
	i := t.branch()
	if i < 0 || t.folded[i] {
		if line := t.line(); line >= 0 && t.doc.lines[line].parent >= 0 {
			t.unfold(&t.doc.lines[line].parent)
		}
		return
	}
	t.folded[i] = true
	t.unfold(&i)
}

// open unfolds the branch under the cursor, or goes into it.
func (t *Tree) open() {
	if i := t.branch(); i >= 0 && t.folded[i] {
		t.Toggle()
	} else {
		t.set(t.at + 1)
	}
}

// foldAll folds all branches below the outermost one, or unfolds all.
func (t *Tree) foldAll(on bool) {
	line := t.line()
	t.folded = map[int]bool{}
	for i, l := range t.doc.lines {
		if on && l.depth > 0 && l.end > i {
			t.folded[i] = true
		}
	}
	t.unfold(&line)
}

// Search looks for a text in names and values, in any case, and goes to the first line at or behind
// the cursor that has it. It returns how many have it; "" ends the search.
func (t *Tree) Search(text string) int {
	t.find, t.hits = lower(text), nil
	if text == "" {
		return 0
	}
	for i := range t.doc.lines {
		if strings.Contains(lower(t.doc.lines[i].text()), t.find) {
			t.hits = append(t.hits, i)
		}
	}
	t.toHit(t.line(), 0)
	return len(t.hits)
}

// Next goes to the next line with what was searched for, or to the one before for a negative step;
// it goes round at the ends. It returns the number of that line among them, from 1, and how many
// there are.
func (t *Tree) Next(step int) (n, of int) {
	i, on := slices.BinarySearch(t.hits, t.line())
	if step < 0 || on {
		i += step
	}
	return t.toHit(-1, i), len(t.hits)
}

// Hits is the number of the line under the cursor among those with what was searched for, from 1,
// and how many there are.
func (t *Tree) Hits() (n, of int) {
	i, on := slices.BinarySearch(t.hits, t.line())
	if !on {
		i--
	}
	return i + 1, len(t.hits)
}

// toHit goes to a hit by its index, or for a line to the first one from there on.
func (t *Tree) toHit(line, i int) int {
	if len(t.hits) == 0 {
		return 0
	}
	if line >= 0 {
		i, _ = slices.BinarySearch(t.hits, line)
	}
	i = (i + len(t.hits)) % len(t.hits)
	to := t.hits[i]
	for up := t.doc.lines[to].parent; up >= 0; up = t.doc.lines[up].parent {
		delete(t.folded, up)
	}
	if o := t.doc.lines[to].opener; o > 0 {
		delete(t.folded, o-1)
	}
	t.unfold(&to)
	return i + 1
}

// text is a line without its indentation.
func (l *line) text() string {
	var b strings.Builder
	for _, x := range l.pieces {
		b.WriteString(x.text)
	}
	return b.String()
}

// lower is a text in lower case, with each character as long as it was.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

// zoneLine begins the names of the lines' zones.
const zoneLine = "json:"

// Click puts the cursor on a line that was pressed, and folds it where it had the cursor already;
// false for what is none.
func (t *Tree) Click(c zone.Click) bool {
	l := list.New(t.h)
	l.SetLen(len(t.vis))
	i, ok := l.Hit(c.Zone, zoneLine)
	if !ok {
		return false
	}
	again := c.Double || i == t.at
	t.set(i)
	if again {
		t.Toggle()
	}
	return true
}

// Wheel moves the cursor by notches of the mouse wheel.
func (t *Tree) Wheel(delta int) { t.set(t.at + 3*delta) }

// treePens are the inks of a tree.
type treePens struct {
	pens
	match, selected, sign widgets.Ink
}

// View is exactly the size that was set.
func (t *Tree) View(st *themes.Styles) string {
	if t.w <= 0 || t.h <= 0 {
		return ""
	}
	p := treePens{pens: newPens(st), match: widgets.NewInk(st.Match), selected: widgets.NewInk(st.RowSelected), sign: widgets.NewInk(st.Accent)}
	w := t.w
	long := len(t.vis) > t.h && w > 8
	if long {
		w -= 2
	}
	t.follow(&p, w)
	var bar []string
	if long {
		bar = widgets.Scrollbar(st, len(t.vis), t.h, t.top)
	}
	out := make([]string, 0, t.h)
	for i := t.top; i < len(t.vis) && len(out) < t.h; i++ {
		for _, l := range t.rows(&p, i, w) {
			out = append(out, zone.Mark(zoneLine+strconv.Itoa(i), l))
		}
	}
	out = out[:min(len(out), t.h)]
	for len(out) < t.h {
		out = append(out, strings.Repeat(" ", w))
	}
	for y := range bar {
		out[y] += " " + bar[y]
	}
	return strings.Join(out, "\n")
}

// follow moves the window so that the line under the cursor is in sight, to its end where it fits.
func (t *Tree) follow(p *treePens, w int) {
	t.top = max(0, min(t.top, t.at, len(t.vis)-1))
	room := t.h
	for i := min(t.at, len(t.vis)-1); i >= t.top; i-- {
		if room -= len(t.rows(p, i, w)); room < 0 {
			t.top = min(i+1, t.at)
			return
		}
	}
}

// rows are the rows of w cells that a visible line takes: one, or more where it is wrapped.
func (t *Tree) rows(p *treePens, i, w int) []string {
	n := t.vis[i]
	l := &t.doc.lines[n]
	cursor := "  "
	if i == t.at {
		cursor = p.sign.Text("❯ ")
	}
	fold := "  "
	switch {
	case l.end > n && t.folded[n]:
		fold = p.sign.Text("▸ ")
	case l.end > n:
		fold = p.note.Text("▾ ")
	}
	text := strings.Repeat("  ", min(l.depth, maxIndent)) + t.colour(p, l)
	if l.end > n && t.folded[n] {
		text += p.note.Text(" … ") + t.colour(p, &t.doc.lines[l.end])
	}
	room := max(1, w-4)
	rows := []string{text}
	if t.wrap {
		rows = widgets.Hang(text, room, p.note)
	}
	for y, r := range rows {
		r = widgets.Line(r, room)
		if i == t.at {
			r = p.selected.Over(r)
		}
		if y == 0 {
			rows[y] = cursor + fold + r
		} else {
			rows[y] = "    " + r
		}
		rows[y] = widgets.Line(rows[y], w)
	}
	return rows
}

// colour is a line in its inks, with what is searched for marked.
func (t *Tree) colour(p *treePens, l *line) string {
	var b strings.Builder
	for _, x := range l.pieces {
		ink := p.ink(x.kind)
		if t.find == "" || !strings.Contains(lower(x.text), t.find) {
			b.WriteString(ink.Text(x.text))
			continue
		}
		rest := x.text
		for {
			at := strings.Index(lower(rest), t.find)
			if at < 0 {
				break
			}
			b.WriteString(ink.Text(rest[:at]))
			b.WriteString(p.match.Text(rest[at : at+len(t.find)]))
			rest = rest[at+len(t.find):]
		}
		b.WriteString(ink.Text(rest))
	}
	return b.String()
}
