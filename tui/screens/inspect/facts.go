package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

const (
	labelWidth = 10
	stamp      = "2006-01-02 15:04:05 -0700"
	mostLines  = 12 // of one value

	maxWords     = 256 << 10 // bytes of an answer in words
	maxWordLines = 4000
)

// sheet collects labelled lines of at most w cells.
type sheet struct {
	m   *Model
	w   int
	out []string
}

type paint = func(...string) string

// add puts a value beside its label, wrapped; nothing for an empty one.
func (f *sheet) add(label, value string, p paint) {
	if value == "" {
		return
	}
	ink := f.m.st.Label.Render
	for i, l := range widgets.WrapLines(value, max(4, f.w-labelWidth), mostLines) {
		if i > 0 {
			label = ""
		}
		f.out = append(f.out, ink(widgets.Pad(label, labelWidth))+p(l))
	}
}

// text puts wrapped text over the whole width, and a blank line after it.
func (f *sheet) text(s string, p paint) {
	if s == "" {
		return
	}
	for _, l := range widgets.WrapLines(s, max(4, f.w), mostLines) {
		f.out = append(f.out, p(l))
	}
	f.out = append(f.out, "")
}

// words are what an answer says in words: all of it, since it is the result.
func (f *sheet) words(s string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return
	}
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords], "") + widgets.Ellipsis
	}
	for _, l := range widgets.WrapLines(client.Clean(s), max(4, f.w), maxWordLines) {
		f.out = append(f.out, f.m.st.Text.Render(l))
	}
	f.out = append(f.out, "")
}

// words is the text of the best answer, else of the one that was kept.
func (m *Model) words(best int) string {
	if best >= 0 && m.routes[best].res.Task.Words() != "" {
		return m.routes[best].res.Task.Words()
	}
	return m.inWords
}

// factLines are what is known about the id, the most telling first.
func (m *Model) factLines(w int) []string {
	st := m.st
	f := &sheet{m: m, w: w}
	if m.id == "" {
		f.text("Paste an id, of a task or of a job, and press "+m.deps.Keys.Keys("inspect.lookup")+".", st.Strong.Render)
		f.text("The history on this machine and every query route of the gateway that could own it are asked at once. What each said is shown, with the state, the answer as it came, and what to do next.", st.Muted.Render)
		return f.out
	}
	v := m.judge()
	i := m.best()
	m.state(f, v, i)
	if i >= 0 {
		m.errorFacts(f, m.routes[i].res.Task.Error)
		f.out = append(f.out, "")
	}
	f.text(v.next, st.Info.Render)
	f.words(m.words(i))
	f.add("Player", m.outside.Text(m.job), st.Accent.Render)
	f.add("Id", client.CleanLine(m.id), st.Code.Render)
	if m.askedID != m.id {
		f.add("Task", client.CleanLine(m.askedID), st.Code.Render)
	}
	if i >= 0 {
		m.taskFacts(f, m.routes[i])
	}
	m.jobFacts(f)
	f.add("Asked", m.at.Local().Format(stamp), st.Muted.Render)
	return f.out
}

// state is the first line: the sign and the normalised state, and beside it the term of
// the gateway exactly as it sent it.
func (m *Model) state(f *sheet, v verdict, best int) {
	st := m.st
	head, paint := v.text, st.Muted.Render
	if v.status != "" {
		sign, style := widgets.Sign(st, v.status)
		head, paint = sign+" "+v.text, style.Render
	}
	if best < 0 {
		f.text(head, paint)
		if v.status == "" && strings.HasSuffix(v.text, "…") {
			f.text(m.deps.Keys.Keys("inspect.stop")+" stops", st.Faint.Render)
		}
		return
	}
	label, term := "raw ", client.CleanLine(m.routes[best].res.Task.RawStatus)
	if term == "" {
		label = "no term in the answer"
	}
	if widgets.Width(head)+2+widgets.Width(label+term) <= f.w {
		f.out = append(f.out, paint(head)+"  "+st.Muted.Render(label)+st.Code.Render(term))
	} else {
		f.out = append(f.out, paint(head))
		f.add("Raw", term, st.Code.Render)
	}
	if m.busy() > 0 {
		f.out = append(f.out, st.Faint.Render(m.progress()))
	}
}

// errorFacts are what a task says about its failure.
func (m *Model) errorFacts(f *sheet, e *client.TaskError) {
	if e == nil {
		return
	}
	f.add("Error", client.Clean(strings.TrimSpace(e.Code+" "+e.Message)), m.st.Bad.Render)
	f.add("Type", client.CleanLine(e.Type), m.st.Text.Render)
	f.add("Param", client.CleanLine(e.Param), m.st.Text.Render)
}

