package bundle

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs/inspect"
)

// summary is the page that people read first.
func (sc scrubber) summary(all []Case) []byte {
	o := sc.o
	var b strings.Builder
	fmt.Fprintf(&b, "# %d %s, as seen %s\n\n", len(all), map[bool]string{true: "task", false: "tasks"}[len(all) == 1], stamp(o.Made))
	b.WriteString("`darkroom inspect --bundle FILE` shows it as it was seen, without asking anybody.\n")
	if left := o.without(); len(left) > 0 {
		fmt.Fprintf(&b, "Left out: %s.\n", strings.Join(left, ", "))
	}
	b.WriteString("\n| Id | State | Model | Route | Error |\n| --- | --- | --- | --- | --- |\n")
	for i := range all {
		r := &all[i].Result
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", sc.cell(r.Subject.Value), r.State(), sc.cell(r.Said(inspect.KeyModel)), sc.cell(r.Format()),
			sc.cell(strings.TrimSpace(r.Said(inspect.KeyCode)+" "+r.Said(inspect.KeyMessage))))
	}
	for i := range all {
		sc.one(&all[i], &b)
	}
	return []byte(b.String())
}

func (sc scrubber) one(c *Case, b *strings.Builder) {
	r := &c.Result
	fmt.Fprintf(b, "\n## %s\n\n", sc.cell(r.Subject.Value))
	for _, f := range r.Findings.Facts() {
		for _, s := range f.Said {
			text := sc.cell(s.Text)
			switch {
			case s.AsSent:
				text += " (as sent, without a zone)"
			case !s.At.IsZero():
				text = stamp(s.At)
			}
			fmt.Fprintf(b, "- %s: %s (%s)\n", f.Key, text, sc.cell(strings.Join(s.By, ", ")))
		}
	}
	if r.Err != nil {
		fmt.Fprintf(b, "- %s\n", sc.cell(r.Err.Error()))
	}
	if len(r.Findings.Routes) > 0 {
		b.WriteString("\n| Route | HTTP | Took | Said |\n| --- | --- | --- | --- |\n")
	}
	for i := range r.Findings.Routes {
		x := &r.Findings.Routes[i]
		said := inspect.ErrorText(x.Result.Err)
		switch {
		case x.Skipped != "":
			said = "not asked: " + x.Skipped
		case x.Result.Task != nil:
			said = x.Result.Task.RawStatus
		case x.Local:
			said = "kept by the history"
		}
		fmt.Fprintf(b, "| %s | %d | %d ms | %s |\n", sc.cell(x.Format), x.Result.Meta.HTTPStatus, x.Result.Meta.Latency.Milliseconds(), sc.cell(said))
	}
	if len(c.Events) > 0 {
		b.WriteString("\n| When | What | State | HTTP | Told |\n| --- | --- | --- | --- | --- |\n")
	}
	for _, e := range c.Events {
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s |\n", stamp(e.At), sc.cell(string(e.Kind)), sc.cell(string(e.To)), e.HTTPStatus, sc.cell(e.Message))
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

func (sc scrubber) cell(s string) string { return cell(sc.line(s)) }

// maxCell bounds one text of a table, in characters.
const maxCell = 300

// cell makes a text from the gateway harmless in Markdown: it is shown as it is, and links to
// nothing.
func cell(s string) string {
	s = client.CleanLine(s)
	if r := []rune(s); len(r) > maxCell {
		s = string(r[:maxCell]) + "…"
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&@", r) || r == ':' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
