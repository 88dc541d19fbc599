package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// Jobs is what a bench needs of an engine.
type Jobs interface {
	Submit(ctx context.Context, s []jobs.Submission) ([]string, error)
	Drop(ctx context.Context, id string) error
	SetPaused(ctx context.Context, id string, on bool) error
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
	Detail(ctx context.Context, id string) (jobs.Detail, error)
	// Changes never blocks, see [jobs.Reader].
	Changes(seq uint64) ([]jobs.Job, uint64)
	// Counts has what holds up all work of the profile, see [jobs.Flow].
	Counts() jobs.Counts
	// Watch returns a channel that is closed when there may be changes.
	Watch() <-chan struct{}
	// Want has jobs worked on that another process submitted, see [jobs.Want].
	Want(ids ...string)
	// Judge marks which files this installation saved, see [jobs.Engine.Judge].
	Judge(ctx context.Context, j jobs.Job) (jobs.Job, error)
}

// Options of a Bench. Dir and Jobs are required.
type Options struct {
	// Dir is the folder of the profile's runs; it is made when the first one starts.
	Dir  string
	Jobs Jobs

	Profile, Host, Version string
	// MayCreate says why nothing can be created at the gateway, as without a key; nil where that is known
	// only when it is tried.
	MayCreate func() error

	// Judge fills in Facts and Checks of a trial that is over: its files are saved, or never will be. It
	// runs beside the sending, up to [Judges] at a time, and must change nothing else; the run has no
	// trials. answer is the gateway's newest body, nil for none. Warm-ups are not judged.
	Judge func(ctx context.Context, r *compare.Run, t *compare.Trial, j *jobs.Job, answer []byte)
	// Finish fills in Checks and CellChecks of a run whose trials are all over.
	Finish func(ctx context.Context, r *compare.Run)
	// News is called when [Bench.News] has something new, from any goroutine; it must not block.
	News func()
	// Clock is the time; nil for time.Now.
	Clock func() time.Time

	wrap func(*os.File) file // of tests that kill; nil for the file itself
}

// Judges is how many trials are judged at a time.
const Judges = 2

// Errors of a Bench, beside those of a journal.
var (
	// ErrAnother: one run is sent at a time, since two would be measured against one another.
	ErrAnother = errors.New("another run is being sent: wait for it, or stop it")
	// ErrNothing: a run that is to be resumed has nothing left to send.
	ErrNothing = errors.New("nothing is left to be sent: no trial is missing, and none failed")
	errClosed  = errors.New("the program is about to end")
)

// Bench sends the runs of one profile, one at a time, and keeps them. It is safe for concurrent use.
type Bench struct {
	o      Options
	ctx    context.Context //nolint:containedctx // of all runs, ended by Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	seq     uint64
	runs    map[string]*runner // that are live, or were
	over    []string           // those that are not live any more, oldest first
	sending string             // the one that is
	closed  bool
}

// New makes a bench. It touches no disk.
func New(o Options) *Bench {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.News == nil {
		o.News = func() {}
	}
	b := &Bench{o: o, runs: map[string]*runner{}}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b
}

// Close ends all work at once. A run that was live stays open; what it has in flight is in the history.
func (b *Bench) Close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.cancel()
	b.wg.Wait()
}

// Start journals a planned run and begins to send it. The context bounds the journalling alone. After an
// error nothing was sent.
func (b *Bench) Start(ctx context.Context, plan compare.Run) (id string, err error) {
	if plan.ID == "" {
		fresh, err := uuid.NewV7()
		if err != nil {
			return "", fmt.Errorf("making the id of a run: %w", err)
		}
		plan.ID = fresh.String()
	}
	if err := b.admit(plan.ID); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			b.release(plan.ID)
		}
	}()
	plan.Profile, plan.Host, plan.Version = b.o.Profile, b.o.Host, b.o.Version
	plan.Trials, plan.Checks, plan.CellChecks = nil, nil, nil
	plan.Status, plan.CreatedAt, plan.EndedAt = compare.Open, b.o.Clock().Round(0).UTC(), time.Time{}
	records := planRecords(&plan, filesOf(&plan))
	check := newLedger()
	for i := range records {
		records[i].Version = version
		if err := check.apply(&records[i]); err != nil {
			return "", fmt.Errorf("the plan is not sound: %w", err)
		}
	}
	if len(plan.Order) == 0 {
		return "", errors.New("none of the cells can run")
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if _, err := os.Lstat(pathOf(b.o.Dir, plan.ID)); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(errors.New("a run of this id is there already"), err)
	}
	if err := create(b.o.Dir, plan.ID, records); err != nil {
		return "", fmt.Errorf("the run could not be journalled, and nothing was sent: %w", err)
	}
	j, l, err := b.open(ctx, plan.ID)
	if err != nil {
		return "", err
	}
	r := newRunner(b, j, l)
	_, r.seen = b.o.Jobs.Changes(0)
	b.begin(r)
	return plan.ID, nil
}

