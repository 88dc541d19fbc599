package differs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client/drift"
	"darkroom/client/human"
	"darkroom/tui/dialogs/differs"
	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type source struct {
	rows []drift.Finding
	err  error
}

func (s source) Drift(_ context.Context, far func(string)) (c drift.Counter, err error) {
	far("2 of 4 jobs looked through, 3 answers")
	for range 3 {
		c.Add(s.rows, now, "task_9")
	}
	return c, s.err
}

func open(t *testing.T, s source, w, h int) *tuitest.Driver {
	t.Helper()
	return tuitest.NewDialog(t, keys.Map{}, differs.New(s, human.Times{Style: human.UTC, Now: now}), w, h).Driver
}

func TestWhatDiffersIsListed(t *testing.T) {
	s := source{rows: []drift.Finding{
		{Format: "ent", Of: drift.Query, What: drift.Term, Path: "state", Got: "napping"},
		{Format: "videos", Of: drift.Query, What: drift.Type, Path: "progress", Got: "string", Want: []string{"integer"}},
		{Format: "videos", Of: drift.Query, What: drift.Field, Path: "size", Got: "string", Elsewhere: true},
		{Format: "videos", Of: drift.Query, What: drift.Field, Path: "cover_url", Got: "string", Own: true},
	}}
	view := open(t, s, 100, 34).View()
	for _, want := range []string{"What differs from the interface", "3 answers looked through", "ent query", `state is "napping", a term that is not listed`,
		"progress is text here, not a whole number", "3 times, last 2026-03-01 12:00:00Z, at task_9", "No reason for alarm", "size (text) is not listed (seen at other gateways)", "the embedded gateway's own"} {
		assert.Contains(t, view, want)
	}
	small := open(t, s, 40, 9)
	assert.NotContains(t, small.View(), "cover_url")
	small.Key("G")
	assert.Contains(t, small.View(), "task_9", "it scrolls")
}

func TestNothingDiffers(t *testing.T) {
	assert.Contains(t, open(t, source{}, 100, 30).View(), "Nothing in them that the interface does not name.")
	assert.Contains(t, open(t, source{err: errors.New("the file is broken")}, 100, 30).View(), "It could not be counted: the file is broken")
}
