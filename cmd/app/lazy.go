package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"darkroom/client"
	"darkroom/client/stack"
	"darkroom/cmd/app/internal/ahead"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
)

// lazyJobs stands in for the desk's engine before the desk is open: the console is painted at
// once, and what needs the history waits for it in commands, never in Update or View.
type lazyJobs struct {
	ready chan struct{} // closed when desk or err is set
	once  sync.Once
	desk  *Desk
	err   error
	news  chan struct{} // capacity one
	mu    sync.Mutex
	said  []string // not yet asked for
	// absent is set while the history cannot be opened for the time being.
	absent atomic.Pointer[absence]
	first  *ahead.Page // that Queue will ask for; nil for none
}

func newLazyJobs() *lazyJobs {
	return &lazyJobs{ready: make(chan struct{}), news: make(chan struct{}, 1)}
}

// set ends the wait, once.
func (l *lazyJobs) set(d *Desk, err error) {
	l.once.Do(func() {
		l.desk, l.err = d, err
		close(l.ready)
		l.poke()
	})
}

func (l *lazyJobs) poke() {
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// readAhead reads the first page of Queue once the history is open.
func (l *lazyJobs) readAhead(ctx context.Context) {
	<-l.ready
	if e := l.now(); e != nil {
		stack.Grow()
		l.first.Read(ctx, e)
	}
}

// forward passes on the engine's news, and that it ended by itself, until ctx ends.
func (l *lazyJobs) forward(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-l.ready:
	}
	if l.err != nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.desk.Engine.Dirty():
			l.poke()
		case <-l.desk.Ended():
			l.poke()
			return
		}
	}
}

// failure is why there is no history, or why no engine works on it any more; nil while all is
// well, and before that is known.
func (l *lazyJobs) failure() error {
	select {
	case <-l.ready:
	default:
		return nil
	}
	if l.err != nil {
		return fmt.Errorf("the history cannot be used: %w", l.err)
	}
	if err := l.desk.Err(); err != nil {
		return fmt.Errorf("the jobs cannot be worked on: %w", err)
	}
	return nil
}

// tell keeps what a person has to know about the history.
func (l *lazyJobs) tell(text string) {
	l.mu.Lock()
	l.said = append(l.said, text)
	l.mu.Unlock()
	l.poke()
}

// trouble is failure in the console's words.
func (l *lazyJobs) trouble() string {
	if err := l.failure(); err != nil {
		return err.Error() + ". Nothing can be submitted."
	}
	if l.readOnly() {
		return "reading only: nothing is submitted, and no job is followed. " + unwritable(l.desk.Store).Error()
	}
	return ""
}

// readOnly reports whether the history is open, but read-only.
func (l *lazyJobs) readOnly() bool { return l.now() != nil && unwritable(l.desk.Store) != nil }

// writable is why the history cannot be written, nil where it can, and as long as that is not known.
func (l *lazyJobs) writable() error {
	if err := l.failure(); err != nil || l.now() == nil {
		return err
	}
	return l.desk.writable()
}

// notice is what a person has to know once about a working history, and was told since the last
// call.
func (l *lazyJobs) notice() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.said, "\n")
	l.said = nil
	return text
}

// close waits for the history, which may still be opening, and closes it. The error is failure's,
// or that of closing.
func (l *lazyJobs) close() error {
	<-l.ready
	if l.desk == nil {
		if errors.Is(l.err, context.Canceled) { // quit before it was open
			return nil
		}
		return l.failure()
	}
	if err := l.failure(); err != nil {
		_ = l.desk.Close()
		return err
	}
	return l.desk.Close()
}

// now is the engine if it is already there.
func (l *lazyJobs) now() *jobs.Engine {
	select {
	case <-l.ready:
		if l.err == nil {
			return l.desk.Engine
		}
	default:
	}
	return nil
}

// wait waits for the engine, or for the reason why there will never be one, why it has stopped, or
// why it is not there for the time being.
func (l *lazyJobs) wait(ctx context.Context) (*jobs.Engine, error) {
	select {
	case <-l.ready:
		if err := l.failure(); err != nil {
			return nil, err
		}
		return l.desk.Engine, nil
	default:
	}
	if err := l.missing(); err != nil {
		return nil, err
	}
	select {
	case <-l.ready:
		return l.wait(ctx)
	case <-ctx.Done():
		if err := l.missing(); err != nil {
			return nil, err
		}
		return nil, ctx.Err()
	}
}

// Changes and Counts never block: before the history is open there are none.
func (l *lazyJobs) Changes(seq uint64) ([]jobs.Job, uint64) {
	if e := l.now(); e != nil {
		return e.Changes(seq)
	}
	return nil, seq
}

