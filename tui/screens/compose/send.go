package compose

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client/batch"
	"darkroom/jobs"
)

// send journals copies of a draft; the engine sends them.
func send(doer jobs.Doer, in batch.Input) tea.Cmd {
	return func() tea.Msg {
		list, master, err := in.Copies()
		if err != nil {
			return submittedMsg{model: in.Base.Model, err: err}
		}
		return journal(doer, list, master)
	}
}

// journal writes jobs down in one step, as one group where there are several.
func journal(doer jobs.Doer, list []batch.Job, master *uint64) submittedMsg {
	out := submittedMsg{model: list[0].Draft.Model, master: master}
	for i := range list {
		if list[i].Draft.Model != out.model {
			out.model = "several models"
		}
	}
	if len(list) > 1 {
		id, err := uuid.NewV7()
		if err != nil {
			out.err = err
			return out
		}
		out.group = id.String()
	}
	subs := make([]jobs.Submission, len(list))
	for i := range list {
		subs[i] = jobs.Submission{Draft: list[i].Draft, Format: list[i].Format, Group: out.group}
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitWait+time.Duration(len(list))*submitEach)
	defer cancel()
	out.ids, out.err = doer.Submit(ctx, subs)
	return out
}
