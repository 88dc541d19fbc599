package jobs

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/client"
	"darkroom/jobs/owner"
	"darkroom/jobs/schedule"
)

// Gateway is the part of client.Client that the engine uses to send creates and queries.
type Gateway interface {
	// Create sends a draft; a failure is a *client.CreateError.
	Create(ctx context.Context, d client.Draft, format string) (client.Task, error)
	// Query asks for a task; an error answer is a *client.APIError.
	Query(ctx context.Context, format, id string) (client.Task, error)
}

// Options of an Engine. Store and Gateway are required.
type Options struct {
	Store   Store
	Gateway Gateway
	// Saver brings results to the disk; without one nothing is downloaded.
	Saver Saver
	// Profile names the gateway whose jobs this engine works on.
	Profile string
	// Owner names this engine as a holder of leases, and no other; "" for owner.New.
	Owner string
	// OwnOnly leaves alone what other processes submitted, except jobs named to Wait, Repoll and
	// the like: for a command that submits and exits.
	OwnOnly bool
	// AutoDownload fetches the files of completed jobs by itself. Bytes that came in an
	// answer are always written to the disk.
	AutoDownload bool

	// Installation signs what is submitted and saved here; nil for one that lasts as long as the
	// engine.
	Installation *Installation

	// FormatFor gives the format for a submission that names none.
	FormatFor func(d client.Draft) string
	// RoutesFor gives the formats that may know a task of a model, in the order in which
	// they are asked when the one in use does not; nil for no others.
	RoutesFor func(model string) []string
	// Synchronous reports whether a format answers creates with the result, leaving nothing to
	// poll; nil for no format.
	Synchronous func(format string) bool
	// CarriesExternalID reports whether a format sends external_task_id; the engine then
	// puts the job's own id there, unless the draft has one.
	CarriesExternalID func(format string) bool
	// ReadOnly is what makes the gateway read-only, "" for nothing: then nothing is submitted or
	// sent, and what is planned waits for an engine that may.
	ReadOnly string
	// Host is the gateway's host, with its port if the address has one; the pause of a host is
	// compared with it.
	Host string
	// RequestBody gives the body of a create for the history, without sending it; nil
	// keeps none.
	RequestBody func(d client.Draft, format string) ([]byte, error)

	// Room reports whether the history's disk has room for more of the gateway's answers; nil
	// where that is not ours to check. Without room events and ids are still kept.
	Room func() bool

	// TextOf returns the text in a kept answer of a format; nil reads none.
	TextOf func(format string, answer []byte) string

	// Delivery compares the result with the request.
	Delivery Delivery
	// Spool keeps the outcomes of creates while the history cannot be written; nil for nowhere.
	Spool Spool
	// GiveUp ends the wait for the history at the end of Run: until it is closed the engine keeps
	// trying to write outcomes that may have been paid for. If nil, Grace ends the wait. See
	// [Engine.Unsaved].
	GiveUp <-chan struct{}
	// Unsaved, if not nil, is called when something that may have been paid for could not be
	// written to the history, and again, with saved, once it is there; from any goroutine.
	Unsaved func(u Unsaved, saved bool)

	// Patient makes Run keep trying if the history cannot be read at its start, as when its server
	// is away for a moment; Flow says so.
	Patient bool

	MaxCreates int // creates in flight; 0 for 8
	MaxPolls   int // polls in flight; 0 for 8
	MaxFetches int // jobs whose files are fetched at a time; 0 for 3

	// Curve says when to poll as long as the history does not tell how long such tasks
	// take, see [schedule.Plan]; zero for schedule.DefaultCurve.
	Curve schedule.Curve
	// Tight says when to poll the jobs of a run of a comparison, so that it is known when they ended,
	// see [schedule.Tight]; never less often than others. Zero for schedule.TightCurve.
	Tight   schedule.Curve
	Retry   schedule.Backoff // of failures; zero for 1 s to 60 s
	Lease   time.Duration    // how long a killed process's jobs wait; 0 for 8 s
	Look    time.Duration    // how often other processes' changes are looked for; 0 for 1 s
	Grace   time.Duration    // given to creates in flight at the end; 0 for 5 s
	Clock   func() time.Time
	Rand    func() float64 // in [0,1), safe for concurrent use
	Missing time.Duration  // how long a fresh 404 is retried; 0 for 60 s
	Parked  time.Duration  // how long an unknown state is polled; 0 for 30 min
}

// Engine works on the jobs of one profile: it sends what was submitted, polls what runs
// and has results brought to the disk. It implements Reader and Doer, which are safe for
// concurrent use and may be used before and after Run; only Run sends anything.
type Engine struct {
	o     Options
	board *board

	inbox   *inbox
	notes   notebook
	unsaved unsavedList
	plans   *schedule.Plans
	tight   *schedule.Tight
	stops   atomic.Pointer[stops]

	running  atomic.Bool
	rejected atomic.Bool  // see HasRejected
	creates  atomic.Int64 // in flight
}

