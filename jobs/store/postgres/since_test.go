package postgres

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestSinceMissesNone follows the history while many write: every rev that was committed is
// seen, though revs are not committed in their order.
func TestSinceMissesNone(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	s, reader := openAt(t, dsn), openAt(t, dsn)
	const writers, each = 8, 60
	var mu sync.Mutex
	want := map[int64]string{}
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			j := storetest.NewJob("x")
			if !assert.NoError(t, s.Insert(context.Background(), []jobs.Change{storetest.Plan(j)})) {
				return
			}
			for range each {
				c := jobs.Change{Job: j, Token: 1, Due: storetest.Base}
				rev, err := s.Commit(context.Background(), c)
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				want[rev] = j.ID
				mu.Unlock()
			}
		})
	}
	stop := make(chan struct{})
	go func() { wg.Wait(); close(stop) }()
	seen, last, look := map[string]int64{}, int64(0), int64(-1)
	for ended := false; ; {
		select {
		case <-stop:
			ended = true
		default:
		}
		v, err := reader.Look(t.Context())
		require.NoError(t, err)
		if v == look && ended {
			break
		}
		look = v
		works, newest, err := reader.Since(t.Context(), last)
		require.NoError(t, err)
		require.GreaterOrEqual(t, newest, last)
		for _, w := range works {
			require.Greater(t, w.Rev, last)
			require.GreaterOrEqual(t, w.Rev, seen[w.Job.ID], "a job's revs grow")
			seen[w.Job.ID] = w.Rev
		}
		last = newest
	}
	newest := map[string]int64{}
	for rev, id := range want {
		newest[id] = max(newest[id], rev)
	}
	assert.Len(t, want, writers*each, "no rev is given twice")
	assert.Equal(t, newest, seen)
}

// TestBoundWaitsForWriters: a rev that was drawn and not committed holds the bound back,
// and a writer in another history of the same server does not.
func TestBoundWaitsForWriters(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	a, b, c := openAt(t, dsn), openAt(t, dsn), openAt(t, dsn+"&search_path=other")
	slow, fast := storetest.NewJob("slow"), storetest.NewJob("fast")
	require.NoError(t, a.Insert(t.Context(), []jobs.Change{storetest.Plan(slow), storetest.Plan(fast)}))
	_, start, err := a.Since(t.Context(), 0)
	require.NoError(t, err)
	before, err := a.Look(t.Context())
	require.NoError(t, err)
	err = a.write(t.Context(), func(x *tx) error {
		x.exec(`UPDATE work SET rev = nextval('rev') WHERE job_id = $1`, slow.ID)
		require.NoError(t, x.flush())
		rev, err := b.Commit(t.Context(), jobs.Change{Job: fast, Token: 1, Due: storetest.Base})
		require.NoError(t, err)
		works, newest, err := b.Since(t.Context(), start)
		require.NoError(t, err)
		require.Len(t, works, 1, "what is there is told at once")
		assert.Equal(t, rev, works[0].Rev)
		assert.Equal(t, start, newest, "and what is not there yet is not passed")
		_, err = c.Commit(t.Context(), jobs.Change{Job: fast, Token: 1})
		require.ErrorIs(t, err, jobs.ErrNotFound)
		look, err := c.Look(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, 1, look)
		return nil
	})
	require.NoError(t, err)
	after, err := b.Look(t.Context())
	require.NoError(t, err)
	assert.Greater(t, after, before)
	works, _, err := b.Since(t.Context(), start)
	require.NoError(t, err)
	assert.Len(t, works, 2)
}

// TestSkew: the clocks of two machines differ by hours; leases are kept all the same, and
// each sees times by its own clock.
func TestSkew(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	open := func(ahead time.Duration) (*Store, func() time.Time) {
		wall := func() time.Time { return time.Now().Round(0).Add(ahead) }
		s, err := Open(t.Context(), dsn, Options{Wall: wall})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s, wall
	}
	early, atEarly := open(-3 * time.Hour)
	late, atLate := open(5 * time.Hour)
	c := storetest.Plan(storetest.NewJob("x"))
	c.Due = atEarly()
	require.NoError(t, early.Insert(t.Context(), []jobs.Change{c}))
	claim := func(s *Store, owner string, now time.Time) []jobs.Work {
		w, err := s.Claim(t.Context(), jobs.Claim{Owner: owner, Profile: "p", Now: now, Until: now.Add(8 * time.Second)})
		require.NoError(t, err)
		return w
	}
	got := claim(early, "early", atEarly())
	require.Len(t, got, 1)
	assert.WithinDuration(t, c.Due, got[0].Due, time.Minute)
	assert.Empty(t, claim(late, "late", atLate()), "its clock is eight hours ahead, the lease holds")
	require.NoError(t, early.Beat(t.Context(), "early", atEarly().Add(8*time.Second)))
	got = claim(late, "late", atLate().Add(20*time.Second))
	require.Len(t, got, 1, "and ends in its time")
	assert.WithinDuration(t, atLate(), got[0].Due, time.Minute)
}

// TestSkewJump: a clock that is set while the store is open is noticed before the next
// claim, and takes nobody's lease.
func TestSkewJump(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	holder := openAt(t, dsn)
	var mu sync.Mutex
	ahead := time.Duration(0)
	wall := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Round(0).Add(ahead)
	}
	s, err := Open(t.Context(), dsn, Options{Wall: wall})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("x"))}))
	now := time.Now()
	w, err := holder.Claim(t.Context(), jobs.Claim{Owner: "A", Profile: "p", Now: now, Until: now.Add(time.Minute)})
	require.NoError(t, err)
	require.Len(t, w, 1)
	mu.Lock()
	ahead = time.Hour
	mu.Unlock()
	now = wall()
	w, err = s.Claim(t.Context(), jobs.Claim{Owner: "B", Profile: "p", Now: now, Until: now.Add(time.Minute)})
	require.NoError(t, err)
	assert.Empty(t, w)
}
