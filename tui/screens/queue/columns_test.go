package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/tuitest"
)

func TestThePromptGetsWhatOthersDoNotNeed(t *testing.T) {
	short, long := job(1, jobs.Queued), job(2, jobs.Unknown)
	long.RawStatus = "waiting-for-a-worker-of-the-other-kind"
	long.Draft.Model = "famA-video-with-a-name-that-has-no-end"
	b := open(t, 200, 34, short)
	_ = b.Frame()
	assert.Equal(t, columns()[0].least, b.m.list.table.ColumnWidth(0))
	assert.Equal(t, len("famA-video"), b.m.list.table.ColumnWidth(1))
	const prompt = 5
	wide := b.m.list.table.ColumnWidth(prompt)

	b.f.change(long)
	b.Key("f5")
	tuitest.CheckFrame(t, b.Frame(), 200, 34)
	assert.Equal(t, columns()[0].most, b.m.list.table.ColumnWidth(0))
	assert.Equal(t, columns()[1].most, b.m.list.table.ColumnWidth(1))
	assert.Equal(t, wide-(columns()[0].most-columns()[0].least)-(columns()[1].most-len("famA-video")), b.m.list.table.ColumnWidth(prompt),
		"the prompt gives what they need")
}

// TestTheProgressHasAColumnWhileThereIsOne: without, it would be a gap beside the age.
func TestTheProgressHasAColumnWhileThereIsOne(t *testing.T) {
	b := open(t, 200, 60, many(100)...)
	assert.Contains(t, b.View(), "Age  Progress  Kind")
	var done []jobs.Job
	for n := range 100 {
		done = append(done, job(n+1, jobs.Completed))
	}
	b = open(t, 200, 60, done...)
	assert.Contains(t, b.View(), "Age  Kind   Prompt")
	const prompt = 5
	wide := b.m.list.table.ColumnWidth(prompt)
	b.f.change(job(1, jobs.Running)) // out of sight
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "Age  Progress  Kind")
	assert.Equal(t, wide-inks.BarWidth-2, b.m.list.table.ColumnWidth(prompt))
	b.f.change(job(1, jobs.Completed))
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "Age  Kind   Prompt")
	tuitest.CheckFrame(t, b.Frame(), 200, 60)
}

// What the rows hold changes widths, but no column comes or goes by those in sight.
func TestTheSizeAloneSaysWhichColumnsThereAre(t *testing.T) {
	long := job(2, jobs.Unknown)
	long.RawStatus, long.Draft.Model = "waiting-for-a-worker-of-the-other-kind", "famA-video-with-a-name-that-has-no-end"
	a, b := open(t, 80, 24, job(1, jobs.Queued)), open(t, 80, 24, long)
	for w := 30; w < 220; w += 3 {
		a.Resize(w, 24)
		b.Resize(w, 24)
		tuitest.CheckFrame(t, a.Frame(), w, 24)
		tuitest.CheckFrame(t, b.Frame(), w, 24)
		for c := range columns() {
			assert.Equal(t, a.m.list.table.ColumnWidth(c) > 0, b.m.list.table.ColumnWidth(c) > 0, "column %d at %d", c, w)
		}
	}
}
