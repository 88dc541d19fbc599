package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
)

// layout sizes the parts for the room there is.
func (m *Model) layout() {
	m.fresh = false
	iw, ih := m.tableRoom(m.headLines())
	m.table.resize(iw, ih)
	m.filter.setWidth(iw)
	m.detail.setSize(m.detailWidth(), m.h)
	m.detail.focus = m.focus == detailPane
	if m.current != "" {
		m.fillDetail()
	}
	m.reveal()
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
	case m.filter.wrong != "":
		return m.filter.wrong
	case m.jobs.err != nil && m.jobs.len() > 0:
		return m.keys.Keys(actReload) + " tries again; the history cannot be read: " + client.CleanLine(m.jobs.err.Error())
	default:
		return ""
	}
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
	var frame string
	switch {
	case m.zoom.On():
		frame = widgets.Fit(m.zoomView(), m.w, m.h)
	case m.beside() > 0:
		frame = widgets.Beside(m.tableBox(), m.detailBox())
	case m.focus == detailPane:
		frame = m.detailBox()
	default:
		frame = m.tableBox()
	}
	return m.stack.View(frame)
}

// detailBox is everything about the job under the cursor.
func (m *Model) detailBox() string {
	d := &m.detail
	if m.current == "" {
		return widgets.Box(m.st, m.title("Detail", detailPane), "", "\n"+m.ink.muted.Text("no job"), d.w, d.h, d.focus)
	}
	buttons := ""
	if d.buttonLines() > 0 {
		buttons = m.buttonLine(d.inner())
	}
	return d.view(m.title("Job "+shortID(m.current), detailPane), m.job(), &m.film.Play, buttons)
}

// tableBox is the filter and the table, or why there is no table.
func (m *Model) tableBox() string {
	w := m.tableWidth()
	iw, _ := widgets.Inner(w, m.h)
	right := ""
	switch n := len(m.jobs.marked); {
	case n > 0:
		right = fmt.Sprintf("%d marked", n)
	case m.jobs.loading && m.jobs.loaded:
		right = "reading …"
	default:
		right = m.flowText()
	}
	footer := ""
	if m.jobs.len() > 0 {
		footer = m.countText()
		if text := savingText(m.jobs.saving); text != "" {
			footer = "↓ " + text + " · " + footer
		}
	}
	body := m.filter.view(m.kit, iw) + "\n"
	if text := m.notice(); text != "" {
		body += m.ink.bad.Text(widgets.Line("✗ "+text, iw)) + "\n"
	}
	focus := m.focus == tablePane
	switch {
	case m.jobs.len() > 0 && m.gallery:
		m.sizeGrid()
		body += m.grid.View(m.table.Cursor(), focus && !m.filter.typing)
	case m.jobs.len() > 0:
		m.table.fit()
		body += m.table.View(m.st, focus && !m.filter.typing)
	default:
		body += m.emptyText(iw)
	}
	return widgets.BoxFooter(m.st, m.title("Jobs", tablePane), right, footer, body, w, m.h, focus)
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
	k := m.keys
	var lines []string
	add := func(ink widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, w, 6) {
			lines = append(lines, ink.Text(l))
		}
	}
	lines = append(lines, "")
	switch {
	case m.jobs.err != nil:
		add(m.ink.bad, "✗ the history cannot be read")
		add(m.ink.text, client.Clean(m.jobs.err.Error()))
		lines = append(lines, "")
		add(m.ink.muted, k.Keys(actReload)+" tries again")
	case m.jobs.loading || !m.jobs.loaded:
		add(m.ink.muted, "reading the history …")
	case !m.jobs.unfiltered():
		add(m.ink.text, "No job matches the filter.")
		add(m.ink.muted, k.Keys(actBack)+" clears it.")
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

// flowText says what holds the work up, "" for nothing.
func (k *kit) flowText() string {
	f := &k.scene.Flow
	all, host := k.keys.Keys(actPauseAll), k.keys.Keys(actPauseHost)
	switch left := f.Until.Sub(k.now()); {
	case f.Paused && f.Hosts != "":
		return "‖ all paused, and " + oneLine(f.Hosts, 24) + ", " + all + " " + host + " go on"
	case f.Paused:
		return "‖ all paused, " + all + " goes on"
	case f.Hosts != "":
		return "‖ paused: " + oneLine(f.Hosts, 28) + ", " + host + " goes on"
	case left > 0:
		return fmt.Sprintf("the gateway asked for a pause: %d s", (left+time.Second-1)/time.Second)
	case f.Rate > 0:
		return fmt.Sprintf("slowed to %g requests a second", f.Rate)
	default:
		return ""
	}
}
