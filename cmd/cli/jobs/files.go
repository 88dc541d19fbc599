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

// sendFiles makes the local files of a job this installation's to send, and says which.
func sendFiles(ctx context.Context, k *kit.Kit, d *app.Desk, j jobs.Job) error {
	if err := d.Engine.SendFiles(ctx, j.ID); err != nil {
		return err
	}
	for _, f := range j.Draft.LocalFiles() {
		k.IO.Notef("job %s sends %s: %s\n", jobs.ShortID(j.ID), client.CleanLine(f.Field), client.CleanLine(kit.ShownRef(f.Ref)))
	}
	return nil
}

// withFiles adds to the refusal of a job that names another installation's files how they are
// sent all the same; such a command ends as one that a pause held up.
func withFiles(err error, verb string, j jobs.Job) error {
	if _, ok := errors.AsType[*jobs.ForeignError](err); ok {
		return kit.Exit(kit.ExitPaused, fmt.Errorf("%w: `darkroom jobs %s %s --with-files` sends what lies at these paths here", err, verb, jobs.ShortID(j.ID)))
	}
	return err
}
