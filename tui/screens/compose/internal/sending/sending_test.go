package sending

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/jobs"
	dialog "darkroom/tui/dialogs/batch"
)

// engine journals whatever it is told to, or fails.
type engine struct {
	jobs.Doer
	err error
}

func (e engine) Submit(_ context.Context, s []jobs.Submission) ([]string, error) {
	ids := make([]string, len(s))
	for i := range s {
		ids[i] = s[i].Draft.Prompt
	}
	return ids, e.err
}

func kite(image string) Submission {
	return Submission{Copies: 2, Draft: client.Draft{Model: "m", Prompt: "a kite", Values: client.Values{"image": image}}}
}

func TestWhatIsSentIsWhatWasSubmitted(t *testing.T) {
	var s Sender
	assert.False(t, s.Busy())
	assert.Empty(t, s.Pends([]string{"image"}, client.Values{"image": "a.png"}), "nothing was ever submitted")
	s.Begin(kite("a.png"))
	assert.True(t, s.Busy())
	assert.Equal(t, 2, s.Copies())
	assert.True(t, s.Pending(kite("a.png")))
	assert.False(t, s.Pending(kite("b.png")))

	found := client.Values{"image": "file:///a.png"}
	assert.Equal(t, []string{"image"}, s.Pends([]string{"image", "video"}, client.Values{"image": "a.png", "video": "x"}))
	assert.Empty(t, s.Pends([]string{"image"}, found), "another one was typed meanwhile")
	s.Settle([]string{"image"}, found)
	assert.True(t, s.Pending(kite("file:///a.png")), "a file that was found is no change")
	s.Cancel()
	assert.False(t, s.Busy())
}

func TestEachSubmissionHasItsOwnAnswer(t *testing.T) {
	var s Sender
	list := []batch.Job{{Draft: client.Draft{Model: "m", Prompt: "1"}}, {Draft: client.Draft{Model: "n", Prompt: "2"}}}
	old := s.SendBatch(engine{err: errors.New("disk full")}, dialog.Submit{Jobs: list[:1]})().(SentMsg)
	assert.EqualError(t, old.Err, "disk full")
	s.Sent(old)
	assert.False(t, s.Busy())

	master := uint64(7)
	send := s.SendBatch(engine{}, dialog.Submit{Jobs: list, Master: &master})
	s.Sent(old)
	assert.True(t, s.Busy(), "it is older than what is on its way")
	msg := send().(SentMsg)
	assert.Equal(t, "several models", msg.Model)
	assert.Equal(t, []string{"1", "2"}, msg.IDs)
	assert.NotEmpty(t, msg.Group)
	assert.Equal(t, &master, msg.Master)
	s.Sent(msg)
	assert.False(t, s.Busy())
}
