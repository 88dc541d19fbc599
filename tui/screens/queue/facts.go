package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// factSheet collects labelled lines.
type factSheet struct {
	m   *Model
	w   int
	out []string
}

const labelWidth = 10

// add puts a value beside its label, wrapped; nothing for an empty one.
func (f *factSheet) add(label, value string, style ...func(...string) string) {
	if value == "" {
		return
	}
	paint := f.m.st.Text.Render
	if len(style) > 0 {
		paint = style[0]
	}
	for i, l := range widgets.WrapLines(value, max(8, f.w-labelWidth), 12) {
		if i > 0 {
			label = ""
		}
		f.out = append(f.out, f.m.st.Label.Render(widgets.Pad(label, labelWidth))+paint(l))
	}
}

// text puts wrapped text over the whole width.
func (f *factSheet) text(s string, paint func(...string) string) {
	for _, l := range widgets.WrapLines(s, f.w, 12) {
		f.out = append(f.out, paint(l))
	}
}

func (m *Model) factLines(w int) []string {
	f := &factSheet{m: m, w: w}
	st, j := m.st, m.detail.Job
	sign, style := widgets.Sign(st, status(j.State))
	f.add("State", sign+" "+stateText(j), style.Render)
	if j.State == jobs.Running && j.Progress >= 0 {
		f.out = append(f.out, st.Label.Render(widgets.Pad("Progress", labelWidth))+widgets.Progress(st, j.Progress/100, min(24, max(4, w-labelWidth-7)))+" "+format.Percent(j.Progress/100))
	}
	m.explain(f, j)
	f.add("Prompt", client.Clean(j.Draft.Prompt))
	f.add("Title", client.CleanLine(j.Title))
	f.add("Model", client.CleanLine(modelText(j)))
	f.add("Mode", j.Draft.Mode)
	for _, name := range j.Draft.Values.Names() {
		f.add(name, valueText(j.Draft.Values[name]))
	}
	f.add("Task", client.CleanLine(j.TaskID), st.Code.Render)
	f.add("Job", j.ID, st.Code.Render)
	f.add("Profile", j.Profile)
	f.add("Format", formatText(j))
	m.times(f, j)
	m.files(f, j)
	return f.out
}

// explain says what a state means and what to do next, where that is not plain.
func (m *Model) explain(f *factSheet, j jobs.Job) {
	st, k := m.st, m.deps.Keys
	if j.Error != nil {
		f.add("Error", client.Clean(strings.TrimSpace(j.Error.Code+" "+j.Error.Message)), st.Bad.Render)
		f.add("Param", client.CleanLine(j.Error.Param))
	}
	if j.Note != "" {
		f.add("Note", client.Clean(j.Note), st.Warn.Render)
	}
	next := ""
	switch j.State {
	case jobs.Ambiguous:
		next = fmt.Sprintf("The answer to the create was lost: the task may exist, and nothing was sent again. Choose: %s adopts its id if you know it, %s sends it again (it may be billed twice), %s drops it.",
			k.Keys("queue.adopt"), k.Keys("queue.resend"), k.Keys("queue.drop"))
	case jobs.Refused:
		next = fmt.Sprintf("Nothing was made. %s takes it to Compose with every value as it was.", k.Keys("queue.resubmit"))
	case jobs.Failed:
		next = fmt.Sprintf("The task failed at the gateway. %s takes it to Compose; %s shows the whole answer.", k.Keys("queue.resubmit"), k.Keys("queue.inspect"))
	case jobs.Lost:
		next = fmt.Sprintf("The gateway does not know this id (any more). %s asks every query path.", k.Keys("queue.inspect"))
	case jobs.Unknown:
		next = "The gateway uses a term that nobody listed. It is no end, so the task is asked about further on."
	}
	if next != "" {
		f.out = append(f.out, "")
		f.text(next, st.Info.Render)
		f.out = append(f.out, "")
	}
}

func valueText(v any) string {
	switch t := v.(type) {
	case string:
		return client.CleanLine(t)
	default:
		return client.CleanLine(fmt.Sprint(t))
	}
}

func formatText(j jobs.Job) string {
	if j.QueryFormat != "" && j.QueryFormat != j.Format {
		return j.Format + ", asked through " + j.QueryFormat
	}
	return j.Format
}

func (m *Model) times(f *factSheet, j jobs.Job) {
	now := m.deps.Now()
	at := func(label string, t time.Time) {
		if !t.IsZero() {
			f.add(label, t.Local().Format(stamp))
		}
	}
	at("Created", j.CreatedAt)
	at("Accepted", j.AcceptedAt)
	at("Ended", j.EndedAt)
	if !j.EndedAt.IsZero() && !j.SubmittedAt.IsZero() {
		f.add("Took", format.Dur(j.EndedAt.Sub(j.SubmittedAt)))
	}
	if j.CreateTook > 0 {
		f.add("Create", format.Dur(j.CreateTook))
	}
	if j.Polls > 0 {
		f.add("Polls", fmt.Sprint(j.Polls))
	}
	if j.State.Polled() && j.NextPollAt.After(now) {
		f.add("Next poll", j.NextPollAt.Local().Format("15:04:05"))
	}
}

func (m *Model) files(f *factSheet, j jobs.Job) {
	st := m.st
	for _, file := range j.Files {
		label := string(file.Kind)
		switch file.State {
		case jobs.FileSaved:
			f.add(label, file.Path+"  "+format.Bytes(file.Bytes), st.Good.Render)
		case jobs.FileFailed:
			f.add(label, "✗ "+client.Clean(file.Error), st.Bad.Render)
		case jobs.FileFetching:
			text := format.Bytes(file.Bytes)
			if file.Total > 0 {
				text += " of " + format.Bytes(file.Total)
			}
			f.add(label, "saving, "+text, st.StateRunning.Render)
		default:
			f.add(label, "waits to be saved", st.Muted.Render)
		}
	}
	if len(j.Files) > 0 {
		return
	}
	for _, a := range j.Assets {
		where := client.CleanLine(a.URL)
		if where == "" {
			where = "at the content path"
		}
		f.add(string(a.Kind), where, st.Code.Render)
	}
}
