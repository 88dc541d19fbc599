package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func fill(b *testing.B, s *SQLite, n int) {
	b.Helper()
	for n > 0 {
		batch := make([]jobs.Change, min(n, 1000))
		for i := range batch {
			j := storetest.NewJob(fmt.Sprintf("a kite number %d over a salt flat", i))
			j.State = jobs.Completed
			j.TaskID = "task-" + j.ID
			c := storetest.Plan(j)
			c.Due = time.Time{}
			batch[i] = c
		}
		require.NoError(b, s.Insert(b.Context(), batch))
		n -= len(batch)
	}
}

func BenchmarkInsert(b *testing.B) {
	s := openTest(b)
	for b.Loop() {
		require.NoError(b, s.Insert(b.Context(), []jobs.Change{storetest.Plan(storetest.NewJob("a kite"))}))
	}
}

func BenchmarkCommit(b *testing.B) {
	s := openTest(b)
	j := storetest.NewJob("a kite")
	c := storetest.Plan(j)
	require.NoError(b, s.Insert(b.Context(), []jobs.Change{c}))
	c.Token = 1
	for b.Loop() {
		_, err := s.Commit(b.Context(), c)
		require.NoError(b, err)
	}
}

func BenchmarkListLatest50(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := openTest(b)
			fill(b, s, n)
			for b.Loop() {
				p, err := s.List(b.Context(), jobs.Query{})
				require.NoError(b, err)
				require.Len(b, p.Jobs, 50)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	s := openTest(b)
	fill(b, s, 10000)
	for b.Loop() {
		_, err := s.List(b.Context(), jobs.Query{Text: "number 77 "})
		require.NoError(b, err)
	}
}

func BenchmarkOpen(b *testing.B) {
	s := openTest(b)
	fill(b, s, 10000)
	path := s.Path()
	for b.Loop() {
		s, err := Open(b.Context(), path)
		require.NoError(b, err)
		require.NoError(b, s.Close())
	}
}

func BenchmarkLook(b *testing.B) {
	s := openTest(b)
	for b.Loop() {
		_, err := s.Look(b.Context())
		require.NoError(b, err)
	}
}
