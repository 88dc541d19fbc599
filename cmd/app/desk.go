package app

import (
	"context"
	"errors"

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

	cancel context.CancelFunc
	ended  chan error
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
}

// OpenDesk opens the history and starts the engine. The desk is to be closed: creates in
// flight get their answers then, within the engine's grace.
func OpenDesk(ctx context.Context, g *Gateway, o DeskOptions) (*Desk, error) {
	st, err := store.Open(ctx, g.Config.Paths.History)
	if err != nil {
		return nil, err
	}
	dir := o.Downloads
	if dir == "" {
		dir = g.Config.Downloads
	}
	saver, err := download.New(download.Options{Dir: dir, Source: g.Client})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	d := &Desk{Gateway: g, Store: st, ended: make(chan error, 1)}
	d.Engine = jobs.NewEngine(jobs.Options{
		Store: st, Gateway: g.Client,
		Saver:             saver,
		Profile:           g.Config.Profile.Name,
		OwnOnly:           o.OwnOnly,
		AutoDownload:      o.AutoDownload,
		FormatFor:         g.Catalog.DefaultFormat,
		RoutesFor:         g.Catalog.Routes,
		CarriesExternalID: g.carriesExternalID,
		RequestBody:       g.requestBody,
	})
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.cancel = cancel
	go func() { d.ended <- d.Engine.Run(run) }()
	return d, nil
}

// Close ends the engine and closes the history. The gateway stays open.
func (d *Desk) Close() error {
	d.cancel()
	err := <-d.ended
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, d.Store.Close())
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
