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

	"darkroom/client/disk"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// envMillion has the benchmarks run on 10^6 jobs too, which takes minutes to fill; with the value
// 100000, on 10^5 alone.
const envMillion = "DARKROOM_BENCH_MILLION"

// envKeep names a folder in which the filled histories stay, for the next run.
const envKeep = "DARKROOM_BENCH_KEEP"

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
	j.CreatedAt, j.SubmittedAt = j.AcceptedAt, j.AcceptedAt.Add(-time.Duration(n%977)*time.Millisecond)
	if n%rareEvery == 0 {
		prompt.WriteString(" kaleidoscope 红色的风筝")
		j.Tags = []string{"best"}
	}
	j.Draft.Prompt = prompt.String()
	c := storetest.Plan(j)
	c.Due = time.Time{}
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: fmt.Appendf(nil, `{"id":%q,"status":"completed"}`, j.TaskID)}}
	c.Events = append(c.Events, jobs.Event{At: j.EndedAt, Kind: jobs.EventState, To: jobs.Completed, PayloadSHA: jobs.PayloadSHA(c.Payloads[0].Body)})
	c.Events[0].RequestID, c.Events[1].RequestID = fmt.Sprintf("req_%020x", n), uuid.NewString()
	if n%50 == 0 {
		c.Events = append(c.Events, jobs.Event{At: j.EndedAt, Kind: jobs.EventPollError, HTTPStatus: 502, RequestID: uuid.NewString(),
			Message: fmt.Sprintf("GET /v1/videos/%s: HTTP 502: bad gateway", j.TaskID)})
	}
	return c
}

var benchWords = strings.Fields(`a the over under slow fast camera pans red green blue kite lighthouse salt flat
	mountain river boat evening light golden hour portrait of an old man young woman child dog running through
	tall grass rain on window street neon sign reflections shallow depth field film grain wide angle close up
	macro drone shot waves crashing cliff storm clouds snow forest path autumn leaves falling dust particles`)

// benchStore is a history of n jobs, or a copy of the one that an earlier run kept.
func benchStore(b *testing.B, n int) *SQLite {
	b.Helper()
	path := filepath.Join(b.TempDir(), testFile)
	if dir := os.Getenv(envKeep); dir == "" {
		fillBench(b, path, n)
	} else {
		b.Chdir(dir)
		kept := fmt.Sprintf("history-%d.db", n)
		if _, err := os.Stat(kept); err != nil {
			fillBench(b, kept, n)
		}
		require.NoError(b, disk.Copy(kept, path))
	}
	s, err := Open(b.Context(), path)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return s
}

// fillBench makes a history; if the machine fails meanwhile it is made anew.
func fillBench(b *testing.B, path string, n int) {
	b.Helper()
	s, err := Open(b.Context(), path)
	require.NoError(b, err)
	_, err = s.w.conn.ExecContext(b.Context(), "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
	require.NoError(b, err)
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same jobs again
	for from := 0; from < n; from += 1000 {
		batch := make([]jobs.Change, min(n-from, 1000))
		for i := range batch {
			batch[i] = benchJob(from+i, rnd)
		}
		require.NoError(b, s.Insert(b.Context(), batch))
	}
	require.NoError(b, s.Close())
}

// BenchmarkHistory does what consoles do on histories of growing size.
func BenchmarkHistory(b *testing.B) {
	sizes := []int{1_000, 10_000}
	switch os.Getenv(envMillion) {
	case "":
	case "100000":
		sizes = []int{100_000}
	default:
		sizes = append(sizes, 100_000, 1_000_000)
	}
	for _, n := range sizes {
		h := benchHistory{benchStore(b, n), n}
		h.lists(b)
		h.lookups(b)
		h.writes(b)
		h.upkeep(b)
	}
}

// benchHistory is a history with n jobs.
type benchHistory struct {
	*SQLite
	n int
}

func (h benchHistory) run(b *testing.B, name string, fn func(ctx context.Context) error) {
	b.Run(fmt.Sprintf("%s/%d", name, h.n), func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, fn(b.Context()))
		}
	})
}

// middle is the job in the middle.
func (h benchHistory) middle(b *testing.B) jobs.Job {
	p, err := h.List(b.Context(), jobs.Query{Text: fmt.Sprintf("no%dx", h.n/2)})
	require.NoError(b, err)
	require.Len(b, p.Jobs, 1)
	return p.Jobs[0]
}

