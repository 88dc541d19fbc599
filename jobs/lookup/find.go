package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// Find returns the job of the history that a subject is about, nil for none.
func (d *Desk) Find(ctx context.Context, s inspect.Subject) (*jobs.Job, error) {
	if d.History == nil {
		return nil, nil
	}
	switch s.Kind {
	case inspect.KindRequest:
		return d.ofRequest(ctx, s.Value)
	case inspect.KindResult:
		for _, id := range inspect.IDsIn(s.Value) {
			page, err := d.History.List(ctx, jobs.Query{TaskID: id, Limit: 1})
			if err != nil || len(page.Jobs) > 0 {
				j, werr := d.whole(ctx, page.Jobs)
				return j, cmp.Or(err, werr)
			}
		}
		return nil, nil
	}
	least := 0
	if shortID(s.Value) {
		least = len(s.Value)
	}
	found, ended, err := Named(ctx, d.History, s.Value, least)
	switch {
	case err != nil || len(found) == 0:
		return nil, err
	case ended && len(found) > 1:
		return nil, ErrSeveral
	}
	return d.whole(ctx, found)
}

// ofRequest returns the job that the request with this id was about. The search finds the id in any
// text, so an event or an exchange has to name it.
func (d *Desk) ofRequest(ctx context.Context, id string) (*jobs.Job, error) {
	page, err := d.History.List(ctx, jobs.Query{Text: quoted(id), Limit: 10, Rejected: jobs.RejectedToo})
	if err != nil {
		return nil, err
	}
	for i := range page.Jobs {
		x, err := d.History.Detail(ctx, page.Jobs[i].ID)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(x.Events, func(e jobs.Event) bool { return e.RequestID == id }) ||
			slices.ContainsFunc(x.Exchanges, func(e jobs.Exchange) bool { return e.RequestID == id }) {
			return &x.Job, nil
		}
	}
	return nil, nil
}

// whole is the first of some jobs, with its whole draft; nil for none.
func (d *Desk) whole(ctx context.Context, all []jobs.Job) (*jobs.Job, error) {
	if len(all) == 0 {
		return nil, nil
	}
	j, err := Whole(ctx, d.History, all[0])
	if err != nil {
		return nil, err
	}
	return &j, nil
}

// shortID reports what may be the last digits of a job's id, as lists show them.
func shortID(s string) bool {
	return len(s) >= 8 && len(s) <= 12 && strings.Trim(s, "0123456789abcdef-") == ""
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, "") + `"` }
