package runs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/tui/dialogs/runs"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// bench has a list, and notes what it is to do.
type bench struct {
	heads []run.Head
	err   error
	done  []string
}

func (b *bench) List(context.Context) ([]run.Head, error) { return b.heads, b.err }

func (b *bench) act(what, id string) error {
	b.done = append(b.done, what+" "+id)
	return b.err
}

func (b *bench) Resume(_ context.Context, id string) error { return b.act("resume", id) }
func (b *bench) Stop(_ context.Context, id string) error   { return b.act("stop", id) }
func (b *bench) Remove(_ context.Context, id string) error { return b.act("remove", id) }

func heads() []run.Head {
	tally := compare.Tally{Planned: 12, Sent: 9, Done: 6, Failed: 2, Open: 1}
	return []run.Head{
		{ID: "live", Name: "being sent", CreatedAt: now.Add(-time.Minute), Status: compare.Open, Tally: tally, Live: true},
		{ID: "open", Name: "left open", CreatedAt: now.Add(-time.Hour), Status: compare.Open, Tally: tally},
		{ID: "done", Name: "塩の平原 \x1b[2Jover", CreatedAt: now.Add(-30 * time.Hour), Status: compare.Ended, Tally: compare.Tally{Planned: 4, Sent: 4, Done: 4}},
		{ID: "0123456789abcdef", Error: "the first line is\u202e no run"},
	}
}

func open(t testing.TB, b *bench, readOnly string, w, h int) *tuitest.Host {
	t.Helper()
	k := keys.New(screen.Rows(runs.Commands()))
	return tuitest.NewDialog(t, k, runs.New(runs.Options{Bench: b, Keys: k, ReadOnly: readOnly, Now: func() time.Time { return now }, At: "open"}), w, h)
}

func toast(t *testing.T, h *tuitest.Host) string {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](h.Driver)
	require.True(t, ok)
	return msg.Text
}

func TestGoldens(t *testing.T) {
	for _, size := range [][2]int{{120, 34}, {80, 24}, {40, 12}} {
		for name, b := range map[string]*bench{"list": {heads: heads()}, "empty": {}, "broken": {err: errors.New("disk\x1b[2J gone")}} {
			h := open(t, b, "", size[0], size[1])
			tuitest.CheckWithin(t, h.Frame(), size[0], size[1])
			tuitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), h.Frame())
		}
	}
}

func TestTheListBeginsOnTheRunThatShows(t *testing.T) {
	b := &bench{heads: heads()}
	h := open(t, b, "", 100, 24)
	h.Key("enter")
	assert.Equal(t, []any{runs.Opened{ID: "open"}}, h.Answers)
}

func TestWhatCannotBeDoneSaysWhy(t *testing.T) {
	b := &bench{heads: heads()}
	h := open(t, b, "", 100, 24)
	h.Key("g", "r")
	assert.Equal(t, "it is being sent", toast(t, h))
	h.Key("x")
	assert.Equal(t, "it is being sent; stop it first", toast(t, h))
	h.Key("j", "j", "s")
	assert.Equal(t, "it is over", toast(t, h))
	h.Key("r")
	assert.Equal(t, "nothing is missing, and nothing failed", toast(t, h))
	h.Key("j", "enter")
	assert.Equal(t, "it cannot be read: the first line is<U+202E> no run", toast(t, h))
	assert.Empty(t, b.done)
	assert.Empty(t, h.Answers)

	h = open(t, b, "this gateway is only to be read", 100, 24)
	h.Key("r")
	assert.Equal(t, "this gateway is only to be read", toast(t, h))
	h.Key("g", "s")
	assert.Equal(t, []string{"stop live"}, b.done, "stopping sends nothing")
}

func TestNothingIsRemovedOrSentUnasked(t *testing.T) {
	b := &bench{heads: heads()}
	h := open(t, b, "", 100, 24)
	h.Key("x", "enter")
	assert.Empty(t, b.done, "the first answer keeps it")
	h.Key("x", "y")
	assert.Equal(t, []string{"remove open"}, b.done)
	assert.Equal(t, []any{runs.Removed{ID: "open"}}, h.Answers)
	h.Key("r")
	assert.Contains(t, h.View(), "3 missing and 2 failed")
	h.Key("y")
	assert.Equal(t, "resume open", b.done[1])
	b.err = errors.New("another run is being sent")
	h.Key("x", "y")
	assert.Equal(t, "another run is being sent", toast(t, h))
	assert.Len(t, h.Answers, 1, "it is still there")
}

func TestAnySize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	h := open(t, &bench{heads: heads()}, "", 80, 24)
	for range 200 {
		w, height := 1+r.IntN(130), 1+r.IntN(40)
		h.Resize(w, height)
		tuitest.CheckWithin(t, h.Frame(), w, height)
	}
}