// Resume goes on with a run: it sends the slots that are missing, and those that failed, were refused or
// lost. It looks into the history first, so that nothing is sent that is there already. What paused itself
// because the gateway could not be reached goes on, too.
func (b *Bench) Resume(ctx context.Context, id string) (err error) {
	if err := b.admit(id); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			b.release(id)
		}
	}()
	j, l, err := b.open(ctx, id)
	if err != nil {
		return err
	}
	r := newRunner(b, j, l)
	if err := r.resume(ctx); err != nil {
		return errors.Join(err, j.close())
	}
	b.begin(r)
	return nil
}

// Left says what resuming a run sends: the slots that are missing, and those that failed. The history may
// know of jobs that the run does not, which are not sent again.
func Left(r *compare.Run) (missing, again int) {
	l := newLedger()
	l.run = *r
	for i := range r.Trials {
		t := &r.Trials[i]
		l.at[key{t.Slot, t.Attempt}] = i
		l.last[t.Slot] = max(l.last[t.Slot], t.Attempt)
	}
	for _, w := range l.left() {
		if w.again {
			again++
		} else {
			missing++
		}
	}
	return missing, again
}

// open opens a journal for writing.
func (b *Bench) open(ctx context.Context, id string) (*journal, *ledger, error) {
	j, l, err := open(ctx, b.o.Dir, id)
	if err == nil && b.o.wrap != nil {
		j.f = b.o.wrap(j.real)
	}
	return j, l, err
}

// admit reserves the sending for a run, if it may be sent at all.
func (b *Bench) admit(id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	if b.o.MayCreate != nil {
		if err := b.o.MayCreate(); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return errClosed
	case b.sending == id:
		return ErrBusy
	case b.sending != "":
		return ErrAnother
	}
	b.sending = id
	return nil
}

// release ends the reservation.
func (b *Bench) release(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sending == id {
		b.sending = ""
	}
}

// keptOver is how many runs that are not live any more stay in memory for [Bench.News].
const keptOver = 4

// begin starts the work on a run.
func (b *Bench) begin(r *runner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed { // it stays open
		_ = r.j.close()
		close(r.done)
		return
	}
	b.over = slices.DeleteFunc(b.over, func(id string) bool { return id == r.l.run.ID })
	b.runs[r.l.run.ID] = r
	b.wg.Go(func() { r.loop(b.ctx) })
}

// retire notes that a run is not live any more; the lock is held.
func (b *Bench) retire(r *runner, seq uint64) {
	r.over, r.seq = true, seq
	if b.sending == r.id {
		b.sending = ""
	}
	if b.over = append(b.over, r.id); len(b.over) > keptOver {
		delete(b.runs, b.over[0])
		b.over = b.over[1:]
	}
}

// live returns the work on a run, nil where there is none.
func (b *Bench) live(id string) *runner {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.runs[id]
	if r == nil || r.over {
		return nil
	}
	return r
}

func (b *Bench) forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.runs, id)
	b.over = slices.DeleteFunc(b.over, func(x string) bool { return x == id })
}

// Stop ends a run early: nothing more is sent, and what is in flight is followed to its end. A run that
// nobody is at work on is marked as stopped.
func (b *Bench) Stop(ctx context.Context, id string) error {
	if r := b.live(id); r != nil {
		r.halt()
		return nil
	}
	j, l, err := b.open(ctx, id)
	if err != nil {
		return err
	}
	if l.run.Status == compare.Open {
		now := b.o.Clock().Round(0).UTC()
		l.run.Status, l.run.EndedAt = compare.Stopped, now
		err = j.put(record{Kind: kindStop, At: now}, record{Kind: kindEnd, At: now, Status: compare.Stopped}, tallyRecord(&l.run))
	}
	return errors.Join(err, j.close())
}

// Wait returns when nobody is at work on a run in this process any more.
func (b *Bench) Wait(ctx context.Context, id string) error {
	r := b.live(id)
	if r == nil {
		return nil
	}
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
