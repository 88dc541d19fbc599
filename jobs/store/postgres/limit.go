package postgres

import (
	"context"
	"time"
)

// How long a call may take, whatever the caller allows. The server's own limits for a statement
// (see parse) do not help while the server is cut off or hangs: a connection that waits for an
// answer notices that only after a quarter of an hour.
const (
	// callLimit is for everything that may carry many bodies over a slow line.
	callLimit = 2 * time.Minute
	// quickLimit is for what an engine asks all the time, and stands still for.
	quickLimit = 10 * time.Second
)

func limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callLimit)
}

func (s *Store) quick(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.hurry)
}
