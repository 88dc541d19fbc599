package storetest

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// testLongDrafts: a list reads the beginning of a long draft and says so; the job alone, a
// claim, a change and an export have the whole.
func testLongDrafts(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	prompt := strings.Repeat(`a "red" kite 红😀 `, 5<<20/24)
	long, inputs, short := NewJob(prompt), NewJob("a short prompt"), NewJob("short")
	long.Draft.Parents = []client.Parent{{Job: short.ID, As: "reference"}}
	inputs.Draft.Values["image"] = strings.Repeat("A", 1<<20)
	require.NoError(t, s.Insert(ctx, []jobs.Change{Plan(short), Plan(long), Plan(inputs)}))

	lists := map[string]func() []jobs.Job{
		"page": func() []jobs.Job {
			p, err := s.List(ctx, jobs.Query{})
			require.NoError(t, err)
			return p.Jobs
		},
		"search": func() []jobs.Job {
			p, err := s.List(ctx, jobs.Query{Text: "kite"})
			require.NoError(t, err)
			return p.Jobs
		},
		"since": func() (all []jobs.Job) {
			works, _, err := s.Since(ctx, 0)
			require.NoError(t, err)
			for _, w := range works {
				all = append(all, w.Job)
			}
			return all
		},
	}
	for name, read := range lists {
		cutDrafts(t, name, read(), long, inputs, short)
	}
	if _, mem := s.(*Mem); !mem { // which copies whole jobs by its nature
		assert.Less(t, allocated(func() { lists["page"]() }), uint64(2<<20), "bytes for a page with a prompt of 5 MB")
		assert.Less(t, allocated(func() { lists["since"]() }), uint64(2<<20))
	}

	wholeDrafts(t, s, long)
	cut := jobs.Record{Job: NewJob("x")}
	cut.Job.Draft.Cut = true
	_, err := s.Import(ctx, []jobs.Record{cut})
	assert.ErrorIs(t, err, client.ErrCut)
}

// wholeDrafts: what is read to be worked on has all of its draft, and nothing that was cut is
// written.
func wholeDrafts(t *testing.T, s jobs.Store, long jobs.Job) {
	t.Helper()
	ctx, want := t.Context(), long.Draft
	w, err := s.Get(ctx, long.ID)
	require.NoError(t, err)
	assert.Equal(t, want, w.Job.Draft)
	d, err := s.Detail(ctx, long.ID)
	require.NoError(t, err)
	assert.Equal(t, want, d.Job.Draft)
	for _, w := range claim(t, s, "A", Base) {
		assert.False(t, w.Job.Draft.Cut, "a claim sends it")
		if w.Job.ID == long.ID {
			assert.Equal(t, want, w.Job.Draft)
			c := commit(w, jobs.Queued)
			c.Job.Draft = client.Draft{Model: "famA3", Cut: true} // as of one who polls
			_, err := s.Commit(context.Background(), c)
			require.NoError(t, err)
		}
	}
	for _, r := range records(t, s) {
		assert.False(t, r.Job.Draft.Cut)
		if r.Job.ID == long.ID {
			assert.Equal(t, want, r.Job.Draft, "nothing that was cut is written")
		}
	}
}

// cutDrafts: of the jobs of a list, long's prompt and the values of inputs are cut, short is whole.
func cutDrafts(t *testing.T, name string, list []jobs.Job, long, inputs, short jobs.Job) {
	t.Helper()
	seen := 0
	for _, j := range list {
		switch j.ID {
		case long.ID:
			seen++
			assert.True(t, j.Draft.Cut, name)
			assert.NotEmpty(t, j.Draft.Prompt, name)
			assert.True(t, strings.HasPrefix(long.Draft.Prompt, j.Draft.Prompt), name)
			assert.Less(t, len(j.Draft.Prompt), 64<<10, name)
			assert.Equal(t, "famA3", j.Draft.Model, name)
			assert.Equal(t, client.Video, j.Draft.Modality, name)
		case inputs.ID:
			assert.True(t, j.Draft.Cut, name)
			assert.Equal(t, "a short prompt", j.Draft.Prompt, name)
			assert.Empty(t, j.Draft.Values, name)
		default:
			assert.Equal(t, short.Draft, j.Draft, name)
		}
	}
	assert.Equal(t, 1, seen, name)
}

