package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/schedule"
	"darkroom/jobs/sighting"
	"darkroom/themes"
	"darkroom/tui/events"
	"darkroom/tui/widgets"
)

const (
	labelWidth = 10
	mostLines  = 12 // of one value

	maxWords     = 256 << 10 // bytes of an answer in words
	maxWordLines = 4000
)

// sheet collects labelled lines of at most w cells about a question.
type sheet struct {
	st *themes.Styles
	q  *question
	// catalog says what errors mean.
	catalog *catalog.Catalog
	planOf  func(*jobs.Job) *schedule.Plan
	key     func(id string) string // of an action
	now     time.Time
	times   human.Times
	player  string   // what the player does with the job's result
	without []string // what a bundle leaves out
	held    string   // how long the gateway holds look-ups back
	// seen is what was seen of the id in this session; watched says that it is looked at again.
	seen    sighting.List
	watched bool
	w       int
	out     []string
}

type paint = func(...string) string

// add puts a value beside its label, wrapped; nothing for an empty one.
func (f *sheet) add(label, value string, p paint) {
	if value == "" {
		return
	}
	ink := f.st.Label.Render
	if widgets.Width(label) >= labelWidth { // a line of its own
		f.out, label = append(f.out, ink(label)), ""
	}
	for i, l := range widgets.WrapLines(value, max(4, f.w-labelWidth), mostLines) {
		if i > 0 {
			label = ""
		}
		f.out = append(f.out, ink(widgets.Pad(label, labelWidth-1))+" "+p(l))
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

// words is the text of an answer: all of it, since it is the result.
func (f *sheet) words(s string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return
	}
	if len(s) > maxWords {
		s = strings.ToValidUTF8(s[:maxWords], "") + widgets.Ellipsis
	}
	for _, l := range widgets.WrapLines(client.Clean(s), max(4, f.w), maxWordLines) {
		f.out = append(f.out, f.st.Text.Render(l))
	}
	f.out = append(f.out, "")
}

// ways are the keys that do what a verdict proposes.
func (f *sheet) ways() inspect.Ways {
	return inspect.Ways{Again: f.key(actAgain), Queue: f.key(actToQueue), Format: f.key(actFormat) + ", then guess,", Results: f.key(actResults), Dur: human.Dur, Catalog: f.catalog}
}

// lines are the facts about the id, the most telling first.
func (f *sheet) lines() []string {
	st, q := f.st, f.q
	if q.id == "" {
		f.text("Paste an id, or any text that contains one, and press "+f.key(actLookup)+". Several lines become a list.", st.Strong.Render)
		f.text("Darkroom looks in this machine's history, then asks the gateway: first the paths most likely to know the id, the others only if none of those does. You see what each one said, the task's state, what an error means, the raw answer, and what to do next.", st.Muted.Render)
		return f.out
	}
	found := q.found
	if f.planOf != nil && found.Job != nil {
		found.Plan = f.planOf(found.Job)
	}
	v := found.Verdict(f.ways(), f.now)
	t := q.found.Task()
	f.state(v, t)
	if t != nil {
		f.failure(t.Error)
	}
	if f.explanation() || t != nil {
		f.out = append(f.out, "")
	}
	f.text(v.Sentences(), st.Info.Render)
	f.words(q.found.Words())
	f.add("Player", f.player, st.Accent.Render)
	f.add("Id", client.CleanLine(q.id), st.Code.Render)
	if q.asked != q.id {
		f.add("Task", client.CleanLine(q.asked), st.Code.Render)
	}
	if i := q.found.Best(); i >= 0 {
		f.task(&q.found.Routes[i])
	}
	f.bundled()
	f.sights()
	f.job()
	f.timeline()
	if q.bundled != nil {
		f.add("Seen", f.times.Stamp(q.at), st.Muted.Render)
		return f.out
	}
	f.add("Asked", f.times.Stamp(q.at), st.Muted.Render)
	return f.out
}

// state is the first line: the sign and the normalised state, and beside it the gateway's term
// exactly as sent.
func (f *sheet) state(v inspect.Verdict, t *client.Task) {
	st := f.st
	head, paint := v.Text, st.Muted.Render
	if v.Status != "" {
		sign, style := widgets.Sign(st, v.Status)
		head, paint = sign+" "+v.Text, style.Render
	}
	if t == nil {
		f.text(head, paint)
		if v.Status == "" && strings.HasSuffix(v.Text, "…") {
			f.text(strings.TrimPrefix(f.held+"; ", "; ")+f.key(actStop)+" stops", st.Faint.Render)
		}
		return
	}
	label, term := "raw ", client.CleanLine(t.RawStatus)
	if term == "" {
		label = "no term in the answer"
	}
	if widgets.Width(head)+2+widgets.Width(label+term) <= f.w {
		f.out = append(f.out, paint(head)+"  "+st.Muted.Render(label)+st.Code.Render(term))
	} else {
		f.out = append(f.out, paint(head))
		f.add("Raw", term, st.Code.Render)
	}
	if f.q.found.Busy() > 0 {
		for _, l := range widgets.WrapLines(strings.TrimPrefix(f.held+", ", ", ")+f.q.found.Progress(), max(4, f.w), mostLines) {
			f.out = append(f.out, st.Faint.Render(l))
		}
	}
}

// failure is what a task says about its failure.
func (f *sheet) failure(e *client.TaskError) {
	if e == nil {
		return
	}
	f.add("Error", client.Clean(strings.TrimSpace(e.Code+" "+e.Message)), f.st.Bad.Render)
	f.add("Type", client.CleanLine(e.Type), f.st.Text.Render)
	f.add("Param", client.CleanLine(e.Param), f.st.Text.Render)
}

// task are the facts of the answer.
func (f *sheet) task(r *inspect.Route) {
	st, t := f.st, r.Result.Task
	f.add("Answer of", strings.TrimSpace(r.Format+"  "+r.Label), st.Text.Render)
	if t.Progress >= 0 {
		bar := min(24, max(4, f.w-labelWidth-7))
		f.out = append(f.out, st.Label.Render(widgets.Pad("Progress", labelWidth))+widgets.Progress(st, t.Progress/100, bar)+" "+human.Percent(t.Progress/100))
	}
	for _, fact := range f.q.found.Facts() {
		if label := factLabels()[fact.Key]; label != "" {
			f.fact(label, fact, r.Format)
		}
	}
	f.odd() // before addresses, which are long
	for _, a := range t.Assets {
		where, p := client.CleanLine(a.URL), st.Code.Render
		switch {
		case where != "":
		case len(a.Inline) > 0:
			where, p = "in the answer itself, "+human.Bytes(int64(len(a.Inline))), st.Text.Render
		default:
			where, p = "at the content path", st.Text.Render
		}
		label := string(a.Kind)
		if f.result(label, a.URL) {
			label = ""
		}
		f.add(label, where, p)
	}
}

// mostOdd is how many lines say what is not as the interface has it; the rest is counted.
const mostOdd = 5

// odd says what in the leading answer is not as the interface has it.
func (f *sheet) odd() {
	i := f.q.found.Best()
	if i < 0 || i >= len(f.q.odd) {
		return
	}
	all := inspect.Alarms(f.q.odd[i])
	for n, x := range all[:min(mostOdd, len(all))] {
		label := ""
		if n == 0 {
			label = "Differs"
		}
		f.add(label, x.Text(), f.st.Warn.Render)
	}
	if n := len(all) - mostOdd; n > 0 {
		f.add("", fmt.Sprintf("and %d more: `darkroom inspect` lists them", n), f.st.Muted.Render)
	}
}

// result says how the address of a result answered, and reports whether there is anything to say.
func (f *sheet) result(label, address string) bool {
	c, ok := f.q.results[address]
	switch {
	case f.q.asking[address]:
		f.add(label, "asking …", f.st.Muted.Render)
	case !ok || address == "":
		return false
	case c.Alive():
		f.add(label, "✓ "+c.Words(f.now), f.st.Good.Render)
	default:
		f.add(label, "✗ "+c.Words(f.now), f.st.Bad.Render)
	}
	return true
}

// factLabels are the facts shown with the answer. The error leads the sheet, and the ids of
// requests are in the matrix.
func factLabels() map[inspect.Key]string {
	return map[inspect.Key]string{
		inspect.KeyModel: "Model", inspect.KeyTitle: "Title", inspect.KeyCreated: "Created", inspect.KeyStarted: "Started",
		inspect.KeyEnded: "Ended", inspect.KeyUpdated: "Updated", inspect.KeyAlso: "Also", inspect.KeyUsage: "Usage",
	}
}

// fact is one fact, with its source unless that is the leading answer alone.
func (f *sheet) fact(label string, fact inspect.Fact, leading string) {
	for _, s := range fact.Said {
		text := client.CleanLine(s.Text)
		switch {
		case s.AsSent:
			text += "  " + human.AsSent
		case !s.At.IsZero():
			text = f.times.WithAge(s.At)
		}
		if !slices.Contains(s.By, leading) || len(fact.Said) > 1 && fact.Key != inspect.KeyAlso {
			text += "  (" + strings.Join(s.By, ", ") + ")"
		}
		p := f.st.Text.Render
		if fact.Key == inspect.KeyAlso {
			p = f.st.Code.Render
		}
		f.add(label, text, p)
	}
}

// explanation says what the error means, whose fault it is, and which source says so. It reports
// whether there is an explanation.
func (f *sheet) explanation() bool {
	if f.catalog == nil {
		return false
	}
	e, ok := f.q.found.Explain(f.catalog)
	switch {
	case !ok:
		return false
	case !e.Listed:
		f.add("Means", inspect.Unlisted, f.st.Muted.Render)
	default:
		f.add("Means", client.CleanLine(e.Rule.Meaning)+" ("+e.Source()+")", f.st.Text.Render)
		f.add("Fault", client.CleanLine(e.Whose()), f.st.Text.Render)
		f.add("Try again", e.Again(), f.st.Text.Render)
		f.add("Field", e.Rule.Field, f.st.Text.Render)
	}
	return true
}

// job are the facts of the history.
func (f *sheet) job() {
	st := f.st
	if f.q.histErr != nil {
		f.add("History", "✗ "+client.Clean(f.q.histErr.Error()), st.Bad.Render)
		return
	}
	if f.q.found.Job == nil {
		if !f.q.found.Pending && f.q.bundled == nil {
			f.add("History", "no job with this id", st.Muted.Render)
		}
		return
	}
	j := f.q.found.Job
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
	if j.Observed {
		f.add("", "somebody else's task: it is watched and never sent", st.Muted.Render)
	}
	f.add("Tags", tags, st.Text.Render)
	f.add("Remark", client.Clean(j.Remark), st.Text.Render)
	f.add("Note", client.Clean(j.Note), st.Warn.Render)
	for _, text := range j.Warnings {
		f.add("Warning", "⚠ "+client.CleanLine(text), st.Warn.Render)
	}
	if j.Error != nil && f.q.found.Best() < 0 {
		f.add("Error", client.Clean(strings.TrimSpace(j.Error.Code+" "+j.Error.Message)), st.Bad.Render)
	}
	f.add("Sent", strings.TrimSpace(client.CleanLine(j.Draft.Model+" "+j.Draft.ModelName)+" "+client.CleanLine(j.Draft.Mode)), st.Text.Render)
	f.add("Prompt", client.Clean(j.Draft.Prompt), st.Text.Render)
	f.add("Submitted", f.times.WithAge(j.SubmittedAt), st.Text.Render)
	for _, file := range j.Files {
		if file.Path != "" {
			f.add("File", client.CleanLine(file.Path), st.Good.Render)
		}
	}
	if f.q.more > 0 {
		f.add("", fmt.Sprintf("%d more with this id are in Queue", f.q.more), st.Muted.Render)
	}
}

// sights are what was seen of the task of somebody else, look by look.
func (f *sheet) sights() {
	if f.q.found.Job != nil && !f.watched {
		return // its timeline tells more
	}
	label := "Seen"
	for _, line := range f.seen.Lines(f.times) {
		f.add(label, client.CleanLine(line), f.st.Text.Render)
		label = ""
	}
	if f.watched {
		f.add("Watching", "until it ends; "+f.key(actWatch)+" stops", f.st.Accent.Render)
	}
}

// timeline is what happened to the job, and the requests about it.
func (f *sheet) timeline() {
	if f.q.found.Job == nil || len(f.q.events) == 0 {
		return
	}
	k := events.NewInks(f.st)
	f.out = append(f.out, "")
	f.out = append(f.out, events.Lines(k, f.times, f.q.events, f.w)...)
	f.out = append(f.out, events.Exchanges(k, f.times, f.q.exchanges, f.w)...)
	f.out = append(f.out, "")
}

// nextAge is how long the ages in sight stay true.
func (m *Model) nextAge() time.Duration {
	if !m.shows(factsPane) {
		return 0
	}
	var all []time.Duration
	times := m.q.times()
	if m.deps.Times.Style() == human.Relative {
		times = append(times, m.q.at)
		for _, s := range m.sights.Seen(m.q.asked) {
			times = append(times, s.First, s.Last)
		}
		for i := range m.q.events {
			times = append(times, m.q.events[i].At)
		}
	}
	for _, t := range times {
		if !t.IsZero() {
			all = append(all, human.NextAgo(m.deps.Now().Sub(t)))
		}
	}
	if len(all) == 0 {
		return 0
	}
	return slices.Min(all)
}
