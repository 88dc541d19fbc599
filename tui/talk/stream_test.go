package talk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/talk"
)

type model struct{ asked int }

func (m *model) Chat(ctx context.Context, _ client.ChatRequest, onDelta func(string)) (client.ChatAnswer, error) {
	m.asked++
	onDelta("a ")
	onDelta("kite")
	return client.ChatAnswer{Text: "a kite"}, ctx.Err()
}

func TestAnAnswerComesToItsEnd(t *testing.T) {
	g := &model{}
	s, ctx := talk.New()
	done := 0
	assert.Nil(t, talk.Run(ctx, g, client.ChatRequest{}, s, func() error { done++; s.SetTag("talk-1"); return nil })())
	assert.Equal(t, 1, done)
	assert.Equal(t, "talk-1", s.Tag())
	msg, ok := talk.Next(s, time.Hour)().(talk.PartMsg)
	require.True(t, ok)
	assert.Same(t, s, msg.From)
	assert.True(t, msg.Part.Over)
	assert.Equal(t, "a kite", msg.Part.Text)
	assert.NoError(t, msg.Part.Err)
	assert.Error(t, ctx.Err(), "nothing of it is left running")
}

func TestNothingIsSentWhereWhatComesFirstFails(t *testing.T) {
	g := &model{}
	s, ctx := talk.New()
	talk.Run(ctx, g, client.ChatRequest{}, s, func() error { return errors.New("disk full\x1b[2J") })()
	assert.Zero(t, g.asked)
	err := s.Look().Err
	assert.True(t, talk.Unsent(err))
	what, advice := talk.Explain(err, false, time.Time{})
	assert.Contains(t, what, "nothing was sent: disk full")
	assert.NotContains(t, what, "\x1b")
	assert.Contains(t, advice, "nothing was asked")
	_, advice = talk.Explain(errors.New("reset"), true, time.Time{})
	assert.Contains(t, advice, "what had come is kept")
}

func TestAPanicEndsTheAnswer(t *testing.T) {
	s, ctx := talk.New()
	assert.Panics(t, func() { talk.Run(ctx, nil, client.ChatRequest{}, s, nil)() })
	assert.True(t, s.Look().Over, "nobody waits for ever")
}
