package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// Outcome is the error that a command about these jobs ends with; nil if all went well. A lost
// answer outweighs a refused key, which outweighs other failures.
func Outcome(ctx context.Context, r jobs.Reader, all []jobs.Job, files bool) error {
	var failed []error
	code := kit.ExitFailed
	alike := alikes(all)
	for _, j := range all {
		switch j.State {
		case jobs.Refused, jobs.Failed, jobs.Lost, jobs.Dropped:
			why := reason(j)
			switch ids := alike[why]; {
			case len(ids) == 1:
				failed = append(failed, fmt.Errorf("job %s %s", ids[0], why))
			case len(ids) > 1 && ids[0] == jobs.ShortID(j.ID): // said once for all of them
				failed = append(failed, fmt.Errorf("%d jobs %s (%s)", len(ids), why, strings.Join(ids, ", ")))
			}
			if j.State == jobs.Refused && code == kit.ExitFailed && keyRefused(ctx, r, j.ID) {
				code = kit.ExitAuth
			}
		case jobs.Ambiguous:
			code = kit.ExitAmbiguous
			failed = append(failed, ambiguous(ctx, r, j))
		}
		for _, f := range j.Files {
			switch {
			case files && f.State == jobs.FileFailed:
				failed = append(failed, fmt.Errorf("job %s file %d is not saved: %s; `darkroom jobs download %s` tries again", jobs.ShortID(j.ID), f.Index, f.Error, jobs.ShortID(j.ID)))
			case files && f.State == jobs.FileWanted && f.Error != "": // no longer waited for
				failed = append(failed, fmt.Errorf("job %s file %d is not saved yet: %s; a console or poller goes on with it", jobs.ShortID(j.ID), f.Index, f.Error))
			}
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return kit.Exit(code, errors.Join(failed...))
}

// alikes are the short ids of the jobs that ended badly, by the reason.
func alikes(all []jobs.Job) map[string][]string {
	out := map[string][]string{}
	for _, j := range all {
		switch j.State {
		case jobs.Refused, jobs.Failed, jobs.Lost, jobs.Dropped:
			out[reason(j)] = append(out[reason(j)], jobs.ShortID(j.ID))
		}
	}
	return out
}

// ambiguous is the error for a create without an answer to go by, with the commands that decide.
func ambiguous(ctx context.Context, r jobs.Reader, j jobs.Job) error {
	why := j.Note
	if d, err := r.Detail(ctx, j.ID); err == nil {
		for _, e := range d.Events {
			if e.Kind == jobs.EventAmbiguous {
				why = cmp.Or(e.Message, why)
			}
		}
	}
	return fmt.Errorf("job %s: the create may or may not have been accepted, and was not sent again: %s; %s", jobs.ShortID(j.ID), why, Next(j))
}

// reason is a job's state, what is known about why, and what to do about it, on one line: the
// gateway's words may contain line breaks.
func reason(j jobs.Job) string {
	var parts []string
	if j.Error != nil {
		parts = append(parts, strings.TrimSpace(j.Error.Code+" "+j.Error.Message))
	}
	parts = slices.DeleteFunc(append(parts, j.Note), func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return string(j.State)
	}
	return client.CleanLine(string(j.State) + ": " + strings.Join(parts, "; "))
}

// keyRefused reports whether a create was answered with 401 or 403.
func keyRefused(ctx context.Context, r jobs.Reader, id string) bool {
	d, err := r.Detail(ctx, id)
	return err == nil && slices.ContainsFunc(d.Events, func(e jobs.Event) bool {
		return e.Kind == jobs.EventRefused && kit.CodeOfHTTP(e.HTTPStatus) == kit.ExitAuth
	})
}
