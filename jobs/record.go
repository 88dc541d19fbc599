package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
)

// maxRecordText bounds the short texts of a record, in bytes; no gateway and no person
// writes longer ones.
const maxRecordText = 1 << 20

// Ended reports whether nothing is left to do with the task, so that a Prune may remove the job.
func (s State) Ended() bool { return s.Valid() && !s.Active() && s != Ambiguous }

// Check says what makes a record unfit for a history; every Store's Import refuses such records. A
// body has to match its SHA-256, and has to be there if Current names it. An event may name a body
// that is gone: its key is kept as it is.
func (r *Record) Check() error {
	j := &r.Job
	id, err := uuid.Parse(j.ID)
	switch {
	case err != nil || id.String() != j.ID:
		return fmt.Errorf("job id %.80q: a UUID in lower case is needed", j.ID)
	case !j.State.Valid():
		return fmt.Errorf("job %s: state %.80q; known are %v", j.ID, j.State, States())
	case j.Draft.Cut:
		return fmt.Errorf("job %s: %w", j.ID, client.ErrCut)
	case j.Profile == "":
		return fmt.Errorf("job %s: the profile is missing", j.ID)
	case checkRun(j.Run, j.Cell) != nil:
		return fmt.Errorf("job %s: %w", j.ID, checkRun(j.Run, j.Cell))
	case j.CreatedAt.IsZero():
		return fmt.Errorf("job %s: created_at is missing", j.ID)
	case j.Observed && (j.TaskID == "" || slices.Contains([]State{Planned, Submitting, Ambiguous, Refused}, j.State)):
		return fmt.Errorf("job %s: %s, and the record has it as %s with the task %.80q", j.ID, observed, j.State, j.TaskID)
	case len(j.Remark) > maxRecordText || len(j.Note) > maxRecordText || len(j.Title) > maxRecordText:
		return fmt.Errorf("job %s: a text is longer than %d bytes", j.ID, maxRecordText)
	case len(r.Exchanges) > MaxExchanges:
		return fmt.Errorf("job %s: %d exchanges; at most %d are kept", j.ID, len(r.Exchanges), MaxExchanges)
	case slices.ContainsFunc(r.Exchanges, func(x Exchange) bool { return x.Count < 0 }):
		return fmt.Errorf("job %s: an exchange that was fewer than no times", j.ID)
	}
	if tags, err := CleanTags(j.Tags); err != nil {
		return fmt.Errorf("job %s: %w", j.ID, err)
	} else if !slices.Equal(tags, j.Tags) && len(tags)+len(j.Tags) > 0 {
		return fmt.Errorf("job %s: the tags %.200q are not sorted and each once", j.ID, j.Tags)
	}
	if err := r.checkFiles(); err != nil {
		return fmt.Errorf("job %s: %w", j.ID, err)
	}
	return r.checkBodies()
}

// Doubt makes a job that was about to be sent ambiguous: in a copy of a history nobody knows
// whether it has been sent since, and nothing is ever sent twice. It reports whether it did.
func (r *Record) Doubt(now time.Time) bool {
	if r.Job.State != Planned && r.Job.State != Submitting {
		return false
	}
	from := r.Job.State
	r.Job.State, r.Job.UpdatedAt, r.Due = Ambiguous, now, time.Time{}
	may := mayAdopt
	if Allowed(ActAdopt, &r.Job) != nil {
		may = mayResend
	}
	r.Job.Note = "the history is a copy from before: this may have been sent since; " + may
	r.Events = append(r.Events, Event{At: now, Kind: EventAmbiguous, From: from, To: Ambiguous, Message: r.Job.Note})
	return true
}

func (r *Record) checkFiles() error {
	seen := map[int]bool{}
	for _, f := range r.Job.Files {
		if f.Index < 0 || seen[f.Index] {
			return fmt.Errorf("file index %d is negative or there twice", f.Index)
		}
		seen[f.Index] = true
	}
	ids := append([]string{r.Job.TaskID}, r.Job.AltIDs...)
	if slices.Contains(r.Job.AltIDs, "") {
		return errors.New("an alternative id is empty")
	}
	for _, id := range ids {
		if len(id) > maxRecordText {
			return fmt.Errorf("an id is longer than %d bytes", maxRecordText)
		}
	}
	return nil
}

func (r *Record) checkBodies() error {
	for sha, body := range r.Bodies {
		if got := PayloadSHA(body); got != sha {
			return fmt.Errorf("job %s: the body %.80q has the SHA-256 %s", r.Job.ID, sha, got)
		}
	}
	for kind, sha := range r.Current {
		if kind == "" {
			return fmt.Errorf("job %s: a body without a kind", r.Job.ID)
		}
		if _, ok := r.Bodies[sha]; !ok {
			return fmt.Errorf("job %s: the body %.80q (%s) is missing", r.Job.ID, sha, kind)
		}
	}
	return nil
}

// KeptAnswer is a body of the gateway that a history kept.
type KeptAnswer struct {
	Format string
	Of     string // create, query or error
	At     time.Time
	Body   []byte
}

// EachAnswer hands over the kept answers of a job, each once: those that events name, and the
// newest one.
func EachAnswer(r *Record, answer func(KeptAnswer)) {
	j := &r.Job
	query := cmp.Or(j.QueryFormat, j.Format)
	seen := map[string]bool{}
	hand := func(sha, format, of string, at time.Time) {
		if body := r.Bodies[sha]; sha != "" && len(body) > 0 && !seen[sha] {
			seen[sha] = true
			answer(KeptAnswer{Format: format, Of: of, At: at, Body: body})
		}
	}
	for _, e := range r.Events {
		switch {
		case e.Kind == EventSubmitting: // its body is the request
		case e.HTTPStatus >= 400:
			hand(e.PayloadSHA, query, "error", e.At)
		case e.Kind == EventAccepted || j.TaskID == "": // what has no task was answered by the create
			hand(e.PayloadSHA, j.Format, "create", e.At)
		default:
			hand(e.PayloadSHA, query, "query", e.At)
		}
	}
	if j.TaskID != "" {
		hand(r.Current[PayloadAnswer], query, "query", j.UpdatedAt)
	}
}
