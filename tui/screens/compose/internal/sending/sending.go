// Package sending is the one submission of Compose that is on its way: from the word of the person,
// over the look at its files, until it is written down. Nothing else is sent for it.
package sending

import (
	"context"
	"reflect"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/jobs"
	dialog "darkroom/tui/dialogs/batch"
)

// Bounds of the journalling: of a submission, and what each of its jobs adds to that.
const (
	wait = 10 * time.Second
	each = 50 * time.Millisecond
)

// Still is why nothing is submitted while something is on its way.
const Still = "the last submission is still being written down"

// Submission is what a person submitted.
type Submission struct {
	Copies int
	Draft  client.Draft
	Format string
	Mode   batch.PromptMode
}

// Sender knows what is on its way. The zero value is one with nothing.
type Sender struct {
	busy    bool
	number  uint64     // how many were begun: that of the newest
	pending Submission // waits for its references
}

// Busy reports whether a submission is being written down, or its references looked at.
func (s *Sender) Busy() bool { return s.busy }

// Begin begins a submission, which waits for its references.
func (s *Sender) Begin(x Submission) {
	s.busy = true
	s.number++
	s.pending = x
}

// Cancel ends a submission that was not sent.
func (s *Sender) Cancel() { s.busy = false }

// Copies is how many the submission that waits is of.
func (s *Sender) Copies() int { return s.pending.Copies }

// Pending reports whether a submission is the one that waits.
func (s *Sender) Pending(now Submission) bool { return reflect.DeepEqual(s.pending, now) }

// Pends are those of some fields whose values are those of the submission that waits.
func (s *Sender) Pends(fields []string, values client.Values) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(name string) bool {
		was, ok := s.pending.Draft.Values[name]
		return !ok || !reflect.DeepEqual(was, values[name])
	})
}

// Settle takes the references of fields over as their files were found: that is no other submission.
func (s *Sender) Settle(fields []string, values client.Values) {
	for _, name := range fields {
		s.pending.Draft.Values[name] = values[name]
	}
}

// SentMsg says how journalling a submission went.
type SentMsg struct {
	number uint64
	Model  string
	IDs    []string
	Group  string         // of several jobs
	Master *uint64        // that seeds and prompts were drawn with, nil for none
	Batch  *dialog.Dialog // whose jobs they are, nil for the form's own
	Err    error
}

// SendCopies journals the copies of the submission that waits; the engine sends them.
func (s *Sender) SendCopies(doer jobs.Doer, in batch.Input) tea.Cmd {
	number := s.number
	return func() tea.Msg {
		list, master, err := in.Copies()
		if err != nil {
			return SentMsg{number: number, Model: in.Base.Model, Err: err}
		}
		return journal(doer, list, SentMsg{number: number, Master: master})
	}
}

// SendBatch journals the jobs of a dialog.
func (s *Sender) SendBatch(doer jobs.Doer, b dialog.Submit) tea.Cmd {
	s.busy = true
	s.number++
	out := SentMsg{number: s.number, Master: b.Master, Batch: b.From}
	return func() tea.Msg { return journal(doer, b.Jobs, out) }
}

// Sent ends the submission that an answer is of: one that is older is none of the newest's.
func (s *Sender) Sent(msg SentMsg) {
	if msg.number == s.number {
		s.busy = false
	}
}

// journal writes jobs down in one step, as one group where there are several.
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