// taskFacts are those of the answer.
func (m *Model) taskFacts(f *sheet, r route) {
	st, t := m.st, r.res.Task
	f.add("Answer of", strings.TrimSpace(r.format+"  "+r.label), st.Text.Render)
	f.add("Model", client.CleanLine(t.Model), st.Text.Render)
	if t.Progress >= 0 {
		bar := min(24, max(4, f.w-labelWidth-7))
		f.out = append(f.out, st.Label.Render(widgets.Pad("Progress", labelWidth))+widgets.Progress(st, t.Progress/100, bar)+" "+format.Percent(t.Progress/100))
	}
	m.at2(f, "Created", t.CreatedAt)
	m.at2(f, "Updated", t.UpdatedAt)
	f.add("Title", client.CleanLine(t.Title), st.Text.Render)
	for _, a := range t.Assets {
		where, p := client.CleanLine(a.URL), st.Code.Render
		switch {
		case where != "":
		case len(a.Inline) > 0:
			where, p = "in the answer itself, "+format.Bytes(int64(len(a.Inline))), st.Text.Render
		default:
			where, p = "at the content path", st.Text.Render
		}
		f.add(string(a.Kind), where, p)
	}
	for _, id := range t.AltIDs {
		f.add("Also", client.CleanLine(id), st.Code.Render)
	}
	f.add("Usage", client.CleanLine(string(t.Usage)), st.Text.Render)
}

// at2 is a time of the gateway here, and how long ago it was.
func (m *Model) at2(f *sheet, label string, t time.Time) {
	if !t.IsZero() {
		f.add(label, t.Local().Format(stamp)+"  "+ago(m.deps.Now().Sub(t)), f.m.st.Text.Render)
	}
}

func ago(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return format.Age(d) + " ago"
}

// jobFacts are those of the history.
func (m *Model) jobFacts(f *sheet) {
	st := m.st
	if m.histErr != nil {
		f.add("History", "✗ "+client.Clean(m.histErr.Error()), st.Bad.Render)
		return
	}
	if m.job == nil {
		if !m.histDue {
			f.add("History", "no job with this id", st.Muted.Render)
		}
		return
	}
	j := m.job
	f.out = append(f.out, "")
	f.add("Job", j.ID, st.Code.Render)
	sign, style := widgets.Sign(st, j.State.Coarse())
	text := sign + " " + string(j.State)
	if j.RawStatus != "" {
		text += " (" + client.CleanLine(j.RawStatus) + ")"
	}
	f.add("", text, style.Render)
	tags := client.CleanLine(strings.Join(j.PlainTags(), " "))
	if j.Starred() {
		tags = strings.TrimSpace("★ " + tags)
	}
	f.add("Tags", tags, st.Text.Render)
	f.add("Note", client.Clean(j.Note), st.Warn.Render)
	for _, text := range j.Warnings {
		f.add("Warning", "⚠ "+client.CleanLine(text), st.Warn.Render)
	}
	if j.Error != nil && m.best() < 0 {
		f.add("Error", client.Clean(strings.TrimSpace(j.Error.Code+" "+j.Error.Message)), st.Bad.Render)
	}
	f.add("Sent", strings.TrimSpace(client.CleanLine(j.Draft.Model+" "+j.Draft.ModelName)+" "+client.CleanLine(j.Draft.Mode)), st.Text.Render)
	f.add("Prompt", client.Clean(j.Draft.Prompt), st.Text.Render)
	m.at2(f, "Submitted", j.SubmittedAt)
	for _, file := range j.Files {
		if file.Path != "" {
			f.add("File", client.CleanLine(file.Path), st.Good.Render)
		}
	}
	if m.more > 0 {
		f.add("", fmt.Sprintf("%d more with this id are in Queue", m.more), st.Muted.Render)
	}
}

// nextAge is how long the ages in sight stay true.
func (m *Model) nextAge() time.Duration {
	if !m.shows(factsPane) {
		return 0
	}
	var all []time.Duration
	at := func(t time.Time) {
		if !t.IsZero() {
			all = append(all, format.NextChange(m.deps.Now().Sub(t)))
		}
	}
	if i := m.best(); i >= 0 {
		at(m.routes[i].res.Task.CreatedAt)
		at(m.routes[i].res.Task.UpdatedAt)
	}
	if m.job != nil {
		at(m.job.SubmittedAt)
	}
	if len(all) == 0 {
		return 0
	}
	return slices.Min(all)
}
