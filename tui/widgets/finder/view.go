package finder

import (
	"strconv"
	"strings"

	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// wholeFrom is the height from which the text under the cursor is shown in full.
const wholeFrom = 14

// View draws the dialog, exactly w x h cells with its border; each item is the zone
// "find:<index>". The cursor's item is always in sight.
func (m *Model) View(st *themes.Styles, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	rule := widgets.NewInk(st.Border).Text(strings.Repeat("─", iw))
	lines := []string{widgets.NewInk(st.Accent).Text("❯ ") + m.in.Line(st, m.Hint, max(1, iw-2))}
	if ih > 4 {
		lines = append(lines, rule)
	}
	var whole []string
	if it, ok := m.Current(); ok && ih >= wholeFrom {
		n := ih / 4
		whole = widgets.WrapLines(it.Text, iw, n)
		ink := widgets.NewInk(st.Dialog)
		for i := range whole {
			whole[i] = ink.Text(whole[i])
		}
		for len(whole) < n {
			whole = append(whole, "")
		}
		whole = append([]string{rule}, whole...)
	}
	foot := 0
	if m.Keys != "" && ih > 5 {
		foot = 1
	}
	m.rows.SetRows(max(1, ih-len(lines)-len(whole)-foot))
	shown := m.list(st, iw)
	for len(shown) < m.rows.Rows() {
		shown = append(shown, "")
	}
	lines = append(append(lines, shown...), whole...)
	if foot > 0 {
		lines = append(lines, widgets.NewInk(st.Faint).Text(widgets.Truncate(m.Keys, iw)))
	}
	return widgets.BoxFooter(st, widgets.NewInk(st.DialogTitle).Text(m.Title), "", m.state(),
		strings.Join(lines, "\n"), w, h, true)
}

// state describes the list.
func (m *Model) state() string {
	n := strconv.Itoa(len(m.items))
	switch {
	case m.Busy:
		return "looking …"
	case len(m.items) == 0:
		return ""
	case m.Done:
		return strconv.Itoa(m.rows.Cursor()+1) + " of " + n
	default:
		return strconv.Itoa(m.rows.Cursor()+1) + " of " + n + ", and more"
	}
}

func (m *Model) list(st *themes.Styles, w int) []string {
	if len(m.items) == 0 {
		text := m.Note
		if text == "" && !m.Busy {
			text = "nothing found"
		}
		out := widgets.WrapLines(text, w, m.rows.Rows())
		for i := range out {
			out[i] = widgets.NewInk(st.Muted).Text(out[i])
		}
		return out
	}
	words := strings.Fields(strings.ToLower(m.Query()))
	return m.rows.Lines(st, w, func(i, w int) string { return m.item(st, i, words, w) })
}

// item draws one item in exactly w cells.
func (m *Model) item(st *themes.Styles, i int, words []string, w int) string {
	it := &m.items[i]
	sign, base := "  ", widgets.NewInk(st.Row)
	if i == m.rows.Cursor() {
		sign, base = widgets.NewInk(st.Accent).Text("▸")+" ", widgets.NewInk(st.RowSelected)
	}
	room := w - 2
	detail := it.Detail
	if n := widgets.Width(detail); n+16 > room {
		detail = ""
	} else if n > 0 {
		room -= n + 2
	}
	text := widgets.Fit(found(oneLine(it.Text, room, words), words, widgets.NewInk(st.Match)), room, 1)
	if detail != "" {
		text += "  " + widgets.NewInk(st.Faint).Text(detail)
	}
	return zone.Mark(zonePrefix+strconv.Itoa(i), base.Over(widgets.Fit(sign+text, w, 1)))
}

// maxScan bounds how much of a text is drawn into one line, in bytes.
const maxScan = 4000

// oneLine is a text in one line of at most w cells, cut so that the first word searched for shows.
func oneLine(s string, w int, words []string) string {
	s = strings.Join(strings.Fields(s[:min(len(s), maxScan)]), " ")
	s = strings.ToValidUTF8(s, "")
	if len(words) == 0 || widgets.Width(s) <= w {
		return widgets.Truncate(s, w)
	}
	low := strings.ToLower(s)
	if at := strings.Index(low, words[0]); at > 0 && len(low) == len(s) {
		if from := strings.LastIndexByte(s[:max(0, at-w/3)], ' '); from > 0 && widgets.Width(s[:at])+len(words[0]) > w {
			s = widgets.Ellipsis + s[from+1:]
		}
	}
	return widgets.Truncate(s, w)
}

// found highlights the words searched for.
func found(s string, words []string, ink widgets.Ink) string {
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return s // lower case changes its letters: highlight nothing
	}
	var b strings.Builder
	for s != "" {
		at, n := -1, 0
		for _, w := range words {
			if i := strings.Index(low, w); i >= 0 && (at < 0 || i < at) {
				at, n = i, len(w)
			}
		}
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		b.WriteString(ink.Text(s[at : at+n]))
		s, low = s[at+n:], low[at+n:]
	}
	return b.String() + s
}
