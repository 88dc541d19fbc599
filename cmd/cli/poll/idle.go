package poll

import (
	"context"
	"errors"

	"darkroom/cmd/app"
	"darkroom/jobs"
)

// idle reports whether no job of the profile has work: none is active anywhere, and we hold none
// whose files are still to be fetched. Creates that only a person sends (see jobs.Unreached) are
// not work, nor are files that are tried again for a day (see jobs.PutOff).
func idle(ctx context.Context, d *app.Desk) (bool, error) {
	marks, _, err := d.Store.Marks(ctx, d.Config.Profile.Name)
	if err != nil {
		return false, err
	}
	unreached := 0
	for _, m := range marks {
		if !m.State.Active() || stays(d, m.State) {
			continue
		}
		if m.State != jobs.Planned {
			return false, nil
		}
		w, err := d.Store.Get(ctx, m.ID)
		w.Job = d.Engine.Judge(w.Job)
		switch {
		case errors.Is(err, jobs.ErrNotFound):
		case err != nil || !jobs.ForPerson(w.Job):
			return false, err
		case w.Owner == d.Owner:
			unreached++
		}
	}
	leases, ok := d.Store.(jobs.Leaser)
	if !ok {
		return false, errors.New("the history does not tell who works on its jobs")
	}
	all, err := leases.Leases(ctx)
	for _, l := range all {
		if l.Owner != d.Owner || l.Jobs <= unreached {
			continue
		}
		if off, err := putOff(ctx, d); err != nil || l.Jobs > unreached+off {
			return false, err
		}
	}
	return err == nil, err
}

// putOff counts the jobs that we hold and that are put off.
func putOff(ctx context.Context, d *app.Desk) (n int, err error) {
	list, _ := d.Engine.Changes(0)
	for i := range list {
		if !jobs.PutOff(list[i]) {
			continue
		}
		w, err := d.Store.Get(ctx, list[i].ID)
		switch {
		case errors.Is(err, jobs.ErrNotFound):
		case err != nil:
			return n, err
		case w.Owner == d.Owner && jobs.PutOff(w.Job):
			n++
		}
	}
	return n, nil
}
