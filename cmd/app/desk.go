package app

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/client/stack"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/download"
	"darkroom/jobs/owner"
	"darkroom/jobs/rejected"
	"darkroom/jobs/schedule"
	"darkroom/jobs/spool"
)

// Desk is a gateway together with its history and the engine at work on it.
type Desk struct {
	*Gateway
	Store  jobs.Store
	Engine *jobs.Engine
	// Owner is the name under which the engine holds its leases.
	Owner string

	slow    func()
	results *swapSaver // nil where nothing is saved
	// rejects removes the files of rejected jobs.
	rejects *rejected.Purger
	last    last
	spool   *spool.Spool
	upkeep  func(context.Context) // nil for none
	tidy    func()                // at the end; nil for nothing
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the engine has ended, and err is set
	err     error
}

// DeskOptions configure a desk.
type DeskOptions struct {
	// Downloads is the folder for results; "" for the configured one.
	Downloads string
	// Template names the files of this run; "" for the configured template, without its folders
	// if Downloads is set.
	Template string
	// Overwrite replaces files of the same name.
	Overwrite bool
	// AutoDownload saves results without being asked.
	AutoDownload bool
	// NoDownloads saves nothing here at all: bytes that come in an answer stay in the history,
	// and files that have to be fetched are left to other processes.
	NoDownloads bool
	// OwnOnly leaves alone what other processes submitted: for commands that submit and exit.
	OwnOnly bool
	// Slow is called when closing takes a moment, as when a create awaits its answer; nil for
	// none.
	Slow func()
	// Tell gets what a person has to know about the history, from any goroutine: that a backup
	// replaced a damaged history, or that no backup can be made. nil for nobody.
	Tell func(string)
	// Stake gets, when the desk is closed, what is not in the history yet and may have been
	// paid for; nil to use Tell.
	Stake func(string)
	// Interrupted is closed when a person wants the desk closed at once; nil to use the end of
	// the context that it was opened with.
	Interrupted <-chan struct{}
	// KeepTrying is how long to retry writing what is unsaved; 0 for the constant KeepTrying.
	KeepTrying time.Duration
	// Retry says how failures are retried; zero for the engine's default.
	Retry schedule.Backoff
	// Lease is how long a killed process's jobs wait; 0 for the engine's default.
	Lease time.Duration
	// Upkeep backs the history up once a day (a shared one is backed up by its server) and
	// removes what has outlived its retention.
	Upkeep bool
	// Reading opens the history even if it cannot be written: for looking only; nothing is sent,
	// followed or saved.
	Reading bool
}

// upkeepAfter is how long after the history was opened upkeep begins, which nobody waits for: until then
// the console reads what its first screens show.
const upkeepAfter = 300 * time.Millisecond

// partsAge is how long an unfinished download is kept that nobody resumed.
const partsAge = 30 * 24 * time.Hour

// OpenDesk opens the history and starts the engine. The caller must close the desk: creates in
// flight get their answers then, within the engine's grace period.
func OpenDesk(ctx context.Context, g *Gateway, o DeskOptions) (*Desk, error) {
	open := OpenStore
	if o.Reading {
		open = orRead
	}
	st, err := open(ctx, g.Config, o.Tell)
	if err != nil {
		return nil, err
	}
	o.NoDownloads = o.NoDownloads || unwritable(st) != nil
	saver, err := o.saver(g)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	tell := o.Tell
	if tell == nil {
		tell = func(string) {}
	}
	installation, err := OpenInstallation(g.Config.Paths)
	if err != nil && !readOnly(err) {
		tell("this installation has no name of its own: " + err.Error())
	}
	opt := g.engine(o)
	opt.Installation = installation
	opt.Unsaved = func(u jobs.Unsaved, saved bool) { tell(unsavedText(u, saved)) }
	kept := spool.New(g.Config.Paths.Spool, historyName(g.Config))
	opt.Spool = kept
	var results *swapSaver
	if saver != nil {
		results = newSwapSaver(saver)
		opt.Saver = results
	}
	d := newDesk(g, st, opt, o.Slow)
	d.results = results
	d.rejects = &rejected.Purger{Store: st, Installation: installation, Dir: g.Config.Downloads}
	d.spool, d.last.trying = kept, cmp.Or(o.KeepTrying, KeepTrying)
	if d.last.interrupted = o.Interrupted; o.Interrupted == nil {
		d.last.interrupted = ctx.Done()
	}
	if d.last.stake = tell; o.Stake != nil {
		d.last.stake = o.Stake
	}
	if saver != nil && o.Downloads != "" {
		d.tidy = saver.Tidy
	}
	if o.Upkeep {
		d.upkeep = func(ctx context.Context) {
			select {
			case <-time.After(upkeepAfter):
			case <-ctx.Done():
				return
			}
			if saver != nil {
				_ = saver.Clean(partsAge) // what cannot be removed is in nobody's way
			}
			d.purgeOrphaned(ctx)
			upkeep(ctx, st, g.Config.Profile.Name, g.Config.Retention, o.Tell)
		}
	}
	d.start(ctx)
	return d, nil
}

