package jobs

import (
	"context"
	"slices"
	"strings"
	"time"

	"darkroom/client"
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

// FromStatus maps a task's normalised status to a state.
func FromStatus(s client.Status) State {
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

// FileState is where a result's way to the disk stands.
type FileState string

// States of a file.
const (
	FileWanted   FileState = "wanted"
	FileFetching FileState = "fetching"
	FileSaved    FileState = "saved"
	FileFailed   FileState = "failed"
)

// File is one asset of a job on its way to, or on, the disk.
type File struct {
	Index     int              `json:"index"`
	Kind      client.AssetKind `json:"kind"`
	State     FileState        `json:"state"`
	Path      string           `json:"path,omitempty"` // absolute, when saved
	Bytes     int64            `json:"bytes"`
	Total     int64            `json:"total"` // -1 when not known
	SHA256    string           `json:"sha256,omitempty"`
	MediaType string           `json:"media_type,omitempty"`
	Error     string           `json:"error,omitempty"`
	// Proof says which installation saved it, see [Installation.Saved]; "" for nobody known.
	Proof string `json:"proof,omitempty"`
	// Elsewhere: another installation saved it, or says so, and nothing here is to be made of
	// the path. An engine tells it of what it returns; see [File.Here].
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Here reports whether the file is on the disk of this machine, saved by this installation:
// only then is its path one to open, to play or to read.
func (f *File) Here() bool { return f.State == FileSaved && !f.Elsewhere }

// Job is a copy of one job's state; it shares nothing with the engine.
type Job struct {
	ID      string `json:"id"` // UUIDv7
	Profile string `json:"profile"`
	// Group ties jobs that were submitted together (a comparison, a batch); "" alone.
	Group  string       `json:"group,omitempty"`
	Draft  client.Draft `json:"draft"`
	Format string       `json:"format"` // the one that creates

	State State `json:"state"`
	// TaskID and QueryFormat say what is polled; both "" before the create's answer.
	TaskID      string            `json:"task_id,omitempty"`
	AltIDs      []string          `json:"alt_ids,omitempty"`
	QueryFormat string            `json:"query_format,omitempty"`
	RawStatus   string            `json:"raw_status,omitempty"`
	Progress    float64           `json:"progress"` // 0..100, -1 for none
	Error       *client.TaskError `json:"error,omitempty"`
	Assets      []client.Asset    `json:"assets,omitempty"`
	Files       []File            `json:"files,omitempty"`
	Title       string            `json:"title,omitempty"`
	// Note is the engine's own remark for a person, as "the create's answer was lost".
	Note string `json:"note,omitempty"`
	// Warnings are short texts about the job and its result, each once; see [Job.Warn].
	Warnings []string `json:"warnings,omitempty"`
	// Installation is the id of the installation that made the job, as it says itself; "" for
	// none known. Proof holds only where the draft names files of a machine, and proves that
	// this one named them: see [Installation.Made].
	Installation string `json:"installation,omitempty"`
	Proof        string `json:"proof,omitempty"`
	// Foreign: the draft names local files that are not this installation's to send, see
	// [Engine.SendFiles]. An engine tells it of what it returns.
	Foreign bool `json:"foreign_files,omitempty"`
	// Tags and Remark are a person's own: tags sorted and each once, see [CleanTags].
	Tags   []string `json:"tags,omitempty"`
	Remark string   `json:"remark,omitempty"`
	// Paused: nothing is sent, polled or fetched for this job until a person goes on.
	Paused bool `json:"paused,omitempty"`

	CreatedAt   time.Time     `json:"created_at"`            // journalled
	SubmittedAt time.Time     `json:"submitted_at,omitzero"` // POST begun
	AcceptedAt  time.Time     `json:"accepted_at,omitzero"`  // answer with an id
	EndedAt     time.Time     `json:"ended_at,omitzero"`     // end first seen
	UpdatedAt   time.Time     `json:"updated_at"`            // last transition
	CreateTook  time.Duration `json:"create_took,omitempty"` // latency of the create call
	Polls       int           `json:"polls"`
	NextPollAt  time.Time     `json:"next_poll_at,omitzero"`
	// Seq grows with every change of any job; see Engine.Changes.
	Seq uint64 `json:"seq"`
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

// Event is one line of a job's timeline; they are only ever appended.
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

// Exchange is one request about a job and what came of it, as the history keeps the last
// [MaxExchanges] of each job. It holds no key and no body.
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
}

// MaxExchanges is how many exchanges of a job are kept: the newest.
const MaxExchanges = 20

// Detail is a job with its timeline and bodies.
type Detail struct {
	Job    Job     `json:"job"`
	Events []Event `json:"events"`
	// Exchanges are the last ones, oldest first.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Request   []byte     `json:"-"` // body of the create as sent, JSON; no key in it
	Answer    []byte     `json:"-"` // the newest body of the gateway about it
	// Text is what the answer says in words, as that of a chat model, or a song's lyrics, as
	// the gateway sent it: clean it before showing. "" for none.
	Text string `json:"text,omitempty"`
}

// Submission is what Engine.Submit takes: one draft through one format.
type Submission struct {
	Draft  client.Draft
	Format string // "" for the first one that the catalog lists for the model
	Group  string
}

// Query selects jobs of the history, newest first.
//
// Text is one word or several, at blanks: each has to stand somewhere in prompt, ids, title,
// error, note, remark or tags, or in what the create's or the last error said, in any order
// and whatever case. A word may be a part of a longer one; 256 bytes of it count. What stands in double quotes is
// looked for as it is. A word of 16 bytes and more that is the whole id of a job, of a task or
// of a request that an event names (in the case that the gateway gave it) finds these alone.
type Query struct {
	States   []State // empty for all
	Model    string  // exact, or with * for any text, see HasModel; "" for all
	Modality client.Modality
	Profile  string
	Group    string
	TaskID   string // matches the task id, an alternative id or the job id
	Text     string // see above; "" for all
	Tag      string // exact; "" for all
	Starred  bool   // only those with the tag Star, beside what Tag says
	Parent   string // id of a job: those that were made from it; "" for all
	// Before is the keyset cursor of a former page, "" for the newest.
	Before string
	Limit  int // 0 for 50
}

// HasModel reports whether a query selects the jobs of a model. A * in what it names stands for
// any text; then the case does not matter.
func (q *Query) HasModel(model string) bool {
	if !q.AnyModel() {
		return q.Model == "" || q.Model == model
	}
	parts := strings.Split(strings.ToLower(q.Model), "*")
	first, last := parts[0], parts[len(parts)-1]
	rest, begins := strings.CutPrefix(strings.ToLower(model), first)
	if !begins {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// AnyModel reports whether what a query says of the model is a pattern.
func (q *Query) AnyModel() bool { return strings.Contains(q.Model, "*") }

// defaultPage is how many jobs a query finds that names no number.
const defaultPage = 50

// Page is one page of jobs and the cursor of the next; Next is "" at the end.
type Page struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty"`
}

// Counts are numbers for the title bar, over the whole history of a profile.
type Counts struct {
	Running   int `json:"running"` // being sent, running, or in a state nobody listed
	Queued    int `json:"queued"`  // waiting, here or at the gateway
	Failed    int `json:"failed"`  // failed, refused and lost since the console started
	Ambiguous int `json:"ambiguous"`
	// Flow says what holds the work up; it is of this engine alone.
	Flow Flow `json:"flow,omitzero"`
}

// Flow is what keeps an engine from its work: a person's pauses, or the gateway's, or a
// history that is away.
type Flow struct {
	// Paused: nothing is sent, polled or fetched; a person paused the profile.
	Paused bool `json:"paused,omitempty"`
	// Hosts are those to which nothing goes, separated by blanks; "" for none.
	Hosts string `json:"hosts,omitempty"`
	// Until is the end of a pause that the gateway asked for; zero for none. It may have
	// gone by.
	Until time.Time `json:"until,omitzero"`
	// Away is since when the history can not be read or written, as when its server is away;
	// zero while it can. The engine tries on. Why is the error, to be cleaned before showing.
	Away time.Time `json:"away,omitzero"`
	Why  string    `json:"why,omitempty"`
	// Rate is how many requests a second may leave for the gateway, while it has made us ask
	// more slowly than usual; 0 otherwise.
	Rate float64 `json:"rate,omitempty"`
}

// States lists all states, in the order of a job's life.
func States() []State {
	return []State{Planned, Submitting, Ambiguous, Refused, Queued, Running, Unknown, Completed, Failed, Lost, Dropped}
}

// Valid reports whether s is one of States.
func (s State) Valid() bool { return slices.Contains(States(), s) }

// Coarse names a state among those of tasks, as a sign in a table does: what waits here
// counts as queued, what ended here as failed. Ambiguous and dropped stay what they are.
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

// KnownAs is [client.KnownAs] for a query about the job: by all ids that its task has.
func (j *Job) KnownAs(ctx context.Context) context.Context {
	return client.KnownAs(ctx, append([]string{j.TaskID}, j.AltIDs...))
}

// Showpiece is the saved file that shows the result, and the picture that stands for it
// where it can not be shown itself: a cover before a last frame. Both are "" while
// nothing is saved; a picture alone is the result too.
func (j *Job) Showpiece() (path, poster string) {
	for i := range j.Files {
		f := &j.Files[i]
		if !f.Here() {
			continue
		}
		switch f.Kind {
		case client.AssetCover:
			poster = f.Path
		case client.AssetLastFrame:
			if poster == "" {
				poster = f.Path
			}
		default:
			if path == "" {
				path = f.Path
			}
		}
	}
	if path == "" {
		path = poster
	}
	return path, poster
}
