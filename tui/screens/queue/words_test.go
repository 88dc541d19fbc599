package queue

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// talk is a job of a chat model, which made words and no media.
func talk(n int) jobs.Job {
	j := job(n, jobs.Completed)
	j.Draft = client.Draft{Modality: client.Chat, Model: "any-model", Prompt: "what is a salt flat? 塩の平原"}
	j.Format, j.QueryFormat, j.TaskID, j.Assets = "chat", "chat", "", nil
	return j
}

func TestAnswerInWordsShows(t *testing.T) {
	f := newFake(talk(1), job(2, jobs.Completed))
	f.event[jobID(1)] = jobs.Detail{Text: "A salt flat is 塩の平原.\n\x1b[2J\u202e" + strings.Repeat("It is dry and it is flat. ", 200) + "THEEND\n"}
	b := openWith(t, f, 120, 34)
	assert.Empty(t, f.details, "a job with media needs no look at its answer")
	b.Key("down")
	assert.Equal(t, []string{jobID(1)}, f.details)
	view := b.View()
	assert.Contains(t, view, "A salt flat is 塩の平原.")
	assert.NotContains(t, view, "\x1b[2J")
	b.Key("tab", "end")
	all := strings.Join(b.m.detail.facts(b.m.list.job()).lines(50), "\n")
	assert.Contains(t, all, "THEEND", "however long it is")
	for _, s := range sizes {
		c := openWith(t, f, s[0], s[1])
		c.Key("down", "enter")
		tuitest.CheckFrame(t, c.Frame(), s[0], s[1])
		c.Golden(fmt.Sprintf("words-%dx%d", s[0], s[1]))
	}
}

func TestAnswerInWordsThatCannotBeRead(t *testing.T) {
	f := newFake(talk(1))
	f.detailErr = errors.New("disk I/O error\x1b[31m")
	b := openWith(t, f, 120, 34)
	assert.Contains(t, b.View(), "disk I/O error")
	failed := talk(3)
	failed.State = jobs.Failed
	assert.False(t, failed.Wordy(), "a failure has no answer to read")
}

// TestWordsThatCouldNotBeRead are asked for once while their cell is in sight, and again when
// it is looked at again: they were not found to say nothing.
func TestWordsThatCouldNotBeRead(t *testing.T) {
	js := []jobs.Job{talk(100)}
	for n := 1; n < 100; n++ {
		js = append(js, job(n, jobs.Completed))
	}
	f := newFake(js...)
	f.event[jobID(100)] = jobs.Detail{Text: "A salt flat is 塩の平原."}
	f.detailErr = errors.New("the history did not answer\x1b[31m")
	asked := func() (n int) {
		n = len(f.details)
		f.took()
		return n
	}
	b := openWith(t, f, 80, 24)
	asked()
	b.Key("v", "right", "left")
	assert.Equal(t, 1, asked(), "no second time while it shows")
	assert.Contains(t, b.View(), "✗ the history did")
	assert.NotContains(t, b.View(), "\x1b[31m")
	b.Key("end", "home")
	assert.Equal(t, 1, asked(), "it was out of sight")
	b.Send(screen.HiddenMsg{}, screen.ShownMsg{})
	assert.Equal(t, 1, asked(), "the screen was")
	b.Key("f5")
	assert.Equal(t, 1, asked(), "the history is read again")
	f.detailErr = nil
	b.Key("v", "v")
	assert.Contains(t, b.View(), "A salt flat is")
	b.Key("end", "home", "v", "v")
	assert.Equal(t, 1, asked(), "what was read is kept")
}
