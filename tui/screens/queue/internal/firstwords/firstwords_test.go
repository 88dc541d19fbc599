package firstwords_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/firstwords"
)

// history answers for details alone.
type history struct {
	jobs.Reader
	err   error
	asked []string
}

func (h *history) Detail(_ context.Context, id string) (jobs.Detail, error) {
	h.asked = append(h.asked, id)
	return jobs.Detail{Text: "words of \x1b[2J" + id}, h.err
}

func talk(id string) *jobs.Job {
	return &jobs.Job{ID: id, State: jobs.Completed, Format: "chat", Draft: client.Draft{Modality: client.Chat}}
}

func TestWordsAreReadOnce(t *testing.T) {
	h, w := &history{}, firstwords.New()
	sight := []*jobs.Job{talk("a"), {ID: "b", State: jobs.Running}}
	cmd := w.Ask(h, sight)
	assert.Nil(t, w.Ask(h, sight), "one question at a time")
	assert.True(t, w.Asking())
	w.Take(cmd().(firstwords.Answer))
	assert.False(t, w.Asking())
	assert.Equal(t, []string{"a"}, h.asked, "a video has no words")
	words, failed := w.Of("a")
	assert.Contains(t, words, "words of")
	assert.NotContains(t, words, "\x1b")
	assert.Empty(t, failed)
	assert.Nil(t, w.Ask(h, sight))
}

// TestAFailureIsAskedForAgain once it was out of sight, or when somebody says so.
func TestAFailureIsAskedForAgain(t *testing.T) {
	h, w := &history{err: errors.New("disk I/O error\x1b[31m")}, firstwords.New()
	sight := []*jobs.Job{talk("a")}
	w.Take(w.Ask(h, sight)().(firstwords.Answer))
	words, failed := w.Of("a")
	assert.Empty(t, words)
	assert.Contains(t, failed, "disk I/O error")
	assert.NotContains(t, failed, "\x1b")
	assert.Nil(t, w.Ask(h, sight), "it is still in sight")
	assert.Nil(t, w.Ask(h, nil))
	assert.NotNil(t, w.Ask(h, sight))
	w.Take(firstwords.Answer{})
	w.Take(w.Ask(h, sight)().(firstwords.Answer))
	w.Again()
	assert.NotNil(t, w.Ask(h, sight))
}
