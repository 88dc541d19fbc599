package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/postgres/pgtest"
	"darkroom/jobs/store/storetest"
)

// envRows is how many jobs the benchmarks have, 10,000 when it is not set.
const envRows = "HISTORY_BENCH_ROWS"

// BenchmarkHistory has both engines in the same run, with commits that wait for the disk.
func BenchmarkHistory(b *testing.B) {
	rows := 10000
	if v := os.Getenv(envRows); v != "" {
		var err error
		rows, err = strconv.Atoi(v)
		require.NoError(b, err)
	}
	durable := &pgtest.Server{Durable: true}
	b.Cleanup(durable.Stop)
	pg := openAt(b, durable.Database(b))
	lite, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "h.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, lite.Close()) })
	stores := []struct {
		name string
		s    jobs.Store
	}{{"sqlite", lite}, {"postgres", pg}}
	for _, x := range stores {
		fill(b, x.s, rows)
	}
	_, err = pg.pool.Exec(b.Context(), "ANALYZE")
	require.NoError(b, err)
	for _, part := range []struct {
		name string
		run  func(*testing.B, jobs.Store)
	}{{"insert", benchInsert}, {"commit", benchCommit}, {"commit x8", benchCommits}, {"claim 50", benchClaim}, {"list 50", benchList},
		{"search", benchSearch}, {"look", benchLook}} {
		for _, x := range stores {
			b.Run(fmt.Sprintf("%s/%d/%s", part.name, rows, x.name), func(b *testing.B) { part.run(b, x.s) })
		}
	}
}

func fill(b *testing.B, s jobs.Store, n int) {
	b.Helper()
	for i := 0; i < n; {
		batch := make([]jobs.Change, min(n-i, 1000))
		for k := range batch {
			j := storetest.NewJob(fmt.Sprintf("a kite number %d over a salt flat", i))
			j.State, j.TaskID = jobs.Completed, "task-"+j.ID
			c := storetest.Plan(j)
			c.Due = time.Time{}
			batch[k] = c
			i++
		}
		require.NoError(b, s.Insert(b.Context(), batch))
	}
}

func benchInsert(b *testing.B, s jobs.Store) {
	for b.Loop() {
		c := storetest.Plan(storetest.NewJob("a kite"))
		c.Job.Profile = "bench insert"
		require.NoError(b, s.Insert(b.Context(), []jobs.Change{c}))
	}
}

func committed(b *testing.B, s jobs.Store) jobs.Change {
	c := storetest.Plan(storetest.NewJob("a kite"))
	c.Job.Profile = "bench commit"
	require.NoError(b, s.Insert(b.Context(), []jobs.Change{c}))
	c.Token = 1
	return c
}

func benchCommit(b *testing.B, s jobs.Store) {
	c := committed(b, s)
	for b.Loop() {
		_, err := s.Commit(b.Context(), c)
		require.NoError(b, err)
	}
}

// benchCommits has eight writers at once.
func benchCommits(b *testing.B, s jobs.Store) {
	b.SetParallelism(4) // times two processors
	b.RunParallel(func(p *testing.PB) {
		c := committed(b, s)
		for p.Next() {
			if _, err := s.Commit(b.Context(), c); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func benchClaim(b *testing.B, s jobs.Store) {
	var batch []jobs.Change
	for range 50 {
		c := storetest.Plan(storetest.NewJob("a kite"))
		c.Job.Profile = "bench claim " + b.Name()
		batch = append(batch, c)
	}
	require.NoError(b, s.Insert(b.Context(), batch))
	now := storetest.Base
	for b.Loop() {
		now = now.Add(time.Minute)
		w, err := s.Claim(b.Context(), jobs.Claim{Owner: "A", Profile: batch[0].Job.Profile, Now: now, Until: now.Add(time.Second)})
		require.NoError(b, err)
		require.Len(b, w, 50)
	}
}

func benchList(b *testing.B, s jobs.Store) {
	for b.Loop() {
		p, err := s.List(b.Context(), jobs.Query{Profile: "p"})
		require.NoError(b, err)
		require.Len(b, p.Jobs, 50)
	}
}

func benchSearch(b *testing.B, s jobs.Store) {
	for b.Loop() {
		p, err := s.List(b.Context(), jobs.Query{Text: "number 77 "})
		require.NoError(b, err)
		require.Len(b, p.Jobs, 1)
	}
}

func benchLook(b *testing.B, s jobs.Store) {
	for b.Loop() {
		_, err := s.Look(b.Context())
		require.NoError(b, err)
	}
}
