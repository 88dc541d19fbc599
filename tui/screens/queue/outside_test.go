package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/screen"
)

// deck is a player that does what the test says.
type deck struct {
	mu     sync.Mutex
	done   []string
	err    error
	states chan player.State
	waits  atomic.Int32
}

func (d *deck) act(what string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, what)
	return d.err
}

func (d *deck) Play(t player.Target) error  { return d.act("play " + t.Path + t.URL) }
func (d *deck) Pause() error                { return d.act("pause") }
func (d *deck) Seek(by time.Duration) error { return d.act(fmt.Sprint("seek ", by)) }
func (d *deck) Stop()                       { _ = d.act("stop") }
func (d *deck) State() player.State         { return player.State{} }
func (d *deck) Wait(ctx context.Context, _ uint64) player.State {
	d.waits.Add(1)
	defer d.waits.Add(-1)
	select {
	case s := <-d.states:
		return s
	case <-ctx.Done():
		return player.State{}
	}
}

// tells has the player tell a state, and waits until it shows.
func (b *bench) tells(d *deck, s player.State) {
	d.states <- s
	b.Settle(time.Minute, "the player's state", func() bool { return b.m.outside.State() == s })
}

func TestThePlayerIsToldAndShowsWhereItIs(t *testing.T) {
	d := &deck{states: make(chan player.State)}
	song := job(1, jobs.Completed)
	song.Draft.Modality = client.Music
	song.Files = []jobs.File{{Kind: client.AssetCover, State: jobs.FileSaved, Path: "/music/rain.png"}, {Kind: client.AssetAudio, State: jobs.FileSaved, Path: "/music/rain.wav"}}
	f := newFake(song, saved(job(2, jobs.Completed)))
	o := deps(t, f)
	o.Player = d
	b := openDeps(t, o, f, 120, 34)
	b.Limit = 20 * time.Millisecond // the next state takes its time
	b.Send(screen.ShowJob{JobID: jobID(1)})
	b.Key("}")
	assert.Equal(t, "nothing plays in the player", b.toast(t).Text)
	b.Key("P")
	b.Settle(time.Minute, "played", func() bool { return d.waits.Load() > 0 })
	assert.Equal(t, []string{"play /music/rain.wav"}, d.done)
	plays := player.State{Seq: 2, Target: player.Target{Job: jobID(1)}, Program: "mpv", Running: true, Told: true, Pos: 65 * time.Second, Length: 200 * time.Second}
	b.tells(d, plays)
	b.Resize(200, 60)
	assert.Contains(t, line(b.View(), "Player"), "▶ 1:05 of 3:20 · mpv · P pauses, { } 5 s, S ends it")
	b.Resize(120, 34)
	b.Key("P", "}", "{")
	plays.Seq, plays.Paused = 3, true
	b.tells(d, plays)
	assert.Contains(t, line(b.View(), "Player"), "‖ 1:05")
	assert.Equal(t, []string{"pause", "seek 5s", "seek -5s"}, d.done[1:])

	b.Send(screen.ShowJob{JobID: jobID(2)})
	assert.Contains(t, b.View(), "job "+shortID(jobID(1)), "it goes on playing the other one")
	b.Key("P", "S")
	assert.Equal(t, []string{"play /pictures/kite.mp4", "stop"}, d.done[4:])
	b.tells(d, player.State{Seq: 5, Program: "mpv", Err: errors.New("mpv: exit status 2: no\x1b[2J video")})
	assert.Equal(t, "mpv: exit status 2: no␛[2J video", b.toast(t).Text)
	assert.NotContains(t, b.View(), "Player")
	assert.Zero(t, d.waits.Load(), "nobody waits when nothing plays")
}

func TestWhatIsNotPlayedSaysWhy(t *testing.T) {
	image := job(1, jobs.Completed)
	image.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: "/p.png"}}
	image.Assets = nil
	far := job(2, jobs.Completed) // its file is not here
	f := newFake(image, far)
	o := deps(t, f)
	b := openDeps(t, o, f, 120, 34)
	b.Key("P")
	assert.Equal(t, "there is no player here", b.toast(t).Text)
	d := &deck{states: make(chan player.State), err: errors.New("install one of mpv, ffplay")}
	b.m.outside.Player = d
	b.Key("P")
	assert.Equal(t, []string{"play https://cdn.example/v.mp4"}, d.done)
	assert.Equal(t, screen.ToastMsg{Level: screen.Bad, Text: "install one of mpv, ffplay"}, b.toast(t))
	d.err = nil
	b.Limit = 20 * time.Millisecond
	b.Key("P")
	b.Settle(time.Minute, "said", func() bool { return d.waits.Load() > 0 })
	assert.Contains(t, b.toast(t).Text, "plays from its address, since the file is not on the disk; d saves it")
	b.tells(d, player.State{Seq: 2, Program: "ffplay", Running: true, Target: player.Target{Job: jobID(2)}})
	b.Key("P")
	assert.Equal(t, "ffplay cannot be paused from here, only ended: S", b.toast(t).Text)
	b.Key("{")
	assert.Contains(t, b.toast(t).Text, "can only be ended")
	b.Send(screen.ShowJob{JobID: jobID(1)})
	b.Key("P")
	assert.Equal(t, "there is no video and no sound of this job to play", b.toast(t).Text)
	require.Len(t, d.done, 2)
	b.tells(d, player.State{Seq: 3, Program: "ffplay"})
}
