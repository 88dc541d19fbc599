package queue

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// batches are a job alone, one batch of two prompts, another one alone, and variations of one prompt, of
// which one is still running: jobs 1 to 8.
func batches() []jobs.Job {
	var out []jobs.Job
	add := func(n int, s jobs.State, group, prompt string) {
		j := job(n, s)
		j.Group, j.Draft.Prompt = group, prompt
		j.Draft.Values["seed"] = json.Number(fmt.Sprint(2040 + n))
		out = append(out, j)
	}
	add(1, jobs.Completed, "", "a fox runs")
	add(2, jobs.Completed, "g1", "a green kite over a city")
	add(3, jobs.Completed, "g1", "a green boat over a city")
	add(4, jobs.Completed, "alone", "a harbour 夜の港 🚢")
	add(5, jobs.Completed, "g2", "a paper boat on a lake")
	add(6, jobs.Failed, "g2", "a paper boat on a lake")
	add(7, jobs.Running, "g2", "a paper boat on a lake")
	add(8, jobs.Queued, "g2", "a paper boat on a lake")
	return out
}

func TestGoldenBatches(t *testing.T) {
	for _, s := range sizes {
		b := open(t, s[0], s[1], batches()...)
		b.Golden(fmt.Sprintf("batches-%dx%d", s[0], s[1]))
		b.Key("l", "down")
		b.Golden(fmt.Sprintf("batches-open-%dx%d", s[0], s[1]))
	}
}

// TestBatchesFold into a row with the tally of their states, and unfold like a tree.
func TestBatchesFold(t *testing.T) {
	b := open(t, 200, 60, batches()...)
	v := b.View()
	assert.Contains(t, line(v, "▹ 4 · a paper boat on"), "✓ 1 ✗ 1 ◌ 1 ▶ 1")
	assert.Contains(t, v, "✓   ▹ 2 · a green {kite|boat} over a city")
	assert.Contains(t, v, "a harbour", "one that was submitted alone is no batch")
	assert.Contains(t, v, "1 of 8", "all are counted")
	assert.Equal(t, jobID(8), b.row())
	b.Key("down")
	assert.Equal(t, jobID(4), b.row())

	b.Key("up", "enter")
	assert.Contains(t, b.View(), "▿ 4 · a paper boat")
	b.Key("down", "down")
	assert.Equal(t, jobID(7), b.row())
	b.Key("left")
	assert.True(t, b.m.list.head, "out of the jobs to their head")
	b.Key("left")
	assert.Contains(t, b.View(), "▹ 4 · a paper boat")
	b.Key("right", "right")
	assert.False(t, b.m.list.head, "and into them")
	assert.Equal(t, jobID(8), b.row())

	b.Key("v", "v")
	assert.Contains(t, b.View(), "▿ 4 · a paper boat", "it stays as it is while the console runs")
	b.Key("_")
	assert.Contains(t, b.View(), "▹ 4 · a paper boat", "all at once")
	assert.True(t, b.m.list.head)
	b.Key("_")
	assert.Contains(t, b.View(), "▿ 2 · a green")
}

// TestKeysOnABatchAreAboutAllOfIt, and ask with their number.
func TestKeysOnABatchAreAboutAllOfIt(t *testing.T) {
	b := openRejecting(t, 200, 60, batches()...)
	b.Key("s")
	assert.Contains(t, b.View(), "Star 4 jobs?")
	b.Key("esc", "x")
	assert.Contains(t, b.View(), "Drop 2 jobs?", "those under way")
	b.Key("esc", "down", "down", "x")
	assert.Contains(t, b.View(), "Reject 2 jobs?")
	b.Key("y")
	assert.Equal(t, []string{"reject true " + jobID(2) + " " + jobID(3)}, b.f.done)
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "a green")
	b.Key("alt+z")
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "▹ 2 · a green", "it comes back as it was")

	b.Key("home", " ")
	assert.Len(t, b.m.list.jobs.marked, 4)
	assert.Contains(t, line(b.View(), "4 · a paper"), "•")
	b.Key("up", " ")
	assert.Empty(t, b.m.list.jobs.marked)
	b.f.took()
	b.Key("home", "enter", "down", "s")
	assert.Equal(t, []string{"tag [starred] [] " + jobID(8)}, b.f.done, "one of an unfolded batch is one")
}

// TestABatchSaysWhatItsSizeHasRoomFor, also after the terminal has another size.
func TestABatchSaysWhatItsSizeHasRoomFor(t *testing.T) {
	js := batches()
	for i := range js {
		js[i].Draft.ModelName = "v2"
	}
	b := open(t, 80, 24, js...)
	assert.NotContains(t, line(b.View(), "▹ 2"), "v2")
	b.Resize(200, 60)
	assert.Contains(t, line(b.View(), "▹ 2"), "famA-video v2")
}

// TestAJobThatIsMeantIsUnfolded: whoever is sent to a job stands on that, not on its batch.
func TestAJobThatIsMeantIsUnfolded(t *testing.T) {
	b := open(t, 200, 60, batches()...)
	b.Send(screen.ShowJob{JobID: jobID(6)})
	assert.Equal(t, jobID(6), b.row())
	assert.False(t, b.m.list.head)
	assert.Contains(t, b.View(), "▿ 4 · a paper boat")
}

// TestBatchesAreOfTheUsualOrder: sorted, and where one batch is what was asked for, each job is a row.
func TestBatchesAreOfTheUsualOrder(t *testing.T) {
	b := open(t, 200, 60, batches()...)
	b.Click("sort:prompt")
	assert.NotContains(t, b.View(), "▹")
	b.Click("sort:age")
	assert.Contains(t, b.View(), "▹ 4 ·")
	b.Send(screen.ShowGroup{Group: "g2"})
	b.Settle(10*time.Second, "the batch", func() bool { return b.m.list.jobs.Len() == 4 })
	assert.NotContains(t, b.View(), "▹")
	assert.Contains(t, b.View(), "· seed 2048")
}

// TestABatchAcrossPages: what is not read yet is said, and read on the way.
func TestABatchAcrossPages(t *testing.T) {
	js := many(700)
	for i := range js {
		js[i].Group = fmt.Sprint("g", i/300)
	}
	b := open(t, 80, 24, js...)
	b.Settle(10*time.Second, "what shows of it", func() bool { return b.m.list.jobs.Len() >= 400 })
	b.Key("end")
	b.Settle(10*time.Second, "the end", func() bool {
		return !b.m.list.jobs.more() && b.m.list.table.under().From+b.m.list.table.under().N == b.m.list.jobs.Len()
	})
	tuitest.CheckFrame(t, b.Frame(), 80, 24)
	assert.Contains(t, b.View(), "▹ ")
}

// TestNewsKeepTheCursorOnItsRow, on the head of a batch, too.
func TestNewsKeepTheCursorOnItsRow(t *testing.T) {
	b := open(t, 200, 60, batches()...)
	b.Key("down", "down") // the batch of two
	require.True(t, b.m.list.head)
	late := job(9, jobs.Queued)
	late.Group = "g2"
	b.f.change(late)
	b.f.change(job(7, jobs.Completed)) // leaves its batch, which is none of the console's to do
	b.Send(screen.JobsMsg{})
	assert.True(t, b.m.list.head)
	assert.Equal(t, jobID(3), b.row())
}
