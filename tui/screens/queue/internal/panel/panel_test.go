package panel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/human"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/screens/queue/internal/panel"
	"darkroom/tui/tuitest"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func sections(context.Context) ([]panel.Section, error) {
	return []panel.Section{
		{Title: "In flight", Rows: []panel.Row{{Label: "running", Value: "3"}, {Label: "a code \x1b[2J of a stranger", Value: "7", Level: panel.Bad}}},
		{Title: "Failures", None: "none today"},
	}, nil
}

func TestItIsReadAgainAfterNews(t *testing.T) {
	p := panel.New(sections)
	cmd := p.Ask(now)
	require.NotNil(t, cmd)
	p.News()
	assert.Nil(t, p.Ask(now.Add(time.Minute)), "one read at a time")
	p.Take(cmd().(panel.Took), now)
	assert.Nil(t, p.Ask(now.Add(time.Second)), "not so soon")
	assert.Equal(t, time.Second, p.Wait(now.Add(time.Second)))
	cmd = p.Ask(now.Add(2 * time.Second))
	require.NotNil(t, cmd)
	p.Take(cmd().(panel.Took), now)
	assert.False(t, p.Stale())
	assert.Nil(t, p.Ask(now.Add(time.Hour)), "without news nothing is read")
	p.Again()
	assert.NotNil(t, p.Ask(now.Add(time.Hour)))
}

func TestItSaysWhatItHas(t *testing.T) {
	st := tuitest.Styles(t)
	k := inks.New(st)
	p := panel.New(sections)
	assert.Contains(t, p.View(st, &k, human.Times{Now: now}, 40, 12), "reading …")
	p.Take(p.Ask(now)().(panel.Took), now)
	view := tuitest.Plain(p.View(st, &k, human.Times{Now: now}, 40, 12))
	assert.Contains(t, view, "as of 12:00:00 +0000")
	assert.Contains(t, p.View(st, &k, human.Times{Style: human.UTC, Now: now}, 40, 12), "as of 12:00:00Z")
	assert.Contains(t, view, "none today")
	assert.NotContains(t, view, "\x1b")
	for w := 4; w < 70; w += 3 {
		for h := 3; h < 16; h += 4 {
			tuitest.CheckFrame(t, p.View(st, &k, human.Times{Now: now}, w, h), w, h)
		}
	}
	failing := panel.New(func(context.Context) ([]panel.Section, error) { return nil, errors.New("the history is away") })
	failing.Take(failing.Ask(now)().(panel.Took), now)
	assert.Contains(t, failing.View(st, &k, human.Times{Now: now}, 40, 12), "the history is away")
}
