package form

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/widgets/zone"
)

// Update handles a key.
func (f *Form) Update(k tea.KeyMsg) Event {
	r := f.current()
	if r == nil {
		return Event{}
	}
	f.free = false
	if k.Paste && !r.field.editable() {
		return Event{}
	}
	f.begin(r, k)
	if f.Capturing() {
		if ev := f.textKey(r, k); ev.Kind != Ignored {
			return ev
		}
	}
	switch k.String() {
	case "tab":
		return f.around(1)
	case "shift+tab":
		return f.around(-1)
	case "down":
		return f.move(1)
	case "up":
		return f.move(-1)
	case "pgdown":
		return f.page(1)
	case "pgup":
		return f.page(-1)
	case "home", "end":
		if f.capture {
			return Event{} // a key of a text of its own
		}
		return f.edge(k.String() == "end")
	case "esc":
		if f.capture {
			f.capture = false
			return Event{Kind: Moved, ID: f.focus, Left: f.focus}
		}
		return Event{}
	case "left":
		return f.step(r, -1)
	case "right":
		return f.step(r, 1)
	case "enter", " ":
		return f.enter(r, k.String() == "enter")
	}
	return Event{}
}

// textKey handles a key while a text has the focus.
func (f *Form) textKey(r *row, k tea.KeyMsg) Event {
	e := f.editor(&r.field)
	if name := k.String(); r.field.Kind == Text && len(r.field.Options) > 0 &&
		(name == "left" || name == "right") && (e.all || e.Len() == 0) {
		return f.step(r, map[string]int{"left": -1, "right": 1}[name])
	}
	used, changed := e.Update(k, f.editorWidth(&r.field))
	switch {
	case changed:
		return Event{Kind: Changed, ID: f.focus}
	case used:
		return Event{Kind: Moved, ID: f.focus}
	default:
		return Event{}
	}
}

// move moves the focus by fields; it stops at the ends.
func (f *Form) move(by int) Event {
	from := f.index(f.focus)
	for i := from + by; i >= 0 && i < len(f.rows); i += by {
		if f.rows[i].field.takesFocus() {
			return f.moveTo(f.rows[i].field.ID)
		}
	}
	return Event{Kind: Moved, ID: f.focus}
}

// around moves the focus by fields, from the last one to the first and back.
func (f *Form) around(by int) Event {
	n := len(f.rows)
	for i, at := 0, f.index(f.focus); i < n; i++ {
		at = (at + by + n) % n
		if f.rows[at].field.takesFocus() {
			return f.moveTo(f.rows[at].field.ID)
		}
	}
	return Event{Kind: Moved, ID: f.focus}
}

func (f *Form) moveTo(id string) Event {
	left := f.focus
	f.Focus(id)
	if left == id {
		left = ""
	}
	return Event{Kind: Moved, ID: f.focus, Left: left}
}

// page moves the focus by about a screenful of lines.
func (f *Form) page(dir int) Event {
	from := f.index(f.focus)
	to, lines := from, 0
	for i := from + dir; i >= 0 && i < len(f.rows); i += dir {
		lines += len(f.draw(f.rows[i]))
		if lines > f.h && to != from {
			break
		}
		if f.rows[i].field.takesFocus() {
			to = i
		}
	}
	if to == from && dir > 0 { // nothing below takes the focus
		f.bottom()
		return Event{Kind: Moved, ID: f.focus}
	}
	return f.moveTo(f.rows[to].field.ID)
}

// step chooses the next or the previous option.
func (f *Form) step(r *row, by int) Event {
	n := len(r.field.Options)
	switch r.field.Kind {
	case Buttons:
		f.button = min(max(f.button+by, 0), n-1)
		return Event{Kind: Moved, ID: r.field.ID}
	case Choice, Pick, Text:
	default:
		return Event{}
	}
	if n == 0 {
		return Event{}
	}
	at := slices.IndexFunc(r.field.Options, func(o Option) bool { return o.Value == f.Text(r.field.ID) })
	to := at + by
	if at < 0 {
		to = 0
		if by < 0 {
			to = n - 1
		}
	}
	if to < 0 || to >= n {
		return Event{Kind: Moved, ID: r.field.ID}
	}
	return f.choose(r, to)
}

