package jobs

import (
	"context"
	"errors"
	"time"
)

// Errors of a Store.
var (
	// ErrNotFound: the history has no job of this id.
	ErrNotFound = errors.New("no such job in the history")
	// ErrLeaseLost: somebody else took the job meanwhile; discard what was found out.
	ErrLeaseLost = errors.New("the job was taken over by another process")
)

// PayloadKind says which body of a job a payload is.
type PayloadKind string

// Kinds of payloads. A job has at most one current payload of each kind; bodies that an event
// names stay as long as the event does.
const (
	PayloadRequest PayloadKind = "request" // body of the create as sent
	PayloadAnswer  PayloadKind = "answer"  // newest body of the gateway
	// PayloadInline is followed by ":" and the asset's index: bytes that an answer
	// carried and that could not be written to the disk yet.
	PayloadInline PayloadKind = "inline"
)

// Payload is one body to be kept, under its SHA-256.
type Payload struct {
	Kind PayloadKind `json:"kind"`
	Body []byte      `json:"body"`
}

// Work is a job as the store knows it: the row, the work planned for it, and who may do it.
type Work struct {
	Job Job
	// Rev is the store's own change counter: every transaction that touches a job gives it a
	// greater value than any before.
	Rev int64

	// Due is when there is something to do (send, poll, fetch); zero for nothing.
	Due      time.Time
	Attempts int           // failures in a row of what is due; of files, see triesOf
	Backoff  time.Duration // the delay that the last failure led to

	// Owner holds the job's lease; "" for nobody. Token grows with every claim.
	Owner string
	Token int64
}

// Change is what one transaction writes about one job: the whole row, events and bodies.
type Change struct {
	Job      Job
	Events   []Event   // appended; PayloadSHA names a body of Payloads or a known one
	Payloads []Payload // become the current ones of their kinds
	Forget   []PayloadKind
	// Exchanges are added to the job's ring, see [Renew].
	Exchanges []Exchange

	// Due, Attempts and Backoff replace those of Work. A zero Due ends the work and
	// gives the lease back.
	Due      time.Time
	Attempts int
	Backoff  time.Duration

	// Token guards Commit: the token that the claim gave.
	Token int64
	// Take, for Insert and Amend, gives the lease to Owner until Until, whoever holds it.
	Take  bool
	Owner string
	Until time.Time
}

// Claim says which work an owner wants to take over.
type Claim struct {
	Owner   string
	Profile string
	Now     time.Time
	Until   time.Time // of the new leases
	// IDs limits the claim to these jobs; nil for all.
	IDs []string
	// Own also claims the owner's own leases anew (after a time in which they may have expired);
	// Except are the jobs it is working on.
	Own    bool
	Except []string
	// Installation is the one that claims. Planned jobs of another installation that have a proof,
	// and with it files of another machine, are left to that one.
	Installation string
	// SkipFetch leaves out jobs that only have files to be fetched: for an owner that saves none.
	SkipFetch bool
	// SkipPlanned leaves out jobs whose create is not sent yet: for an owner that may send none.
	SkipPlanned bool
	Limit       int // 0 for 10,000
}

// PastQuery asks how long tasks took.
type PastQuery struct {
	Profile string
	Model   string
	Mode    string // "" for requests without one
	Limit   int    // the newest so many; 0 for 200
}

// Prune says which ended jobs to remove, with everything kept about them except the files on the
// disk. Active and ambiguous jobs are never removed, nor are jobs that have work planned (a file
// still to be fetched) or a lease.
type Prune struct {
	Profile string    // "" for all
	Before  time.Time // ended (or, where nothing says when, updated) before this
	States  []State   // empty for every ended state
	// Keep are tags whose jobs stay; KeepTagged spares every job with a tag.
	Keep       []string
	KeepTagged bool
	// Newest is how many of the ended jobs of Profile and States stay, the newest by their ids,
	// whatever their age and tags.
	Newest int
	// Dry only counts.
	Dry bool
	// Tell, if not nil, gets what is done so far after each portion.
	Tell func(Pruned)
}

// Pruned says what a Prune removed, or would.
type Pruned struct {
	Jobs  int   `json:"jobs"`
	Bytes int64 `json:"bytes"` // of kept bodies, before compression
}

// Pause stops work on more than one job: on everything of a profile, or on everything that goes to
// one host of it. It holds for all processes that share the history.
type Pause struct {
	Profile string    `json:"profile"`
	Host    string    `json:"host,omitempty"` // "" for all of the profile
	At      time.Time `json:"at"`
}

// Record is one job with everything that the history keeps about it, as exported.
type Record struct {
	Job       Job                    `json:"job"`
	Events    []Event                `json:"events,omitempty"`
	Exchanges []Exchange             `json:"exchanges,omitempty"`
	Current   map[PayloadKind]string `json:"current,omitempty"` // SHA-256 by kind
	Bodies    map[string][]byte      `json:"bodies,omitempty"`  // by SHA-256: those of Current and Events
	Due       time.Time              `json:"due,omitzero"`
}

