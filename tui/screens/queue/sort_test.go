package queue

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/kept"
	"darkroom/jobs"
	"darkroom/jobs/order"
	"darkroom/tui/screen"
)

// inSort reports whether the list shows its jobs in an order.
func (b *bench) inSort(t *testing.T, s jobs.Sort) {
	t.Helper()
	l := &b.m.list.jobs
	assert.Equal(t, s, l.shown.Sort)
	for i := 1; i < l.Len(); i++ {
		assert.Negative(t, order.Compare(s, l.At(i-1), l.At(i)), "row %d", i)
	}
}

// models are jobs of three models.
func models(n int) []jobs.Job {
	out := many(n)
	for i := range out {
		out[i].Draft.Model = fmt.Sprintf("fam%c-video", 'C'-rune(i%3))
	}
	return out
}

// TestAClickOnATitleSorts, in the history; another one turns it around.
func TestAClickOnATitleSorts(t *testing.T) {
	b := open(t, 120, 34, models(450)...)
	b.f.took()
	b.Click("sort:model")
	assert.Equal(t, jobs.Sort{By: jobs.SortModel}, b.f.lists[0].Sort, "the history sorts, not the page")
	b.inSort(t, jobs.Sort{By: jobs.SortModel})
	assert.Contains(t, b.View(), "Model↑")
	assert.Contains(t, b.View(), "by model ↑ · 1 of 200+")
	b.Click("sort:model")
	b.inSort(t, jobs.Sort{By: jobs.SortModel, Down: true})
	assert.Contains(t, b.View(), "Model↓")
	b.Send(burst(strings.Repeat("j", 449)))
	assert.Equal(t, 450, b.m.list.jobs.Len(), "the pages lead on in that order")
	b.inSort(t, jobs.Sort{By: jobs.SortModel, Down: true})
	b.Click("sort:age")
	b.inSort(t, jobs.Sort{})
	assert.NotContains(t, b.View(), "by age")
}

// TestAnyOrderIsChosenByKeys, also of what has no column.
func TestAnyOrderIsChosenByKeys(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.Key("O")
	assert.Contains(t, b.View(), "Sort the jobs by")
	b.Type("took")
	b.Key("enter")
	b.inSort(t, jobs.Sort{By: jobs.SortTook, Down: true})
	assert.Contains(t, b.View(), "Took↓", "the longest first, with a column for it")
	b.Key("alt+o")
	b.inSort(t, jobs.Sort{By: jobs.SortTook})
	b.Key("O", "esc")
	b.inSort(t, jobs.Sort{By: jobs.SortTook})
}

// TestNewsKeepTheOrder: a job that changes moves to its place, and the cursor stays on its job.
func TestNewsKeepTheOrder(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.Click("sort:state")
	b.Key("down", "down")
	row := b.row()
	for _, n := range []int{3, 5, 11, 13} {
		b.f.change(job(n, jobs.Completed))
	}
	b.f.change(job(41, jobs.Ambiguous))
	b.Send(screen.JobsMsg{})
	b.inSort(t, jobs.Sort{By: jobs.SortState})
	assert.Equal(t, 41, b.m.list.jobs.Len())
	assert.Equal(t, row, b.row())
}

// TestANewJobOfALaterPageWaitsForIt: it would stand at a place that is not read yet.
func TestANewJobOfALaterPageWaitsForIt(t *testing.T) {
	b := open(t, 80, 24, models(450)...)
	b.Click("sort:model")
	late := job(451, jobs.Queued)
	late.Draft.Model = "famZ"
	b.f.change(late)
	b.Send(screen.JobsMsg{})
	assert.Nil(t, b.m.list.jobs.Get(late.ID))
	b.Key("end")
	assert.NotNil(t, b.m.list.jobs.Get(late.ID))
	b.inSort(t, jobs.Sort{By: jobs.SortModel})
}

