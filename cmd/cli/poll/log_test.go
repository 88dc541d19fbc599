package poll

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// TestALogIsBehind as long as the history tells another state than its last line.
func TestALogIsBehind(t *testing.T) {
	t.Parallel()
	store := storetest.NewMem()
	j := storetest.NewJob("a kite")
	j.State = jobs.Completed
	require.NoError(t, store.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	told := j
	told.State = jobs.Queued
	l := &log{seen: map[string]jobs.Job{j.ID: told, "removed": told}}
	assert.True(t, l.behind(t.Context(), store))
	l.seen[j.ID] = j
	assert.False(t, l.behind(t.Context(), store))
}

// TestPollLines: an arrow for a change of the state and for nothing else, and each other
// change says what it is.
func TestPollLines(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	l := struct {
		old   jobs.Job
		known bool
	}{}
	job := func(s jobs.State, set func(*jobs.Job)) jobs.Job {
		j := jobs.Job{ID: "12345678", State: s, UpdatedAt: now, TaskID: "t1", RawStatus: string(s), Draft: client.Draft{Model: "famA3"}}
		if set != nil {
			set(&j)
		}
		return j
	}
	files := func(all ...jobs.File) func(*jobs.Job) { return func(j *jobs.Job) { j.Files = all } }
	video := jobs.File{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/d/v.mp4"}
	cover := jobs.File{Kind: client.AssetCover, State: jobs.FileSaved, Path: "/d/c.png"}
	broken := jobs.File{Kind: client.AssetCover, State: jobs.FileWanted, Error: "HTTP 503"}
	for _, step := range []struct {
		j            jobs.Job
		change, line string
	}{
		{job(jobs.Queued, nil), changeState, "12:00:00 +0000  12345678  famA3  -  →  queued  t1"},
		{job(jobs.Queued, nil), "", ""},
		{job(jobs.Running, nil), changeState, "12:00:00 +0000  12345678  famA3  queued  →  running  t1"},
		{job(jobs.Running, func(j *jobs.Job) { j.Progress = 40 }), "", ""},
		{job(jobs.Running, func(j *jobs.Job) { j.RawStatus = "encoding" }), changeStatus, "12:00:00 +0000  12345678  famA3  running  (encoding)  t1"},
		{job(jobs.Running, func(j *jobs.Job) { j.RawStatus, j.Note = "encoding", "poll failed: x" }), changeNote, "12:00:00 +0000  12345678  famA3  running  (encoding)  t1  poll failed: x"},
		{job(jobs.Running, func(j *jobs.Job) { j.RawStatus = "encoding" }), changeNote, "12:00:00 +0000  12345678  famA3  running  (encoding)  t1  it goes on"},
		{job(jobs.Completed, files(jobs.File{State: jobs.FileWanted}, broken)), changeState, "12:00:00 +0000  12345678  famA3  running  →  completed  t1  cover: not saved yet: HTTP 503"},
		{job(jobs.Completed, files(video, broken)), changeFile, "12:00:00 +0000  12345678  famA3  completed  t1  saved /d/v.mp4"},
		{job(jobs.Completed, files(video, broken)), "", ""},
		{job(jobs.Completed, files(video, cover)), changeFile, "12:00:00 +0000  12345678  famA3  completed  t1  saved /d/c.png"},
	} {
		p := lineOf(l.old, l.known, step.j, now)
		assert.Equal(t, step.change, p.Change, step.line)
		if p.Change != "" {
			assert.Equal(t, step.line, p.String())
			assert.Equal(t, len(savedFiles(step.j)), len(p.Files), "those that are there")
		}
		l.old, l.known = step.j, true
	}

	// A job that is seen when it is over.
	over := job(jobs.Completed, files(video))
	assert.Equal(t, changeState, lineOf(jobs.Job{}, false, over, now).Change)
	over.EndedAt = now.Add(-time.Hour)
	p := lineOf(jobs.Job{}, false, over, now)
	assert.Equal(t, "12:00:00 +0000  12345678  famA3  completed  t1  saved /d/v.mp4", p.String(), "it ended long ago, its file came now")
	over.UpdatedAt = over.EndedAt
	assert.Empty(t, lineOf(jobs.Job{}, false, over, now).Change, "nothing is new of it")
}
