// Package sending submits the form of Compose: from the key press, through the check of its files,
// until the job is in the history. One submission is under way at a time, and exactly what was
// submitted is sent.
package sending

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/jobs"
	dialog "darkroom/tui/dialogs/batch"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/document"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/late"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/sheet"
)

// Bounds of the time for journalling: for a submission, and for each of its jobs on top.
const (
	wait = 10 * time.Second
	each = 50 * time.Millisecond
)

// still is why nothing is submitted while a submission is under way.
const still = "the last submission is still being written down"

// Batches make batches of the form.
type Batches interface {
	Open(k dialog.Kind, asked bool) tea.Cmd
	Copies(n int) batch.Input
}

// Options are what a [Sender] works with.
type Options struct {
	Jobs    jobs.Doer
	Doc     *document.Document
	Over    *screen.Stack
	Batches Batches
	Blocked func() string // why the form as it is now goes nowhere, "" when it may
	Key     string        // that submits, "" for none
	// ReadOnly is why nothing is ever submitted, "" where it may be.
	ReadOnly string
}

// Sender knows which submission is under way. Make it with [New].
type Sender struct {
	o       Options
	busy    bool       // something is being written down, or its references looked at
	number  uint64     // how many were begun: that of the newest
	pending submission // waits for its references
	refused string     // why nothing was submitted, "" once the form has changed
}

// submission is what a person submitted.
type submission struct {
	copies int
	draft  client.Draft
	format string
	mode   batch.PromptMode
}

// New is a sender with nothing under way.
func New(o Options) *Sender { return &Sender{o: o} }

// submission is what the form would submit now.
func (s *Sender) submission(copies int) submission {
	x := s.o.Doc.Sheet
	return submission{copies, x.Draft.Clone(), x.Effective().Format, x.Template.Mode}
}

// Off says why the form cannot be submitted now, "" when it can. While the dialog of a batch is
// open, it is the batch that is submitted.
func (s *Sender) Off() string {
	switch {
	case s.o.ReadOnly != "":
		return s.o.ReadOnly
	case s.busy:
		return still
	case !s.o.Over.Has(dialog.Scope) && s.o.Over.Top() != nil:
		return late.OverForm
	}
	return ""
}

// notNow says why nothing can be submitted at this moment, nil when it can.
func (s *Sender) notNow() tea.Cmd {
	if s.o.ReadOnly != "" {
		return screen.Toast(screen.Warn, "not submitted: "+s.o.ReadOnly)
	}
	if why := s.o.Blocked(); why != "" {
		return screen.Toast(screen.Warn, "not submitted: "+why)
	}
	if s.busy {
		return screen.Toast(screen.Warn, "not submitted again: "+still)
	}
	return nil
}

// Submit begins a submission of as many copies as the form says. While another is under way, it
// refuses.
func (s *Sender) Submit() tea.Cmd {
	over, x := s.o.Over, s.o.Doc.Sheet
	if d := over.Top(); d != nil && d.Scope() == dialog.Scope { // by the palette: what shows is what is meant
		cmd, _ := over.Update(screen.ActionMsg{ID: dialog.Submits})
		return cmd
	}
	if off := s.notNow(); off != nil {
		return off
	}
	if over.Top() != nil {
		return screen.Toast(screen.Warn, "not submitted: "+late.OverForm)
	}
	if x.AsksFirst() {
		return s.o.Batches.Open(dialog.OfTemplate, true)
	}
	s.o.Doc.Tried()
	s.o.Doc.Refresh()
	s.refused = ""
	s.begin()
	s.pending = s.submission(x.Copies())
	if look := x.ResolveLocal(references.Submit); look != nil {
		return look
	}
	return s.Send()
}

// begin gives a submission its number, which tells its answer from any other.
func (s *Sender) begin() {
	s.busy = true
	s.number++
}

