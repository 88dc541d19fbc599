// Package jobs keeps what people submitted: a job is one draft on its way through one
// format of one profile's gateway, from the journalled intent to the files on disk.
//
// The [Engine] owns the live state in one goroutine; the history is behind [Store].
// A create is never sent twice by itself: the intent is journalled before the POST,
// the task id right after it, and a lost answer leaves the job [Ambiguous] until a
// person decides.
package jobs

import (
	"context"
	"slices"
	"time"

	"darkroom/client"
	"darkroom/client/text"
)

// State is where a job stands. Local states come before and after the gateway's own.
type State string

// States of a job.
const (
	// Planned: journalled, the POST has not begun. A start of the console sends it.
	Planned State = "planned"
	// Submitting: journalled that the POST is about to begin. Found at a start of the
	// console, it means that the answer was lost: the job becomes Ambiguous.
	Submitting State = "submitting"
	// Ambiguous: the create may or may not have been accepted. A person adopts an id,
	// resends or drops it.
	Ambiguous State = "ambiguous"
	// Refused: the gateway said no to the create, or it could not be encoded.
	Refused State = "refused"
	// Queued, Running and Unknown follow the task; Unknown is a term nobody listed.
	Queued  State = "queued"
	Running State = "running"
	Unknown State = "unknown"
	// Completed and Failed are the task's own ends.
	Completed State = "completed"
	Failed    State = "failed"
	// Lost: the gateway does not know the id (any more), after retries.
	Lost State = "lost"
	// Dropped: a person stopped tracking it, or dropped an ambiguous one.
	Dropped State = "dropped"
)

// Active reports whether the engine still has work with the task itself.
func (s State) Active() bool {
	switch s {
	case Planned, Submitting, Queued, Running, Unknown:
		return true
	default:
		return false
	}
}

// Polled reports whether the task is queried in this state.
func (s State) Polled() bool { return s == Queued || s == Running || s == Unknown }

// fromStatus maps a task's normalised status to a state.
func fromStatus(s client.Status) State {
	switch s {
	case client.StatusQueued:
		return Queued
	case client.StatusRunning:
		return Running
	case client.StatusCompleted:
		return Completed
	case client.StatusFailed:
		return Failed
	default:
		return Unknown
	}
}

// Job is a copy of one job's state; it shares nothing with the engine.
type Job struct {
	ID      string `json:"id"` // UUIDv7
	Profile string `json:"profile"`
	// Group ties jobs that were submitted together (a comparison, a batch); "" for a job alone.
	Group string `json:"group,omitempty"`
	// Run and Cell say which slot of which run of a comparison the job was submitted for, "" for none:
	// see [Submission]. It is what the job says of itself. One that was imported or restored may name
	// any run, so that whoever sends the jobs of a run goes by a journal of its own, and never sends
	// anything because a job is here, or is not.
	Run    string       `json:"run,omitempty"`
	Cell   string       `json:"cell,omitempty"`
	Draft  client.Draft `json:"draft"`
	Format string       `json:"format"` // the one that creates

	State State `json:"state"`
	// TaskID and QueryFormat say what is polled; both are "" until the create is answered.
	TaskID      string            `json:"task_id,omitempty"`
	AltIDs      []string          `json:"alt_ids,omitempty"`
	QueryFormat string            `json:"query_format,omitempty"`
	RawStatus   string            `json:"raw_status,omitempty"`
	Progress    float64           `json:"progress"` // 0..100, -1 for none
	Error       *client.TaskError `json:"error,omitempty"`
	Assets      []client.Asset    `json:"assets,omitempty"`
	Files       []File            `json:"files,omitempty"`
	Title       string            `json:"title,omitempty"`
	// Note is the engine's own remark for a person, such as "the create's answer was lost".
	Note string `json:"note,omitempty"`
	// Warnings are short texts about the job and its result, each once; see [Job.Warn].
	Warnings []string `json:"warnings,omitempty"`
	// Installation is the id of the installation that made the job, by its own account; "" if
	// unknown. Proof is set only if the draft names files of a machine, and proves that this
	// installation named them: see [Installation.Made].
	Installation string `json:"installation,omitempty"`
	Proof        string `json:"proof,omitempty"`
	// Foreign: the draft names local files that are not this installation's to send, see
	// [Engine.SendFiles]. An engine sets it in what it returns.
	Foreign bool `json:"foreign_files,omitempty"`
	// Tags and Remark are a person's own: tags sorted and each once, see [CleanTags].
	Tags   []string `json:"tags,omitempty"`
	Remark string   `json:"remark,omitempty"`
	// Observed: somebody else's task, whose id a person took into the history to watch it. It is
	// polled and fetched like others, and never sent; see [Engine.Observe].
	Observed bool `json:"observed,omitempty"`
	// Paused: nothing is sent, polled or fetched for this job until a person resumes it.
	Paused bool `json:"paused,omitempty"`
	// Rejected is when a person rejected the job, zero for never: lists leave it out, see [Query].
	// Its files stay until the process that RejectedBy names has ended; "" once nothing is left to be
	// done about them. See [Engine.Reject].
	Rejected   time.Time `json:"rejected_at,omitzero"`
	RejectedBy string    `json:"-"`

	CreatedAt   time.Time     `json:"created_at"`            // journalled
	SubmittedAt time.Time     `json:"submitted_at,omitzero"` // POST begun
	AcceptedAt  time.Time     `json:"accepted_at,omitzero"`  // answer with an id
	EndedAt     time.Time     `json:"ended_at,omitzero"`     // end first seen
	UpdatedAt   time.Time     `json:"updated_at"`            // last transition, or change of the progress
	CreateTook  time.Duration `json:"create_took,omitempty"` // latency of the create call
	Polls       int           `json:"polls"`
	NextPollAt  time.Time     `json:"next_poll_at,omitzero"`
	// Seen bounds when things happened; the times above say when they were noted.
	Seen Seen `json:"seen,omitzero"`
	// Seq grows with every change of any job; see Engine.Changes.
	Seq uint64 `json:"seq"`
}

