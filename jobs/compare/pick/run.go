package pick

import (
	"context"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Trial is one job of a run.
type Trial struct {
	Model, Name string // identifier and model_name
	Draft       client.Draft
	Format      string   // that it goes through, "" for the model's own
	Changes     []string // what was altered for the model
	Rep, Reps   int      // which of how many, from 1

	JobID string
	Job   jobs.Job
	Have  bool // Job has come
	// RunningAt is when the task was first seen running; zero when it was not.
	RunningAt time.Time
}

// ended reports whether the job is over.
func (t *Trial) ended() bool { return t.Have && !t.Job.State.Active() }

// Took returns how long the trial has taken, up to now while it runs; false before the POST.
func (t *Trial) Took(now time.Time) (time.Duration, bool) {
	if !t.Have || t.Job.SubmittedAt.IsZero() {
		return 0, false
	}
	end := t.Job.EndedAt
	if end.IsZero() {
		if t.ended() {
			return 0, false
		}
		end = now
	}
	return max(0, end.Sub(t.Job.SubmittedAt)), true
}

// Span is a part of the time that a job took, "create", "queue", "run" or "queue and run".
type Span struct {
	What string
	Took time.Duration
}

// Split returns where the time went, as far as is known: into the create, waiting, being made.
func (t *Trial) Split(now time.Time) []Span {
	j := &t.Job
	var out []Span
	if j.CreateTook > 0 {
		out = append(out, Span{"create", j.CreateTook})
	}
	end := j.EndedAt
	if end.IsZero() && !t.ended() {
		end = now
	}
	switch {
	case j.AcceptedAt.IsZero() || end.IsZero():
	case !t.RunningAt.IsZero():
		out = append(out, Span{"queue", t.RunningAt.Sub(j.AcceptedAt)}, Span{"run", end.Sub(t.RunningAt)})
	case j.State == jobs.Queued:
		out = append(out, Span{"queue", end.Sub(j.AcceptedAt)})
	case end.Sub(j.AcceptedAt) >= 100*time.Millisecond:
		out = append(out, Span{"queue and run", end.Sub(j.AcceptedAt)})
	}
	return out
}

// Submit journals all trials at once, as one group, and returns them with their jobs. When it
// fails nothing was sent.
func Submit(ctx context.Context, d jobs.Doer, trials []Trial) ([]Trial, error) {
	subs := make([]jobs.Submission, len(trials))
	for i, t := range trials {
		subs[i] = jobs.Submission{Draft: t.Draft, Format: t.Format}
	}
	_, ids, err := jobs.SubmitGroup(ctx, d, subs)
	if err != nil {
		return nil, err
	}
	for i := range trials {
		trials[i].JobID = ids[i]
	}
	return trials, nil
}

// Run holds the trials that were submitted.
type Run struct {
	Trials []Trial
	byJob  map[string]int
}

// NewRun returns a run of trials that have their jobs' ids.
func NewRun(trials []Trial) Run {
	r := Run{Trials: trials, byJob: make(map[string]int, len(trials))}
	for i := range trials {
		r.byJob[trials[i].JobID] = i
	}
	return r
}

// Update takes in what changed about jobs; those of other runs are ignored.
func (r *Run) Update(changed []jobs.Job) {
	for _, j := range changed {
		i, ok := r.byJob[j.ID]
		if !ok {
			continue
		}
		t := &r.Trials[i]
		if t.RunningAt.IsZero() && j.State == jobs.Running {
			t.RunningAt = j.UpdatedAt
		}
		t.Job, t.Have = j, true
	}
}

// Open reports whether a trial is not over yet.
func (r *Run) Open() bool {
	return slices.ContainsFunc(r.Trials, func(t Trial) bool { return !t.ended() })
}

// Tally is a run in numbers.
type Tally struct {
	All, Done, Failed, Open int
	Fastest                 string // model of the completed job that took the least
	Least, Median           time.Duration
}

// Tally counts the trials, and measures those that are completed.
func (r *Run) Tally(now time.Time) Tally {
	t := Tally{All: len(r.Trials)}
	var took []time.Duration
	for i := range r.Trials {
		x := &r.Trials[i]
		switch {
		case !x.ended():
			t.Open++
		case x.Job.State == jobs.Completed:
			t.Done++
			d, ok := x.Took(now)
			if !ok {
				continue
			}
			if took = append(took, d); t.Fastest == "" || d < t.Least {
				t.Fastest, t.Least = x.Model, d
			}
		default:
			t.Failed++
		}
	}
	t.Median = median(took)
	return t
}

// median returns the middle one, or the mean of the two in the middle; 0 for none.
func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	if n := len(d); n%2 == 0 {
		return (d[n/2-1] + d[n/2]) / 2
	}
	return d[len(d)/2]
}
