package app

import (
	"context"
	"sync/atomic"

	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/download"
)

// swapSaver saves results as the settings say when it begins with each: they may change while the console
// runs.
type swapSaver struct {
	now atomic.Pointer[download.Saver]
}

func newSwapSaver(s *download.Saver) *swapSaver {
	w := &swapSaver{}
	w.now.Store(s)
	return w
}

// Save implements jobs.Saver.
func (w *swapSaver) Save(ctx context.Context, r jobs.FileRequest, progress func(done, total int64)) (jobs.File, error) {
	return w.now.Load().Save(ctx, r, progress)
}

// resave has the results of a console saved from now on as other settings say.
func (l *lazyJobs) resave(c config.Config) {
	select {
	case <-l.ready:
	default:
		return
	}
	if l.desk != nil {
		_ = l.desk.resave(c) // what could be wrong with the settings was checked when they were read
	}
}

func (d *Desk) resave(c config.Config) error {
	if d.results == nil {
		return nil
	}
	g := *d.Gateway
	g.Config.Downloads, g.Config.Saving = c.Downloads, c.Saving
	s, err := download.New(DeskOptions{}.saving(&g))
	if err == nil {
		d.results.now.Store(s)
	}
	return err
}

var _ jobs.Saver = (*swapSaver)(nil)
