package batch

import (
	"fmt"
	"strings"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/tui/widgets"
)

// title says what the dialog is about.
func (o *Options) title() string {
	switch {
	case o.Asked:
		return "Submit: this is what is sent"
	case o.Kind == OfFile:
		return "Batch from a file"
	case o.Kind == OfCopies:
		return "Variations"
	}
	return "Template: what the prompt makes"
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.size()
	iw, ih := widgets.Inner(w, h)
	if iw <= 0 || ih <= 0 {
		return widgets.Fit("", w, h)
	}
	lines := widgets.TrimBlank(d.form.Lines())
	if ih >= 16 {
		lines = append(lines, widgets.NewInk(d.Styles.Muted).Text(widgets.Line(client.CleanLine(d.explainRow()), iw)))
	}
	lines = append(lines, d.head(iw))
	room := ih - len(lines)
	if room > 6 {
		room-- // for the keys
	}
	notices := d.notices(iw, room)
	lines = append(lines, notices...)
	if rest := room - len(notices); rest > 1 && len(d.plan.Jobs) > 0 && !d.looks {
		d.list.SetSize(iw, rest) // which says how wide the columns are
		whole := d.list.wholeJob(d.Styles, iw, rest)
		d.list.SetSize(iw, rest-len(whole))
		lines = append(lines, strings.Split(d.list.View(d.Styles, d.walking()), "\n")...)
		lines = append(lines, whole...)
	}
	for len(lines) < ih-1 {
		lines = append(lines, "")
	}
	if len(lines) < ih {
		lines = append(lines, widgets.NewInk(d.Styles.Faint).Text(widgets.Truncate(d.hints(), iw)))
	}
	return widgets.BoxFooter(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text(d.o.title()), "", d.footer(),
		strings.Join(lines[:ih], "\n"), w, h, true)
}

// head is the line between the rows and the jobs that they make.
func (d *Dialog) head(w int) string {
	text, ink := "", widgets.NewInk(d.Styles.Accent)
	p := &d.plan
	switch {
	case d.looks:
		text = "reading the file …"
	case d.sending:
		text = "writing " + human.Plural(len(p.Jobs), "job") + " down …"
	case len(d.bad) > 0:
		text, ink = "nothing to send yet", widgets.NewInk(d.Styles.Warn)
	case p.Count != nil:
		text = d.sends()
		if p.Over != nil || len(p.Findings) > 0 {
			ink = widgets.NewInk(d.Styles.Bad)
		}
	case d.busy:
		text = "counting …"
	default:
		text, ink = "nothing can be sent", widgets.NewInk(d.Styles.Bad)
	}
	text = widgets.Truncate(text, max(1, w-4))
	border := widgets.NewInk(d.Styles.Border)
	return border.Text("─ ") + ink.Text(text) + border.Text(" "+strings.Repeat("─", max(0, w-3-widgets.Width(text))))
}

// sends is the number of jobs, and the limit on it.
func (d *Dialog) sends() string {
	p := &d.plan
	s := "sends " + rules.Numbered(p.Count, "job")
	if len(p.Findings) > 0 {
		s = "sends nothing yet: something is wrong with the " + rules.Numbered(p.Count, "job")
		if p.Count.IsInt64() && p.Count.Int64() == 1 {
			s = "sends nothing yet: something is wrong with the job"
		}
	} else if p.Count.IsInt64() && p.Count.Int64() > 1 {
		s += " in one group"
	}
	s += " · limit " + strings.TrimSpace(d.form.Text(rowLimit))
	if p.Over != nil {
		s = rules.Numbered(p.Count, "job") + ", above the limit of " + strings.TrimSpace(d.form.Text(rowLimit)) +
			fmt.Sprintf(" (up to %d)", expand.HardCap)
	}
	if d.o.Kind == OfFile && p.Peek.Rows > 0 {
		s += " · " + human.Plural(p.Peek.Rows, "row")
	}
	return s
}

// notices are the problems, and remarks worth knowing: at most half of the room, all of it where
// there are no jobs to show.
func (d *Dialog) notices(w, room int) []string {
	p := &d.plan
	type notice struct {
		sign string
		ink  widgets.Ink
		text string
	}
	var all []notice
	bad, info := widgets.NewInk(d.Styles.Bad), widgets.NewInk(d.Styles.Info)
	if d.failed != "" {
		all = append(all, notice{"✗", bad, d.failed})
	}
	for _, s := range d.bad {
		if s == d.unread() { // nothing is wrong with it
			all = append(all, notice{"i", info, s})
			continue
		}
		all = append(all, notice{"✗", bad, s})
	}
	if len(d.bad) == 0 && !d.looks {
		if p.Broken {
			all = append(all, notice{"✗", bad, d.o.Memory.file.path + " cannot be taken as it is: " + d.otherFile()})
		}
		if p.Over != nil {
			all = append(all, notice{"✗", bad, p.Over.Error()})
		}
		for _, s := range p.Findings {
			all = append(all, notice{"✗", bad, s})
		}
		for _, s := range p.Notes {
			all = append(all, notice{"i", info, s})
		}
	}
	most := room
	if len(p.Jobs) > 0 && len(d.bad) == 0 {
		most = max(1, room/2)
	}
	var out []string
	for _, s := range all {
		for j, l := range widgets.WrapLines(client.CleanLine(s.text), max(4, w-2), 4) {
			lead := "  "
			if j == 0 {
				lead = s.ink.Text(s.sign) + " "
			}
			out = append(out, lead+widgets.NewInk(d.Styles.Dialog).Text(l))
		}
	}
	if len(out) > most && most > 0 {
		more := fmt.Sprintf("… %d more lines", len(out)-most+1)
		out = append(out[:most-1:most-1], widgets.NewInk(d.Styles.Faint).Text(more))
	}
	return out[:min(len(out), max(0, most))]
}

func (d *Dialog) footer() string {
	n := len(d.plan.Jobs)
	if n > 0 && d.fresh() && d.plan.Over != nil {
		return fmt.Sprintf("%d · showing the first %d of %s", d.list.Cursor()+1, n, expand.Number(d.plan.Count))
	}
	if n > 0 && d.fresh() {
		return fmt.Sprintf("%d of %d", d.list.Cursor()+1, n)
	}
	return ""
}

func (d *Dialog) hints() string {
	var parts []string
	for _, b := range d.ShortHelp() {
		if b.Help().Desc == backWord {
			parts = append(parts, "pgdn jobs")
		}
		if b.Enabled() {
			parts = append(parts, b.Help().Key+" "+b.Help().Desc)
		}
	}
	return strings.Join(parts, " · ")
}
