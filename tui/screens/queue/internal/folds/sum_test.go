package folds

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestSum(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Date(2026, 3, 1, 12, 0, s, 0, time.UTC) }
	job := func(id string, state jobs.State, prompt string) *jobs.Job {
		return &jobs.Job{ID: id, State: state, Draft: client.Draft{Modality: client.Image, Model: "famC", Prompt: prompt}}
	}
	done := job("1", jobs.Completed, "a red kite")
	done.SubmittedAt, done.EndedAt, done.Tags = at(0), at(20), []string{jobs.Star}
	late := job("2", jobs.Completed, "a blue kite")
	late.SubmittedAt, late.EndedAt, late.Tags = at(5), at(50), []string{jobs.Star}
	other := job("3", jobs.Completed, "a red kite")
	other.Draft.Model, other.Draft.Modality = "famD", client.Video

	for name, c := range map[string]struct {
		jobs []*jobs.Job // the newest first
		want Sum
	}{
		"none is there any more": {[]*jobs.Job{nil}, Sum{Starred: true}},
		"all done":               {[]*jobs.Job{late, done}, Sum{Prompt: "a {red|blue} kite", Model: "famC", Kind: "image", Starred: true, In: []In{{jobs.Completed, 2}}, Took: 50 * time.Second}},
		"one is gone":            {[]*jobs.Job{nil, done}, Sum{Prompt: "a red kite", Alike: true, Model: "famC", Kind: "image", Starred: true, In: []In{{jobs.Completed, 1}}, Took: 20 * time.Second}},
		"of several kinds":       {[]*jobs.Job{other, done, other}, Sum{Prompt: "a red kite", Alike: true, Model: "several", Kind: "mixed", In: []In{{jobs.Completed, 3}}, Took: 20 * time.Second}},
		"what runs comes first": {[]*jobs.Job{
			job("7", jobs.Planned, "x"), job("6", jobs.Unknown, "x"), job("5", jobs.Dropped, "x"), job("4", jobs.Submitting, "x"), done,
		}, Sum{Prompt: Common([]string{"a red kite", "x"}), Model: "famC", Kind: "image", In: []In{{jobs.Completed, 1}, {jobs.Failed, 1}, {jobs.Queued, 2}, {jobs.Running, 1}}, UnderWay: true}},
	} {
		got := Row{From: 1, N: len(c.jobs)}.Sum(func(i int) *jobs.Job { return c.jobs[i-1] },
			func(j *jobs.Job) string { return j.Draft.Model }, func(j *jobs.Job) string { return j.Draft.Prompt })
		assert.Equal(t, c.want, got, name)
	}
	running := Sum{In: []In{{jobs.Failed, 1}, {jobs.Running, 1}}}
	assert.Equal(t, jobs.Running, running.First())
	assert.Equal(t, jobs.Completed, (&Sum{}).First(), "of none")
}
