package kit

import (
	"context"
	"errors"
	"os"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/jobs"
)

// Desk opens the gateway and the history. The caller must call the close function in any case.
func (k *Kit) Desk(ctx context.Context, o app.DeskOptions) (*app.Desk, func(), error) {
	gw, err := k.Gateway(ctx)
	if err != nil {
		return nil, nil, err
	}
	return k.DeskOf(ctx, gw, o)
}

// DeskOf is Desk for an open gateway, which it closes with the desk, or on a failure.
func (k *Kit) DeskOf(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, func(), error) {
	d, err := k.OpenDesk(ctx, gw, o)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	return d, func() {
		err := d.Close()
		if errors.As(err, new(*app.UnsavedError)) {
			k.Unsaved = err
		} else if err != nil {
			k.IO.Notef("darkroom: closing the history: %s\n", client.CleanLine(err.Error()))
		}
		gw.Close()
	}, nil
}

// OpenDesk opens a desk on a gateway, which stays open when the desk is closed.
func (k *Kit) OpenDesk(ctx context.Context, gw *app.Gateway, o app.DeskOptions) (*app.Desk, error) {
	o.Slow, o.Tell, o.Retry, o.Lease, o.KeepTrying = k.IO.Slow, k.IO.Tell, k.IO.Retry, k.IO.Lease, k.IO.Trying
	return app.OpenDesk(ctx, gw, o)
}

// Reader opens only the history: no gateway, no engine.
func (k *Kit) Reader(ctx context.Context) (*jobs.Engine, func(), error) {
	c, err := k.Config()
	if err != nil {
		return nil, nil, err
	}
	return app.OpenReader(ctx, c, k.IO.Tell)
}

// OfJob runs fn on the job that word names, and on the history where it was found.
func (k *Kit) OfJob(ctx context.Context, word string, fn func(*jobs.Engine, jobs.Job) error) error {
	r, done, err := k.Reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	j, err := Find(ctx, r, word)
	if err != nil {
		return err
	}
	return fn(r, j)
}

// OpenHistory opens the profile's history for a command, which must close it.
func (k *Kit) OpenHistory(ctx context.Context) (jobs.Store, error) {
	c, err := k.Config()
	if err != nil {
		return nil, err
	}
	return app.OpenStore(ctx, c, k.IO.Tell)
}

// ReadHistory is OpenHistory for a command that only reads.
func (k *Kit) ReadHistory(ctx context.Context) (jobs.Store, error) {
	c, err := k.Config()
	if err != nil {
		return nil, err
	}
	return app.ReadStore(ctx, c, k.IO.Tell)
}

// Shared is the address of the profile's shared history, fit to be shown; "" for none.
func (k *Kit) Shared() string {
	c, err := k.Config()
	if err != nil {
		return ""
	}
	return c.Profile.Shared()
}

// NoHistory reports whether there is no history yet, and so nothing to open.
func (k *Kit) NoHistory() bool {
	_, err := os.Stat(k.IO.Paths.History)
	return errors.Is(err, os.ErrNotExist) && k.Shared() == ""
}
