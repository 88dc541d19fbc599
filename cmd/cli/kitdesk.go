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
func (k *globals) desk(ctx context.Context, o app.DeskOptions) (*app.Desk, func(), error) {
	gw, err := k.gateway(ctx)
	if err != nil {
		return nil, nil, err
	}
	return k.deskOf(ctx, gw, o)
}

// deskOf is desk for a gateway that is there, which is closed with it, or on a failure.
func (k *globals) deskOf(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, func(), error) {
	d, err := k.openDesk(ctx, gw, o)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	return d, func() {
		err := d.Close()
		if errors.As(err, new(*app.UnsavedError)) {
			k.unsaved = err
		} else if err != nil {
			k.io.note("darkroom: closing the history: %s\n", client.CleanLine(err.Error()))
		}
		gw.Close()
	}, nil
}

// openDesk opens the history on a gateway, which stays open when the desk is closed.
func (k *globals) openDesk(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, error) {
	o.Slow, o.Tell, o.Retry, o.KeepTrying = k.io.slow, k.io.tell, k.io.retry, k.io.trying
	return app.OpenDesk(ctx, gw, o)
}

// reader opens the history alone: no gateway, no engine.
func (k *globals) reader(ctx context.Context) (*jobs.Engine, func(), error) {
	c, err := k.config()
	if err != nil {
		return nil, nil, err
	}
	return app.OpenReader(ctx, c, k.io.tell)
}

// ofJob runs fn on the job that a word names, with the history that it was found in.
func (k *globals) ofJob(ctx context.Context, word string, fn func(*jobs.Engine, jobs.Job) error) error {
	r, done, err := k.reader(ctx)
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
func (k *globals) openHistory(ctx context.Context) (jobs.Store, error) {
	c, err := k.config()
	if err != nil {
		return nil, err
	}
	return app.OpenStore(ctx, c, k.io.tell)
}

// readHistory is openHistory for a command that only reads.
func (k *globals) readHistory(ctx context.Context) (jobs.Store, error) {
	c, err := k.config()
	if err != nil {
		return nil, err
	}
	return app.ReadStore(ctx, c, k.io.tell)
}

// shared is the address of the profile's shared history as it may be shown, "" for none.
func (k *globals) shared() string {
	c, err := k.config()
	if err != nil {
		return ""
	}
	return c.Profile.Shared()
}

// noHistory reports that nothing was kept yet, so that nothing has to be opened to look.
func (k *globals) noHistory() bool {
	_, err := os.Stat(k.io.Paths.History)
	return errors.Is(err, os.ErrNotExist) && k.shared() == ""
}