// choose takes the i-th option.
func (f *Form) choose(r *row, i int) Event {
	if i < 0 || i >= len(r.field.Options) {
		return Event{}
	}
	f.SetText(r.field.ID, r.field.Options[i].Value)
	if r.field.Kind == Text {
		f.editor(&r.field).selectAll()
	}
	return Event{Kind: Changed, ID: r.field.ID}
}

// enter is the enter key, or the space bar where it types nothing.
func (f *Form) enter(r *row, enter bool) Event {
	switch r.field.Kind {
	case Fold:
		return Event{Kind: Pressed, ID: r.field.ID}
	case Buttons:
		if f.button < len(r.field.Options) {
			return Event{Kind: Pressed, ID: r.field.ID, Value: r.field.Options[f.button].Value}
		}
	case Pick, Items:
		return Event{Kind: Opened, ID: r.field.ID}
	case Choice:
		if n := len(r.field.Options); n > 0 { // wraps around: one key reaches them all
			at := slices.IndexFunc(r.field.Options, func(o Option) bool { return o.Value == f.Text(r.field.ID) })
			return f.choose(r, (at+1)%n)
		}
	default:
		if f.capture && enter {
			return f.move(1)
		}
		if enter {
			f.capture = true
			return Event{Kind: Moved, ID: f.focus}
		}
	}
	return Event{}
}

// Click handles a click on a zone of the form; other zones are ignored.
func (f *Form) Click(c zone.Click) Event {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(c.Zone, "btn:"), f.prefix)
	if !ok {
		return Event{}
	}
	id, part, _ := strings.Cut(rest, "/")
	i := f.index(id)
	if i < 0 || !f.rows[i].field.takesFocus() {
		return Event{}
	}
	r := f.rows[i]
	left := f.focus
	if left == id {
		left = ""
	}
	f.Focus(id)
	ev := f.clickPart(r, part, c.X, c.Double)
	if ev.Kind == Ignored {
		ev = Event{Kind: Moved, ID: id}
	}
	ev.Left = left
	return ev
}

func (f *Form) clickPart(r *row, part string, x int, double bool) Event {
	n, arg := 0, ""
	if part != "" {
		arg = part[:1]
		for _, c := range part[1:] {
			n = n*10 + int(c-'0')
		}
	}
	if r.field.Kind == Items {
		return Event{Kind: Opened, ID: r.field.ID, Value: strings.TrimPrefix(part, "i")}
	}
	switch arg {
	case "o":
		if r.field.Kind == Buttons {
			f.button = n
			return f.enter(r, true)
		}
		return f.choose(r, n)
	case "e":
		e := f.editor(&r.field)
		e.Point(n, x, f.editorWidth(&r.field))
		if double && r.field.Kind == Text {
			e.selectAll()
		}
	case "x":
		return f.removeItem(r, n)
	case "+":
		e := f.editor(&r.field)
		e.SetCursor(e.Len())
		if e.Len() > 0 && !strings.HasSuffix(e.Value(), "\n") {
			e.Insert("\n")
			return Event{Kind: Changed, ID: r.field.ID}
		}
	case "v", "":
		if r.field.Kind == Fold || r.field.Kind == Pick && arg == "v" {
			return f.enter(r, true)
		}
	}
	return Event{}
}

// removeItem removes the item of the visual line n from a list.
func (f *Form) removeItem(r *row, n int) Event {
	e := f.editor(&r.field)
	lines := e.layout(f.editorWidth(&r.field))
	if n += e.top; n >= len(lines) {
		return Event{}
	}
	e.SetCursor(lines[n].start)
	a, b := e.lineStart(), e.lineEnd()
	if b < e.Len() {
		b++
	} else if a > 0 {
		a--
	}
	if !e.erase(a, b) {
		return Event{}
	}
	return Event{Kind: Changed, ID: r.field.ID}
}

// Wheel scrolls the form by lines without moving the focus.
func (f *Form) Wheel(by int) {
	f.free = true
	f.top += by
}
