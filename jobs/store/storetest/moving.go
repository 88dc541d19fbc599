package storetest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// records reads all records, in pages of two.
func records(t *testing.T, s jobs.Store) (all []jobs.Record) {
	t.Helper()
	for after := ""; ; after = all[len(all)-1].Job.ID {
		r, err := s.Records(t.Context(), after, 2)
		require.NoError(t, err)
		require.LessOrEqual(t, len(r), 2)
		if all = append(all, r...); len(r) == 0 {
			return all
		}
	}
}

// asJSON is a record with its times in UTC, so that it can be compared.
func asJSON(t *testing.T, r jobs.Record) string {
	t.Helper()
	r.Job, r.Due = normal(r.Job), r.Due.UTC()
	for i := range r.Events {
		r.Events[i].At = r.Events[i].At.UTC()
	}
	for i := range r.Exchanges {
		r.Exchanges[i].At, r.Exchanges[i].First = r.Exchanges[i].At.UTC(), r.Exchanges[i].First.UTC()
	}
	b, err := json.Marshal(r)
	require.NoError(t, err)
	return string(b)
}

// testImport takes all records out, removes the jobs, and puts them in again: everything
// is as it was, and a second import adds nothing.
func testImport(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	big := full()
	require.NoError(t, s.Insert(ctx, []jobs.Change{big}))
	insert(t, s, 4)
	claim(t, s, "A", Base)
	before := records(t, s)
	require.Len(t, before, 5)
	every, err := s.Every(ctx, 2)
	require.NoError(t, err)
	assert.Equal(t, []string{before[1].Job.ID, before[3].Job.ID}, every)
	first := before[0]
	assert.Equal(t, big.Job.ID, first.Job.ID)
	assert.Len(t, first.Events, 2)
	assert.Len(t, first.Exchanges, 2)
	assert.Equal(t, []byte{0, 255}, first.Bodies[first.Current[jobs.PayloadInline+":0"]])
	n, err := s.Import(ctx, before)
	require.NoError(t, err)
	assert.Zero(t, n, "they are there")

	for _, r := range before { // end them all, so that they can be removed
		_, err := s.Amend(ctx, r.Job.ID, func(w jobs.Work) (jobs.Change, error) {
			c := commit(w, jobs.Dropped)
			c.Take, c.Due = true, time.Time{}
			return c, nil
		})
		require.NoError(t, err)
	}
	p, err := s.Prune(ctx, jobs.Prune{})
	require.NoError(t, err)
	require.Equal(t, 5, p.Jobs)
	_, rev, err := s.Since(ctx, 0)
	require.NoError(t, err)
	n, err = s.Import(ctx, before[:3])
	require.NoError(t, err)
	assert.Equal(t, 3, n)
	n, err = s.Import(ctx, append(before, before[0]))
	require.NoError(t, err)
	assert.Equal(t, 2, n, "and each once")
	after := records(t, s)
	require.Len(t, after, 5)
	for i := range before {
		assert.JSONEq(t, asJSON(t, before[i]), asJSON(t, after[i]))
	}
	news, _, err := s.Since(ctx, rev)
	require.NoError(t, err)
	assert.Len(t, news, 5, "others see them")
	owners, err := s.Owners(ctx)
	require.NoError(t, err)
	assert.Empty(t, owners, "a lease is never imported")
	assert.Len(t, claim(t, s, "B", Base.Add(time.Hour)), 5, "their work is planned")
	assert.Equal(t, []string{big.Job.ID}, ids(t, s, jobs.Query{Text: "remark", Tag: "b"}))
	_, err = s.Amend(ctx, big.Job.ID, func(w jobs.Work) (jobs.Change, error) { return commit(w, jobs.Queued), nil })
	require.NoError(t, err)
}

// testImportRefuses: what does not fit together is refused, and nothing of it is written.
func testImportRefuses(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	require.NoError(t, s.Insert(ctx, []jobs.Change{full()}))
	good := records(t, s)[0]
	fresh := func() jobs.Record {
		var r jobs.Record
		b, err := json.Marshal(good)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &r))
		r.Job.ID = NewJob("x").ID
		return r
	}
	for name, spoil := range map[string]func(*jobs.Record){
		"id":              func(r *jobs.Record) { r.Job.ID = "../x" },
		"upper case id":   func(r *jobs.Record) { r.Job.ID = strings.ToUpper(r.Job.ID) },
		"state":           func(r *jobs.Record) { r.Job.State = "won" },
		"profile":         func(r *jobs.Record) { r.Job.Profile = "" },
		"run":             func(r *jobs.Record) { r.Job.Run, r.Job.Cell = "../x", "1.1" },
		"run alone":       func(r *jobs.Record) { r.Job.Cell = "" },
		"cell alone":      func(r *jobs.Record) { r.Job.Run = "" },
		"cell of a line":  func(r *jobs.Record) { r.Job.Cell = "1\n2" },
		"created":         func(r *jobs.Record) { r.Job.CreatedAt = time.Time{} },
		"tags":            func(r *jobs.Record) { r.Job.Tags = []string{"b", "a"} },
		"bad tag":         func(r *jobs.Record) { r.Job.Tags = []string{"a b"} },
		"file twice":      func(r *jobs.Record) { r.Job.Files = append(r.Job.Files, r.Job.Files[0]) },
		"body":            func(r *jobs.Record) { r.Bodies[r.Current[jobs.PayloadAnswer]] = []byte("another") },
		"missing body":    func(r *jobs.Record) { delete(r.Bodies, r.Current[jobs.PayloadAnswer]) },
		"many exchanges":  func(r *jobs.Record) { r.Exchanges = make([]jobs.Exchange, jobs.MaxExchanges+1) },
		"no exchanges":    func(r *jobs.Record) { r.Exchanges[0].Count = -1 },
		"kind of nothing": func(r *jobs.Record) { r.Current[""] = r.Current[jobs.PayloadAnswer] },
	} {
		bad := fresh()
		spoil(&bad)
		n, err := s.Import(ctx, []jobs.Record{fresh(), bad})
		require.Error(t, err, name)
		assert.Zero(t, n, name)
		assert.Len(t, ids(t, s, jobs.Query{}), 1, name)
	}
	n, err := s.Import(ctx, []jobs.Record{fresh(), fresh()})
	require.NoError(t, err)
	assert.Equal(t, 2, n)
}