// Mark is the state of one job counted in the title bar.
type Mark struct {
	ID    string
	State State
}

// Store keeps the history and hands out the work in it. It is safe for concurrent use,
// by several processes too. Times are kept to the millisecond.
//
// A lease holds as long as its own time, or longer while its owner beats (see Beat):
// one row is renewed for any number of jobs. Every method is one transaction.
// The suite in jobs/store/storetest says what an implementation has to guarantee.
type Store interface {
	// Insert journals jobs; all of them or none.
	Insert(ctx context.Context, c []Change) error
	// Claim takes leases of jobs with work that nobody holds, and returns them with
	// their new tokens. No lease is ever held by two owners.
	Claim(ctx context.Context, c Claim) ([]Work, error)
	// Commit writes a change if its token is still the job's, or fails with ErrLeaseLost and
	// writes nothing. It returns the new Rev. What only a person decides stays as it is in the
	// store: see Job.KeepOwn. So does the draft, which never changes: a poll has
	// only a part of it.
	Commit(ctx context.Context, c Change) (int64, error)
	// Amend reads a job and writes what fn makes of it, whoever holds the lease. With Change.Take
	// the lease changes hands, and what its former holder finds out is discarded. An error of fn
	// is returned as it is and nothing is written.
	Amend(ctx context.Context, id string, fn func(Work) (Change, error)) (Work, error)

	// Beat says that the owner is alive: its leases hold at least until then.
	Beat(ctx context.Context, owner string, until time.Time) error
	// Release gives back all leases of an owner, at its end or when it is known to be dead.
	Release(ctx context.Context, owner string) error
	// Owners lists who holds leases.
	Owners(ctx context.Context) ([]string, error)

	// Get, List and Detail read; they return ErrNotFound if the history has no such job. List cuts
	// long drafts, see [client.Draft], and so does Since.
	Get(ctx context.Context, id string) (Work, error)
	List(ctx context.Context, q Query) (Page, error)
	Detail(ctx context.Context, id string) (Detail, error)
	// Payload returns the current body of a kind.
	Payload(ctx context.Context, id string, kind PayloadKind) ([]byte, error)
	// Marks lists the jobs of a profile that are active or ambiguous, and the newest Rev
	// of the store.
	Marks(ctx context.Context, profile string) ([]Mark, int64, error)
	// Since returns the jobs whose Rev is greater, oldest change first, and the newest Rev.
	Since(ctx context.Context, rev int64) ([]Work, int64, error)
	// Past returns how long completed tasks took from acceptance to the first sight of
	// their end, newest first.
	Past(ctx context.Context, q PastQuery) ([]time.Duration, error)
	// Prune removes ended jobs, and bodies that no other job needs. It may work in portions, each
	// a transaction, so that others can write in between; the result counts what was done before
	// an error.
	Prune(ctx context.Context, p Prune) (Pruned, error)
	// SetPause begins or ends a pause; Pauses lists those of a profile ("" for all). SetPause
	// changes Look and wakes a Watch. A pause that is already in force keeps its time.
	SetPause(ctx context.Context, p Pause, on bool) error
	Pauses(ctx context.Context, profile string) ([]Pause, error)
	// Records reads whole jobs in the order of their ids, starting after the given id; fewer than
	// the limit (0 for 100) if they are large, none at the end. Import adds the records whose ids
	// are not there yet, all of them or none, and returns how many it added; it refuses what
	// [Record.Check] refuses. Imported jobs have their work planned, and no lease.
	Records(ctx context.Context, after string, limit int) ([]Record, error)
	Import(ctx context.Context, r []Record) (added int, err error)
	// Every returns the ids of every n-th job, in their order: where the reading of records can begin
	// in several places at once.
	Every(ctx context.Context, n int) ([]string, error)

	// Look returns a number that differs from the one before when another process
	// wrote meanwhile. It is cheap enough for once a second.
	Look(ctx context.Context) (int64, error)
	Close() error
}

// Leaser is what a Store may implement to tell which leases still hold.
type Leaser interface {
	Leases(ctx context.Context) ([]Lease, error)
}

// Watcher is what a Store may implement if it learns of writes without asking. An engine then
// looks only after a write, and sleeps while nothing happens.
type Watcher interface {
	// Watch returns a channel of capacity one that gets a value after any process wrote to the
	// history; some may come without a write. It is closed when watching broke off, and at the end
	// of ctx. An error says that this system or place cannot be watched.
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// Finding is one thing in a history that is not as it should be.
type Finding struct {
	Name  string   `json:"name"` // stable, as "orphaned_bodies"
	Count int64    `json:"count"`
	Text  string   `json:"text"`
	Named []string `json:"named,omitempty"` // some of them
	// Fixable says that a repair is possible, Fixed that it was done.
	Fixable bool `json:"fixable"`
	Fixed   bool `json:"fixed"`
}

// Lease says who works on a history, and on how many of its jobs.
type Lease struct {
	Owner string `json:"owner"`
	Jobs  int    `json:"jobs"`
	Lives bool   `json:"lives"` // its time is not over
}
