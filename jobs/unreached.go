package jobs

import (
	"context"
	"strings"
)

// noteUnreached begins the note of a create that was held since the gateway could not be
// reached.
const noteUnreached = "the gateway could not be reached: "

// Unreached reports whether a create never left this machine, though that was tried for a
// while, and is paused since. It is sent when a person resumes it; nothing else goes on
// with it, so that nothing is sent at a time when nobody thinks of it any more.
func Unreached(j Job) bool {
	return j.State == Planned && j.Paused && strings.HasPrefix(j.Note, noteUnreached)
}

// hold pauses the job of a create that did not reach the gateway. Where that can not be
// written it is tried again instead, as it is planned.
func (w *worker) hold(ctx context.Context) {
	sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	_, _ = w.e.tell(sctx, w.work.Job.ID, EventPlanned, func(j *Job) (string, error) {
		if j.State != Planned {
			return "", errSame // a person was faster
		}
		j.Paused = true
		return "paused by itself, until somebody resumes it: the gateway could not be reached", nil
	})
}
