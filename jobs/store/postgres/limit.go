package postgres

import (
	"context"
	"time"
)

// How long a call may take, whatever the caller allows. The server has its own limits for a
// statement (see parse), which say nothing while it is cut off or hangs: a connection that
// waits for an answer notices that after a quarter of an hour.
const (
	// callLimit is for everything that may carry many bodies over a slow line.
	callLimit = 2 * time.Minute
	// quickLimit is for what an engine asks all the time: it stands still meanwhile.
	quickLimit = 10 * time.Second
)

func limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callLimit)
}

func (s *Store) quick(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.hurry)
}
