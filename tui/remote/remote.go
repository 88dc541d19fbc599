// Package remote controls the player outside the console, and says what it plays, for the screens
// that can play a job's result.
package remote

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

// The verbs of the actions, which follow the screen's own name in their IDs.
const (
	Toggle  = "player"
	Forward = "player-forward"
	Back    = "player-back"
	Stop    = "player-stop"
)

// seekBy is how far a key seeks.
const seekBy = 5 * time.Second

// Player plays files in a program of its own; see player.Player.
type Player interface {
	Play(t player.Target) error
	Pause() error
	Seek(by time.Duration) error
	Stop()
	State() player.State
	Wait(ctx context.Context, seq uint64) player.State
}

// Remote is one screen's control of the player, which all screens share. Commands talk to the
// player; the screen passes their answers to [Remote.Handle]. It is used by bubbletea's loop only.
// The zero Remote has no player.
type Remote struct {
	Player Player // nil for none
	Keys   keys.Map
	Scope  string // of the screen's actions: with "queue" they are queue.player and so on

	state    player.State
	watching bool // the next state is waited for
}

// stateMsg is the player's state.
type stateMsg struct {
	state  player.State
	looked bool // the state was asked for, not waited for
}

// toldMsg is the outcome of a command to the player.
type toldMsg struct {
	played bool   // it was to play something
	what   string // to be told of it, "" for nothing
	err    error
}

// State is the player's last known state.
func (r *Remote) State() player.State { return r.state }

// Do carries out an action by its verb, which must not be off; nil for other verbs.
func (r *Remote) Do(verb string, j *jobs.Job) tea.Cmd {
	p := r.Player
	switch verb {
	case Toggle:
		if r.plays(j) {
			return tell(p.Pause)
		}
		return r.play(j)
	case Forward:
		return tell(func() error { return p.Seek(seekBy) })
	case Back:
		return tell(func() error { return p.Seek(-seekBy) })
	case Stop:
		return tell(func() error { p.Stop(); return nil })
	}
	return nil
}

func tell(do func() error) tea.Cmd {
	return func() tea.Msg { return toldMsg{err: do()} }
}

func (r *Remote) play(j *jobs.Job) tea.Cmd {
	t, _ := player.Of(j)
	p, what := r.Player, ""
	if t.Path == "" {
		what = "it plays from its address, since the file is not on the disk"
		if k := r.key("download"); k != "" {
			what += "; " + k + " saves it"
		}
	}
	return func() tea.Msg { return toldMsg{played: true, what: what, err: p.Play(t)} }
}

// plays reports whether the player has a job's result.
func (r *Remote) plays(j *jobs.Job) bool {
	return j != nil && r.state.Running && r.state.Target.Job == j.ID
}

// Off says why the player cannot do an action with a job, "" when it can. j may be nil.
func (r *Remote) Off(verb string, j *jobs.Job) string {
	s := r.state
	switch {
	case r.Player == nil:
		return "there is no player here"
	case verb == Toggle && r.plays(j) && !s.Told:
		return s.Program + " cannot be paused from here, only ended: " + r.key(Stop)
	case verb == Toggle:
		if j == nil {
			return "there is no job to play"
		}
		if t, ok := player.Of(j); !ok || t.Still {
			return "there is no video and no sound of this job to play"
		}
	case !s.Running:
		return "nothing plays in the player"
	case verb != Stop && !s.Told:
		return s.Program + " can only be ended, not paused or wound; mpv can"
	}
	return ""
}

// Look asks for the player's state: another screen may have changed it.
func (r *Remote) Look() tea.Cmd {
	p := r.Player
	if p == nil || r.watching {
		return nil
	}
	return func() tea.Msg { return stateMsg{p.State(), true} }
}

// Handle takes a message, and reports whether it was for the Remote.
func (r *Remote) Handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case stateMsg:
		return r.handleState(msg), true
	case toldMsg:
		return r.handleTold(msg), true
	}
	return nil, false
}

func (r *Remote) handleState(msg stateMsg) tea.Cmd {
	if msg.looked && r.watching {
		return nil // who waits is told something newer
	}
	was := r.state
	r.state, r.watching = msg.state, false
	watch := r.watch()
	if err := r.state.Err; !msg.looked && err != nil && (was.Running || was.Err == nil) {
		return tea.Batch(watch, screen.Toast(screen.Bad, client.CleanLine(err.Error())))
	}
	return watch
}

func (r *Remote) handleTold(msg toldMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
	case !msg.played:
		return nil
	}
	var cmds []tea.Cmd
	if !r.watching { // see what it is now
		cmds = append(cmds, r.await())
	}
	if msg.what != "" {
		cmds = append(cmds, screen.Toast(screen.Info, msg.what))
	}
	return tea.Batch(cmds...)
}

// watch waits for the next state while something plays, and not otherwise.
func (r *Remote) watch() tea.Cmd {
	if r.watching || !r.state.Running {
		return nil
	}
	return r.await()
}

func (r *Remote) await() tea.Cmd {
	r.watching = true
	p, seq := r.Player, r.state.Seq
	return func() tea.Msg { return stateMsg{state: p.Wait(context.Background(), seq)} }
}

func (r *Remote) key(verb string) string { return r.Keys.Keys(r.Scope + "." + verb) }
