package compose

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client/expand"
	"darkroom/jobs"
)

// send journals n submissions of a draft; the engine sends them.
func send(in planInput) tea.Cmd {
	return func() tea.Msg {
		if in.count == 1 {
			return journal(in.deps.Jobs, []plannedJob{{draft: in.base.Clone(), format: in.format}}, nil)
		}
		p, err := expand.New(expand.Options{Rows: []expand.Row{{Draft: in.base}}, Count: in.count, Seed: in.master, Seeds: in.seeds,
			Seeded: in.seeded()})
		if err != nil {
			return submittedMsg{model: in.base.Model, err: err}
		}
		items, err := p.Items()
		if err != nil {
			return submittedMsg{model: in.base.Model, err: err}
		}
		list := make([]plannedJob, len(items))
		for i, it := range items {
			list[i] = plannedJob{draft: it.Draft, format: in.format}
		}
		var master *uint64
		if in.draws() {
			master = &in.master
		}
		return journal(in.deps.Jobs, list, master)
	}
}

// sendAll journals the jobs of a plan.
func sendAll(doer jobs.Doer, list []plannedJob, master *uint64) tea.Cmd {
	return func() tea.Msg { return journal(doer, list, master) }
}

// journal writes jobs down in one step, as one group where there are several.
func journal(doer jobs.Doer, list []plannedJob, master *uint64) submittedMsg {
	out := submittedMsg{model: list[0].draft.Model, master: master}
	for i := range list {
		if list[i].draft.Model != out.model {
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
		subs[i] = jobs.Submission{Draft: list[i].draft, Format: list[i].format, Group: out.group}
	}
	ctx, cancel := context.WithTimeout(context.Background(), submitWait+time.Duration(len(list))*submitEach)
	defer cancel()
	out.ids, out.err = doer.Submit(ctx, subs)
	return out
}
