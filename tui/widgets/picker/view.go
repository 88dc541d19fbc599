package picker

import (
	"cmp"
	"fmt"
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/list"
	"darkroom/tui/widgets/zone"
)

// View draws the dialog, exactly w x h cells with its border; each item is the zone
// "pick:<id>". The cursor's item is always in sight.
func (m *Model) View(st *themes.Styles, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := []string{
		widgets.NewInk(st.Accent).Text("❯ ") +
			m.in.Field(form.NewPaper(st), m.Placeholder, true, iw-2),
	}
	if ih > 4 {
		lines = append(lines, widgets.NewInk(st.Border).Text(strings.Repeat("─", iw)))
	}
	foot := m.foot(st, iw, ih-len(lines))
	rows := max(1, ih-len(lines)-len(foot))
	m.rows.SetRows(rows)
	shown := m.list(st, iw, rows)
	for len(foot) > 0 && len(shown) < rows {
		shown = append(shown, "")
	}
	lines = append(append(lines, shown...), foot...)
	footer := ""
	if len(m.items) > 0 {
		footer = fmt.Sprintf("%d of %d", len(m.found), len(m.items))
	}
	keys := m.Keys
	if widgets.Width(keys)+widgets.Width(footer)+4 > iw {
		keys = ""
	}
	return widgets.BoxFooter(st, widgets.NewInk(st.DialogTitle).Text(m.Title), widgets.NewInk(st.Faint).Text(keys), footer,
		strings.Join(lines, "\n"), w, h, true)
}

// aboutLines is the room for the lines about an item, from a list of aboutFrom lines on.
const (
	aboutLines = 4
	aboutFrom  = 12
)

// foot are the lines below the list: the note, and the lines about the item under the cursor.
// Their number is the same for all items, which keeps the list in place.
func (m *Model) foot(st *themes.Styles, w, room int) []string {
	var out []string
	if room >= aboutFrom {
		some := false
		for i := range m.items {
			some = some || len(m.items[i].About) > 0
		}
		if some {
			out = append(out, widgets.NewInk(st.Border).Text(strings.Repeat("─", w)))
			it, _ := m.Current()
			for i := range aboutLines {
				line := ""
				if i < len(it.About) {
					line = widgets.NewInk(st.Muted).Text(widgets.Truncate(oneLine(it.About[i]), w))
				}
				out = append(out, line)
			}
		}
	}
	if m.Note != "" && room >= 4 {
		out = append(out, widgets.NewInk(st.Warn).Text(widgets.Truncate(oneLine(m.Note), w)))
	}
	return out
}

// widest is the width of the titles when the details are aligned in one column, else 0.
func (m *Model) widest() int {
	if !m.Aligned {
		return 0
	}
	widest := 0
	for i := range m.items {
		widest = max(widest, widgets.Width(m.items[i].Title))
	}
	return widest
}

// entry is a line of the list: an item, or the title of a group.
type entry struct {
	found int // index into found, -1 for a group
	group string
}

// entries are all lines of the list. Headings of groups are shown only while the query is empty:
// afterwards the best matches come first, whatever their group.
func (m *Model) entries() (list []entry, cursor int) {
	grouped := m.grouped()
	last := ""
	for i, f := range m.found {
		g := m.items[f.item].Group
		if grouped && g != "" && g != last {
			list = append(list, entry{found: -1, group: g})
		}
		last = g
		if i == m.rows.Cursor() {
			cursor = len(list)
		}
		list = append(list, entry{found: i})
	}
	return list, cursor
}

// grouped reports whether the headings of groups show.
func (m *Model) grouped() bool { return strings.TrimSpace(m.in.Value()) == "" }