func (h benchHistory) lists(b *testing.B) {
	one := h.middle(b)
	for _, x := range []struct {
		name string
		hits int
		q    jobs.Query
	}{
		{"list latest 50", h.n, jobs.Query{}},
		{"list from the middle", h.n / 2, jobs.Query{Before: one.ID}},
		{"list a model", h.n / 17, jobs.Query{Model: "model-3"}},
		{"list a tag", h.n / rareEvery, jobs.Query{Tag: "best"}},
		{"list states, most jobs", h.n, jobs.Query{Profile: "p", States: []jobs.State{jobs.Completed, jobs.Failed}}},
		{"list states, no job", 0, jobs.Query{Profile: "p", States: []jobs.State{jobs.Failed, jobs.Refused}}},
		{"list states, any profile", 0, jobs.Query{States: []jobs.State{jobs.Failed}}},
		{"list since, the last 100", 100, jobs.Query{Since: storetest.Base.Add(time.Duration(h.n-100) * time.Second)}},
		{"list since, none", 0, jobs.Query{Since: storetest.Base.Add(time.Duration(h.n+100) * time.Second)}},
		{"list until, the first 20", 20, jobs.Query{Until: storetest.Base.Add(20 * time.Second)}},
		{"list took, few", 0, jobs.Query{TookOver: time.Hour}},
		{"list a status", h.n / 50, jobs.Query{Codes: []string{"502"}}},
		{"list a code, none", 0, jobs.Query{Codes: []string{"policy*"}}},
		{"list without a tag", h.n - h.n/rareEvery, jobs.Query{Not: jobs.Not{Tags: []string{"best"}}}},
		{"sort oldest", h.n, jobs.Query{Sort: jobs.Sort{Down: true}}},
		{"sort state", h.n, jobs.Query{Sort: jobs.Sort{By: jobs.SortState}}},
		{"sort model", h.n, jobs.Query{Sort: jobs.Sort{By: jobs.SortModel}}},
		{"sort progress", h.n, jobs.Query{Sort: jobs.Sort{By: jobs.SortProgress, Down: true}}},
		{"sort prompt", h.n, jobs.Query{Sort: jobs.Sort{By: jobs.SortPrompt}}},
		{"sort took", h.n, jobs.Query{Sort: jobs.Sort{By: jobs.SortTook, Down: true}}},
		{"sort took, from the middle", h.n / 3, jobs.Query{Sort: jobs.Sort{By: jobs.SortTook, Down: true}, Before: one.ID}},
		{"search one", 1, jobs.Query{Text: fmt.Sprintf("no%dx", h.n/2)}},
		{"search rare", h.n / rareEvery, jobs.Query{Text: "kaleidoscope"}},
		{"search common", h.n, jobs.Query{Text: "lighthouse"}},
		{"search common, no state", 0, jobs.Query{Text: "lighthouse", Profile: "p", States: []jobs.State{jobs.Failed}}},
		{"search phrase", h.n / rareEvery, jobs.Query{Text: `"golden hour"`}},
		{"search two common words", h.n / 20, jobs.Query{Text: "lighthouse kite"}},
		{"search a common and a rare word", h.n / rareEvery / 20, jobs.Query{Text: "lighthouse kaleidoscope"}},
		{"search a common word and 2 characters", h.n / rareEvery / 20, jobs.Query{Text: "lighthouse 风筝"}},
		{"search a common word and 2 letters", h.n / 20, jobs.Query{Text: "lighthouse fl"}},
		{"search two common words, never together", 0, jobs.Query{Text: "01x 02x"}},
		{"search a request's id", 1, jobs.Query{Text: fmt.Sprintf("req_%020x", h.n/2)}},
		{"search CJK word", h.n / rareEvery, jobs.Query{Text: "红色的风筝"}},
		{"search 2 characters", h.n / rareEvery, jobs.Query{Text: "风筝"}},
		{"search 2 letters", h.n, jobs.Query{Text: "fl"}},
		{"search nothing", 0, jobs.Query{Text: "nowhere"}},
		{"search a job's id", 1, jobs.Query{Text: one.ID}},
		{"search a task's id", 1, jobs.Query{Text: one.TaskID}},
		{"find a task's id", 1, jobs.Query{TaskID: one.TaskID}},
	} {
		h.run(b, x.name, func(ctx context.Context) error {
			p, err := h.List(ctx, x.q)
			require.GreaterOrEqual(b, len(p.Jobs), min(x.hits, 50)/2) // of words, what chance gave
			return err
		})
	}
}

