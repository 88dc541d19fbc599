package inspect

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// deck is a player that plays at once, and changes only when it is told to.
type deck struct {
	mu      sync.Mutex
	changed *sync.Cond
	done    []string
	state   player.State
}

func newDeck() *deck {
	d := &deck{}
	d.changed = sync.NewCond(&d.mu)
	return d
}

func (d *deck) act(what string, by func(*player.State)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, what)
	by(&d.state)
	d.state.Seq++
	d.changed.Broadcast()
	return nil
}

func (d *deck) Play(t player.Target) error {
	return d.act("play "+t.Path, func(s *player.State) {
		*s = player.State{Seq: s.Seq, Program: "mpv", Running: true, Told: true, Target: t, Length: 20 * time.Second}
	})
}
func (d *deck) Pause() error { return d.act("pause", func(s *player.State) { s.Paused = !s.Paused }) }
func (d *deck) Seek(by time.Duration) error {
	return d.act("seek", func(s *player.State) { s.Pos += by })
}
func (d *deck) Stop() { _ = d.act("stop", func(s *player.State) { s.Running = false }) }
func (d *deck) State() player.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}
func (d *deck) Wait(_ context.Context, seq uint64) player.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.state.Seq <= seq {
		d.changed.Wait()
	}
	return d.state
}

// TestAResultIsPlayed in the player that Queue has too, and with the same keys.
func TestAResultIsPlayed(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.ActionMsg{ID: "inspect.player"})
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, noJob, toast.Text)
	j := aJob()
	j.Files = []jobs.File{{Kind: client.AssetAudio, State: jobs.FileSaved, Path: "/music/rain.wav"}}
	b.h.jobs = []jobs.Job{j}
	b.ask("vid_1")
	b.Key("P")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, "there is no player here", toast.Text)
	d := newDeck()
	b.m.outside.Player = d
	b.Key("}")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, "nothing plays in the player", toast.Text)
	b.Key("P")
	b.Key("}", "P")
	b.Settle(time.Minute, "it pauses", func() bool { return b.m.outside.State().Paused })
	assert.Equal(t, []string{"play /music/rain.wav", "seek", "pause"}, d.done)
	assert.Contains(t, b.View(), "Player    ‖ 0:05 of 0:20 · mpv · P", "where it is seen at once")
	b.Key("S")
	b.Settle(time.Minute, "it ends", func() bool { return !b.m.outside.State().Running })
	assert.NotContains(t, b.View(), "mpv")

	require.NoError(t, d.Play(player.Target{Path: "/other.wav", Job: "0000-11112222"}))
	b.Send(screen.ShownMsg{})
	assert.Contains(t, b.View(), "▶ 0:00 of 0:20 · mpv · job 11112222", "Queue has it play something else")
	d.Stop()
	b.Settle(time.Minute, "it ends", func() bool { return !b.m.outside.State().Running })
}
