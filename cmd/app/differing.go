package app

import (
	"context"
	"time"

	"darkroom/client/drift"
	"darkroom/cmd/config"
	"darkroom/cmd/library"
	"darkroom/jobs/drifted"
)

// differing counts what the answers have that the interface does not name, as `darkroom drift` does.
type differing struct {
	lazy   *lazyJobs
	others library.Drift
}

// Drift implements differs.Source.
func (d differing) Drift(ctx context.Context, far func(string)) (c drift.Counter, err error) {
	if _, err = d.lazy.wait(ctx); err != nil {
		return c, err
	}
	if err = (drifted.Look{History: d.lazy.desk.Store, Embedded: config.Sandbox}).Count(ctx, &c, far); err != nil {
		return c, err
	}
	return c, d.others.Load(&c, time.Time{})
}
