package jobs_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store"
)

// quick answers at once.
type quick struct {
	polls atomic.Int64
}

func (q *quick) Create(_ context.Context, d client.Draft, _ string) (client.Task, error) {
	return task("t-"+d.Prompt, client.StatusQueued, "queued"), nil
}

func (q *quick) Query(_ context.Context, _, id string) (client.Task, error) {
	q.polls.Add(1)
	return task(id, client.StatusRunning, "running"), nil
}

// BenchmarkPolls is the engine's own cost of a poll, with 1,000 and 10,000 active jobs in
// a history on the disk.
func BenchmarkPolls(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "h.db"))
			require.NoError(b, err)
			defer func() { require.NoError(b, s.Close()) }()
			q := &quick{}
			e := jobs.NewEngine(jobs.Options{
				Store: s, Gateway: q, Profile: "p", FormatFor: func(client.Draft) string { return "videos" }, MaxCreates: 64,
				Curve: jobs.Curve{First: time.Duration(n) * 50 * time.Microsecond, Max: time.Hour, Jitter: 0.2},
			})
			var subs []jobs.Submission
			for i := range n {
				subs = append(subs, sub(fmt.Sprint(i)))
			}
			_, err = e.Submit(b.Context(), subs)
			require.NoError(b, err)
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- e.Run(ctx) }()
			require.NoError(b, e.Flush(ctx))
			for len(running(b, s, n)) < n { // the first poll of each is written
				<-time.After(500 * time.Millisecond)
			}
			b.ResetTimer()
			until := q.polls.Load() + int64(b.N)
			for q.polls.Load() < until {
				<-time.After(time.Millisecond)
			}
			b.StopTimer()
			cancel()
			require.NoError(b, <-done)
		})
	}
}

func running(b *testing.B, s *store.SQLite, n int) []jobs.Job {
	b.Helper()
	p, err := s.List(b.Context(), jobs.Query{States: []jobs.State{jobs.Running}, Limit: n})
	require.NoError(b, err)
	return p.Jobs
}
