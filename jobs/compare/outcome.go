package compare

import (
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Trial is one job of a run: one attempt at a slot.
type Trial struct {
	Slot    Slot   `json:"slot"`
	Attempt int    `json:"attempt"` // from 1; a failed one may be sent again when a run is resumed
	JobID   string `json:"job"`
	Seed    string `json:"seed,omitempty"` // that was sent, "" for none
	Outcome
}

// Outcome is what is known of a trial. It depends on nothing but what is in it, so that a report can be
// made long after job and files are gone.
type Outcome struct {
	State    jobs.State `json:"state"`
	TaskID   string     `json:"task_id,omitempty"`
	Progress float64    `json:"progress"` // 0..100, -1 for none
	// Code and Message are the gateway's reason for a failure, clean, on one line.
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// TimedOut: the run stopped waiting; the task may still end. Its latencies are censored.
	TimedOut bool     `json:"timed_out,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	SentAt  time.Time `json:"sent_at,omitzero"`
	EndedAt time.Time `json:"ended_at,omitzero"` // when the end was seen
	Polls   int       `json:"polls,omitempty"`

	Latency Latency    `json:"latency"`
	Files   []File     `json:"files,omitempty"`
	Facts   []Property `json:"facts,omitempty"` // what was asked for, claimed and delivered
	Checks  []Check    `json:"checks,omitempty"`
}

// Ended reports whether nothing more is to come: neither of the task nor, of a completed one, its files.
func (o *Outcome) Ended() bool { return o.TimedOut || o.State != "" && !o.State.Active() }

// OK reports a trial that completed in time.
func (o *Outcome) OK() bool { return o.State == jobs.Completed && !o.TimedOut }

// Unclear reports a trial that says nothing of the gateway: nobody knows what came of it, or a person
// dropped it. It counts neither as a success nor as a failure.
func (o *Outcome) Unclear() bool {
	return o.State == jobs.Ambiguous || o.State == jobs.Dropped && !o.TimedOut
}

// File is one that was saved.
type File struct {
	Path      string           `json:"path"` // absolute, on this machine
	Kind      client.AssetKind `json:"kind"`
	MediaType string           `json:"media_type,omitempty"`
	Bytes     int64            `json:"bytes"`
	SHA256    string           `json:"sha256,omitempty"`
	// Here: this installation saved it. Only then may it be opened: else the path is a text to be shown.
	// It is never read from a file, but found out anew.
	Here bool `json:"-"`
}

// Source is whose clock a latency is of.
type Source string

// Sources of latencies.
const (
	Measured Source = "measured" // here, around one request
	Polled   Source = "polls"    // between two polls, or before the first one
	Stamped  Source = "gateway"  // the gateway's own stamps
)

// Interval is a duration as far as it is known: at least Least, at most Most.
type Interval struct {
	Source Source        `json:"source,omitempty"` // "" where nothing is known
	Least  time.Duration `json:"least_ns"`
	Most   time.Duration `json:"most_ns"`
	// Open: it was not over when it was last looked at; Most says nothing (censored).
	Open bool `json:"open,omitempty"`
}

// Known reports whether there is anything to say.
func (i Interval) Known() bool { return i.Source != "" }

// Mid is the middle of an interval, of an open one its least.
func (i Interval) Mid() time.Duration {
	if i.Open {
		return i.Least
	}
	return i.Least + (i.Most-i.Least)/2
}

// Latency is where the time of a trial went. Parts that nobody saw are unknown: a task that was never
// seen running has no Queue and no Run of its own, but a Total.
type Latency struct {
	Create   Interval `json:"create"`   // the POST, until its answer
	Queue    Interval `json:"queue"`    // accepted until running
	Run      Interval `json:"run"`      // running until its end
	Total    Interval `json:"total"`    // POST begun until the end of the task; without the download
	Download Interval `json:"download"` // first request for a file until the last one is saved

	// By the gateway's own stamps, where its answers have them; Total from created to ended.
	GatewayQueue Interval `json:"gateway_queue"`
	GatewayRun   Interval `json:"gateway_run"`
	GatewayTotal Interval `json:"gateway_total"`
}

// Verdict is how a property or a check came out.
type Verdict string

// Verdicts.
const (
	Pass    Verdict = "pass"
	Fail    Verdict = "fail"
	Unknown Verdict = "unknown" // nothing to compare: not asked for, or not told
)

// Property is one that was asked for, with what the answer claims and the file itself says.
type Property struct {
	Field     string  `json:"field"` // "duration", "width", "height", "fps", "codec", "sample_rate", "channels", "container", "audio", ...
	Unit      string  `json:"unit,omitempty"`
	Asked     Fact    `json:"asked"`
	Claimed   Fact    `json:"claimed"`
	Delivered Fact    `json:"delivered"`
	Tolerance string  `json:"tolerance,omitempty"` // "±0.5 s", "exact"
	Verdict   Verdict `json:"verdict"`             // of what was delivered
	// ClaimVerdict is that of the claim against what was delivered.
	ClaimVerdict Verdict `json:"claim_verdict"`
}

// Fact is one value; the zero value is one that nobody told.
type Fact struct {
	Text   string  `json:"text,omitempty"`   // clean, without the unit
	Number float64 `json:"number,omitempty"` // of a numeric one
	Known  bool    `json:"known,omitempty"`
}

// Check is one assertion and how it came out, of a trial, a cell or the run.
type Check struct {
	Name    string  `json:"name"` // as the suite words it: "latency < 30s"
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text,omitempty"` // what was found: "took 41.2 to 42.0 s"
	Score   float64 `json:"score,omitempty"`
	Scored  bool    `json:"scored,omitempty"` // by an external scorer
}
