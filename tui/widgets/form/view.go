package form

import (
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// gutter is what stands before a label: the sign of the focus and a blank.
const gutter = 2

// Lines draws the form: exactly as many lines, exactly as wide, as SetSize said. The focus is in
// sight, unless the view was scrolled away from it by hand.
func (f *Form) Lines() []string {
	all := make([]string, 0, f.h+len(f.rows))
	from, to, cursor := 0, 0, 0
	for _, r := range f.rows {
		at := len(all)
		all = append(all, f.draw(r)...)
		if r.field.ID == f.focus {
			from, to = at, len(all)
			cursor = at + f.cursorLine(r)
		}
	}
	f.scroll(len(all), from, to, cursor)
	out := make([]string, 0, f.h)
	for i := f.top; i < len(all) && len(out) < f.h; i++ {
		out = append(out, all[i])
	}
	for len(out) < f.h {
		out = append(out, pad(f.w))
	}
	return out
}

// scroll brings the lines from..to into view, or when they are too many, the line cursor.
func (f *Form) scroll(n, from, to, cursor int) {
	if !f.free {
		if to-from > f.h {
			from, to = max(from, cursor-f.h/2), min(to, max(cursor+1, cursor-f.h/2+f.h))
		}
		if to > f.top+f.h {
			f.top = to - f.h
		}
		if from < f.top {
			f.top = from
		}
	}
	f.top = max(0, min(f.top, n-f.h))
}

// Above is the number of lines over the first one that shows, as of the last Lines.
func (f *Form) Above() int { return f.top }

// Below is the number of lines under the last one that shows.
func (f *Form) Below() int {
	n := 0
	for _, r := range f.rows {
		n += len(f.draw(r))
	}
	return max(0, n-f.top-f.h)
}

// cursorLine is the line within a field's own where the cursor is.
func (f *Form) cursorLine(r *row) int {
	if !r.field.editable() || r.field.Kind == Text {
		return 0
	}
	e := f.editor(&r.field)
	at, _ := e.at(f.editorWidth(&r.field))
	at -= e.top
	if f.boxed(&r.field) {
		at++
	}
	return max(0, at)
}

// labels is the width of the column of labels.
func (p *panel) labels() int {
	if p.w >= 60 && p.labelW > steadyLabels/2 {
		return min(max(p.labelW, steadyLabels), 20)
	}
	return min(p.labelW, max(7, p.w*28/100), 20)
}

// steadyLabels is how wide the labels of a long form are at least, where there is room: its values
// stay in one place while fields come and go.
const steadyLabels = 15

// values is where the values begin, and their width. All begin in one column, behind a cell for what
// marks the first choice: label, a blank, sign, a blank, that cell.
func (p *panel) values() (x, w int) {
	x = gutter + p.labels() + 4
	return x, max(4, p.w-x)
}

// boxed reports whether a field is drawn in a frame: only where there is room for one.
func (p *panel) boxed(d *Field) bool { return d.Boxed && d.Kind == Lines && p.h >= 12 && p.w >= 44 }

// editorWidth is the width of the text of an editable field.
func (p *panel) editorWidth(d *Field) int {
	_, w := p.values()
	switch d.Kind {
	case Lines:
		if p.boxed(d) {
			w -= 2
		}
	case List:
		w -= 2 + p.numbers(d)
	case Text:
		if len(d.Options) > 0 {
			return p.spread(d).room
		}
		if d.Unit != "" {
			_, n := show(p.Text(d.ID))
			if n == 0 && d.Hint != "" {
				_, n = show(d.Hint)
				n++
			}
			return min(w, max(n+1, 2))
		}
	}
	return max(4, w)
}

// draw returns the lines of a field, from the last drawing when nothing has changed.
func (f *Form) draw(r *row) []string {
	key := rowKey{drawn: true, focus: r.field.ID == f.focus && !f.blurred, w: f.w, labelW: f.labels(), ink: f.ink}
	if key.focus {
		key.capture, key.button = f.capture, f.button
	}
	if e := f.texts[r.field.ID]; e != nil && r.field.editable() {
		key.version = e.version
		key.boxed, key.least = f.boxed(&r.field), f.least(&r.field)
	} else {
		key.value = f.Text(r.field.ID)
	}
	if r.key != key {
		r.lines, r.key = f.render(r, key.focus), key
	}
	return r.lines
}

func (p *panel) zone(d *Field, part string) string {
	if part == "" {
		return p.prefix + d.ID
	}
	return p.prefix + d.ID + "/" + part
}

// render draws the lines of a field.
func (p *panel) render(r *row, focus bool) []string {
	d := &r.field
	var lines []string
	switch d.Kind {
	case Heading:
		s, n := clip(d.Label, p.w-gutter)
		return []string{pad(gutter) + p.ink.muted.Text(s) + pad(p.w-gutter-n)}
	case Fold:
		lines = []string{p.renderFold(d, focus)}
	case Buttons:
		lines = p.renderButtons(d, focus)
	case Lines, List:
		lines = p.beside(d, focus, p.led(d, p.renderMany(d, focus)))
	case Choice:
		lines = p.beside(d, focus, p.renderChoice(d, focus))
	case Items:
		lines = p.beside(d, focus, p.led(d, p.renderItems(d, focus)))
	case Pick:
		lines = p.beside(d, focus, p.led(d, []string{p.renderPick(d, focus)}))
	case Struck:
		lines = p.beside(d, false, p.led(d, []string{p.renderStruck(d)}))
		return lines
	default:
		if len(d.Options) > 0 {
			lines = p.beside(d, focus, []string{p.renderOpen(d, focus)})
		} else {
			lines = p.beside(d, focus, p.led(d, []string{p.renderText(d, focus)}))
		}
	}
	if d.Kind == Buttons {
		return lines
	}
	for _, l := range d.Below {
		x, w := p.values()
		lines = append(lines, pad(x)+widgets.Line(l, w)+pad(p.w-x-w))
	}
	for i := range lines {
		lines[i] = zone.Mark(p.zone(d, ""), lines[i])
	}
	return lines
}

// led puts the empty cell before lines that no mark of a choice begins; a frame stands in it, and in
// the blank before.
func (p *panel) led(d *Field, lines []string) []string {
	if p.boxed(d) {
		return lines
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// beside puts the label and the sign of the mark before the lines of a value, which begin in the cell
// before the column of values; a frame begins in the blank before that.
func (p *panel) beside(d *Field, focus bool, value []string) []string {
	w := p.labels()
	label, n := clip(d.Label, w)
	ink, lead := p.ink.label, pad(gutter)
	if focus {
		ink, lead = p.ink.labelFocus, p.ink.accent.Text("›")+" "
	}
	first, gap := 0, 1
	if len(value) > 2 && p.boxed(d) {
		first, gap = 1, 0
	}
	out := make([]string, len(value))
	for i, v := range value {
		if i == first {
			out[i] = lead + ink.Text(label) + pad(w-n) + " " + p.ink.marks[d.Mark].Text(signs[d.Mark]) + pad(gap) + v
		} else {
			out[i] = pad(gutter+w+2+gap) + v
		}
	}
	return out
}
