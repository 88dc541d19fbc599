package order_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/jobs/order"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func three() []*jobs.Job {
	return []*jobs.Job{
		{ID: "1", State: jobs.Running, Progress: 40, Profile: "b", Draft: client.Draft{Model: "m2", Modality: client.Video, Prompt: "Kite"}},
		{ID: "2", State: jobs.Completed, Progress: -1, SubmittedAt: at, EndedAt: at.Add(9 * time.Second), Profile: "a", Draft: client.Draft{Model: "m1", Modality: client.Image, Prompt: "a kite"}},
		{ID: "3", State: jobs.Completed, Progress: 100, SubmittedAt: at, EndedAt: at.Add(time.Minute), Profile: "a", Draft: client.Draft{Model: "m2", Modality: client.Image, Prompt: "zebra"}},
	}
}

// TestOnlyTheBeginningOfAPromptCounts, as in the histories: a list has no more of a long one.
func TestOnlyTheBeginningOfAPromptCounts(t *testing.T) {
	long := strings.Repeat("塩", 100)
	a, b := &jobs.Job{ID: "1", Draft: client.Draft{Prompt: long + "a"}}, &jobs.Job{ID: "2", Draft: client.Draft{Prompt: long + "b"}}
	assert.Positive(t, order.Compare(jobs.Sort{By: jobs.SortPrompt}, a, b), "the newer one is first")
}

func TestCompare(t *testing.T) {
	for text, want := range map[string]string{
		"age": "321", "-age": "123", "state": "321", "-state": "132", "model": "231", "-model": "312", "kind": "321", "profile": "321", "-profile": "132",
		"progress": "132", "-progress": "312", "prompt": "213", "-prompt": "312", "took": "231", "-took": "321",
	} {
		q, err := filter.Parse("sort:"+text, at)
		require.NoError(t, err)
		all := three()
		slices.SortFunc(all, func(a, b *jobs.Job) int { return order.Compare(q.Sort, a, b) })
		assert.Equal(t, want, all[0].ID+all[1].ID+all[2].ID, text)
		if text == "age" {
			text = ""
		}
		assert.Equal(t, text, order.Text(q.Sort))
	}
}
