package queue

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

const stamp = "2006-01-02 15:04:05"

// Bounds of the facts.
const (
	maxLabel = 17 // cells
	maxWraps = 12 // lines of one value
	maxValue = 600

	maxText      = 256 << 10 // bytes of an answer in words
	maxTextLines = 4000
)

// fact is a value with its label; without a label it goes over the whole width.
type fact struct {
	label, value string
	ink          widgets.Ink
	most         int // lines; 0 for maxWraps
}

// sheet collects facts, since the room for labels depends on all of them.
type sheet struct {
	m   *Model
	all []fact
}

// add puts a value beside its label; nothing for an empty one. Values are clean; line
// ends stay.
func (s *sheet) add(label, value string) { s.paint(label, value, s.m.ink.text) }

func (s *sheet) paint(label, value string, ink widgets.Ink) {
	if value != "" {
		s.all = append(s.all, fact{label: label, value: value, ink: ink})
	}
}

// lines lays the facts out in w cells.
func (s *sheet) lines(w int) []string {
	wide := 0
	for _, f := range s.all {
		wide = max(wide, widgets.Width(f.label))
	}
	wide = min(wide, maxLabel, w/2) + 1
	ink := widgets.NewInk(s.m.st.Label)
	var out []string
	for _, f := range s.all {
		if f.label == "" {
			out = append(out, "")
			for _, l := range widgets.WrapLines(f.value, w, max(f.most, maxWraps)) {
				out = append(out, f.ink.Text(l))
			}
			out = append(out, "")
			continue
		}
		label := ink.Text(widgets.Line(widgets.Truncate(f.label, wide-1), wide))
		for i, l := range widgets.WrapLines(f.value, max(4, w-wide), maxWraps) {
			if i > 0 {
				label = strings.Repeat(" ", wide)
			}
			out = append(out, label+f.ink.Text(l))
		}
	}
	return out
}

func (m *Model) factLines(j *jobs.Job, w int) []string {
	s := &sheet{m: m}
	code := widgets.NewInk(m.st.Code)
	look := m.ink.sign(j.State)
	if len(m.holds(j)) > 0 {
		look.text = pausedSign
	}
	s.paint("State", look.text+" "+stateText(j), look.ink)
	if p, ok := j.Done(); ok {
		s.paint("Progress", m.ink.bars[int(p*2*barWidth)]+" "+format.Percent(p), m.ink.accent)
	}
	m.outsideFact(s, j)
	m.forecastFacts(s, j)
	if sum := jobs.TransferOf(j.Files); sum.Left > 0 && len(j.Files) > 1 { // alone, a file tells it itself
		s.paint("Saving", savingText(sum), m.ink.accent)
	}
	m.holdFacts(s, j)
	m.explain(s, j)
	s.add("Remark", client.Clean(clip(j.Remark, 4000)))
	s.add("Tags", tagsText(j))
	s.add("Prompt", client.Clean(clip(j.Draft.Prompt, 4000)))
	if j.Draft.Cut {
		s.add("Long", "only the beginning of the request was read; "+m.deps.Keys.Keys("queue.resubmit")+" opens all of it in Compose")
	}
	m.said(s, j)
	if title, _ := j.Draft.Values["title"].(string); title != j.Title { // else it is among the values
		s.add("Title", oneLine(j.Title, 200))
	}
	m.files(s, j, code)
	s.paint("Task", client.CleanLine(j.TaskID), code)
	s.add("Model", modelText(j))
	s.add("Mode", client.CleanLine(j.Draft.Mode))
	for _, name := range j.Draft.Values.Names() {
		s.add(client.CleanLine(name), valueText(j.Draft.Values[name]))
	}
	m.madeFrom(s, j)
	s.paint("Job", client.CleanLine(j.ID), code)
	s.add("Profile", client.CleanLine(j.Profile))
	s.add("Format", formatText(j))
	m.times(s, j)
	return s.lines(w)
}

// said is what the answer says in words: all of it, since it is the result.
func (m *Model) said(s *sheet, j *jobs.Job) {
	if !m.wordsWanted(j) && m.detail.id != j.ID {
		return
	}
	switch d := &m.detail; {
	case d.id != j.ID && j.Wordy():
		s.paint("Answer", "reading …", m.ink.muted)
	case d.id != j.ID:
	case d.err != nil && j.Wordy():
		s.paint("Answer", "✗ "+client.Clean(d.err.Error()), m.ink.bad)
	case j.Draft.Modality == client.Music, j.Draft.Modality == client.Speech:
		m.sung(s, "Lyrics", d.got.Text)
	case strings.TrimSpace(d.got.Text) != "":
		s.all = append(s.all, fact{value: client.Clean(clip(strings.TrimSpace(d.got.Text), maxText)), ink: m.ink.text, most: maxTextLines})
	}
}

