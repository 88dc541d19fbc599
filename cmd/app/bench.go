package app

import (
	"context"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/judge"
	"darkroom/jobs/compare/run"
)

// BenchOptions configure the bench of a gateway.
type BenchOptions struct {
	Version string
	// News is called when [run.Bench.News] has something new; nil for nobody.
	News func()
	// Writable says why the history cannot be written, nil where it can; nil for not known.
	Writable func() error
	// MayScore says whether the program that the suite of a run names may be started; nil for never.
	MayScore func(r *compare.Run) bool
}

// NewBench makes the bench of a gateway's profile: it sends runs by the engine, and judges what comes of
// them. It has to be closed before the engine is.
func NewBench(g *Gateway, j run.Jobs, o BenchOptions) *run.Bench {
	judges := judge.New(judge.Options{MayScore: o.MayScore})
	may := func() error {
		if o.Writable != nil {
			if err := o.Writable(); err != nil {
				return err
			}
		}
		return g.MayCreate()
	}
	return run.New(run.Options{
		Dir: RunsDir(g), Jobs: j, Profile: g.Config.Profile.Name, Host: g.Host(), Version: o.Version,
		MayCreate: may, Judge: judges.Trial, Finish: judges.Run, News: o.News,
	})
}

// RunsDir is the folder of the runs of a gateway's profile.
func RunsDir(g *Gateway) string { return RunsOf(g.Config) }

// Bench makes the bench of a desk. It has to be closed before the desk is.
func (d *Desk) Bench(o BenchOptions) *run.Bench {
	o.Writable = d.writable
	return NewBench(d.Gateway, Runs{d.Engine}, o)
}

// writable is why the history cannot be written, nil where it can.
func (d *Desk) writable() error {
	if err := unwritable(d.Store); err != nil {
		return err
	}
	return nil
}

// Runs is an engine as runs need it.
type Runs struct{ *jobs.Engine }

// Watch implements run.Jobs.
func (r Runs) Watch() <-chan struct{} { return jobs.Watch(r.Engine) }

// Want implements run.Jobs.
func (r Runs) Want(ids ...string) { jobs.Want(r.Engine, ids...) }

// Judge implements run.Jobs.
func (r Runs) Judge(_ context.Context, j jobs.Job) (jobs.Job, error) { return r.Engine.Judge(j), nil }

// lazyRuns is an engine as runs need it, before it is there.
type lazyRuns struct{ *lazyJobs }

// Watch is closed at first when the history is open; where it never will be, nothing changes.
func (l lazyRuns) Watch() <-chan struct{} {
	if e := l.now(); e != nil {
		return jobs.Watch(e)
	}
	select {
	case <-l.ready:
		return nil
	default:
		return l.ready
	}
}

// Want has nothing to do: the engine of a console works on all jobs of its profile.
func (lazyRuns) Want(...string) {}

// Judge waits for the history: the secret of the installation is read with it.
func (l lazyRuns) Judge(ctx context.Context, j jobs.Job) (jobs.Job, error) {
	e, err := l.wait(ctx)
	if err != nil {
		return j, err
	}
	return e.Judge(j), nil
}
