package postgres

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// old are jobs that ended long ago, with a body each.
func old(t *testing.T, s *Store, profile string, n int, tags ...string) {
	t.Helper()
	var changes []jobs.Change
	for range n {
		j := storetest.NewJob("old")
		j.Profile, j.State, j.EndedAt, j.Tags = profile, jobs.Completed, time.Now().Add(-50*time.Hour), tags
		c := storetest.Plan(j)
		c.Due, c.Payloads = time.Time{}, []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte(j.ID)}}
		changes = append(changes, c)
	}
	require.NoError(t, s.Insert(t.Context(), changes))
}

func count(t *testing.T, s *Store) int64 {
	t.Helper()
	n, err := s.Count(t.Context())
	require.NoError(t, err)
	return n
}

// TestUpkeepOnce: of many processes that come at once one does the day's work; the next
// comes a day later. The retention is about one profile, and spares what has a tag.
func TestUpkeepOnce(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	var stores []*Store
	for range 5 {
		stores = append(stores, openAt(t, dsn))
	}
	s := stores[0]
	old(t, s, "work", 20)
	old(t, s, "work", 2, "keep")
	old(t, s, "other", 3)
	server.Exec(t, dsn, "INSERT INTO darkroom.payloads VALUES ('nobodys', '', 9, 'a body...')")
	var mu sync.Mutex
	var sum Done
	var wg sync.WaitGroup
	for _, x := range stores {
		wg.Go(func() {
			d, err := x.daily(t.Context(), Upkeep{Profile: "work", Retain: 24 * time.Hour})
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			sum.Freed += d.Freed
			sum.Pruned.Jobs += d.Pruned.Jobs
			sum.Pruned.Bytes += d.Pruned.Bytes
		})
	}
	wg.Wait()
	assert.Equal(t, Done{Freed: 9, Pruned: jobs.Pruned{Jobs: 20, Bytes: 20 * 36}}, sum)
	assert.EqualValues(t, 5, count(t, s))

	old(t, s, "work", 1)
	daily := func(u Upkeep) Done {
		for {
			d, err := s.daily(t.Context(), u)
			require.NoError(t, err)
			if !d.Busy { // the server ends a lock some time after its connection
				return d
			}
		}
	}
	assert.Equal(t, Done{}, daily(Upkeep{Profile: "work", Retain: 24 * time.Hour}), "it was done today")
	assert.Equal(t, Done{}, daily(Upkeep{Profile: "other"}), "no retention keeps all")
	server.Exec(t, dsn, "UPDATE darkroom.upkeep SET at = at - 24 * 3600 * 1000")
	assert.Equal(t, 1, daily(Upkeep{Profile: "work", Retain: 24 * time.Hour}).Pruned.Jobs)
}

// TestUpkeepHeld: while somebody is at it nobody else is, and who is killed lets it go.
func TestUpkeepHeld(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	s, elsewhere := openAt(t, dsn), openAt(t, dsn+"&search_path=other")
	old(t, s, "work", 1)
	conn, err := s.connect(t.Context())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SELECT pg_advisory_lock($1, $2)", lockUpkeep, int32(s.space>>keyBits))
	require.NoError(t, err)
	u := Upkeep{Profile: "work", Retain: time.Hour}
	d, err := s.daily(t.Context(), u)
	require.NoError(t, err)
	assert.True(t, d.Busy)
	assert.EqualValues(t, 1, count(t, s))
	d, err = elsewhere.daily(t.Context(), u)
	require.NoError(t, err)
	assert.False(t, d.Busy, "another history has its own")
	// A lock of the upkeep is no writer that a reader would wait for.
	require.NoError(t, s.SetPause(t.Context(), jobs.Pause{Profile: "work", At: time.Now()}, true))
	var last int64
	require.NoError(t, s.pool.QueryRow(t.Context(), sqlLast).Scan(&last))
	look, err := s.Look(t.Context())
	require.NoError(t, err)
	assert.Equal(t, last, look)
	hangUp(conn)
	require.Eventually(t, func() bool {
		d, err = s.daily(t.Context(), u)
		return err == nil && !d.Busy
	}, 20*time.Second, 20*time.Millisecond)
	assert.Equal(t, 1, d.Pruned.Jobs)
}

// TestExamine finds what is wrong, says so, and repairs what it can.
func TestExamine(t *testing.T) {
	t.Parallel()
	dsn := server.Database(t)
	s := openAt(t, dsn)
	old(t, s, "p", 4)
	live := storetest.NewJob("live")
	c := storetest.Plan(live)
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadRequest, Body: []byte("a request")}}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c, storetest.Plan(storetest.NewJob("dead"))}))
	now := time.Now()
	for _, x := range []struct {
		owner string
		until time.Duration
	}{{"lives", time.Hour}, {"killed", -time.Hour}} {
		w, err := s.Claim(t.Context(), jobs.Claim{Owner: x.owner, Profile: "p", Now: now, Until: now.Add(x.until), Limit: 1})
		require.NoError(t, err)
		require.Len(t, w, 1)
	}
	h, err := s.Examine(t.Context(), true)
	require.NoError(t, err)
	assert.Len(t, h.Leases, 2)
	require.Len(t, h.Findings, 1)
	assert.Equal(t, "expired_leases", h.Findings[0].Name)
	assert.True(t, h.Sound(), "it was given back")
	h, err = s.Examine(t.Context(), false)
	require.NoError(t, err)
	steps, err := migrations()
	require.NoError(t, err)
	assert.Empty(t, h.Findings)
	assert.Equal(t, len(steps), h.Schema)
	assert.Equal(t, []jobs.Lease{{Owner: "lives", Jobs: 1, Lives: true}}, h.Leases)
	assert.EqualValues(t, 6, h.Jobs)
	assert.EqualValues(t, 2, h.Active)
	assert.EqualValues(t, 5, h.Bodies)
	assert.Positive(t, h.Bytes)
	assert.False(t, h.Durable, "the tests' server does not wait for its disk")

	for _, q := range []string{
		"INSERT INTO darkroom.payloads VALUES ('nobodys', '', 9, 'a body...')",
		"UPDATE darkroom.payloads SET body = 'spoiled' WHERE size = 36 AND sha256 = (SELECT min(sha256) FROM darkroom.payloads WHERE size = 36)",
		"INSERT INTO darkroom.job_events SELECT id, 99, 1, 'state', '', '', '', 0, '', '', 'missing' FROM darkroom.jobs WHERE title = '' LIMIT 1",
		"DELETE FROM darkroom.job_search WHERE job_id = (SELECT max(job_id) FROM darkroom.job_search)",
		"DELETE FROM darkroom.work WHERE job_id = (SELECT max(job_id) FROM darkroom.work)",
	} {
		server.Exec(t, dsn, q)
	}
	h, err = s.Examine(t.Context(), true)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range h.Findings {
		names[f.Name] = f.Fixed
		assert.EqualValues(t, 1, f.Count, f.Name)
		assert.NotEmpty(t, f.Named, f.Name)
	}
	assert.Equal(t, map[string]bool{"orphaned_bodies": true, "damaged_bodies": false, "missing_bodies": false,
		"jobs_not_searched": false, "jobs_without_work": false, "event_numbers": false}, names)
	assert.False(t, h.Sound())
}
