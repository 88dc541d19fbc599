package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/download"
	"darkroom/jobs/store"
)

// Desk is a gateway with the history and the engine that works on it.
type Desk struct {
	*Gateway
	Store  jobs.Store
	Engine *jobs.Engine

	slow   func()
	cancel context.CancelFunc
	ended  chan struct{} // closed when the engine has ended, and err is set
	err    error
}

// DeskOptions say how a desk works.
type DeskOptions struct {
	// Downloads is the folder for results; "" for the configured one.
	Downloads string
	// AutoDownload saves results by itself.
	AutoDownload bool
	// OwnOnly leaves alone what other processes submitted: for commands that submit
	// and go.
	OwnOnly bool
	// Slow is called when closing takes a moment, as when a create awaits its answer;
	// nil for nothing.
	Slow func()
}

// How long closing may take before somebody is told, and at all: the engine gives
// creates in flight 5 s, and what hangs longer must not hold up the way out.
const (
	slowClose  = 500 * time.Millisecond
	closeLimit = 15 * time.Second
)

// OpenDesk opens the history and starts the engine. The desk is to be closed: creates in
// flight get their answers then, within the engine's grace.
func OpenDesk(ctx context.Context, g *Gateway, o DeskOptions) (*Desk, error) {
	st, err := store.Open(ctx, g.Config.Paths.History)
	if err != nil {
		return nil, err
	}
	saver, err := download.New(o.saving(g))
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	d := newDesk(g, st, jobs.Options{
		Gateway:           g.Client,
		Saver:             saver,
		Profile:           g.Config.Profile.Name,
		OwnOnly:           o.OwnOnly,
		AutoDownload:      o.AutoDownload,
		FormatFor:         g.FormatFor,
		RoutesFor:         g.Catalog.Routes,
		CarriesExternalID: g.carriesExternalID,
		RequestBody:       g.requestBody,
	}, o.Slow)
	d.start(ctx)
	return d, nil
}

func newDesk(g *Gateway, st jobs.Store, o jobs.Options, slow func()) *Desk {
	o.Store = st
	return &Desk{Gateway: g, Store: st, Engine: jobs.NewEngine(o), slow: slow, ended: make(chan struct{})}
}

// start runs the engine until Close; the end of ctx alone does not end it.
func (d *Desk) start(ctx context.Context) {
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.cancel = cancel
	go func() {
		defer close(d.ended)
		if err := d.Engine.Run(run); !errors.Is(err, context.Canceled) {
			d.err = err
		}
	}()
}

// saving says where results go: into the very folder that was named for this run, else
// into the configured one, a folder a day.
func (o DeskOptions) saving(g *Gateway) download.Options {
	if o.Downloads == "" {
		return download.Options{Dir: g.Config.Downloads, Source: g.Client}
	}
	return download.Options{Dir: o.Downloads, Source: g.Client, Template: strings.TrimPrefix(download.DefaultTemplate, "{date}/")}
}

// Ended is closed when the engine works no more: after Close, or when it could not read
// the history (see Err). Whoever waits for jobs waits for this, too.
func (d *Desk) Ended() <-chan struct{} { return d.ended }

// Err is why the engine ended by itself, nil while it works and after a Close.
func (d *Desk) Err() error {
	select {
	case <-d.ended:
		return d.err
	default:
		return nil
	}
}

// Close ends the engine and closes the history, within closeLimit. The gateway stays open.
func (d *Desk) Close() error {
	d.cancel()
	if d.slow != nil {
		defer time.AfterFunc(slowClose, d.slow).Stop()
	}
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case <-d.ended:
		return errors.Join(d.err, d.Store.Close())
	case <-limit.C:
		return fmt.Errorf("the engine did not end within %s; what it was doing is taken up at the next start", closeLimit)
	}
}

func (g *Gateway) carriesExternalID(format string) bool {
	f, ok := g.Client.Format(format)
	if !ok {
		return false
	}
	for _, w := range f.Fields() {
		if w.Canonical == client.FieldExternalTaskID {
			return true
		}
	}
	return false
}

func (g *Gateway) requestBody(d client.Draft, format string) ([]byte, error) {
	p, err := g.Client.Preview(d, format)
	return p.Body, err
}

// OpenReader opens the history alone, for looking: no gateway, and nothing is sent. The
// function it returns closes it.
func OpenReader(ctx context.Context, path string) (*jobs.Engine, func(), error) {
	st, err := store.Open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return jobs.NewEngine(jobs.Options{Store: st}), func() { _ = st.Close() }, nil
}
