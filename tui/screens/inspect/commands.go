package inspect

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/screen"
)

// historyLimit bounds the time of the history on a slow disk. The gateway has the client's own
// limits.
const historyLimit = 30 * time.Second

// ask asks one route about an id. A cancelled route still answers; its message is too old by then.
func ask(ctx context.Context, g Gateway, id, format string, gen, at int) tea.Cmd {
	return func() tea.Msg {
		msg := routeMsg{gen: gen, at: at, res: client.RouteResult{Format: format}}
		if list := g.Lookup(ctx, id, format); len(list) > 0 {
			msg.res = list[0]
		}
		msg.doc = body.Doc(inspect.Body(msg.res))
		msg.odd = inspect.Odd(msg.res)
		return msg
	}
}

// head asks the address of a result, without sending the key.
func head(ctx context.Context, g Gateway, address string, gen int) tea.Cmd {
	return func() tea.Msg {
		c := inspect.ResultCheck{URL: address, Expires: inspect.Expiry(address)}
		c.Head, c.Err = g.Head(ctx, address)
		return resultMsg{gen: gen, check: c}
	}
}

// star stars a job, or removes its star. The news brings what it looks like then.
func star(t Tagger, id string, on bool) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), historyLimit)
		defer stop()
		add, remove, done := []string{jobs.Star}, []string(nil), "starred its job"
		if !on {
			add, remove, done = remove, add, "took the star from its job"
		}
		if err := t.Tag(ctx, id, add, remove); err != nil {
			return screen.ToastMsg{Level: screen.Bad, Text: err.Error()}
		}
		return screen.ToastMsg{Level: screen.Good, Text: done}
	}
}

// remember asks the history for the job that a subject is about: by the id of its task, another id
// of the task, the job's own id or the end of it, the id of a request, or the address of a result.
func remember(ctx context.Context, r jobs.Reader, s inspect.Subject, gen int) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(ctx, historyLimit)
		defer stop()
		msg := historyMsg{gen: gen}
		var found *jobs.Job
		if found, msg.err = (&lookup.Desk{History: r}).Find(ctx, s); msg.err != nil || found == nil {
			return msg
		}
		j := *found
		if page, err := r.List(ctx, jobs.Query{TaskID: s.Value, Limit: 10}); err == nil {
			msg.more = max(0, len(page.Jobs)-1)
		}
		if d, err := r.Detail(ctx, j.ID); err == nil {
			j, msg.answer, msg.text = d.Job, d.Answer, d.Text
			msg.events, msg.exchanges = d.Events, d.Exchanges
		} else if j.Draft.Cut { // nothing can be done with it
			msg.err = err
			return msg
		}
		msg.job = &j
		msg.doc = body.Doc(msg.answer)
		return msg
	}
}

// detail reads the timeline of a job anew.
func detail(ctx context.Context, r jobs.Reader, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(ctx, historyLimit)
		defer stop()
		d, err := r.Detail(ctx, id)
		if err != nil {
			return nil // what was read before stays
		}
		return detailMsg{job: id, events: d.Events, exchanges: d.Exchanges}
	}
}
