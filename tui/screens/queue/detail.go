package queue

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/zone"
)

const (
	maxPictLines = 26
	pictFrom     = 14 // lines of the screen from which there is a picture
	pictAlways   = 44 // and from which it leaves room for long texts
	buttonsFrom  = 16 // from which there is a line of buttons
)

// detailBox is everything about the job under the cursor.
func (m *Model) detailBox() string {
	w, h := m.detailWidth(), m.h
	focus := m.focus == detailPane
	if m.current == "" {
		return widgets.Box(m.st, m.title("Detail", detailPane), "", "\n"+m.ink.muted.Text("no job"), w, h, focus)
	}
	iw, _ := widgets.Inner(w, h)
	body := m.tabLine(iw) + "\n" + m.scroll.View(m.st)
	if n := m.buttonLines(); n > 0 {
		body += strings.Repeat("\n", n) + m.buttonLine(iw)
	}
	title := m.title("Job "+shortID(m.current), detailPane)
	ph := m.pictureHeight()
	if ph == 0 {
		return widgets.Box(m.st, title, "", body, w, h, focus)
	}
	what := ""
	if m.play.Active() {
		what = m.play.Text()
	} else if m.picture.have && m.picture.got.Err == nil {
		what = m.picture.got.Info.Title()
	}
	parts := []widgets.Part{{Title: title, Right: what, Content: zone.Mark(pictureZone, widgets.Fit(m.pictureView(iw, ph), iw, ph)), Height: ph}, {Content: body}}
	return widgets.Stack(m.st, parts, "", w, h, focus)
}

func (m *Model) tabLine(w int) string {
	tabs := make([]widgets.Tab, sections)
	for s := range sections {
		tabs[s] = widgets.Tab{ID: s.String(), Label: s.String()}
	}
	return widgets.Line(widgets.Tabs(m.st, tabs, m.section.String(), w), w)
}

// button is an action that has a button.
type button struct{ id, label string }

// buttons are the actions with a button in the detail and a place in the help line, the
// most wanted first.
func (m *Model) buttons() []button {
	all := []button{
		{"queue.adopt", "adopt an id"}, {"queue.resend", "send again"}, {"queue.play", m.playWord()}, {"queue.player", m.outside.Word(m.job())}, {"queue.open-file", "open file"}, {"queue.download", "download"},
		{"queue.resubmit", "to compose"}, {"queue.use", "use result"}, {"queue.repoll", "ask again"}, {"queue.inspect", "inspect"}, {"queue.drop", "drop"}, {"queue.pause", "pause"},
	}
	j := m.job()
	if j == nil {
		return all
	}
	var first []button // what lets a job go on comes before all
	for _, h := range m.holds(j) {
		switch h.Kind {
		case jobs.HoldAll:
			first = append(first, button{"queue.pause-all", "resume all"})
		case jobs.HoldHost:
			first = append(first, button{"queue.pause-host", "resume host"})
		default:
			first = append(first, button{"queue.pause", "resume"})
			all = all[:len(all)-1]
		}
	}
	if j.SavesOnly() {
		first = append(first, button{"queue.drop", "stop saving"})
		all = slices.DeleteFunc(all, func(b button) bool { return b.id == "queue.drop" })
	}
	return append(first, all...)
}

// offers reports whether an action is worth a button now: it can be done, and there is
// something left to do.
func (m *Model) offers(id string) bool {
	if m.off(id) != "" {
		return false
	}
	j := m.job()
	return id != "queue.download" || len(m.marked) > 0 || j == nil || !j.Saved() && !j.Fetching()
}

// buttonLines is the room for buttons, with a blank line above them.
func (m *Model) buttonLines() int {
	if m.h < buttonsFrom {
		return 0
	}
	return 2
}

// buttonLine is as many buttons for what can be done now as there is room for.
func (m *Model) buttonLine(w int) string {
	line, used := "", 0
	for _, b := range m.buttons() {
		if !m.offers(b.id) {
			continue
		}
		s := widgets.Button(m.st, b.id, b.label, false, false)
		n := widgets.Width(s)
		if used > 0 {
			n++
		}
		if used+n > w {
			continue
		}
		if used > 0 {
			line += " "
		}
		line += s
		used += n
	}
	return widgets.Line(line, w)
}

// pictureHeight is the room for the preview in lines, 0 for none.
func (m *Model) pictureHeight() int {
	if m.picture.off || m.deps.Previews == nil || m.h < pictFrom || m.section != facts && m.h < pictAlways {
		return 0
	}
	if m.job().Face().Path == "" {
		return 0
	}
	return min(maxPictLines, m.h*2/5)
}

func (m *Model) pictureView(w, h int) string {
	got := &m.picture.got
	switch {
	case m.play.Lines() != nil:
		return strings.Join(m.play.Lines(), "\n")
	case !m.picture.have:
		return m.ink.faint.Text("preview …")
	case got.Lines != nil:
		return strings.Join(got.Lines, "\n")
	case got.Err != nil:
		return m.errorText(got.Err, w, h)
	default:
		return preview.Card(m.st, got.Info, w, h)
	}
}

func (m *Model) errorText(err error, w, h int) string {
	lines := widgets.WrapLines("✗ "+client.Clean(err.Error()), w, h)
	for i, l := range lines {
		lines[i] = m.ink.bad.Text(l)
	}
	return strings.Join(lines, "\n")
}

// fillDetail makes the lines of the section that shows, when they have changed.
func (m *Model) fillDetail() {
	if !m.detail.dirty || !m.detailShows() || m.hidden {
		return
	}
	m.detail.dirty = false
	iw, ih := widgets.Inner(m.detailWidth(), m.h)
	if ph := m.pictureHeight(); ph > 0 {
		ih -= ph + 1
	}
	m.scroll.SetSize(iw, max(0, ih-1-m.buttonLines()))
	m.scroll.SetLines(m.lines(max(1, iw-2))) // beside the scroll bar
	m.revealLink(max(1, ih-1-m.buttonLines()))
}

func (m *Model) lines(w int) []string {
	j, d := m.job(), &m.detail
	switch {
	case j == nil:
		return nil
	case m.section == facts:
		return m.factLines(j, w)
	case m.section == chainTree:
		return m.chainLines(w)
	case d.id != j.ID:
		return []string{m.ink.muted.Text("reading …")}
	case d.err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(d.err.Error()), w, 20)
		for i, l := range lines {
			lines[i] = m.ink.bad.Text(l)
		}
		return append(lines, "", m.ink.muted.Text(m.reloadKey()+" tries again"))
	case m.section == timeline:
		return append(m.timelineLines(d.got.Events, w), m.exchangeLines(d.got.Exchanges, w)...)
	case m.section == request:
		return m.bodyLines(d.got.Request, "No request was kept.")
	default:
		return m.bodyLines(d.got.Answer, "The gateway has not answered yet.")
	}
}

func (m *Model) bodyLines(body []byte, none string) []string {
	if len(body) == 0 {
		return []string{m.ink.muted.Text(none)}
	}
	return jsonview.Render(m.st, body, client.CleanLine)
}
