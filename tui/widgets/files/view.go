package files

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// View draws the dialog, exactly w x h cells with its border; each row is the zone "file:<index>".
// Only the visible rows are made.
func (m *Model) View(st *themes.Styles, w, h int) string {
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := []string{widgets.NewInk(st.Accent).Text("❯ ") + m.in.Line(st, m.hint(), max(1, iw-2))}
	if ih > 4 {
		lines = append(lines, widgets.NewInk(st.Border).Text(strings.Repeat("─", iw)))
	}
	foot := 0
	if m.Keys != "" && ih > 5 {
		foot = 1
	}
	m.rows.SetRows(max(1, ih-len(lines)-foot))
	shown := m.rowsOf(st, iw)
	for len(shown) < m.rows.Rows() {
		shown = append(shown, "")
	}
	lines = append(lines, shown...)
	if foot > 0 {
		lines = append(lines, widgets.NewInk(st.Faint).Text(widgets.Truncate(m.Keys, iw)))
	}
	return widgets.BoxFooter(st, m.title(st, w), "", m.state(iw), strings.Join(lines, "\n"), w, h, true)
}

func (m *Model) hint() string {
	if m.latest {
		return "words of a folder …"
	}
	return "part of a name, or a path …"
}

// title shows the folder; the end of its path is always visible.
func (m *Model) title(st *themes.Styles, w int) string {
	place := client.CleanLine(m.dir)
	if m.latest {
		place = "recent folders"
	}
	title := m.Title
	room := w - widgets.Width(title) - 10
	if n := widgets.Width(place); n > room && room > 1 {
		place = widgets.Ellipsis + ansi.TruncateLeft(place, n-room+1, "")
	} else if room <= 1 {
		return widgets.NewInk(st.DialogTitle).Text(title)
	}
	return widgets.NewInk(st.DialogTitle).Text(title + " · " + place)
}

// state describes the list; the least important facts are left out first where there is no room.
func (m *Model) state(w int) string {
	var parts []string
	switch {
	case m.busy && !m.latest:
		return "reading …"
	case m.Path() != "" && !m.narrowed():
		return "enter goes to the path"
	case len(m.shown) > 0:
		parts = append(parts, human.Count(m.rows.Cursor()+1)+" of "+human.Count(len(m.shown)))
	}
	if m.list.Cut && !m.latest {
		parts = append(parts, "and more than are listed")
	}
	if n := len(m.marked); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" marked")
	}
	if m.others > 0 {
		parts = append(parts, human.Count(m.others)+" of other kinds")
	}
	for len(parts) > 1 && widgets.Width(strings.Join(parts, " · ")) > w-2 {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " · ")
}

func (m *Model) rowsOf(st *themes.Styles, w int) []string {
	if len(m.shown) == 0 {
		text, ink := m.nothing(), widgets.NewInk(st.Muted)
		if m.list.Err != nil && !m.busy && !m.latest {
			ink = widgets.NewInk(st.Bad)
		}
		out := widgets.WrapLines(text, w, m.rows.Rows())
		for i := range out {
			out[i] = ink.Text(out[i])
		}
		return out
	}
	return m.rows.Lines(st, w, func(i, w int) string { return m.row(st, i, w) })
}

// nothing says why there are no rows.
func (m *Model) nothing() string {
	hidden := slices.ContainsFunc(m.list.Entries, func(e Entry) bool { return strings.HasPrefix(e.Name, ".") }) && !m.hidden
	switch {
	case m.latest && m.Path() == "":
		return "no recent folder has these words"
	case m.Path() != "":
		return "enter goes to " + client.CleanLine(m.Path())
	case m.busy:
		return ""
	case m.list.Err != nil:
		return "✗ the folder cannot be read: " + client.CleanLine(m.list.Err.Error())
	case m.others > 0:
		text := "of other kinds only: " + human.Count(m.others) + " here"
		if m.in.Len() > 0 {
			text += " with these words"
		}
		if m.AllKey != "" {
			text += "; " + m.AllKey + " shows files of every kind"
		}
		return text
	case m.in.Len() > 0:
		return "no name here has these words"
	case hidden:
		return "only hidden files are here"
	default:
		return "the folder is empty"
	}
}

// row draws one row in exactly w cells.
func (m *Model) row(st *themes.Styles, i, w int) string {
	sign, base := "  ", widgets.NewInk(st.Row)
	if i == m.rows.Cursor() {
		sign, base = widgets.NewInk(st.Accent).Text("▸")+" ", widgets.NewInk(st.RowSelected)
	}
	text := ""
	if m.latest {
		text = widgets.Line(widgets.NewInk(st.Accent).Text(widgets.Truncate(client.CleanLine(m.recent[m.shown[i]]), w-2)), w-2)
	} else {
		text = m.entryLine(st, &m.list.Entries[m.shown[i]], w-2)
	}
	return zone.Mark(zonePrefix+strconv.Itoa(i), base.Over(widgets.Fit(sign+text, w, 1)))
}

// Widths of the columns behind a name, and the least that a name keeps.
const (
	typeWidth = 5
	sizeWidth = 9
	leastName = 12
)

// entryLine is an entry with the known facts; an unwanted one is dimmed.
func (m *Model) entryLine(st *themes.Styles, e *Entry, w int) string {
	path := filepath.Join(m.dir, e.Name)
	f, known := m.facts[path]
	name, ink := client.CleanLine(e.Name), widgets.NewInk(st.Faint)
	kind, size, note := "", "", ""
	switch {
	case e.Dir:
		name, ink = name+"/", widgets.NewInk(st.Accent)
	case e.Broken:
		note = "broken link"
	case e.Odd:
		note = "no file"
	case known && f.Err != "":
		note = f.Err
	case m.Fits(path):
		ink = widgets.NewInk(st.Value)
	}
	if known && note == "" {
		_, kind, _ = strings.Cut(f.Type, "/")
		kind, size = strings.ToUpper(kind), human.Bytes(f.Bytes)
	}
	mark := ""
	if slices.Contains(m.marked, path) {
		mark = widgets.NewInk(st.Accent).Text("●") + " "
	}
	room := w - typeWidth - sizeWidth - 2 - widgets.Width(mark)
	switch {
	case note != "":
		tail := "  " + widgets.NewInk(st.Warn).Text(widgets.Truncate("✗ "+note, max(1, w-leastName)))
		return widgets.Line(mark+ink.Text(widgets.Truncate(name, max(1, w-widgets.Width(tail)-widgets.Width(mark))))+tail, w)
	case e.Dir || room < leastName:
		return widgets.Line(mark+ink.Text(middle(name, max(1, w-widgets.Width(mark)))), w)
	}
	return widgets.Line(mark+ink.Text(widgets.Line(middle(name, room), room))+"  "+
		widgets.NewInk(st.Muted).Text(widgets.Line(widgets.Truncate(kind, typeWidth), typeWidth)+widgets.PadLeft(size, sizeWidth)), w)
}

// middle cuts a name in the middle: its end tells the type.
func middle(name string, w int) string {
	n := widgets.Width(name)
	if n <= w || w < leastName {
		return widgets.Truncate(name, w)
	}
	tail := w * 2 / 5
	return widgets.Truncate(name, w-tail) + ansi.TruncateLeft(name, n-tail, "")
}
