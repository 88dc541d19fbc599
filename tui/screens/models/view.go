package models

import (
	"fmt"
	"strings"

	"darkroom/client/human"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

const (
	wideFrom    = 100 // from this width on, table and detail stand side by side
	tallFrom    = 16  // from this height on, there is room for all choosers and the lists
	buttonsFrom = 16  // and for a line of buttons
)

func (m *Model) wide() bool { return m.w >= wideFrom }

// tableShows and detailShows report what is on the screen: both on a wide one, else what
// has the focus.
func (m *Model) tableShows() bool { return m.wide() || m.focus == tablePane }

func (m *Model) detailShows() bool { return m.wide() || m.focus == detailPane }

func (m *Model) tableWidth() int {
	if m.wide() {
		return m.w * 58 / 100
	}
	return m.w
}

func (m *Model) detailWidth() int {
	if m.wide() {
		return m.w - m.tableWidth()
	}
	return m.w
}

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	parts := m.tableParts()
	iw, hs := widgets.InnerStack(parts, m.tableWidth(), m.h)
	m.table.SetColumns(columns(m.tableWidth()))
	m.table.SetSize(iw, max(0, hs[0]-m.headLines()-m.footLines()))
	m.fillDetail()
}

// headLines are the lines above the table: the filter, the kinds, the origin.
func (m *Model) headLines() int {
	switch {
	case m.h >= tallFrom:
		return 3
	case m.h >= 8:
		return 2
	case m.h >= 5:
		return 1
	default:
		return 0
	}
}

// footLines is the line about the lists below the table, where they have no part.
func (m *Model) footLines() int {
	if m.h >= tallFrom || m.h < 8 {
		return 0
	}
	return 1
}

// tableParts are the parts of the left pane, by which their sizes are known.
func (m *Model) tableParts() []widgets.Part {
	parts := []widgets.Part{{Title: m.title("Models", tablePane)}}
	if m.h >= tallFrom {
		iw, _ := widgets.Inner(m.tableWidth(), m.h)
		lines := m.live.lines(&m.ink, iw)
		lines = lines[:min(len(lines), max(2, m.h/4))]
		parts = append(parts, widgets.Part{Title: "The gateway's lists", Right: m.live.askedText(), Content: strings.Join(lines, "\n"), Height: len(lines)})
	}
	return parts
}

// title is that of a pane; without colours a sign tells which one has the focus.
func (m *Model) title(text string, p pane) string {
	if m.st.Plain && m.wide() && m.focus == p {
		return "▸ " + text
	}
	return text
}

// View implements screen.Screen.
func (m *Model) View() string {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	m.fillDetail()
	switch {
	case m.wide():
		return widgets.Beside(m.tableBox(), m.detailBox())
	case m.detailShows():
		return m.detailBox()
	default:
		return m.tableBox()
	}
}

// tableBox is the choices above the models, the models, and how the lists answered.
func (m *Model) tableBox() string {
	parts := m.tableParts()
	w := m.tableWidth()
	iw, _ := widgets.InnerStack(parts, w, m.h)
	lines := []string{m.filterLine(iw), m.kindLine(iw), m.showLine(iw)}[:m.headLines()]
	if m.table.Visible() >= 0 {
		lines = append(lines, m.table.View(m.st, m.focus == tablePane))
	}
	if m.footLines() > 0 {
		lines = append(lines, widgets.Line(m.live.summary(&m.ink), iw))
	}
	parts[0].Content = strings.Join(lines, "\n")
	footer := ""
	if n := len(m.visible); n > 0 {
		footer = fmt.Sprintf("%s of %s", human.Count(m.table.Cursor()+1), human.Count(n))
		if n < m.tally.all {
			footer += " · " + human.Count(m.tally.all) + " in all"
		}
	}
	return widgets.Stack(m.st, parts, footer, w, m.h, m.focus == tablePane)
}

func (m *Model) filterLine(w int) string {
	k := &m.ink
	line := ""
	switch {
	case m.filtering:
		line = k.accent.Text("/ ") + m.filter.Field(m.paper, "name, family, mode, kind, resolution: i2v 1080p", true, max(1, w-2))
	case m.filter.Value() != "":
		hint := k.faint.Text(m.commands.Key(actBack) + " clears")
		line = widgets.Spread(k.accent.Text("/ ")+k.text.Text(widgets.Truncate(bound(m.filter.Value(), maxName), max(1, w-14))), hint, w)
	default:
		line = k.faint.Text(m.commands.Key(actFilter) + " filter: i2v 1080p")
	}
	return zone.Mark("filter", widgets.Line(line, w))
}

func (m *Model) kindLine(w int) string {
	return widgets.Line(widgets.Choice(m.st, "kind", kindOptions(), m.kind, m.focus == tablePane, w), w)
}

// showLine says how many models there are of each origin, and is the place to choose among origins.
func (m *Model) showLine(w int) string {
	t := m.tally
	opts := []widgets.Option{
		{Value: showAll.String(), Label: "all " + human.Count(t.all)},
		{Value: showCatalog.String(), Label: "catalog " + human.Count(t.catalog)},
		{Value: showLive.String(), Label: "live"}, {Value: showDifferences.String(), Label: "differences"},
	}
	if m.live.have {
		opts[showLive].Label += " " + human.Count(t.live)
		opts[showDifferences].Label += fmt.Sprintf(" −%s +%s", human.Count(t.missing()), human.Count(t.extra()))
	}
	return widgets.Line(widgets.Choice(m.st, "show", opts, int(m.show), false, w), w)
}
