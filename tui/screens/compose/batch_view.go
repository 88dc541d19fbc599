package compose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// batchSize is the size of the dialog.
func (m *Model) batchSize() (w, h int) { return min(m.w, 120), min(m.h, 40) }

// layoutBatch hands the dialog's parts their sizes.
func (m *Model) layoutBatch() {
	d := m.batch.dialog
	if d == nil {
		return
	}
	w, h := m.batchSize()
	iw, ih := widgets.Inner(w, h)
	d.form.SetSize(iw, max(3, ih*3/5-2))
	m.listJobs()
}

// titles of the dialog.
func (d *batchDialog) title() string {
	switch {
	case d.asked:
		return "Submit: this is what is sent"
	case d.kind == ofFile:
		return "Batch from a file"
	case d.kind == ofCopies:
		return "Variations"
	}
	return "Template: what the prompt makes"
}

// batchView draws the dialog.
func (m *Model) batchView() string {
	d := m.batch.dialog
	w, h := m.batchSize()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := trimBlank(d.form.Lines())
	if ih >= 16 {
		lines = append(lines, widgets.NewInk(m.st.Muted).Text(widgets.Line(client.CleanLine(m.explainRow()), iw)))
	}
	lines = append(lines, m.batchHead(iw))
	room := ih - len(lines)
	if room > 6 {
		room-- // for the keys
	}
	said := m.batchSaid(iw, room)
	lines = append(lines, said...)
	if rest := room - len(said); rest > 1 && len(d.plan.jobs) > 0 && !d.looks {
		d.list.SetSize(iw, rest) // which says how wide the columns are
		whole := m.wholeJob(iw, rest)
		d.list.SetSize(iw, rest-len(whole))
		lines = append(lines, strings.Split(d.list.View(m.st, d.walking()), "\n")...)
		lines = append(lines, whole...)
	}
	for len(lines) < ih-1 {
		lines = append(lines, "")
	}
	if len(lines) < ih {
		lines = append(lines, widgets.NewInk(m.st.Faint).Text(widgets.Truncate(m.batchHints(), iw)))
	}
	return widgets.BoxFooter(m.st, widgets.NewInk(m.st.DialogTitle).Text(d.title()), "", m.batchFooter(),
		strings.Join(lines[:ih], "\n"), w, h, true)
}

// trimBlank takes off the lines at the end in which there is nothing.
func trimBlank(lines []string) []string {
	for len(lines) > 1 && strings.TrimSpace(ansi.Strip(lines[len(lines)-1])) == "" {
		lines = lines[:len(lines)-1]
	}
	return slices.Clone(lines)
}

// batchHead is the line between the rows and what they make.
func (m *Model) batchHead(w int) string {
	d := m.batch.dialog
	text, ink := "", widgets.NewInk(m.st.Accent)
	p := &d.plan
	switch {
	case d.looks:
		text = "reading the file …"
	case d.sending:
		text = "writing " + format.Plural(len(p.jobs), "job") + " down …"
	case len(d.bad) > 0:
		text, ink = "nothing to send yet", widgets.NewInk(m.st.Warn)
	case p.count != nil:
		text = m.batchCount()
		if p.over != nil || len(p.findings) > 0 {
			ink = widgets.NewInk(m.st.Bad)
		}
	case d.busy:
		text = "counting …"
	default:
		text, ink = "nothing can be sent", widgets.NewInk(m.st.Bad)
	}
	text = widgets.Truncate(text, max(1, w-4))
	border := widgets.NewInk(m.st.Border)
	return border.Text("─ ") + ink.Text(text) + border.Text(" "+strings.Repeat("─", max(0, w-3-widgets.Width(text))))
}

