package cli

import (
	"context"
	"errors"

	"darkroom/cmd/app"
	"darkroom/jobs"
)

// idle reports whether no job of the profile has work: none is active anywhere, and we hold
// none whose files are still to be fetched. Creates that only a person sends, see
// jobs.Unreached, are no work.
func idle(ctx context.Context, d *app.Desk) (bool, error) {
	marks, _, err := d.Store.Marks(ctx, d.Config.Profile.Name)
	if err != nil {
		return false, err
	}
	unreached := 0
	for _, m := range marks {
		if !m.State.Active() {
			continue
		}
		if m.State != jobs.Planned {
			return false, nil
		}
		w, err := d.Store.Get(ctx, m.ID)
		switch {
		case errors.Is(err, jobs.ErrNotFound):
		case err != nil || !jobs.Unreached(w.Job):
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
		if l.Owner == d.Owner && l.Jobs > unreached {
			return false, nil
		}
	}
	return err == nil, err
}