// engine is the engine's configuration for the jobs of a gateway.
func (g *Gateway) engine(o DeskOptions) jobs.Options {
	return jobs.Options{
		Gateway:           g.Client,
		Profile:           g.Config.Profile.Name,
		Host:              g.Host(),
		ReadOnly:          g.Config.Profile.ReadOnly,
		OwnOnly:           o.OwnOnly,
		Patient:           g.Config.Profile.Shared() != "",
		AutoDownload:      o.AutoDownload,
		MaxFetches:        g.Config.Saving.Parallel,
		Retry:             o.Retry,
		Lease:             o.Lease,
		FormatFor:         g.FormatFor,
		RoutesFor:         g.Catalog.Routes,
		Synchronous:       g.Synchronous,
		CarriesExternalID: g.CarriesExternalID,
		RequestBody:       g.Client.Outline,
		TextOf:            answerText,
		Delivery:          g.delivery(),
		Room:              historyRoom(&g.Config),
	}
}

func newDesk(g *Gateway, st jobs.Store, o jobs.Options, slow func()) *Desk {
	give := make(chan struct{})
	o.Store, o.GiveUp, o.Owner = st, give, cmp.Or(o.Owner, owner.New())
	return &Desk{last: last{give: give, trying: KeepTrying, stake: func(string) {}}, spool: spool.New("", ""), Gateway: g, Store: st, Owner: o.Owner, Engine: jobs.NewEngine(o), slow: slow, ended: make(chan struct{})}
}

// start runs the engine until Close; the end of ctx alone does not stop it.
func (d *Desk) start(ctx context.Context) {
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.cancel = cancel
	go func() {
		defer close(d.ended)
		if unwritable(d.Store) != nil { // nothing can be done
			<-run.Done()
			return
		}
		if d.upkeep != nil {
			var kept sync.WaitGroup
			defer kept.Wait()
			upkeep, stop := context.WithCancel(run)
			defer stop()
			kept.Go(func() { d.upkeep(upkeep) })
		}
		stack.Grow()
		if err := d.Engine.Run(run); !errors.Is(err, context.Canceled) {
			d.err = err
		}
	}()
}

// saver saves results; nil if nothing is to be saved.
func (o DeskOptions) saver(g *Gateway) (*download.Saver, error) {
	if o.NoDownloads {
		return nil, nil
	}
	return download.New(o.saving(g))
}

// saving says where results go and how they are named: into the folder named for this run
// itself, else into the configured one, with a folder a day.
func (o DeskOptions) saving(g *Gateway) download.Options {
	c := g.Config.Saving
	d := download.Options{
		Dir: g.Config.Downloads, Source: g.Client, Template: cmp.Or(c.Template, download.DefaultTemplate),
		MaxBytes: c.MaxBytes, MinFree: c.MinFree, Concurrency: c.Parallel, NoSidecar: c.NoSidecar, Overwrite: o.Overwrite,
	}
	if o.Downloads != "" {
		d.Dir, d.Template = o.Downloads, download.FlatTemplate(d.Template)
	}
	d.Template = cmp.Or(o.Template, d.Template)
	return d
}

// Ended is closed when the engine has ended: after Close, or when it could not read the history
// (see Err). Anyone who waits for jobs must wait for this, too.
func (d *Desk) Ended() <-chan struct{} { return d.ended }

// Err is why the engine ended by itself; nil while it works and after Close.
func (d *Desk) Err() error {
	select {
	case <-d.ended:
		return d.err
	default:
		return nil
	}
}

// Synchronous reports whether a format answers a create with its result.
func (g *Gateway) Synchronous(format string) bool {
	f, ok := g.Client.Format(format)
	return ok && f.Synchronous()
}

// CarriesExternalID reports whether a format has external_task_id and the gateway accepts it: a
// job sends its own id there, unless the draft has one.
func (g *Gateway) CarriesExternalID(format string) bool {
	f, ok := g.Client.Format(format)
	if !ok || slices.Contains(g.Client.Dialect().Omit, client.FieldExternalTaskID) {
		return false
	}
	for _, w := range f.Fields() {
		if w.Canonical == client.FieldExternalTaskID {
			return true
		}
	}
	return false
}

// Host is the gateway's host, as a pause names it; see HostOf.
func (g *Gateway) Host() string { return HostOf(g.Config.Profile) }

// HostOf is the host of a profile's gateway, as a pause names it, with its port if it has one.
// The embedded gateway has another address at each start, so it goes by a fixed name.
func HostOf(p config.Profile) string {
	if p.Embedded {
		return config.Sandbox
	}
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// OpenReader opens only the history, for looking: no gateway, and nothing is sent. The function
// it returns closes it. tell is as in OpenHistory.
func OpenReader(ctx context.Context, c config.Config, tell func(string)) (*jobs.Engine, func(), error) {
	st, err := ReadStore(ctx, c, tell)
	if err != nil {
		return nil, nil, err
	}
	installation, _ := readInstallation(c.Paths) //nolint:errcheck // what works on jobs says it
	o := jobs.Options{Store: st, TextOf: answerText, Installation: installation}
	return jobs.NewEngine(o), func() { _ = st.Close() }, nil
}

// after calls fn after wait, unless stop is called first. Once stop has returned, fn no longer
// runs: it may write what the caller then reads.
func after(wait time.Duration, fn func()) (stop func()) {
	done := make(chan struct{})
	t := time.AfterFunc(wait, func() {
		defer close(done)
		fn()
	})
	return func() {
		if !t.Stop() {
			<-done
		}
	}
}