// allocated is how many bytes of Go's heap a call takes in all.
func allocated(fn func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// testKeptBytes: the bodies that a job's events name count, each once and unpacked; those of
// other jobs and of no event do not.
func testKeptBytes(t *testing.T, s jobs.Store) {
	k, ok := s.(interface {
		KeptBytes(ctx context.Context, id string) (int64, error)
	})
	require.True(t, ok, "the bound of the answers of a job needs it")
	list := insert(t, s, 2)
	kept := func(id string) int64 {
		n, err := k.KeptBytes(t.Context(), id)
		require.NoError(t, err)
		return n
	}
	assert.Zero(t, kept(list[0].ID))
	put := func(id string, body []byte, named bool) {
		change(t, s, id, func(c *jobs.Change) {
			c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: body}}
			if named {
				c.Events = []jobs.Event{{At: Base, Kind: jobs.EventState, To: jobs.Queued, PayloadSHA: jobs.PayloadSHA(body)}}
			}
		})
	}
	a, b, c := []byte(strings.Repeat("first ", 5000)), []byte(strings.Repeat("second ", 3000)), []byte("the newest, in no event")
	put(list[0].ID, a, true)
	assert.EqualValues(t, len(a), kept(list[0].ID))
	put(list[0].ID, b, true)
	put(list[0].ID, a, true)
	assert.EqualValues(t, len(a)+len(b), kept(list[0].ID), "what two events name counts once")
	put(list[0].ID, c, false)
	assert.EqualValues(t, len(a)+len(b), kept(list[0].ID))
	put(list[1].ID, b, true)
	assert.EqualValues(t, len(a)+len(b), kept(list[0].ID), "another job's are its own")
	assert.EqualValues(t, len(b), kept(list[1].ID))
	assert.Zero(t, kept("nobody"))
}

// testLongTexts: whoever writes to a shared history writes titles, notes and errors of any length;
// a list reads the beginning, and the job alone has the whole.
func testLongTexts(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	text := strings.Repeat("é kite ", 1<<20/8)
	long, short := NewJob("a"), NewJob("b")
	long.Title, long.Note, long.Error = text, text, &client.TaskError{Code: "x", Message: text}
	short.Title, short.Note, short.Error = "t", "n", &client.TaskError{Code: "y", Message: "m"}
	require.NoError(t, s.Insert(ctx, []jobs.Change{Plan(long), Plan(short)}))
	read := func() (all []jobs.Job) {
		p, err := s.List(ctx, jobs.Query{})
		require.NoError(t, err)
		works, _, err := s.Since(ctx, 0)
		require.NoError(t, err)
		for _, w := range works {
			all = append(all, w.Job)
		}
		return append(all, p.Jobs...)
	}
	all := read()
	require.Len(t, all, 4)
	for _, j := range all {
		if j.ID == short.ID {
			assert.Equal(t, []any{"t", "n", short.Error}, []any{j.Title, j.Note, j.Error})
			continue
		}
		for _, got := range []string{j.Title, j.Note} {
			assert.Less(t, len(got), 64<<10)
			assert.NotEmpty(t, got)
			assert.True(t, strings.HasPrefix(text, got))
		}
		assert.Contains(t, j.Error.Message, "too long")
	}
	if _, mem := s.(*Mem); !mem {
		assert.Less(t, allocated(func() { read() }), uint64(2<<20), "bytes for lists with texts of 1 MB")
	}
	w, err := s.Get(ctx, long.ID)
	require.NoError(t, err)
	assert.Equal(t, []any{text, text, long.Error}, []any{w.Job.Title, w.Job.Note, w.Job.Error})
}
