package run

import (
	"time"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// OutcomeOf is what a job tells of its trial: pure, so that it can be worked out again. Facts and Checks
// are not in it. timedOut says that the run has stopped waiting: then the latencies that were not over by
// the last look are censored, even if the end was seen later.
func OutcomeOf(j *jobs.Job, timedOut bool) compare.Outcome {
	o := compare.Outcome{
		State: j.State, TaskID: client.CleanLine(j.TaskID), Progress: j.Progress, TimedOut: timedOut,
		SentAt: j.SubmittedAt, Polls: j.Polls, Latency: latencyOf(j, timedOut),
	}
	if !j.State.Active() {
		o.EndedAt = j.EndedAt
	}
	switch {
	case j.Error != nil:
		o.Code, o.Message = shorten(j.Error.Code), shorten(j.Error.Message)
	case j.State != jobs.Completed:
		o.Message = shorten(j.Note)
	}
	for _, w := range j.Warnings {
		o.Warnings = append(o.Warnings, shorten(w))
	}
	for i := range j.Files {
		f := &j.Files[i]
		if f.State != jobs.FileSaved {
			continue
		}
		o.Files = append(o.Files, compare.File{
			Path: client.CleanLine(f.Path), Kind: f.Kind, MediaType: client.CleanLine(f.MediaType), Bytes: f.Bytes, SHA256: client.CleanLine(f.SHA256), Here: f.Here(),
		})
	}
	return o
}

func shorten(s string) string { return text.Cap(client.CleanLine(s), maxText) }

// savedOf are the proofs beside the files of an outcome.
func savedOf(j *jobs.Job) []saved {
	var out []saved
	for i := range j.Files {
		if f := &j.Files[i]; f.State == jobs.FileSaved {
			out = append(out, saved{f.Index, f.Proof})
		}
	}
	return out
}

// latencyOf is where the time of a job went, by what was seen of it.
func latencyOf(j *jobs.Job, timedOut bool) compare.Latency {
	var l compare.Latency
	s := &j.Seen
	if j.CreateTook > 0 {
		l.Create = compare.Interval{Source: compare.Measured, Least: j.CreateTook, Most: j.CreateTook}
	}
	begun := s.Sent
	if begun.IsZero() {
		begun = j.SubmittedAt
	}
	if !begun.IsZero() && !j.AcceptedAt.IsZero() {
		polled(&l, j, begun, timedOut)
	}
	if !s.FetchBegun.IsZero() && !s.Fetched.Before(s.FetchBegun) && !j.Saving() {
		l.Download = exactly(s.Fetched.Sub(s.FetchBegun))
	}
	stamped(&l, s)
	return l
}

// polled sets what lies between looks: a change happened after the begin of the last look that did not
// show it, and before the answer of the first one that did.
func polled(l *compare.Latency, j *jobs.Job, begun time.Time, timedOut bool) {
	s := &j.Seen
	censored := timedOut || s.Ended.IsZero()
	watched := later(s.Waiting, s.Working) // begin of the last look that showed it under way
	switch {
	case !censored && watched.IsZero(): // the answer of the create had the result
		l.Total = exactly(s.Ended.Sub(begun))
	case !censored:
		l.Total = between(s.Working.Sub(begun), s.Ended.Sub(begun))
	case !watched.IsZero():
		l.Total = compare.Interval{Source: compare.Polled, Least: max(0, watched.Sub(begun)), Open: true}
	}
	accepted := j.AcceptedAt
	switch {
	case s.Running.IsZero(): // it waits, as far as was seen
		if !s.Waiting.IsZero() && censored {
			l.Queue = compare.Interval{Source: compare.Polled, Least: max(0, s.Waiting.Sub(accepted)), Open: true}
		}
	case s.Running.Equal(s.Ended): // nobody saw it running
	default:
		l.Queue = between(s.Waiting.Sub(accepted), s.Running.Sub(begun))
		if censored {
			l.Run = compare.Interval{Source: compare.Polled, Least: max(0, s.Working.Sub(s.Running)), Open: true}
			break
		}
		since := s.Waiting
		if since.IsZero() {
			since = begun
		}
		l.Run = between(s.Working.Sub(s.Running), s.Ended.Sub(since))
	}
}

// stamped sets what the gateway's own clock tells. A stamp of whole seconds was cut off or rounded: a
// duration from it or to it may be a second more or less.
func stamped(l *compare.Latency, s *jobs.Seen) {
	whole := func(at time.Time) bool { return at.Nanosecond() == 0 }
	part := func(from, to time.Time) compare.Interval {
		if from.IsZero() || to.IsZero() || to.Before(from) {
			return compare.Interval{}
		}
		d, slack := to.Sub(from), time.Duration(0)
		if whole(from) || whole(to) {
			slack = time.Second
		}
		return compare.Interval{Source: compare.Stamped, Least: max(0, d-slack), Most: d + slack}
	}
	l.GatewayQueue = part(s.GatewayCreated, s.GatewayStarted)
	l.GatewayRun = part(s.GatewayStarted, s.GatewayEnded)
	l.GatewayTotal = part(s.GatewayCreated, s.GatewayEnded)
}

func exactly(d time.Duration) compare.Interval {
	d = max(0, d)
	return compare.Interval{Source: compare.Measured, Least: d, Most: d}
}

func between(least, most time.Duration) compare.Interval {
	least = max(0, least)
	return compare.Interval{Source: compare.Polled, Least: least, Most: max(least, most)}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// patience is how long after its time a task is given up of which nobody can tell how it stands.
const patience = time.Minute

// giveUpAt is when a task is given up that nobody could look at, zero for never. began is when this process
// began to follow it: what happened before, the next look tells.
func giveUpAt(j *jobs.Job, timeout time.Duration, began time.Time) time.Time {
	if timeout <= 0 || j.SubmittedAt.IsZero() {
		return time.Time{}
	}
	return later(j.SubmittedAt.Add(timeout), began).Add(patience)
}

// timedOut reports whether a task was still under way when its time was over, by a look that was begun
// after that, or because no look succeeds any more. A job that is polled no more has timed out, too.
func timedOut(j *jobs.Job, timeout time.Duration, began, now time.Time) bool {
	active := j.State.Active()
	if active && j.State.Polled() && jobs.Settled(*j) {
		return true
	}
	if timeout <= 0 || j.SubmittedAt.IsZero() || !active && j.Seen.Ended.IsZero() {
		return false
	}
	begun := j.Seen.Sent
	if begun.IsZero() {
		begun = j.SubmittedAt
	}
	if later(j.Seen.Waiting, j.Seen.Working).Sub(begun) >= timeout {
		return true
	}
	return active && !now.Before(giveUpAt(j, timeout, began))
}