func (l *lazyJobs) Counts() jobs.Counts {
	if e := l.now(); e != nil {
		return e.Counts()
	}
	return l.early()
}

// PlanOf is the engine's; before the history is open nothing is known.
func (l *lazyJobs) PlanOf(j *jobs.Job) *schedule.Plan {
	if e := l.now(); e != nil {
		return e.PlanOf(j)
	}
	return nil
}

// busy is the number of creates that await their answer.
func (l *lazyJobs) busy() int {
	if e := l.now(); e != nil {
		return max(0, e.Busy()-len(e.Unsaved()))
	}
	return 0
}

// unsaved describes the outcomes of creates that the history does not have yet.
func (l *lazyJobs) unsaved() (lines []string) {
	if e := l.now(); e != nil {
		for _, u := range e.Unsaved() {
			lines = append(lines, heldText(u))
		}
	}
	return lines
}

func ask[T any](ctx context.Context, l *lazyJobs, f func(*jobs.Engine) (T, error)) (T, error) {
	e, err := l.wait(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return f(e)
}

func (l *lazyJobs) do(ctx context.Context, f func(*jobs.Engine) error) error {
	_, err := ask(ctx, l, func(e *jobs.Engine) (struct{}, error) { return struct{}{}, f(e) })
	return err
}

func (l *lazyJobs) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	return ask(ctx, l, func(e *jobs.Engine) (jobs.Page, error) {
		if page, ok := l.first.Take(ctx, e, q); ok {
			return page, nil
		}
		return e.List(ctx, q)
	})
}

func (l *lazyJobs) Get(ctx context.Context, id string) (jobs.Job, error) {
	return ask(ctx, l, func(e *jobs.Engine) (jobs.Job, error) { return e.Get(ctx, id) })
}

func (l *lazyJobs) Detail(ctx context.Context, id string) (jobs.Detail, error) {
	return ask(ctx, l, func(e *jobs.Engine) (jobs.Detail, error) { return e.Detail(ctx, id) })
}

func (l *lazyJobs) Record(ctx context.Context, id string) (jobs.Record, error) {
	return ask(ctx, l, func(e *jobs.Engine) (jobs.Record, error) { return e.Record(ctx, id) })
}

func (l *lazyJobs) Submit(ctx context.Context, s []jobs.Submission) ([]string, error) {
	return ask(ctx, l, func(e *jobs.Engine) ([]string, error) { return e.Submit(ctx, s) })
}

func (l *lazyJobs) Repoll(ctx context.Context, id string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Repoll(ctx, id) })
}

func (l *lazyJobs) Drop(ctx context.Context, id string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Drop(ctx, id) })
}

func (l *lazyJobs) Adopt(ctx context.Context, id, taskID string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Adopt(ctx, id, taskID) })
}

func (l *lazyJobs) Observe(ctx context.Context, o jobs.Observation) (id string, fresh bool, err error) {
	err = l.do(ctx, func(e *jobs.Engine) (err error) {
		id, fresh, err = e.Observe(ctx, o)
		return err
	})
	return id, fresh, err
}

func (l *lazyJobs) Adoptable(ctx context.Context, id, taskID string) (client.Task, error) {
	return ask(ctx, l, func(e *jobs.Engine) (client.Task, error) { return e.Adoptable(ctx, id, taskID) })
}

func (l *lazyJobs) Resend(ctx context.Context, id string) (string, error) {
	return ask(ctx, l, func(e *jobs.Engine) (string, error) { return e.Resend(ctx, id) })
}

func (l *lazyJobs) Tag(ctx context.Context, id string, add, remove []string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Tag(ctx, id, add, remove) })
}

func (l *lazyJobs) Remark(ctx context.Context, id, text string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Remark(ctx, id, text) })
}

func (l *lazyJobs) Reject(ctx context.Context, ids []string, on bool) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Reject(ctx, ids, on) })
}

func (l *lazyJobs) SetPaused(ctx context.Context, id string, on bool) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.SetPaused(ctx, id, on) })
}

func (l *lazyJobs) SetPause(ctx context.Context, host string, on bool) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.SetPause(ctx, host, on) })
}

func (l *lazyJobs) Pauses(ctx context.Context) ([]jobs.Pause, error) {
	return ask(ctx, l, func(e *jobs.Engine) ([]jobs.Pause, error) { return e.Pauses(ctx) })
}

func (l *lazyJobs) Download(ctx context.Context, id string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.Download(ctx, id) })
}

func (l *lazyJobs) DownloadAgain(ctx context.Context, id string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.DownloadAgain(ctx, id) })
}

func (l *lazyJobs) SendFiles(ctx context.Context, id string) error {
	return l.do(ctx, func(e *jobs.Engine) error { return e.SendFiles(ctx, id) })
}
