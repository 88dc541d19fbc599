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

// put adds a piece of n cells if it fits; else it adds nothing.
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
func (p *panel) paper(d *Field, focus bool) paper {
	return paper{text: p.ink.value, cursor: p.ink.cursor, selection: p.ink.selection,
		placeholder: p.ink.hint, hint: d.Hint, focus: focus && p.capture, bar: p.ink.bar}
}

func (p *panel) renderText(d *Field, focus bool) string {
	_, w := p.values()
	ew := p.editorWidth(d)
	e := p.editor(d)
	l := line{w: w}
	note := d.Note != "" && (!focus || !p.capture) && d.Mark >= Warn
	detail := false
	if ew == w {
		ew, detail = p.share(d, w, note, focus && p.capture)
	}
	text := e.render(ew, 1, p.paper(d, focus))[0]
	if path, ok := p.asPath(d, focus, e.Value()); ok {
		text = p.path(path, ew)
	}
	l.put(zone.Mark(p.zone(d, "e0"), text), ew)
	if d.Unit != "" && l.x+2 < w && (e.Len() > 0 || !strings.HasPrefix(d.Hint, Auto)) {
		l.put(" ", 1)
		l.text(p.ink.faint, d.Unit)
	}
	if (detail || d.Mark == Differs && d.Detail != "") && w-l.x >= 6 {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, &l, note)
	return l.done()
}

// share is the room for a text that has a line of w cells to itself, and whether a detail stands
// behind it: a note gets the cells that the text does not need.
func (p *panel) share(d *Field, w int, note, writing bool) (room int, detail bool) {
	e := p.editor(d)
	_, n := show(e.Value())
	switch {
	case note && n+8 < w:
		return max(n+1, 8), false
	case d.Detail != "" && !writing && !note && (e.Len() > 0 || d.Mark == Differs):
		return p.besideDetail(d, w), true
	default:
		return w, false
	}
}

// besideDetail is the room for a text that shares its line of w cells with a detail: as much as it
// needs, but a path leaves the detail the greater part of the line.
func (p *panel) besideDetail(d *Field, w int) int {
	_, dn := show(d.Detail)
	if path, ok := p.asPath(d, false, p.Text(d.ID)); ok { // its end shows, where its name is
		_, n := show(path)
		return max(8, min(n, w-min(dn+2, w*7/10)))
	}
	_, n := show(p.Text(d.ID))
	return max(8, min(n+1, w))
}

// note adds the finding, as far as there is room.
func (p *panel) note(d *Field, l *line, on bool) {
	if on && d.Note != "" && l.w-l.x >= 12 {
		l.put("  ", 2)
		l.text(p.ink.marks[d.Mark], d.Note)
	}
}

func (p *panel) renderPick(d *Field, focus bool) string {
	_, w := p.values()
	l := line{w: w}
	ink, text := p.ink.value, p.Text(d.ID)
	if focus {
		ink = p.ink.active
	}
	for _, o := range d.Options {
		if o.Value == text {
			text = o.label()
			break
		}
	}
	if text == "" {
		ink, text = p.ink.hint, d.Hint
	}
	s, n := clip(text, w-3)
	l.put(zone.Mark(p.zone(d, "v"), ink.Text(s)+p.ink.faint.Text(" ▾")), n+2)
	if d.Unit != "" && p.Text(d.ID) != "" {
		l.text(p.ink.faint, " "+d.Unit)
	}
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, &l, d.Mark >= Warn)
	return l.done()
}

func (p *panel) renderStruck(d *Field) string {
	_, w := p.values()
	l := line{w: w}
	text := p.Text(d.ID)
	if d.Hint != "" {
		text = d.Hint
	}
	l.text(p.ink.struck, text)
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	return l.done()
}

func (p *panel) renderFold(d *Field, focus bool) string {
	l := line{w: p.w}
	ink, lead := p.ink.muted, "  "
	if focus {
		ink, lead = p.ink.labelFocus, p.ink.accent.Text("›")+" "
	}
	l.put(lead, gutter)
	l.text(ink, d.Label)
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	return l.done()
}

// renderButtons puts the buttons in a row, or in as many as they need.
func (p *panel) renderButtons(d *Field, focus bool) []string {
	out := []string{pad(p.w)}
	l := line{w: p.w}
	l.put(pad(gutter), gutter)
	for i, o := range d.Options {
		b := widgets.Button(p.styles, p.zone(d, "o"+strconv.Itoa(i)), o.label(), focus && i == p.button, false)
		n := widgets.Width(b)
		if l.x+n+1 > p.w && l.x > gutter {
			out = append(out, l.done())
			l = line{w: p.w}
			l.put(pad(gutter), gutter)
		}
		l.put(b+" ", n+1)
	}
	p.note(d, &l, d.Note != "")
	return append(out, l.done())
}