// batchCount is how many jobs there are, and what bounds them.
func (m *Model) batchCount() string {
	p := &m.batch.dialog.plan
	s := "sends " + numbered(p.count, "job")
	if len(p.findings) > 0 {
		s = "sends nothing yet: something is wrong with the " + numbered(p.count, "job")
		if p.count.IsInt64() && p.count.Int64() == 1 {
			s = "sends nothing yet: something is wrong with the job"
		}
	} else if p.count.IsInt64() && p.count.Int64() > 1 {
		s += " in one group"
	}
	s += " · limit " + strings.TrimSpace(m.batch.dialog.form.Text(rowLimit))
	if p.over != nil {
		s = numbered(p.count, "job") + ", above the limit of " + strings.TrimSpace(m.batch.dialog.form.Text(rowLimit)) +
			fmt.Sprintf(" (up to %d)", expand.HardCap)
	}
	if m.batch.dialog.kind == ofFile && p.peek.Rows > 0 {
		s += " · " + format.Plural(p.peek.Rows, "row")
	}
	return s
}

// batchSaid is what is wrong, and what is worth knowing: at most half of the room, all of
// it where there are no jobs to show.
func (m *Model) batchSaid(w, room int) []string {
	d := m.batch.dialog
	p := &d.plan
	type said struct {
		sign string
		ink  widgets.Ink
		text string
	}
	var all []said
	bad, info := widgets.NewInk(m.st.Bad), widgets.NewInk(m.st.Info)
	if d.failed != "" {
		all = append(all, said{"✗", bad, d.failed})
	}
	for _, s := range d.bad {
		if s == m.unread() { // nothing is wrong with it
			all = append(all, said{"i", info, s})
			continue
		}
		all = append(all, said{"✗", bad, s})
	}
	if len(d.bad) == 0 && !d.looks {
		if p.broken {
			all = append(all, said{"✗", bad, m.batch.file.path + " can not be taken as it is: " + m.otherFile()})
		}
		if p.over != nil {
			all = append(all, said{"✗", bad, p.over.Error()})
		}
		for _, s := range p.findings {
			all = append(all, said{"✗", bad, s})
		}
		for _, s := range p.notes {
			all = append(all, said{"i", info, s})
		}
	}
	most := room
	if len(p.jobs) > 0 && len(d.bad) == 0 {
		most = max(1, room/2)
	}
	var out []string
	for _, s := range all {
		for j, l := range widgets.WrapLines(client.CleanLine(s.text), max(4, w-2), 4) {
			lead := "  "
			if j == 0 {
				lead = s.ink.Text(s.sign) + " "
			}
			out = append(out, lead+widgets.NewInk(m.st.Dialog).Text(l))
		}
	}
	if len(out) > most && most > 0 {
		more := fmt.Sprintf("… %d more lines", len(out)-most+1)
		out = append(out[:most-1:most-1], widgets.NewInk(m.st.Faint).Text(more))
	}
	return out[:min(len(out), max(0, most))]
}

func (m *Model) batchFooter() string {
	d := m.batch.dialog
	n := len(d.plan.jobs)
	if n > 0 && d.fresh() && d.plan.over != nil {
		return fmt.Sprintf("%d · the first %d of %s show", d.list.Cursor()+1, n, expand.Number(d.plan.count))
	}
	if n > 0 && d.fresh() {
		return fmt.Sprintf("%d of %d", d.list.Cursor()+1, n)
	}
	return ""
}

func (m *Model) batchHints() string {
	k := m.deps.Keys
	var parts []string
	add := func(id, what string) {
		if key := k.Keys(id); key != "" {
			parts = append(parts, key+" "+what)
		}
	}
	add("batch.submit", "submit")
	if m.saysMode() {
		add("batch.mode", "text or template")
	}
	if m.batch.dialog.plan.master != nil {
		add("batch.draw", "draw anew")
	}
	if m.batch.dialog.kind == ofFile {
		add("batch.read", "read again")
	}
	parts = append(parts, "pgdn jobs")
	add("batch.close", "back")
	return strings.Join(parts, " · ")
}