// Send journals the submission whose files were checked, or says what prevents that; one reason is
// that the form has changed since it was submitted.
func (s *Sender) Send() tea.Cmd {
	d, x := s.o.Doc, s.o.Doc.Sheet
	d.Refresh()
	s.busy = false
	if !reflect.DeepEqual(s.pending, s.submission(s.pending.copies)) {
		text := "not submitted, nothing was sent: the form changed while its files were checked"
		if s.o.Key != "" {
			text += "; " + s.o.Key + " submits it as it is now"
		}
		return screen.Toast(screen.Warn, text)
	}
	if x.AsksFirst() {
		return s.o.Batches.Open(dialog.OfTemplate, true)
	}
	if p, bad := x.FirstBad(); bad {
		d.Side.ShowForm()
		x.GoToProblem(&p)
		s.refused = "not submitted: " + client.CleanLine(p.Message)
		return nil
	}
	s.busy = true
	if look := x.ResolveTyped(references.Submit); look != nil { // typed while the others were looked at
		return look
	}
	x.Refusal = findings.Refusal{}
	doer, number, in := s.o.Jobs, s.number, s.o.Batches.Copies(max(1, min(s.pending.copies, sheet.MaxCopies)))
	return func() tea.Msg {
		list, master, err := in.Copies()
		if err != nil {
			return SentMsg{number: number, Model: in.Base.Model, Err: err}
		}
		return journal(doer, list, SentMsg{number: number, Master: master})
	}
}

// Refused is why nothing was submitted, "" where something was, or the form has changed since. The
// form says it at the field that it goes to.
func (s *Sender) Refused() string { return s.refused }

// Unsay takes back the reason why nothing was submitted, since the form was changed.
func (s *Sender) Unsay() { s.refused = "" }

// Found follows when the files that fields name were found. A submission that waits for them has
// them as they were found: that is no other submission. Follow takes them into the form.
func (s *Sender) Found(fields []string, follow func() tea.Cmd) tea.Cmd {
	values := s.o.Doc.Sheet.Draft.Values
	fields = slices.DeleteFunc(slices.Clone(fields), func(name string) bool {
		was, ok := s.pending.draft.Values[name]
		return !ok || !reflect.DeepEqual(was, values[name])
	})
	cmd := follow()
	for _, name := range fields {
		s.pending.draft.Values[name] = s.o.Doc.Sheet.Draft.Values[name]
	}
	return cmd
}

// SendBatch journals the jobs of a dialog.
func (s *Sender) SendBatch(b dialog.Submit) tea.Cmd {
	if off := s.notNow(); off != nil {
		cmd, _ := s.o.Over.Update(dialog.Sent{To: b.From, Not: true})
		return tea.Batch(off, cmd)
	}
	s.o.Doc.Sheet.Refusal = findings.Refusal{}
	s.begin()
	doer, out := s.o.Jobs, SentMsg{number: s.number, Master: b.Master, Batch: b.From}
	return func() tea.Msg { return journal(doer, b.Jobs, out) }
}

// SentMsg is the outcome of journalling a submission.
type SentMsg struct {
	number uint64
	Model  string
	IDs    []string
	Group  string         // of several jobs
	Master *uint64        // that seeds and prompts were drawn with, nil for none
	Batch  *dialog.Dialog // whose jobs they are, nil for the form's own
	Err    error
}

// journal writes down jobs in one step, and as one group if there are several.
func journal(doer jobs.Doer, list []batch.Job, out SentMsg) SentMsg {
	out.Model = list[0].Draft.Model
	subs := make([]jobs.Submission, len(list))
	for i := range list {
		if list[i].Draft.Model != out.Model {
			out.Model = "several models"
		}
		subs[i] = jobs.Submission{Draft: list[i].Draft, Format: list[i].Format}
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait+time.Duration(len(list))*each)
	defer cancel()
	out.Group, out.IDs, out.Err = jobs.SubmitGroup(ctx, doer, subs)
	return out
}

// Sent ends the submission that was answered, unless a newer one is under way, and tells the
// outcome.
func (s *Sender) Sent(msg SentMsg) tea.Cmd {
	if msg.number == s.number {
		s.busy = false
	}
	if msg.Err != nil {
		why := client.CleanLine(msg.Err.Error())
		shown, said := "not submitted: "+why, "not submitted, nothing was sent: "+why
		if errors.Is(msg.Err, jobs.ErrUnclear) {
			shown = "perhaps submitted: " + why
			said = shown
		}
		s.o.Doc.Sheet.Refusal = findings.Refusal{Text: shown}
		return screen.Toast(screen.Bad, said)
	}
	what := fmt.Sprintf("submitted %s, %d jobs", msg.Model, len(msg.IDs))
	if len(msg.IDs) == 1 {
		what = fmt.Sprintf("submitted %s, job %s", msg.Model, sheet.Short(msg.IDs[0]))
	}
	what += " (Queue shows it)"
	if msg.Master != nil {
		what += fmt.Sprintf("; drawn with %d, which makes the same again", *msg.Master)
	}
	return screen.Toast(screen.Info, what)
}
