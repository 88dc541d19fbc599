package form

import (
	"slices"
	"strconv"

	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// piece draws one option: chosen between angle marks, what stands for a field that is not set between
// dots. Each takes a cell before and one behind it, so that nothing moves when another is chosen.
func (p *panel) piece(d *Field, i int, chosen bool, on widgets.Ink, w int) (string, int) {
	o := &d.Options[i]
	s, n := clip(o.label(), max(1, w-2))
	var text string
	switch {
	case chosen:
		text = on.Text("‹" + s + "›")
	case o.Usual:
		text = p.ink.faint.Text("·") + p.ink.option.Text(s) + p.ink.faint.Text("·")
	case o.Value == "":
		text = " " + p.ink.hint.Text(s) + " "
	default:
		text = " " + p.ink.option.Text(s) + " "
	}
	return zone.Mark(p.zone(d, "o"+strconv.Itoa(i)), text), n + 2
}

// on is what a chosen value is drawn with.
func (p *panel) on(focus bool) widgets.Ink {
	if focus {
		return p.ink.active
	}
	return p.ink.value
}

// chosen is the index of the option that is the text of a field, -1 for none.
func (p *panel) chosen(d *Field) int {
	text := p.Text(d.ID)
	return slices.IndexFunc(d.Options, func(o Option) bool { return o.Value == text })
}

// renderChoice shows all options, over as many lines as they need. The lines begin in the cell
// before the column of values.
func (p *panel) renderChoice(d *Field, focus bool) []string {
	_, w := p.values()
	var out []string
	l := line{w: w + 1}
	chosen := p.chosen(d)
	for i := range d.Options {
		piece, n := p.piece(d, i, i == chosen, p.on(focus), w+1)
		if l.x+n > w+1 {
			out = append(out, l.done())
			l = line{w: w + 1}
		}
		l.put(piece, n)
	}
	p.behind(d, &l, d.Mark >= Warn)
	return append(out, l.done())
}

// behind adds the unit, the detail and the finding to a line of options.
func (p *panel) behind(d *Field, l *line, note bool) {
	p.unit(d, l)
	if d.Detail != "" && l.w-l.x >= 6 {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, l, note)
}

// unit puts the unit behind the options, one blank away from the last one.
func (p *panel) unit(d *Field, l *line) {
	if d.Unit == "" {
		return
	}
	last := len(d.Options) - 1
	if at := p.chosen(d); at < 0 || at == last || last >= 0 && d.Options[last].Usual {
		l.text(p.ink.faint, " ")
	}
	l.text(p.ink.faint, d.Unit)
}

// spread is which options of a text there is room for, and the room of the text itself.
type spread struct {
	shown  []int
	more   bool // some are left out
	chosen int  // -1: the text is none of them, and stands behind them
	room   int  // for the text, where it is being edited
}

// spread leaves out the last options that do not fit; the first one, which is not to set the field,
// and the text itself always show.
func (p *panel) spread(d *Field) spread {
	_, w := p.values()
	w++
	s := spread{chosen: p.chosen(d)}
	width := func(i int) int { _, n := show(d.Options[i].label()); return min(n, w-2) + 2 }
	left := w
	if d.Unit != "" {
		_, n := show(d.Unit)
		left -= n + 1
	}
	must := []int{0}
	switch {
	case s.chosen > 0:
		must = append(must, s.chosen)
	case s.chosen < 0:
		_, n := show(p.Text(d.ID))
		s.room = min(n+1, max(8, left-width(0)-3))
		left -= s.room + 1
	}
	for _, i := range must {
		left -= width(i)
	}
	for i := range d.Options {
		if i == 0 || i == s.chosen {
			s.shown = append(s.shown, i)
			continue
		}
		need := width(i)
		if i < len(d.Options)-1 {
			need += 2 // the sign that there are more
		}
		if s.more || need > left {
			s.more = true
			continue
		}
		left -= width(i)
		s.shown = append(s.shown, i)
	}
	if s.chosen >= 0 {
		s.room = width(s.chosen) - 1
	}
	return s
}

// renderOpen shows the options of a text, and the text where it is none of them. What is being
// edited has its cursor where it stands: each value shows once. The line begins in the cell before the
// column of values.
func (p *panel) renderOpen(d *Field, focus bool) string {
	_, w := p.values()
	l := line{w: w + 1}
	s := p.spread(d)
	writing := focus && p.capture
	for _, i := range s.shown {
		if i == s.chosen && writing {
			p.putEditor(d, &l, s.room, focus)
			continue
		}
		piece, n := p.piece(d, i, i == s.chosen, p.on(focus), w+1)
		if !l.put(piece, n) {
			break
		}
	}
	if s.more {
		l.text(p.ink.faint, "… ")
	}
	if s.chosen < 0 {
		p.putEditor(d, &l, s.room, focus)
	}
	if d.Open != "" && focus && l.w-l.x >= len(d.Open)+4+widgets.Width(d.Unit) {
		p.unit(d, &l)
		l.text(p.ink.faint, "  "+d.Open)
		p.note(d, &l, d.Note != "" && !writing && d.Mark >= Warn)
		return l.done()
	}
	p.behind(d, &l, d.Note != "" && !writing && d.Mark >= Warn)
	return l.done()
}

// putEditor puts the text that is edited, or is none of the options, into their line.
func (p *panel) putEditor(d *Field, l *line, room int, focus bool) {
	paper, e, on := p.paper(d, focus), p.editor(d), p.on(focus)
	room = min(room, l.w-l.x-1)
	if room < 2 {
		return
	}
	l.put(on.Text("‹"), 1)
	if !paper.focus || e.all && !paper.bar { // no cursor shows
		if paper.focus {
			on = paper.selection
		}
		s, n := clip(e.Value(), room-1)
		l.put(zone.Mark(p.zone(d, "e0"), on.Text(s)), n)
		l.put(p.on(focus).Text("›"), 1)
		return
	}
	paper.text, paper.hint, paper.onHint = on, Auto, !paper.bar
	if d.Options[0].Value == "" {
		paper.hint = d.Options[0].label()
	}
	l.put(zone.Mark(p.zone(d, "e0"), e.render(room, 1, paper)[0]), room)
}
