package models

import (
	"strconv"
	"strings"

	"darkroom/client/catalog"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

// The columns of the table.
const (
	colFamily = iota
	colModel
	colKind
	colModes
	colOrigin
	colLists
)

// longOrigin is the width from which the origin is written out.
const longOrigin = 14

// columns are those of a table of w cells.
func columns(w int) []table.Column {
	cols := []table.Column{
		colFamily: {Title: "Family", Min: 6, Max: 12, Drop: 3},
		colModel:  {Title: "Model", Min: min(25, max(18, w-44)), Weight: 6, Max: 34},
		colKind:   {Title: "Kind", Min: 6, Drop: 2},
		colModes:  {Title: "Modes", Min: 7, Weight: 3, Drop: 5},
		colOrigin: {Title: "Origin", Min: 9, Drop: 1},
		colLists:  {Title: "Lists", Min: 9, Drop: 6},
	}
	if w >= wideFrom {
		cols[colOrigin].Min = longOrigin
	}
	return cols
}

// inks are the styles of what is drawn.
type inks struct {
	text, strong, muted, faint, accent, good, warn, bad, info, code, label widgets.Ink
}

func newInks(st *themes.Styles) inks {
	return inks{
		text: widgets.NewInk(st.Text), strong: widgets.NewInk(st.Strong), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		accent: widgets.NewInk(st.Accent), good: widgets.NewInk(st.Good), warn: widgets.NewInk(st.Warn), bad: widgets.NewInk(st.Bad),
		info: widgets.NewInk(st.Info), code: widgets.NewInk(st.Code), label: widgets.NewInk(st.Label),
	}
}

// source makes the rows that the table asks for.
func (m *Model) source() table.Source {
	return table.Func{N: len(m.visible), At: m.tableRow}
}

// tableRow is a row that shows. The family stands at the first model of each, and at the
// top of the window.
func (m *Model) tableRow(i int) table.Row {
	r := &m.rows[m.visible[i]]
	family := table.Cell{Ink: m.ink.accent}
	if i == 0 || i == m.table.Top() || m.rows[m.visible[i-1]].family != r.family {
		if family.Text = bound(r.family, 40); r.family == "" {
			family.Text = "–"
		}
	}
	origin, ink := m.origin(r, m.table.ColumnWidth(colOrigin) >= longOrigin)
	lists := ""
	if r.live != nil {
		lists = r.live.lists
	}
	return table.Row{Cells: []table.Cell{
		colFamily: family, colModel: {Text: m.stars.mark(r)}, colKind: {Text: kindCell(r), Ink: m.ink.muted},
		colModes: {Text: modesCell(r.modes, m.table.ColumnWidth(colModes)), Ink: m.ink.muted}, colOrigin: {Text: origin, Ink: ink}, colLists: {Text: lists, Ink: m.ink.muted},
	}}
}

// kindCell is the kind of a model, with a sign if it makes more than one.
func kindCell(r *row) string {
	switch len(r.known) {
	case 0:
		return "?"
	case 1:
		return bound(string(r.known[0].Modality), 12)
	default:
		return bound(string(r.known[0].Modality), 12) + "+"
	}
}

// modesCell are as many modes as fit, and how many more there are.
func modesCell(modes []string, w int) string {
	text := strings.Join(modes, " ")
	for n := len(modes) - 1; n > 0 && len(text) > w; n-- {
		text = strings.Join(modes[:n], " ") + " +" + strconv.Itoa(len(modes)-n)
	}
	return text
}

// origin is where a model comes from; a sign tells it as well as words and colour.
func (m *Model) origin(r *row, long bool) (string, widgets.Ink) {
	switch {
	case len(r.known) == 0:
		return pick(long, "◇ live only", "◇ live"), m.ink.info
	case r.offer.Origin() == catalog.FromOverlay:
		return "✎ overlay", m.ink.accent
	case r.live != nil:
		return "● both", m.ink.good
	case m.live.have:
		return pick(long, "○ catalog only", "○ catalog"), m.ink.warn
	default:
		return "· catalog", m.ink.faint
	}
}

func pick(long bool, a, b string) string {
	if long {
		return a
	}
	return b
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