var (
	_ Reader = (*Engine)(nil)
	_ Doer   = (*Engine)(nil)
	_ Keeper = (*Engine)(nil)
)

// NewEngine makes an engine. It touches neither the disk nor the network before Run or a
// call of a method.
func NewEngine(o Options) *Engine {
	o = o.withDefaults()
	e := &Engine{
		o: o, board: newBoard(), inbox: newInbox(o.OwnOnly), tight: schedule.NewTight(o.Tight),
		notes: notebook{by: map[string]pending{}}, unsaved: unsavedList{all: map[string]Unsaved{}},
		plans: schedule.NewPlans(func(ctx context.Context, k schedule.Kind, newest int) ([]time.Duration, error) {
			return o.Store.Past(ctx, PastQuery{Profile: k.Profile, Model: k.Model, Mode: k.Mode, Limit: newest})
		}),
	}
	e.stops.Store(&stops{})
	e.board.flow.ReadOnly = o.ReadOnly
	return e
}

func (o Options) withDefaults() Options {
	def(&o.MaxCreates, 8)
	def(&o.MaxPolls, 8)
	def(&o.MaxFetches, 3)
	def(&o.Lease, 8*time.Second)
	def(&o.Look, time.Second)
	def(&o.Grace, 5*time.Second)
	def(&o.Missing, time.Minute)
	def(&o.Parked, 30*time.Minute)
	def(&o.Curve, schedule.DefaultCurve())
	def(&o.Tight, schedule.TightCurve())
	def(&o.Retry, schedule.Backoff{Base: time.Second, Cap: time.Minute})
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Owner == "" {
		o.Owner = owner.New()
	}
	if o.Installation == nil {
		o.Installation = NewInstallation()
	}
	return o
}

func def[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// now is the wall clock to the millisecond, as the store keeps it. It has no monotonic
// part: leases and due times are those of the wall clock, which goes on in sleep.
func (e *Engine) now() time.Time { return e.o.Clock().Round(0).Truncate(time.Millisecond) }

// Dirty has a value when something changed since it was last received from: ask Changes.
func (e *Engine) Dirty() <-chan struct{} { return e.board.dirty }

// Busy returns how many creates wait for their answer, or for the history to record it. Leaving
// now gives them Options.Grace; those that take longer become ambiguous.
func (e *Engine) Busy() int { return int(e.creates.Load()) }

// errRunning: only one Run at a time.
var errRunning = errors.New("jobs: the engine is running already")

// Run works until the context ends. It then starts nothing new, gives creates in flight
// Options.Grace, gives its leases back and returns nil. An error means that the history
// could not be read at the start, without Options.Patient.
func (e *Engine) Run(ctx context.Context) error {
	if !e.running.CompareAndSwap(false, true) {
		return errRunning
	}
	defer e.running.Store(false)
	l := newLoop(ctx, e)
	defer l.end()
	if err := l.begun(); err != nil {
		return err
	}
	flushing, end := context.WithCancel(ctx)
	defer end()
	go e.flusher(flushing)
	l.run()
	return nil
}

// inbox is what Doers leave for the loop. It is safe for concurrent use.
type inbox struct {
	wake chan struct{} // capacity one: there is something

	mu      sync.Mutex
	works   []handed
	repause bool            // pauses were changed here
	wanted  map[string]bool // ids that OwnOnly works on besides its own; nil for all
	wish    bool            // one of them is new
}

// handed is work for the loop to take over.
type handed struct {
	Work
	own bool // only what a person decides has changed, or nothing that the loop heeds
	// known, with own: nobody else had written since the loop knew of the job.
	known bool
}

func newInbox(ownOnly bool) *inbox {
	in := &inbox{wake: make(chan struct{}, 1)}
	if ownOnly {
		in.wanted = map[string]bool{}
	}
	return in
}

// put changes what is there and wakes the loop.
func (in *inbox) put(change func()) {
	in.mu.Lock()
	change()
	in.mu.Unlock()
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

// hand gives work to the loop.
func (in *inbox) hand(w ...handed) { in.put(func() { in.works = append(in.works, w...) }) }

// want makes an OwnOnly engine work on jobs that other processes submitted.
func (in *inbox) want(ids ...string) {
	if in.wanted == nil {
		return
	}
	in.put(func() {
		for _, id := range ids {
			in.wanted[id] = true
		}
		in.wish = true
	})
}

// empty takes everything out: the work, whether pauses changed, and whether jobs are to be
// claimed.
func (in *inbox) empty() (works []handed, repause, wish bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	works, repause, wish = in.works, in.repause, in.wish
	in.works, in.repause, in.wish = nil, false, false
	return works, repause, wish
}

func (in *inbox) wantedIDs() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Collect(maps.Keys(in.wanted))
}