// TestTheFilterSortsFirst: an order that is typed counts as long as it stands there.
func TestTheFilterSortsFirst(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.Click("sort:model")
	b.Key("/")
	b.Paste("sort:-prompt kite")
	b.Key("enter")
	b.Settle(10*time.Second, "the typed order", func() bool { return b.m.list.jobs.shown.Sort.By == jobs.SortPrompt })
	b.inSort(t, jobs.Sort{By: jobs.SortPrompt, Down: true})
	b.Click("sort:state")
	assert.Equal(t, "kite", b.m.list.filter.Text(), "a choice takes its place")
	b.inSort(t, jobs.Sort{By: jobs.SortState})
}

// TestMarksSurviveASort, also those of jobs that are far down in the other order.
func TestMarksSurviveASort(t *testing.T) {
	b := open(t, 80, 24, models(450)...)
	b.Key(" ", " ", " ")
	b.Click("sort:prompt")
	require.Len(t, b.m.list.jobs.marked, 3)
	for id := range b.m.list.jobs.marked {
		assert.NotNil(t, b.m.list.jobs.Get(id))
	}
}

// TestTheOrderIsKept over the end of the console.
func TestTheOrderIsKept(t *testing.T) {
	s := &lookShelf{}
	b := openLooks(t, s)
	b.Click("sort:model")
	assert.Equal(t, "model", s.look.Sort)
	b.Key("alt+o")
	again := openLooks(t, s)
	again.inSort(t, jobs.Sort{By: jobs.SortModel, Down: true})
	assert.Equal(t, 2, s.saves, "what was read is not written")
	again = openLooks(t, &lookShelf{look: kept.Look{Sort: "burnt\x1b"}, kept: true})
	again.inSort(t, jobs.Sort{})
}

func TestFaultsOnly(t *testing.T) {
	unsaved := job(43, jobs.Completed)
	unsaved.Files = []jobs.File{{State: jobs.FileFailed}}
	b := open(t, 120, 34, append(many(40), job(41, jobs.Lost), job(42, jobs.Ambiguous), unsaved)...)
	b.Key("F")
	b.Settle(10*time.Second, "the faults", func() bool { return b.m.list.jobs.Len() == 12 })
	assert.Contains(t, b.View(), "/ is:fault", "it stands in the filter")
	b.Key("F")
	b.Settle(10*time.Second, "the failed downloads", func() bool { return b.m.list.jobs.Len() == 1 })
	assert.Equal(t, unsaved.ID, b.row())
	b.Key("F")
	b.Settle(10*time.Second, "all", func() bool { return b.m.list.jobs.Len() == 43 })
	assert.Empty(t, b.m.list.filter.Text())
	b.Key("/")
	b.Paste("state:queued")
	b.Key("enter", "F")
	assert.Equal(t, screen.Warn, b.toast(t).Level, "what contradicts itself is said")
}

func TestAFilterIsCompleted(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.Key("/")
	b.Paste("state:fa")
	assert.Contains(t, b.View(), "tab state:failed")
	b.Key("tab")
	assert.Equal(t, "state:failed", b.m.list.filter.Text())
	b.Settle(10*time.Second, "the failed", func() bool { return b.m.list.jobs.Len() == 5 })
	b.Paste(" burnt:x")
	assert.Contains(t, b.View(), "burnt: is not a filter")
	assert.Equal(t, 5, b.m.list.jobs.Len(), "the last good list stays")
}

func TestGoldenSorted(t *testing.T) {
	for _, s := range sizes {
		b := open(t, s[0], s[1], many(60)...)
		b.Key("O")
		b.Golden(fmt.Sprintf("sort-%dx%d", s[0], s[1]))
		b.Type("took")
		b.Key("enter")
		b.Golden(fmt.Sprintf("sorted-%dx%d", s[0], s[1]))
		b.Key("/")
		b.Paste("is:")
		b.Golden(fmt.Sprintf("typing-%dx%d", s[0], s[1]))
	}
}
