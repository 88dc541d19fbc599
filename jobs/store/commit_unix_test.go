//go:build unix

package store

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// committers is how many jobs are written at once by the process that is killed.
const committers = 8

// commitAll commits for every job at once, again and again, and notes in a file of each job
// what its last Commit has returned for.
func commitAll(ctx context.Context, s *SQLite) error {
	p, err := s.List(ctx, jobs.Query{})
	if err != nil {
		return err
	}
	errs := make(chan error, len(p.Jobs))
	for _, j := range p.Jobs {
		go func() {
			for {
				j.Polls++
				c := jobs.Change{Job: j, Token: 1, Due: j.CreatedAt,
					Payloads: []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(strconv.Itoa(j.Polls))}}}
				_, err := s.Commit(ctx, c)
				if err == nil {
					err = os.WriteFile(j.ID, []byte(strconv.Itoa(j.Polls)), 0o600)
				}
				if err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	return <-errs
}

// TestKilledCommits kills a process that commits for many jobs at once: what a Commit returned
// for is there, and each job has all of its last change.
func TestKilledCommits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), testFile)
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	list := planned(t, s, committers)
	require.NoError(t, s.Close())
	written := 0
	for round := 0; round < 5 || written == 0; round++ {
		cmd := start(t, path, "commit")
		select { // at any point of it; a wait that ends by itself would be no kill
		case <-t.Context().Done():
		case <-time.After(time.Duration(20+rand.IntN(60)) * time.Millisecond): //nolint:gosec // any will do
		}
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		s, err := Open(t.Context(), path)
		require.NoError(t, err)
		for _, c := range list {
			d, err := s.Detail(t.Context(), c.Job.ID)
			require.NoError(t, err)
			assert.Equal(t, d.Job.Polls > 0, d.Answer != nil)
			if d.Answer != nil {
				assert.Equal(t, strconv.Itoa(d.Job.Polls), string(d.Answer))
			}
			b, err := os.ReadFile(filepath.Join(filepath.Dir(path), c.Job.ID))
			if n, bad := strconv.Atoi(string(b)); err == nil && bad == nil {
				assert.GreaterOrEqual(t, d.Job.Polls, n)
				written += n
			}
		}
		require.NoError(t, s.Close())
		h, err := Examine(t.Context(), path, false)
		require.NoError(t, err)
		assert.Empty(t, h.Findings)
	}
}
