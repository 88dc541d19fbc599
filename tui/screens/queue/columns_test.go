package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/tuitest"
)

func TestThePromptGetsWhatOthersDoNotNeed(t *testing.T) {
	short, long := job(1, jobs.Queued), job(2, jobs.Unknown)
	long.RawStatus = "waiting-for-a-worker-of-the-other-kind"
	long.Draft.Model = "famA-video-with-a-name-that-has-no-end"
	b := open(t, 200, 34, short)
	_ = b.Frame()
	assert.Equal(t, leastState, b.m.table.ColumnWidth(colState))
	assert.Equal(t, len("famA-video"), b.m.table.ColumnWidth(colModel))
	wide := b.m.table.ColumnWidth(colPrompt)

	b.f.change(long)
	b.Key("f5")
	tuitest.CheckFrame(t, b.Frame(), 200, 34)
	assert.Equal(t, mostState, b.m.table.ColumnWidth(colState))
	assert.Equal(t, mostModel, b.m.table.ColumnWidth(colModel))
	assert.Equal(t, wide-(mostState-leastState)-(mostModel-len("famA-video")), b.m.table.ColumnWidth(colPrompt),
		"the prompt gives what they need")
}

// What the rows hold changes widths, but no column comes or goes by it.
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
			assert.Equal(t, a.m.table.ColumnWidth(c) > 0, b.m.table.ColumnWidth(c) > 0, "column %d at %d", c, w)
		}
	}
}
