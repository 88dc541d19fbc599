package form

import (
	"strconv"

	"darkroom/tui/widgets/zone"
)

// renderItems draws the entries that there is room for, and a line that adds one.
func (p *panel) renderItems(d *Field, focus bool) []string {
	_, w := p.values()
	most := d.MaxRows
	if most <= 0 {
		most = 6
	}
	shown := min(len(d.Entries), most)
	out := make([]string, 0, shown+1)
	ink := p.ink.value
	if focus {
		ink = p.ink.active
	}
	for i, e := range d.Entries[:shown] {
		l := line{w: w}
		if e.Mark >= Warn {
			l.put(p.ink.marks[e.Mark].Text(signs[e.Mark])+" ", 2)
		}
		l.text(ink, e.Text)
		out = append(out, zone.Mark(p.zone(d, "i"+strconv.Itoa(i)), l.done()))
	}
	l := line{w: w}
	if len(d.Entries) == 0 {
		l.text(p.ink.hint, d.Hint)
	}
	if d.Add != "" {
		if l.x > 0 {
			l.put("  ", 2)
		}
		s, n := clip(d.Add, w)
		l.put(zone.Mark(p.zone(d, "+"), p.ink.faint.Text(s)), n)
	}
	if hidden := len(d.Entries) - shown; hidden > 0 {
		l.text(p.ink.faint, "  "+strconv.Itoa(hidden)+" more")
	}
	if d.Detail != "" {
		l.text(p.ink.faint, "  "+d.Detail)
	}
	p.note(d, &l, d.Mark >= Warn)
	if l.x > 0 || len(out) == 0 {
		out = append(out, l.done())
	}
	return out
}