func (h benchHistory) lookups(b *testing.B) {
	one := h.middle(b)
	_, rev, err := h.Marks(b.Context(), "p")
	require.NoError(b, err)
	h.run(b, "open a job", func(ctx context.Context) error {
		_, err := h.Detail(ctx, one.ID)
		return err
	})
	h.run(b, "past", func(ctx context.Context) error {
		p, err := h.Past(ctx, jobs.PastQuery{Profile: "p", Model: "model-3", Mode: "t2v"})
		require.NotEmpty(b, p)
		return err
	})
	h.run(b, "start: marks, owners, claim", func(ctx context.Context) error {
		_, _, err := h.Marks(ctx, "p")
		require.NoError(b, err)
		_, err = h.Owners(ctx)
		require.NoError(b, err)
		_, err = h.Claim(ctx, jobs.Claim{Owner: "x", Profile: "p", Now: time.Now(), Until: time.Now()})
		return err
	})
	h.run(b, "look, and since", func(ctx context.Context) error {
		_, err := h.Look(ctx)
		require.NoError(b, err)
		_, _, err = h.Since(ctx, rev)
		return err
	})
	h.run(b, "records, 200", func(ctx context.Context) error {
		r, err := h.Records(ctx, one.ID, 200)
		require.Len(b, r, 200)
		return err
	})
	h.run(b, "open the history", func(ctx context.Context) error {
		s, err := Open(ctx, h.Path())
		require.NoError(b, err)
		return s.Close()
	})
}

func (h benchHistory) writes(b *testing.B) {
	rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // no secret
	c := benchNew(rnd)
	c.Due = storetest.Base
	require.NoError(b, h.Insert(b.Context(), []jobs.Change{c}))
	h.run(b, "insert", func(ctx context.Context) error { return h.Insert(ctx, []jobs.Change{benchNew(rnd)}) })
	h.run(b, "commit", func(ctx context.Context) error {
		c.Token, c.Events = 1, nil
		c.Job.Progress++
		_, err := h.Commit(ctx, c)
		return err
	})
}

// benchNew is a job that is newer than all.
func benchNew(rnd *rand.Rand) jobs.Change {
	c := benchJob(1, rnd)
	c.Job.ID, c.Job.AcceptedAt, c.Job.EndedAt = uuid.Must(uuid.NewV7()).String(), time.Now(), time.Now()
	return c
}

// upkeep tells how long writes wait while a backup is made, while old jobs are removed, and
// while nothing else happens: a hundred a second are tried, as of a busy console.
func (h benchHistory) upkeep(b *testing.B) {
	until := 0
	for _, x := range []struct {
		name string
		fn   func(ctx context.Context) error
	}{
		{"nothing, 5 s", func(ctx context.Context) error {
			select {
			case <-time.After(5 * time.Second):
			case <-ctx.Done():
			}
			return ctx.Err()
		}},
		{"backup", func(ctx context.Context) error {
			_, err := h.Backup(ctx)
			return err
		}},
		{"prune 500", func(ctx context.Context) error {
			until += 500
			p, err := h.Prune(ctx, jobs.Prune{Before: storetest.Base.Add(time.Duration(until)*time.Second + time.Minute)})
			if until <= h.n {
				require.Positive(b, p.Jobs)
			}
			return err
		}},
	} {
		b.Run(fmt.Sprintf("%s/%d", x.name, h.n), func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			var took []time.Duration
			var wg sync.WaitGroup
			wg.Go(func() { took = h.keepWriting(ctx) })
			for b.Loop() {
				require.NoError(b, x.fn(ctx))
			}
			cancel()
			wg.Wait()
			slices.Sort(took)
			for name, q := range map[string]float64{"p50": 0.5, "p99": 0.99, "max": 1} {
				if len(took) > 0 {
					b.ReportMetric(float64(took[int(q*float64(len(took)-1))].Microseconds())/1000, "ms/write-"+name)
				}
			}
		})
	}
}

// keepWriting inserts jobs, and says how long each took.
func (h benchHistory) keepWriting(ctx context.Context) (took []time.Duration) {
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // no secret
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		start := time.Now()
		if h.Insert(ctx, []jobs.Change{benchNew(rnd)}) == nil {
			took = append(took, time.Since(start))
		}
	}
	return took
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
