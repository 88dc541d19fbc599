package storetest

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func testRejected(t *testing.T, s jobs.Store) {
	list := make([]jobs.Job, 6)
	for i := range list {
		j := NewJob("prompt")
		j.State, j.TaskID, j.Run, j.Tags = jobs.Failed, "task-of-"+j.ID, "r", []string{"t"}
		c := Plan(j)
		c.Due, list[i] = time.Time{}, j
		require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	}
	a, b := list[4].ID, list[1].ID
	for _, id := range []string{a, b} {
		change(t, s, id, func(c *jobs.Change) { c.Job.Rejected, c.Job.RejectedBy = Base.Add(time.Second), "me" })
	}
	w, err := s.Get(t.Context(), a)
	require.NoError(t, err)
	assert.True(t, Base.Add(time.Second).Equal(w.Job.Rejected))
	assert.Equal(t, "me", w.Job.RejectedBy)

	left := []string{list[5].ID, list[3].ID, list[2].ID, list[0].ID}
	failed := []jobs.State{jobs.Failed}
	for name, q := range map[string]jobs.Query{
		"all": {}, "states": {States: failed}, "states of a profile": {States: failed, Profile: "p"},
		"sorted": {Sort: jobs.Sort{By: jobs.SortModel}}, "tag": {Tag: "t"}, "text": {Text: "prompt"}, "short text": {Text: "pr"},
	} {
		assert.Equal(t, left, ids(t, s, q), name)
		q.Rejected = jobs.RejectedOnly
		assert.Equal(t, []string{a, b}, ids(t, s, q), "%s, rejected", name)
		q.Rejected = jobs.RejectedToo
		assert.Len(t, ids(t, s, q), 6, "%s, both", name)
		q.Rejected, q.Limit = jobs.RejectedOut, 3
		p, err := s.List(t.Context(), q)
		require.NoError(t, err)
		assert.Len(t, p.Jobs, 3, "%s: a page is full where more follow", name)
		require.NotEmpty(t, p.Next, name)
		q.Before = p.Next
		assert.Equal(t, left[3:], ids(t, s, q), "%s, next page", name)
	}
	assert.Equal(t, []string{a}, ids(t, s, jobs.Query{TaskID: "task-of-" + a}), "who names an id gets its job")
	assert.Len(t, ids(t, s, jobs.Query{Run: "r"}), 6, "a run is whole")

	change(t, s, a, func(c *jobs.Change) { c.Job.Rejected, c.Job.RejectedBy = time.Time{}, "" })
	assert.Contains(t, ids(t, s, jobs.Query{}), a)
	assert.Equal(t, []string{b}, ids(t, s, jobs.Query{Rejected: jobs.RejectedOnly}))
}

// namer is what a history tells of files.
type namer interface {
	Naming(ctx context.Context, paths []string) (map[string][]string, error)
}

func testNaming(t *testing.T, s jobs.Store) {
	n, ok := s.(namer)
	require.True(t, ok)
	list := insert(t, s, 3)
	odd := `/x/"a" \ %_ 红.mp4`
	change(t, s, list[0].ID, func(c *jobs.Change) {
		c.Job.State, c.Due = jobs.Completed, time.Time{}
		c.Job.Files = []jobs.File{
			{Kind: client.AssetVideo, State: jobs.FileSaved, Path: odd, Total: -1},
			{Index: 1, Kind: client.AssetCover, State: jobs.FileSaved, Path: "/x/y.png", Total: -1},
		}
	})
	j := NewJob("uses it")
	j.Draft.Values["images"] = []any{map[string]any{"url": "file:///x/%22a%22%20%5C%20%25_%20%E7%BA%A2.mp4"}, "https://h/x/y.png"}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(j)}))
	got, err := n.Naming(t.Context(), []string{odd, "/x/y.png", "/x/z.png"})
	require.NoError(t, err)
	for _, ids := range got {
		slices.Sort(ids)
	}
	both := []string{list[0].ID, j.ID}
	slices.Sort(both)
	assert.Equal(t, map[string][]string{odd: both, "/x/y.png": {list[0].ID}}, got)
}

// Naming returns the jobs that name one of the paths, by path.
func (m *Mem) Naming(_ context.Context, paths []string) (map[string][]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string][]string{}
	add := func(id, path string) {
		for _, p := range paths {
			if filepath.Clean(p) == filepath.Clean(path) && !strings.Contains(strings.Join(out[p], " "), id) {
				out[p] = append(out[p], id)
			}
		}
	}
	for id, r := range m.rows {
		for _, f := range r.work.Job.Draft.LocalFiles() {
			add(id, f.Path())
		}
		for _, f := range r.work.Job.Files {
			add(id, f.Path)
		}
	}
	return out, nil
}