// wordsWanted reports whether the answer of a job may say something in words that belongs
// to its facts: the result itself, or a song's lyrics.
func (m *Model) wordsWanted(j *jobs.Job) bool {
	return j != nil && (j.Wordy() || j.State == jobs.Completed && j.Draft.Modality == client.Music)
}

// explain says what a state means and what to do next, where that is not plain.
func (m *Model) explain(s *sheet, j *jobs.Job) {
	k := m.deps.Keys
	if j.Error != nil {
		s.paint("Error", client.Clean(clip(strings.TrimSpace(j.Error.Code+" "+j.Error.Message), 4000)), m.ink.bad)
		s.add("Param", client.CleanLine(j.Error.Param))
	}
	s.paint("Note", client.Clean(j.Note), widgets.NewInk(m.st.Warn))
	for _, text := range j.Warnings {
		s.paint("Warning", warnSign+" "+client.CleanLine(text), widgets.NewInk(m.st.Warn))
	}
	next := ""
	switch j.State {
	case jobs.Ambiguous:
		next = fmt.Sprintf("The task may exist, and nothing was sent again. Timeline tells what came back; the gateway's support can look for the request id there, or for the job's id below where Request has it. Choose: %s adopts its id, %s sends it again (it may be billed twice), %s drops it.",
			k.Keys("queue.adopt"), k.Keys("queue.resend"), k.Keys("queue.drop"))
	case jobs.Refused:
		next = fmt.Sprintf("Nothing was made. %s takes it to Compose with every value as it was, %s sends it again as it is.", k.Keys("queue.resubmit"), k.Keys("queue.resend"))
	case jobs.Failed:
		next = fmt.Sprintf("The task failed at the gateway. %s takes it to Compose; Answer shows all that the gateway said.", k.Keys("queue.resubmit"))
	case jobs.Lost:
		next = fmt.Sprintf("The gateway does not know this id any more, or never did. %s looks it up in every format, %s asks again, %s gives the job another id.",
			k.Keys("queue.inspect"), k.Keys("queue.repoll"), k.Keys("queue.adopt"))
	case jobs.Unknown:
		if j.RawStatus == "" {
			next = "Nothing is known of the task yet. It is asked further on."
			break
		}
		next = "The gateway uses a term that nobody listed. That is no end, so it is asked further on."
	}
	s.paint("", next, widgets.NewInk(m.st.Info))
}

// valueText is a value of a draft for people. Data that stands in it is only named.
func valueText(v any) string {
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		if head, data, ok := strings.Cut(t, ","); ok && strings.HasPrefix(t, "data:") && len(data) > 64 {
			return oneLine(head, 60) + ", " + format.Bytes(int64(len(data)))
		}
		return oneLine(t, maxValue)
	case []any:
		parts := make([]string, 0, len(t))
		for i, e := range t {
			if i == 16 {
				parts = append(parts, widgets.Ellipsis)
				break
			}
			parts = append(parts, valueText(e))
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		b, err := json.Marshal(t)
		if err != nil {
			return ""
		}
		return oneLine(string(b), maxValue)
	default:
		return oneLine(fmt.Sprint(t), maxValue)
	}
}

// clip is the beginning of a long text, at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + widgets.Ellipsis
}

func formatText(j *jobs.Job) string {
	if j.QueryFormat != "" && j.QueryFormat != j.Format {
		return client.CleanLine(j.Format + ", asked through " + j.QueryFormat)
	}
	return client.CleanLine(j.Format)
}

func (m *Model) times(s *sheet, j *jobs.Job) {
	now := m.deps.Now()
	at := func(label string, t time.Time) {
		if !t.IsZero() {
			s.add(label, t.In(now.Location()).Format(stamp))
		}
	}
	at("Created", j.CreatedAt)
	at("Accepted", j.AcceptedAt)
	at("Ended", j.EndedAt)
	if d := j.EndedAt.Sub(j.SubmittedAt); !j.EndedAt.IsZero() && !j.SubmittedAt.IsZero() && d >= 0 {
		s.add("Took", format.Dur(d))
	}
	if j.CreateTook > 0 {
		s.add("Create call", format.Dur(j.CreateTook))
	}
	if j.Polls > 0 {
		s.add("Polls", format.Count(j.Polls))
	}
	if j.State.Polled() && j.NextPollAt.After(now) && len(m.holds(j)) == 0 {
		s.add("Next poll", j.NextPollAt.In(now.Location()).Format("15:04:05"))
	}
}
