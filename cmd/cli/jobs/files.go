package jobs

import (
	"context"
	"errors"
	"fmt"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// sendFiles makes this installation the sender of a job's local files, and says which they are.
func sendFiles(ctx context.Context, k *kit.Kit, d *app.Desk, j jobs.Job) error {
	if err := d.Engine.SendFiles(ctx, j.ID); err != nil {
		return err
	}
	for _, f := range j.Draft.LocalFiles() {
		k.IO.Notef("job %s sends %s: %s\n", jobs.ShortID(j.ID), client.CleanLine(f.Field), client.CleanLine(kit.ShownRef(f.Ref)))
	}
	return nil
}

// withFiles adds to the error for a job that names another installation's files how to send them all
// the same; such a command exits like one that a pause held up.
func withFiles(err error, verb string, j jobs.Job) error {
	if _, ok := errors.AsType[*jobs.ForeignError](err); ok {
		return kit.Exit(kit.ExitPaused, fmt.Errorf("%w: `darkroom jobs %s %s --with-files` sends what lies at these paths here", err, verb, jobs.ShortID(j.ID)))
	}
	return err
}
