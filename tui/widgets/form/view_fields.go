package form

import (
	"strconv"
	"strings"

	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// line gathers pieces of a line of at most w cells.
type line struct {
	b    strings.Builder
	x, w int
}

// put adds a piece of n cells that is known to fit, or nothing when it does not.
func (l *line) put(s string, n int) bool {
	if l.x+n > l.w {
		return false
	}
	l.b.WriteString(s)
	l.x += n
	return true
}

// text adds a clean text, cut to what is left.
func (l *line) text(ink widgets.Ink, s string) {
	s, n := clip(s, l.w-l.x)
	l.put(ink.Text(s), n)
}

func (l *line) done() string { return l.b.String() + pad(l.w-l.x) }

// paper is what the editor of a field is drawn with.
func (f *Form) paper(d *Field, focus bool) paper {
	return paper{text: f.ink.value, cursor: f.ink.cursor, selection: f.ink.selection,
		placeholder: f.ink.hint, hint: d.Hint, focus: focus && f.capture, bar: f.ink.bar}
}

func (f *Form) renderText(d *Field, focus bool) string {
	_, w := f.values()
	ew := f.editorWidth(d)
	e := f.editor(d)
	l := line{w: w}
	note := d.Note != "" && (!focus || !f.capture) && d.Mark >= Warn
	if _, n := show(e.Value()); note && ew == w && n+8 < w {
		ew = max(n+1, 8) // leave the rest to the note
	}
	detail := d.Detail != "" && (!focus || !f.capture) && !note && ew == w && (e.Len() > 0 || d.Mark == Differs)
	if detail {
		ew = f.besideDetail(d, w)
	}
	text := e.render(ew, 1, f.paper(d, focus))[0]
	if path, ok := f.asPath(d, focus, e.Value()); ok {
		text = f.path(path, ew)
	}
	l.put(zone.Mark(f.zone(d, "e0"), text), ew)
	if d.Unit != "" && l.x+2 < w {
		l.put(" ", 1)
		l.text(f.ink.faint, d.Unit)
	}
	f.suggest(d, &l)
	if (detail || d.Mark == Differs && d.Detail != "") && w-l.x >= 6 {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	f.note(d, &l, note)
	return l.done()
}

// besideDetail is the room for a text that shares its line of w cells with a detail: what
// it needs, but for a path no more than leaves the detail the greater part of the line.
func (f *Form) besideDetail(d *Field, w int) int {
	_, dn := show(d.Detail)
	if path, ok := f.asPath(d, false, f.Text(d.ID)); ok { // its end shows, where its name is
		_, n := show(path)
		return max(8, min(n, w-min(dn+2, w*5/8)))
	}
	_, n := show(f.Text(d.ID))
	return max(8, min(n+1, w))
}

// suggest shows the usual values of a text, each to be clicked.
func (f *Form) suggest(d *Field, l *line) {
	text := f.Text(d.ID)
	if n := widgets.Width(d.Lead); n > 0 && l.x+n+2 <= l.w {
		l.text(f.ink.faint, "  "+d.Lead)
	}
	for i, o := range d.Options {
		ink := f.ink.option
		if o.Value == text {
			ink = f.ink.active
		}
		s, n := show(o.label())
		if l.x+n+2 > l.w {
			l.text(f.ink.faint, " …")
			return
		}
		l.put("  "+zone.Mark(f.zone(d, "o"+strconv.Itoa(i)), ink.Text(s)), n+2)
	}
}

// note adds what is wrong, as far as there is room to say it.
func (f *Form) note(d *Field, l *line, on bool) {
	if on && d.Note != "" && l.w-l.x >= 12 {
		l.put("  ", 2)
		l.text(f.ink.marks[d.Mark], d.Note)
	}
}

// renderChoice shows all options, over as many lines as they need.
func (f *Form) renderChoice(d *Field, focus bool) []string {
	_, w := f.values()
	on := f.ink.value
	if focus {
		on = f.ink.active
	}
	var out []string
	l := line{w: w}
	text := f.Text(d.ID)
	for i, o := range d.Options {
		s, n := clip(o.label(), w-2)
		piece := " " + f.ink.option.Text(s) + " "
		if o.Value == text {
			piece = on.Text("‹" + s + "›")
		}
		if l.x+n+2 > w {
			out = append(out, l.done())
			l = line{w: w}
		}
		l.put(zone.Mark(f.zone(d, "o"+strconv.Itoa(i)), piece), n+2)
	}
	if d.Unit != "" {
		l.text(f.ink.faint, " "+d.Unit)
	}
	if d.Detail != "" && w-l.x >= 6 {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	f.note(d, &l, d.Mark >= Warn)
	return append(out, l.done())
}

func (f *Form) renderPick(d *Field, focus bool) string {
	_, w := f.values()
	l := line{w: w}
	ink, text := f.ink.value, f.Text(d.ID)
	if focus {
		ink = f.ink.active
	}
	for _, o := range d.Options {
		if o.Value == text {
			text = o.label()
			break
		}
	}
	if text == "" {
		ink, text = f.ink.hint, d.Hint
	}
	s, n := clip(text, w-3)
	l.put(zone.Mark(f.zone(d, "v"), ink.Text(s)+f.ink.faint.Text(" ▾")), n+2)
	if d.Detail != "" {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	f.note(d, &l, d.Mark >= Warn)
	return l.done()
}

func (f *Form) renderStruck(d *Field) string {
	_, w := f.values()
	l := line{w: w}
	text := f.Text(d.ID)
	if d.Hint != "" {
		text = d.Hint
	}
	l.text(f.ink.struck, text)
	if d.Detail != "" {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	return l.done()
}

func (f *Form) renderFold(d *Field, focus bool) string {
	l := line{w: f.w}
	ink, lead := f.ink.muted, "  "
	if focus {
		ink, lead = f.ink.labelFocus, f.ink.accent.Text("›")+" "
	}
	l.put(lead, gutter)
	l.text(ink, d.Label)
	if d.Detail != "" {
		l.text(f.ink.faint, "  "+d.Detail)
	}
	return l.done()
}

// renderButtons puts the buttons in a row, or in as many as they need.
func (f *Form) renderButtons(d *Field, focus bool) []string {
	out := []string{pad(f.w)}
	l := line{w: f.w}
	l.put(pad(gutter), gutter)
	for i, o := range d.Options {
		b := widgets.Button(f.styles, f.zone(d, "o"+strconv.Itoa(i)), o.label(), focus && i == f.button, false)
		n := widgets.Width(b)
		if l.x+n+1 > f.w && l.x > gutter {
			out = append(out, l.done())
			l = line{w: f.w}
			l.put(pad(gutter), gutter)
		}
		l.put(b+" ", n+1)
	}
	f.note(d, &l, d.Note != "")
	return append(out, l.done())
}
