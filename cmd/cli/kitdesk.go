package cli

import (
	"context"
	"errors"
	"os"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
)

// desk opens gateway and history. The close function is to be called whatever happens.
func (g *globals) desk(ctx context.Context, o app.DeskOptions) (*app.Desk, func(), error) {
	gw, err := g.gateway(ctx)
	if err != nil {
		return nil, nil, err
	}
	return g.deskOf(ctx, gw, o)
}

// deskOf is desk for a gateway that is there, which is closed with it, or on a failure.
func (g *globals) deskOf(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, func(), error) {
	d, err := g.openDesk(ctx, gw, o)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	return d, func() {
		err := d.Close()
		if errors.As(err, new(*app.UnsavedError)) {
			g.unsaved = err
		} else if err != nil {
			g.io.note("darkroom: closing the history: %s\n", client.CleanLine(err.Error()))
		}
		gw.Close()
	}, nil
}

// openDesk opens the history on a gateway, which stays open when the desk is closed.
func (g *globals) openDesk(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, error) {
	o.Slow, o.Tell, o.Retry, o.KeepTrying = g.io.slow, g.io.tell, g.io.retry, g.io.trying
	return app.OpenDesk(ctx, gw, o)
}

// reader opens the history alone: no gateway, no engine.
func (g *globals) reader(ctx context.Context) (*jobs.Engine, func(), error) {
	c, err := g.config()
	if err != nil {
		return nil, nil, err
	}
	return app.OpenReader(ctx, c, g.io.tell)
}

// ofJob runs fn on the job that a word names, with the history that it was found in.
func (g *globals) ofJob(ctx context.Context, word string, fn func(*jobs.Engine, jobs.Job) error) error {
	r, done, err := g.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	j, err := find(ctx, r, word)
	if err != nil {
		return err
	}
	return fn(r, j)
}

// openHistory opens the history of the profile for a command, which closes it.
func (g *globals) openHistory(ctx context.Context) (jobs.Store, error) {
	c, err := g.config()
	if err != nil {
		return nil, err
	}
	return app.OpenStore(ctx, c, g.io.tell)
}

// readHistory is openHistory for a command that only reads.
func (g *globals) readHistory(ctx context.Context) (jobs.Store, error) {
	c, err := g.config()
	if err != nil {
		return nil, err
	}
	return app.ReadStore(ctx, c, g.io.tell)
}

// shared is the address of the profile's shared history as it may be shown, "" for none.
func (g *globals) shared() string {
	c, err := g.config()
	if err != nil {
		return ""
	}
	return c.Profile.Shared()
}

// noHistory reports that nothing was kept yet, so that nothing has to be opened to look.
func (g *globals) noHistory() bool {
	_, err := os.Stat(g.io.Paths.History)
	return errors.Is(err, os.ErrNotExist) && g.shared() == ""
}
