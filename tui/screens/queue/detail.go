package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/jsonview"
)

const (
	maxPictLines = 26
	pictFrom     = 14 // lines of the screen from which there is a picture
	buttonsFrom  = 16 // and a line of buttons
)

// detailBox is everything about the job under the cursor.
func (m *Model) detailBox() string {
	w, h := m.detailWidth(), m.h
	focus := m.focus == detailPane
	if m.current == "" {
		return widgets.Box(m.st, "Detail", "", "\n"+m.ink.muted.Text("no job"), w, h, focus)
	}
	iw, _ := widgets.Inner(w, h)
	body := m.tabLine(iw) + "\n" + m.scroll.View(m.st)
	if n := m.buttonLines(); n > 0 {
		body += strings.Repeat("\n", n) + m.buttonLine(iw)
	}
	title := "Job " + shortID(m.current)
	ph := m.pictureHeight()
	if ph == 0 {
		return widgets.Box(m.st, title, "", body, w, h, focus)
	}
	what := ""
	if m.picture.have {
		what = m.picture.got.Info.Title()
	}
	parts := []widgets.Part{{Title: title, Right: what, Content: m.pictureView(iw, ph), Height: ph}, {Content: body}}
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
func buttons() []button {
	return []button{
		{"queue.adopt", "adopt an id"}, {"queue.resend", "send again"}, {"queue.open-file", "open file"}, {"queue.download", "download"},
		{"queue.resubmit", "to compose"}, {"queue.repoll", "ask again"}, {"queue.inspect", "inspect"}, {"queue.drop", "drop"},
	}
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
	for _, b := range buttons() {
		if m.off(b.id) != "" {
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
	if m.picture.off || m.deps.Previews == nil || m.h < pictFrom {
		return 0
	}
	if path, _ := media(m.job()); path == "" {
		return 0
	}
	return min(maxPictLines, m.h*2/5)
}

func (m *Model) pictureView(w, h int) string {
	got := &m.picture.got
	switch {
	case !m.picture.have:
		return m.ink.faint.Text("preview …")
	case got.Lines != nil:
		return strings.Join(got.Lines, "\n")
	case got.Err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(got.Err.Error()), w, h)
		for i, l := range lines {
			lines[i] = m.ink.bad.Text(l)
		}
		return strings.Join(lines, "\n")
	default:
		return preview.Card(m.st, got.Info, w, h)
	}
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
}

func (m *Model) lines(w int) []string {
	j, d := m.job(), &m.detail
	switch {
	case j == nil:
		return nil
	case m.section == facts:
		return m.factLines(j, w)
	case d.id != j.ID:
		return []string{m.ink.muted.Text("reading …")}
	case d.err != nil:
		lines := widgets.WrapLines("✗ "+client.Clean(d.err.Error()), w, 20)
		for i, l := range lines {
			lines[i] = m.ink.bad.Text(l)
		}
		return append(lines, "", m.ink.muted.Text(m.reloadKey()+" tries again"))
	case m.section == timeline:
		return m.timelineLines(d.got.Events, w)
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

// stampWidth is what stands before the text of an event: the time, and how long after
// the one before it.
const stampWidth = 12 + 1 + 9 + 1

func (m *Model) timelineLines(events []jobs.Event, w int) []string {
	if len(events) == 0 {
		return []string{m.ink.muted.Text("Nothing was recorded.")}
	}
	var out []string
	var last time.Time
	zone := m.deps.Now().Location()
	for i := range events {
		e := &events[i]
		gap := ""
		if d := e.At.Sub(last); !last.IsZero() && d >= 0 {
			gap = "+" + format.Dur(d)
		}
		if y1, m1, d1 := e.At.In(zone).Date(); last.IsZero() || changedDay(last.In(zone), y1, m1, d1) {
			out = append(out, m.ink.muted.Text(e.At.In(zone).Format("Monday, 2 January 2006")))
		}
		last = e.At
		head := m.ink.muted.Text(e.At.In(zone).Format("15:04:05.000")) + " " + m.ink.faint.Text(widgets.PadLeft(gap, 9)) + " "
		for n, l := range widgets.WrapLines(eventText(e), max(8, w-stampWidth), 8) {
			if n > 0 {
				head = strings.Repeat(" ", stampWidth)
			}
			out = append(out, head+m.eventInk(e, n).Text(l))
		}
	}
	return out
}

func changedDay(last time.Time, y int, m time.Month, d int) bool {
	ly, lm, ld := last.Date()
	return ly != y || lm != m || ld != d
}

// eventInk colours the first line by the state that was come to, the others as notes.
func (m *Model) eventInk(e *jobs.Event, line int) widgets.Ink {
	switch {
	case line > 0:
		return m.ink.muted
	case e.Kind == jobs.EventPollError:
		return m.ink.bad
	case e.To != "" && e.To != e.From:
		return m.ink.sign(e.To).ink
	default:
		return m.ink.text
	}
}

// eventText is what happened, and below it what was said about it.
func eventText(e *jobs.Event) string {
	what := map[jobs.EventKind]string{jobs.EventPollError: "no answer", jobs.EventPerson: "by hand"}[e.Kind]
	if what == "" {
		what = string(e.Kind)
	}
	if e.To != "" && e.To != e.From && string(e.To) != what {
		what += " → " + string(e.To)
		if e.Kind == jobs.EventState {
			what = string(e.To)
		}
	}
	if e.RawStatus != "" && !strings.EqualFold(e.RawStatus, string(e.To)) {
		what += " (" + oneLine(e.RawStatus, 40) + ")"
	}
	var notes []string
	if e.HTTPStatus != 0 {
		notes = append(notes, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if e.Message != "" {
		notes = append(notes, client.CleanLine(e.Message))
	}
	if e.RequestID != "" {
		notes = append(notes, "request id "+client.CleanLine(e.RequestID))
	}
	if len(notes) > 0 {
		return client.CleanLine(what) + "\n" + strings.Join(notes, " · ")
	}
	return client.CleanLine(what)
}