// Seen bounds when a task's transitions happened. A look (an answered create or query) shows a state,
// not its change: what it showed was so at some time between the begin of its request and its answer. A
// transition therefore lies between the begin of the last look that was before it and the answer of
// the first one that was after it; a request that failed is no look. Each is zero where nobody saw it.
// They are to the millisecond, rounded so that no interval is too narrow, and hold unless our clock was
// set meanwhile.
//
// Looks that showed nothing new are kept in memory, and written with the next change or with the notes
// of their requests: about half a minute later, or once the task is polled less often than every other
// second. What a crash loses of them makes an interval wider, and never wrong.
type Seen struct {
	// Sent is when the create had been written, behind all waits for the gateway's pace.
	Sent time.Time `json:"sent_at,omitzero"`
	// Waiting is the begin of the last look before the task was seen running that showed it accepted
	// and not running; Working that of the last look that showed it not ended. The create is the
	// first look, unless it was answered with the end: its begin is Sent.
	Waiting time.Time `json:"waiting_at,omitzero"`
	Working time.Time `json:"working_at,omitzero"`
	// Running is the answer of the first look that showed the task running, or ended by itself; Ended
	// that of the first look that showed the end. They are the same for a task that nobody saw running.
	// A job that is lost, dropped or refused has no Ended: nobody saw its task end.
	Running time.Time `json:"running_at,omitzero"`
	Ended   time.Time `json:"ended_at,omitzero"`
	// FetchBegun is the begin of the first try to fetch a file, and Fetched when the last file was
	// saved. Files whose bytes came in an answer are not fetched. FetchBegun is zero, too, where an
	// earlier process may have fetched some of it, and where a person asked for the files.
	FetchBegun time.Time `json:"fetch_begun_at,omitzero"`
	Fetched    time.Time `json:"fetched_at,omitzero"`
	// By the gateway's own clock, which may be another than ours, as its newest answer with such a
	// time has it.
	GatewayCreated time.Time `json:"gateway_created_at,omitzero"`
	GatewayStarted time.Time `json:"gateway_started_at,omitzero"`
	GatewayEnded   time.Time `json:"gateway_ended_at,omitzero"`
}

// EventKind names what happened.
type EventKind string

// Kinds of events.
const (
	EventPlanned    EventKind = "planned"
	EventSubmitting EventKind = "submitting"
	EventAccepted   EventKind = "accepted"
	EventState      EventKind = "state" // an observed transition of the task
	EventRefused    EventKind = "refused"
	EventAmbiguous  EventKind = "ambiguous"
	EventPollError  EventKind = "poll_error"
	EventFile       EventKind = "file"
	EventPerson     EventKind = "person" // adopt, resend, drop, repoll
)

