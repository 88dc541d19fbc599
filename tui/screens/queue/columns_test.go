package queue

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// widths are the widths of the columns by their ids.
func (b *bench) widths() map[columnID]int {
	out := map[columnID]int{}
	for i, c := range b.m.list.table.columns {
		out[c.id] = b.m.list.table.ColumnWidth(i)
	}
	return out
}

func TestThePromptGetsWhatOthersDoNotNeed(t *testing.T) {
	short, long := job(1, jobs.Queued), job(2, jobs.Unknown)
	long.RawStatus = "waiting-for-a-worker-of-the-other-kind"
	long.Draft.Model = "famA-video-with-a-name-that-has-no-end"
	b := open(t, 200, 34, short)
	_ = b.Frame()
	before := b.widths()
	assert.Equal(t, len("famA-video"), before[modelColumn])

	b.f.change(long)
	b.Key("f5")
	tuitest.CheckFrame(t, b.Frame(), 200, 34)
	after := b.widths()
	assert.Equal(t, 24, after[modelColumn])
	assert.Equal(t, before[promptColumn]-(24-len("famA-video")), after[promptColumn], "the prompt gives what they need")
}

// TestNothingJumpsWhenAJobStarts: what is told of a job that runs has its room before.
func TestNothingJumpsWhenAJobStarts(t *testing.T) {
	for _, s := range sizes {
		b, now := clocked(t, s[0], s[1], since(2, jobs.Queued, 5*time.Second), job(1, jobs.Completed))
		_ = b.Frame()
		before := b.widths()
		for _, j := range []jobs.Job{since(2, jobs.Running, 70*time.Second), since(2, jobs.Running, time.Hour), job(2, jobs.Failed), job(2, jobs.Completed)} {
			b.f.change(j)
			*now = now.Add(time.Millisecond)
			b.Send(screen.JobsMsg{})
			tuitest.CheckFrame(t, b.Frame(), s[0], s[1])
			assert.Equal(t, before, b.widths(), "%s at %v", j.State, s)
		}
	}
}

// TestOnlyWhatIsNotDoneHasAWord, and a failure says why.
func TestOnlyWhatIsNotDoneHasAWord(t *testing.T) {
	limited := job(3, jobs.Failed)
	limited.Error = &client.TaskError{Code: "429", Message: "slow down"}
	b := open(t, 80, 24, limited, job(2, jobs.Running), job(1, jobs.Completed))
	v := b.View()
	assert.Contains(t, line(v, "✗"), "rate limit")
	assert.Contains(t, line(v, "▶"), "━━━·····  42 %")
	assert.NotContains(t, v, "completed")
	assert.Contains(t, line(v, "✓"), "video    11.9 s")
}

// TestSiblingsSayWhatDiffers: variations of one prompt would look the same.
func TestSiblingsSayWhatDiffers(t *testing.T) {
	var js []jobs.Job
	for n := range 4 {
		j := job(n+1, jobs.Completed)
		j.Draft.Prompt = "a paper boat on a lake"
		j.Draft.Values["seed"] = json.Number(fmt.Sprint(2042 + n))
		js = append(js, j)
	}
	js[3].Draft.Values["aspect_ratio"] = "9:16"
	js[0].Tags = []string{jobs.Star}
	for _, s := range sizes {
		open(t, s[0], s[1], js...).Golden(fmt.Sprintf("siblings-%dx%d", s[0], s[1]))
	}
	b := open(t, 200, 60, js...)
	assert.Contains(t, b.View(), "a paper boat on a lake · seed 2045 · 9:16")
	assert.Contains(t, b.View(), "✓ ★ a paper boat on a lake · seed 2042 · 16:9")
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
