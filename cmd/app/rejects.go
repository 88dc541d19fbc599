package app

import (
	"context"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/rejected"
)

// Purge removes the files of what this desk's engine has rejected, see [jobs.Keeper]: a console does so
// when it closes, a command as soon as it was told to.
func (d *Desk) Purge(ctx context.Context) (rejected.Done, error) {
	if d.rejects == nil || !jobs.HasRejected(d.Engine) {
		return rejected.Done{}, nil
	}
	return d.rejects.Purge(ctx, rejected.By(d.Owner))
}

// purgeOrphaned removes the files of what processes rejected that have ended without doing so.
func (d *Desk) purgeOrphaned(ctx context.Context) {
	// What fails, as on a full disk, is tried again at the next start: nothing is lost by it.
	_, _ = d.rejects.Purge(ctx, rejected.Orphaned(time.Now()))
}

// purgeLast is Purge at the end, for as long as closing may take.
func (d *Desk) purgeLast() {
	ctx, stop := context.WithTimeout(context.Background(), closeLimit/2)
	defer stop()
	_, _ = d.Purge(ctx) // what is left, the next start removes
}
