package compose

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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
	subs := make([]jobs.Submission, len(list))
	for i := range list {
		subs[i] = jobs.Submission{Draft: list[i].Draft, Format: list[i].Format}
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitWait+time.Duration(len(list))*submitEach)
	defer cancel()
	out.group, out.ids, out.err = jobs.SubmitGroup(ctx, doer, subs)
	return out
}
