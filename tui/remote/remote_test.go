package remote

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// deck is a player whose state the test sets.
type deck struct{ state player.State }

func (d *deck) Play(player.Target) error                  { return nil }
func (d *deck) Pause() error                              { return nil }
func (d *deck) Seek(time.Duration) error                  { return nil }
func (d *deck) Stop()                                     {}
func (d *deck) State() player.State                       { return d.state }
func (d *deck) Wait(context.Context, uint64) player.State { return d.state }
func (r *Remote) take(t *testing.T, cmd tea.Cmd) (then tea.Cmd) {
	require.NotNil(t, cmd)
	then, mine := r.Handle(cmd())
	require.True(t, mine)
	return then
}

func bound() keys.Map { return keys.New([]keys.Action{{ID: "queue." + Stop, Keys: []string{"S"}}}) }

// TestWhatAnotherScreenHasPlayed is known once this one looks, and followed from then on.
func TestWhatAnotherScreenHasPlayed(t *testing.T) {
	d := &deck{}
	r := Remote{Player: d, Keys: bound(), Scope: "queue"}
	mine, other := &jobs.Job{ID: "0000-00000001"}, &jobs.Job{ID: "0000-00000002"}
	assert.Nil(t, r.take(t, r.Look()), "nothing plays: nothing waits")
	d.state = player.State{Seq: 3, Program: "ffplay", Running: true, Target: player.Target{Job: other.ID}}
	await := r.take(t, r.Look())
	require.NotNil(t, await, "the next state is waited for")
	assert.Nil(t, r.Look(), "by one only")
	assert.Equal(t, "▶ ffplay · job 00000002, S ends it", r.Text(mine))
	assert.Equal(t, "▶ ffplay, S ends it", r.Text(other))
	assert.Equal(t, "pause player", r.Word(other))
	assert.Equal(t, "player", r.Word(mine))

	late, _ := r.Handle(stateMsg{player.State{Seq: 1}, true})
	assert.Nil(t, late)
	assert.True(t, r.State().Running, "a look that came late says nothing new")
	d.state = player.State{Seq: 4, Program: "ffplay", Err: errors.New("exit status 1")}
	failed := r.take(t, await)
	require.NotNil(t, failed)
	assert.Equal(t, screen.ToastMsg{Level: screen.Bad, Text: "exit status 1"}, failed())
	assert.Nil(t, r.take(t, r.Look()), "it was told already")
	assert.Empty(t, r.Text(other))
}

// TestWithoutAJobNothingIsOffered: the palette asks each screen, whatever it shows.
func TestWithoutAJobNothingIsOffered(t *testing.T) {
	r := Remote{Player: &deck{}, Keys: bound(), Scope: "queue"}
	for _, verb := range []string{Toggle, Stop} {
		assert.NotEmpty(t, r.Off(verb, nil))
	}
}
