package queue

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
)

// Limits of what is requested at once.
const (
	pageSize    = 200
	firstSize   = 64               // of the page that one waits for: the rows of a large window
	askLimit    = 30 * time.Second // a history on a slow disk, not a gateway
	maxFailures = 3                // that are told one by one
	maxPage     = 2000             // of a page where the cursor has far to go
	maxMarked   = 10_000           // rows that are read to mark all
	maxNarrow   = 2000             // rows that are looked through for a filter before the history is
)

// load reads the page of a query.
func load(ctx context.Context, r jobs.Reader, q jobs.Query, gen int) tea.Cmd {
	return func() tea.Msg {
		asked := q
		asked.Limit = cmp.Or(q.Limit, pageSize)
		page, err := r.List(ctx, asked)
		q.Limit = 0 // which is no part of what the list was read for
		return pageMsg{gen: gen, query: q, page: page, err: err}
	}
}

func detail(r jobs.Reader, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		d, err := r.Detail(ctx, id)
		return detailMsg{id: id, detail: d, err: err}
	}
}

func get(r jobs.Reader, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		j, err := r.Get(ctx, id)
		return jobMsg{job: j, err: err}
	}
}

// each does something to jobs one after another, and reports the outcome. A failure of one job does
// not stop the others.
func each(what string, ids []string, do func(context.Context, string) error) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		var failed []string
		for _, id := range ids {
			if err := do(ctx, id); err != nil {
				failed = append(failed, err.Error())
			}
		}
		msg := doneMsg{}
		if n := len(ids) - len(failed); n > 0 {
			msg.what = what + " " + human.Plural(n, "job")
		}
		if n := len(failed) - maxFailures; n > 0 {
			failed = append(failed[:maxFailures], fmt.Sprintf("and %d more", n))
		}
		msg.failed = strings.Join(failed, "; ")
		return msg
	}
}

func resend(d Jobs, j *jobs.Job) tea.Cmd {
	if j == nil {
		return nil
	}
	id, files := j.ID, j.Foreign
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		if files { // the person saw which
			if err := d.SendFiles(ctx, id); err != nil {
				return doneMsg{failed: err.Error()}
			}
		}
		fresh, err := d.Resend(ctx, id)
		if err != nil {
			return doneMsg{failed: err.Error()}
		}
		return doneMsg{what: "sent again as job " + shortID(fresh), show: fresh}
	}
}

// adoptKnown gives a job an id that the gateway knows. The gateway is asked before anything is
// changed.
func adoptKnown(d jobs.Doer, own *jobs.Job, id, taskID string) tea.Cmd {
	var j jobs.Job
	if own != nil {
		j = *own
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		t, err := d.Adoptable(ctx, id, taskID)
		if err != nil {
			return adoptMsg{id, taskID, err}
		}
		if err := d.Adopt(ctx, id, taskID); err != nil {
			return doneMsg{failed: err.Error()}
		}
		return doneMsg{what: fmt.Sprintf("adopted %s; the gateway says that it is %s", client.CleanLine(taskID), jobs.TaskText(j, t))}
	}
}

// adopt gives a job an id without asking the gateway.
func adopt(d jobs.Doer, id, taskID string) tea.Cmd {
	return each(fmt.Sprintf("adopted %s for", client.CleanLine(taskID)), []string{id}, func(ctx context.Context, id string) error {
		return d.Adopt(ctx, id, taskID)
	})
}

// setPause pauses a host, or with "" everything, or ends that pause.
func setPause(d jobs.Keeper, host string, on bool) tea.Cmd {
	what := "going on"
	switch {
	case on && host == "":
		what = "paused: nothing is sent, asked or fetched, here and wherever this history is used"
	case on:
		what = "paused: nothing goes to " + host + ", here and wherever this history is used"
	case host != "":
		what = "going on with " + host
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		if err := d.SetPause(ctx, host, on); err != nil {
			return doneMsg{failed: err.Error()}
		}
		return doneMsg{what: what}
	}
}

// child looks for the newest job that was made from one.
func child(r jobs.Reader, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), askLimit)
		defer stop()
		page, err := r.List(ctx, jobs.Query{Parent: id, Limit: 1, Rejected: jobs.RejectedToo})
		if err != nil || len(page.Jobs) == 0 {
			return childMsg{err: err}
		}
		return childMsg{id: page.Jobs[0].ID}
	}
}

// whole reads a job for an action.
func whole(r jobs.Reader, id, action string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		j, err := r.Get(ctx, id)
		if err == nil && j.Draft.Cut {
			err = client.ErrCut
		}
		return wholeMsg{id: id, action: action, job: j, err: err}
	}
}
