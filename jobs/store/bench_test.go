package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// envMillion has the benchmarks run on 10^6 jobs too, which takes minutes to fill.
const envMillion = "DARKROOM_BENCH_MILLION"

// rareEvery is how many jobs there are for one with the rare words.
const rareEvery = 1000

// benchJob is the nth job of a history: a prompt of some twenty words, as people write.
func benchJob(n int, rnd *rand.Rand) jobs.Change {
	var prompt strings.Builder
	for range 20 {
		fmt.Fprintf(&prompt, "%s ", benchWords[rnd.IntN(len(benchWords))])
	}
	fmt.Fprintf(&prompt, "no%dx", n)
	j := storetest.NewJob("")
	j.ID = fmt.Sprintf("%s%04x-7%03x-8000-%012x", idAt(storetest.Base)[:9], n>>12&0xffff, n&0xfff, n)
	j.State, j.TaskID, j.Draft.Mode = jobs.Completed, "task-"+uuid.NewString(), "t2v"
	j.Draft.Model = fmt.Sprint("model-", n%17)
	j.AcceptedAt = storetest.Base.Add(time.Duration(n) * time.Second)
	j.EndedAt = j.AcceptedAt.Add(time.Minute)
	if n%rareEvery == 0 {
		prompt.WriteString(" kaleidoscope 红色的风筝")
		j.Tags = []string{"best"}
	}
	j.Draft.Prompt = prompt.String()
	c := storetest.Plan(j)
	c.Due = time.Time{}
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: fmt.Appendf(nil, `{"id":%q,"status":"completed"}`, j.TaskID)}}
	c.Events = append(c.Events, jobs.Event{At: j.EndedAt, Kind: jobs.EventState, To: jobs.Completed, PayloadSHA: jobs.PayloadSHA(c.Payloads[0].Body)})
	return c
}

var benchWords = strings.Fields(`a the over under slow fast camera pans red green blue kite lighthouse salt flat
	mountain river boat evening light golden hour portrait of an old man young woman child dog running through
	tall grass rain on window street neon sign reflections shallow depth field film grain wide angle close up
	macro drone shot waves crashing cliff storm clouds snow forest path autumn leaves falling dust particles`)

// benchStore is a history of n jobs.
func benchStore(b *testing.B, n int) *SQLite {
	b.Helper()
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "h.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same jobs again
	for from := 0; from < n; from += 1000 {
		batch := make([]jobs.Change, min(n-from, 1000))
		for i := range batch {
			batch[i] = benchJob(from+i, rnd)
		}
		require.NoError(b, s.Insert(b.Context(), batch))
	}
	return s
}

// BenchmarkHistory does what consoles do on histories of growing size.
func BenchmarkHistory(b *testing.B) {
	sizes := []int{1_000, 10_000}
	if os.Getenv(envMillion) != "" {
		sizes = append(sizes, 100_000, 1_000_000)
	}
	for _, n := range sizes {
		s := benchStore(b, n)
		page := func(name string, hits int, q jobs.Query) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p, err := s.List(b.Context(), q)
					require.NoError(b, err)
					require.Len(b, p.Jobs, min(hits, 50))
				}
			})
		}
		page("list latest 50", n, jobs.Query{})
		page("list from the middle", n/2, jobs.Query{Before: benchJob(n/2, rand.New(rand.NewPCG(1, 2))).Job.ID}) //nolint:gosec // no secret
		page("list a model", n/17, jobs.Query{Model: "model-3"})
		page("list a tag", n/rareEvery, jobs.Query{Tag: "best"})
		page("search one", 1, jobs.Query{Text: fmt.Sprintf("no%dx", n/2)})
		page("search rare", n/rareEvery, jobs.Query{Text: "kaleidoscope"})
		page("search 2 characters", n/rareEvery, jobs.Query{Text: "风筝"})
		page("search common", n, jobs.Query{Text: "lighthouse"})
		one := benchJob(n/2, rand.New(rand.NewPCG(1, 2))).Job.ID //nolint:gosec // no secret
		b.Run(fmt.Sprintf("open a job/%d", n), func(b *testing.B) {
			for b.Loop() {
				_, err := s.Detail(b.Context(), one)
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("past/%d", n), func(b *testing.B) {
			for b.Loop() {
				p, err := s.Past(b.Context(), jobs.PastQuery{Profile: "p", Model: "model-3", Mode: "t2v"})
				require.NoError(b, err)
				require.NotEmpty(b, p)
			}
		})
		b.Run(fmt.Sprintf("insert/%d", n), func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // no secret
			for b.Loop() {
				c := benchJob(0, rnd)
				c.Job.ID = uuid.Must(uuid.NewV7()).String()
				require.NoError(b, s.Insert(b.Context(), []jobs.Change{c}))
			}
		})
		b.Run(fmt.Sprintf("records, 200/%d", n), func(b *testing.B) {
			for b.Loop() {
				r, err := s.Records(b.Context(), one, 200)
				require.NoError(b, err)
				require.Len(b, r, 200)
			}
		})
		b.Run(fmt.Sprintf("open the history/%d", n), func(b *testing.B) {
			for b.Loop() {
				s, err := Open(b.Context(), s.Path())
				require.NoError(b, err)
				require.NoError(b, s.Close())
			}
		})
		b.Run(fmt.Sprintf("backup/%d", n), func(b *testing.B) { benchBackup(b, s) })
	}
}

// benchBackup tells how long writes wait while backups are made.
func benchBackup(b *testing.B, s *SQLite) {
	ctx, cancel := context.WithCancel(b.Context())
	var took []time.Duration
	var wg sync.WaitGroup
	wg.Go(func() {
		rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // no secret
		for ctx.Err() == nil {
			c := benchJob(0, rnd)
			c.Job.ID = uuid.Must(uuid.NewV7()).String()
			start := time.Now()
			if s.Insert(ctx, []jobs.Change{c}) == nil {
				took = append(took, time.Since(start))
			}
		}
	})
	var size int64
	for b.Loop() {
		d, err := s.Backup(b.Context())
		require.NoError(b, err)
		size = d.Bytes
	}
	cancel()
	wg.Wait()
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	b.ReportMetric(float64(size)/(1<<20), "MiB")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/write-p50")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "µs/write-max")
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

func BenchmarkLook(b *testing.B) {
	s := openTest(b)
	for b.Loop() {
		_, err := s.Look(b.Context())
		require.NoError(b, err)
	}
}