func (m *Model) list(st *themes.Styles, w, rows int) []string {
	if len(m.found) == 0 {
		out := widgets.WrapLines(cmp.Or(m.Empty, "nothing found"), w, rows)
		for i := range out {
			out[i] = widgets.NewInk(st.Muted).Text(out[i])
		}
		return out
	}
	all, at := m.entries()
	first := at
	if at > 0 && all[at-1].found < 0 {
		first = at - 1 // the group's title shows with its first item
	}
	m.top = list.Window(m.top, first, at, len(all), rows)
	p, widest := newPens(st), m.widest()
	return list.Lines(st, m.top, len(all), rows, w, func(i, w int) string {
		e := all[i]
		if e.found < 0 {
			return p.head.Text(widgets.Fit(e.group, w, 1))
		}
		p.column = min(widest, w/2)
		return m.item(p, m.found[e.found], e.found == m.rows.Cursor(), w)
	})
}

// pens are the styles of one drawing.
type pens struct {
	head, row, selected, match, muted, faint, keys, cursor widgets.Ink

	column int // where details begin, 0 for right behind the title
}

func newPens(st *themes.Styles) pens {
	return pens{
		head: widgets.NewInk(st.Head), row: widgets.NewInk(st.Row),
		selected: widgets.NewInk(st.RowSelected), match: widgets.NewInk(st.Match),
		muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		keys: widgets.NewInk(st.HelpKey), cursor: widgets.NewInk(st.Accent),
	}
}

// item draws one item in exactly w cells.
func (m *Model) item(p pens, f match, selected bool, w int) string {
	it := m.items[f.item]
	sign, base := "  ", p.row
	if selected {
		sign, base = p.cursor.Text("▸")+" ", p.selected
	}
	title, detail := highlight(it.Title, f.at, p.match), it.Detail
	if !m.grouped() {
		detail = cmp.Or(it.Alone, detail)
	}
	if len(f.found) > 0 {
		detail = strings.TrimSuffix(strings.Join(f.found, " · ")+" · "+detail, " · ")
	}
	if it.Off != "" { // all of it, its keys too
		title, detail = p.faint.Text(it.Title), it.Off
		p.muted, p.keys, p.cursor = p.faint, p.faint, p.faint
	}
	keys := it.Keys
	if it.Sign != "" && w > 12 {
		sign += p.cursor.Text(it.Sign) + " "
	}
	room := w - widgets.Width(sign)
	if keys != "" {
		if widgets.Width(keys)+widgets.Width(it.Title)+2 > room {
			keys = ""
		} else {
			room -= widgets.Width(keys) + 2
		}
	}
	text, wide := title, widgets.Width(it.Title)
	if p.column > wide {
		text, wide = text+strings.Repeat(" ", p.column-wide), p.column
	}
	if free := room - wide - 2; detail != "" && free > 3 {
		text += "  " + p.detail(widgets.Truncate(oneLine(detail), free), f.words)
	}
	line := sign + widgets.Fit(text, room, 1)
	if keys != "" {
		line += "  " + p.keys.Text(keys)
	}
	return zone.Mark(zonePrefix+zoneName(it.ID), base.Over(widgets.Fit(line, w, 1)))
}

// detail is a text with the words that were searched for marked in it.
func (p *pens) detail(s string, words []string) string {
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return p.muted.Text(s)
	}
	var b strings.Builder
	for len(s) > 0 {
		at, n := len(s), 0
		for _, w := range words {
			if i := strings.Index(low, w); i >= 0 && i < at {
				at, n = i, len(w)
			}
		}
		if at > 0 {
			b.WriteString(p.muted.Text(s[:at]))
		}
		if n > 0 {
			b.WriteString(p.match.Text(s[at : at+n]))
		}
		s, low = s[at+n:], low[at+n:]
	}
	return b.String()
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// highlight colours the characters of s that begin at the bytes at.
func highlight(s string, at []int, ink widgets.Ink) string {
	if len(at) == 0 {
		return s
	}
	hit := make(map[int]bool, len(at))
	for _, i := range at {
		hit[i] = true
	}
	var b strings.Builder
	run := ""
	for i, r := range s {
		if hit[i] {
			run += string(r)
			continue
		}
		b.WriteString(ink.Text(run))
		run = ""
		b.WriteRune(r)
	}
	b.WriteString(ink.Text(run))
	return b.String()
}
