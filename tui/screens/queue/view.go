package queue

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

// wideFrom is the width from which table and detail stand side by side.
const wideFrom = 100

func (m *Model) wide() bool { return m.w >= wideFrom }

// tableShows and detailShows report what is on the screen: both on a wide one, else what
// has the focus.
// The gallery has all of a wide one, until its detail is opened.
func (m *Model) tableShows() bool { return m.wide() || m.focus == tablePane }

func (m *Model) detailShows() bool { return m.wideDetail() > 0 || m.focus == detailPane }

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	iw, ih := widgets.Inner(m.tableWidth(), m.h)
	m.sizeTable(iw, max(0, ih-m.headLines()))
	m.filter.Width = max(1, iw-widgets.Width(m.filter.Prompt)-1)
	dw, _ := widgets.Inner(min(m.w-2, dialogWidth), 7)
	m.dialog.id.Width = max(1, dw-widgets.Width(m.dialog.id.Prompt)-1)
	m.detail.dirty = true
	if m.current != "" {
		m.fillDetail()
	}
	m.place()
}

func (m *Model) tableWidth() int { return m.w - m.wideDetail() }

// wideDetail is the width of the detail beside the table, 0 on a narrow screen.
func (m *Model) wideDetail() int {
	if !m.wide() || m.gallery.on && m.focus == tablePane {
		return 0
	}
	return min(max(44, m.w*46/100), 100)
}

func (m *Model) detailWidth() int {
	if w := m.wideDetail(); w > 0 {
		return w
	}
	return m.w
}

// headLines are the lines above the table: the filter, and what is wrong.
func (m *Model) headLines() int {
	if m.notice() != "" {
		return 2
	}
	return 1
}

// notice is what is wrong with the filter or with reading on, "" for nothing.
func (m *Model) notice() string {
	switch {
	case m.filterErr != "":
		return m.filterErr
	case m.read.err != nil && m.jobs.len() > 0:
		return m.reloadKey() + " tries again; the history cannot be read: " + client.CleanLine(m.read.err.Error())
	default:
		return ""
	}
}

func (m *Model) reloadKey() string { return m.deps.Keys.Keys("queue.reload") }

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
	var frame string
	switch {
	case m.zoom.on:
		frame = widgets.Fit(m.zoomView(), m.w, m.h)
	case m.wideDetail() > 0:
		frame = widgets.Beside(m.tableBox(), m.detailBox())
	case m.focus == detailPane:
		frame = m.detailBox()
	default:
		frame = m.tableBox()
	}
	if m.dialog.question != noQuestion {
		frame = overlay.Dialog(m.st, frame, m.dialogView())
	}
	return frame
}

// tableBox is the filter and the table, or why there is no table.
func (m *Model) tableBox() string {
	w := m.tableWidth()
	iw, _ := widgets.Inner(w, m.h)
	right := ""
	switch n := len(m.marked); {
	case n > 0:
		right = fmt.Sprintf("%d marked", n)
	case m.read.loading && m.read.loaded:
		right = "reading …"
	default:
		right = m.flowText()
	}
	footer := ""
	if n := m.jobs.len(); n > 0 {
		more := ""
		if m.read.next != "" {
			more = "+"
		}
		footer = fmt.Sprintf("%s of %s%s", format.Count(m.table.Cursor()+1), format.Count(n), more)
		if text := savingText(m.saving); text != "" {
			footer = "↓ " + text + " · " + footer
		}
	}
	body := m.filterLine(iw) + "\n"
	if text := m.notice(); text != "" {
		body += m.ink.bad.Text(widgets.Line("✗ "+text, iw)) + "\n"
	}
	switch {
	case m.jobs.len() > 0 && m.gallery.on:
		_, ih := widgets.Inner(w, m.h)
		body += m.galleryView(iw, max(0, ih-m.headLines()))
	case m.jobs.len() > 0:
		m.fitColumns()
		body += m.table.View(m.st, m.focus == tablePane && !m.filtering)
	default:
		body += m.emptyText(iw)
	}
	return widgets.BoxFooter(m.st, m.title("Jobs", tablePane), right, footer, body, w, m.h, m.focus == tablePane)
}

// title is that of a pane; without colours a sign tells which one has the focus.
func (m *Model) title(text string, p pane) string {
	if m.st.Plain && m.wide() && m.focus == p {
		return "▸ " + text
	}
	return text
}

// emptyText says why there are no jobs, and what to do about it.
func (m *Model) emptyText(w int) string {
	k := m.deps.Keys
	var lines []string
	add := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, w, 6) {
			lines = append(lines, ink.Text(l))
		}
	}
	lines = append(lines, "")
	switch {
	case m.read.err != nil:
		add(m.ink.bad, "✗ the history cannot be read")
		add(m.ink.text, client.Clean(m.read.err.Error()))
		lines = append(lines, "")
		add(m.ink.muted, m.reloadKey()+" tries again")
	case m.read.loading || !m.read.loaded:
		add(m.ink.muted, "reading the history …")
	case !m.plain(m.read.shown):
		add(m.ink.text, "No job matches the filter.")
		add(m.ink.muted, k.Keys("queue.clear-filter")+" clears it.")
	default:
		if m.deps.Profile == "" {
			add(m.ink.text, "Nothing was submitted yet.")
		} else {
			add(m.ink.text, "Nothing was submitted yet with the profile "+client.CleanLine(m.deps.Profile)+".")
			add(m.ink.muted, "The filter profile:"+allProfiles+" shows the jobs of every profile.")
		}
		lines = append(lines, "")
		add(m.ink.muted, "Go to Compose ("+k.Keys(screen.GoToCompose)+"), write a prompt, and submit it with "+k.Keys(screen.SubmitDraft)+".")
	}
	return strings.Join(lines, "\n")
}

func (m *Model) filterLine(w int) string {
	line := ""
	switch {
	case m.filtering:
		line = m.filter.View()
	case m.filter.Value() != "":
		hint := m.ink.faint.Text(m.deps.Keys.Keys("queue.clear-filter") + " clears")
		line = widgets.Spread(m.ink.accent.Text("/ ")+m.ink.text.Text(widgets.Truncate(client.CleanLine(m.filter.Value()), w-14)), hint, w)
	default:
		line = m.ink.faint.Text(m.deps.Keys.Keys("queue.filter") + " filter")
	}
	return zone.Mark("filter", widgets.Line(line, w))
}
