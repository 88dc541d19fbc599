package follow

import (
	"errors"
	"fmt"

	"darkroom/client"
	"darkroom/jobs"
)

// Next says what a person can do about a job, with the commands for it; "" if there is nothing to
// do.
func Next(j jobs.Job) string {
	id, twice := jobs.ShortID(j.ID), "it may be made twice"
	if jobs.Billed(j.Profile) {
		twice += ", and billed twice"
	}
	switch {
	case j.State == jobs.Ambiguous:
		if j.Draft.Modality == client.Chat { // there is no task
			return fmt.Sprintf("decide with `darkroom jobs resend %s` (%s) or `darkroom jobs drop %s`", id, twice, id)
		}
		return fmt.Sprintf("decide with `darkroom jobs adopt %s TASK-ID`, `darkroom jobs resend %s` (%s) or `darkroom jobs drop %s`", id, id, twice, id)
	case j.State == jobs.Refused:
		return fmt.Sprintf("nothing was made; `darkroom jobs resend %s` sends it again as it is", id)
	case j.State == jobs.Lost:
		return fmt.Sprintf("`darkroom inspect %s` looks for it in every format, `darkroom jobs repoll %s` asks again, `darkroom jobs adopt %s TASK-ID` gives it another id", id, id, id)
	case j.State == jobs.Completed && unsaved(j) > 0:
		return fmt.Sprintf("`darkroom jobs download %s` goes on with what is not saved; give it the --dir and --template of the first time", id)
	case j.State == jobs.Completed && len(j.Files) < len(j.Assets):
		return fmt.Sprintf("`darkroom jobs download %s` saves the result", id)
	case j.Foreign && j.State == jobs.Planned:
		return fmt.Sprintf("`darkroom jobs resume %s --with-files` sends it from here, with the files that lie at its paths on this machine", id)
	case jobs.Unreached(j):
		return fmt.Sprintf("`darkroom jobs resume %s` tries again to send it", id)
	case j.State.Active():
		return fmt.Sprintf("`darkroom jobs watch %s` follows it to its end", id)
	default:
		return ""
	}
}

// WithNext adds what can be done to the error for an action that the job's state does not allow.
func WithNext(err error, j jobs.Job) error {
	if next := Next(j); next != "" && errors.Is(err, jobs.ErrState) {
		return fmt.Errorf("%w; %s", err, next)
	}
	return err
}

// unsaved is how many of a job's wanted files are not on the disk.
func unsaved(j jobs.Job) (n int) {
	for _, f := range j.Files {
		if f.State != jobs.FileSaved {
			n++
		}
	}
	return n
}

// State is stateText for a job in the history that nobody works on here: wanted files may be on
// their way elsewhere, or wait because somebody stopped. Why they are not saved is said
// elsewhere.
func State(j jobs.Job) string {
	n := unsaved(j)
	if n == 0 || j.Fetching() {
		return stateText(j)
	}
	return string(j.State) + ", " + notSaved(n)
}

func notSaved(n int) string {
	if n == 1 {
		return "1 file not saved"
	}
	return fmt.Sprintf("%d files not saved", n)
}

// FileTroubles describes, for each file with an error, what came of it.
func FileTroubles(j jobs.Job) (all []string) {
	for _, f := range j.Files {
		if f.State != jobs.FileSaved && f.Error != "" {
			all = append(all, FileText(f))
		}
	}
	return all
}