// Event is one line of a job's timeline, which is append-only.
type Event struct {
	At         time.Time `json:"at"`
	Kind       EventKind `json:"kind"`
	From       State     `json:"from,omitempty"`
	To         State     `json:"to,omitempty"`
	RawStatus  string    `json:"raw_status,omitempty"`
	HTTPStatus int       `json:"http_status,omitempty"`
	RequestID  string    `json:"request_id,omitempty"`
	Message    string    `json:"message,omitempty"`
	// PayloadSHA is the key of the body that showed it, "" for none.
	PayloadSHA string `json:"payload_sha,omitempty"`
}

// Exchange is one request about a job and its outcome, or several that failed alike: then it is the
// last of them. The history keeps [MaxExchanges] of each job, see [Renew]. It holds no key and no body.
type Exchange struct {
	At         time.Time     `json:"at"`
	Kind       string        `json:"kind"`           // create, poll or fetch
	Format     string        `json:"format"`         // whose route was asked
	Path       string        `json:"path,omitempty"` // method and path
	HTTPStatus int           `json:"http_status,omitempty"`
	Latency    time.Duration `json:"latency,omitempty"`
	RequestID  string        `json:"request_id,omitempty"`
	RawStatus  string        `json:"raw_status,omitempty"`
	Error      string        `json:"error,omitempty"`
	// Count is how many requests failed alike, 0 for one request; First is when the first of them was.
	Count int       `json:"count,omitempty"`
	First time.Time `json:"first,omitzero"`
}

// MaxExchanges is how many exchanges of a job are kept: the create, those that told another state,
// and the newest ones.
const MaxExchanges = 20

// Detail is a job with its timeline and bodies.
type Detail struct {
	Job    Job     `json:"job"`
	Events []Event `json:"events"`
	// Exchanges are those that are kept, oldest first.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Request   []byte     `json:"-"` // body of the create as sent, JSON; no key in it
	Answer    []byte     `json:"-"` // the newest body of the gateway about it
	// Text is the text of the answer, as from a chat model, or a song's lyrics, as the gateway
	// sent it: clean it before showing. "" for none.
	Text string `json:"text,omitempty"`
}

// ShortID is the end of a job's id, the form that people see and type: the beginning is the time,
// the same all day.
func ShortID(id string) string { return id[max(0, len(id)-8):] }

// Label is what a list shows of a job's request: its prompt. Nobody knows that of an observed one, which
// is said to be that, with its remark.
func (j *Job) Label() string {
	switch {
	case !j.Observed:
		return j.Draft.Prompt
	case j.Remark == "":
		return "observed"
	default:
		return "observed: " + j.Remark
	}
}

// States lists all states, in the order of a job's life.
func States() []State {
	return []State{Planned, Submitting, Ambiguous, Refused, Queued, Running, Unknown, Completed, Failed, Lost, Dropped}
}

// Valid reports whether s is one of States.
func (s State) Valid() bool { return slices.Contains(States(), s) }

// Coarse maps a state to one of a task's, for a sign in a table: a job that waits here counts as
// queued, one that ended here as failed. Ambiguous and dropped stay what they are.
func (s State) Coarse() string {
	switch s {
	case Planned, Submitting:
		return string(Queued)
	case Refused, Lost:
		return string(Failed)
	default:
		return string(s)
	}
}

// KnownAs is [client.KnownAs] for a query about the job, with all ids of its task.
func (j *Job) KnownAs(ctx context.Context) context.Context {
	return client.KnownAs(ctx, append([]string{j.TaskID}, j.AltIDs...))
}

// Age is how long a job's task has been under way, as durations are counted for a [schedule.Plan]:
// from the create's answer to its end, or to now. It is 0 for one that was not accepted.
func (j *Job) Age(now time.Time) time.Duration {
	switch {
	case j.AcceptedAt.IsZero():
		return 0
	case !j.EndedAt.IsZero():
		now = j.EndedAt
	}
	return max(now.Sub(j.AcceptedAt), 0)
}

// Bounds of a job's warnings.
const (
	maxWarnings = 16
	maxWarning  = 300 // bytes
)

// Warn adds warnings to a job, such as that the result is not what was asked for. Each is cleaned,
// cut to a line and kept once; the first sixteen stay. The next [Change] of the job writes them.
func (j *Job) Warn(texts ...string) {
	for _, t := range texts {
		t = text.Cap(client.CleanLine(t), maxWarning)
		if t != "" && len(j.Warnings) < maxWarnings && !slices.Contains(j.Warnings, t) {
			j.Warnings = append(slices.Clip(j.Warnings), t)
		}
	}
}
