package queue

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/player"
	"darkroom/tui/screen"
)

// seekBy is how far a key goes in what plays.
const seekBy = 5 * time.Second

// Player plays files in a program of its own; see player.Player.
type Player interface {
	Play(t player.Target) error
	Pause() error
	Seek(by time.Duration) error
	Stop()
	Wait(ctx context.Context, seq uint64) player.State
}

// outside is what plays in the player.
type outside struct {
	state    player.State
	job      string // of which it plays something
	watching bool   // the next state is waited for
}

// outsideMsg is the player's state.
type outsideMsg struct{ state player.State }

// playedMsg is the outcome of having something played.
type playedMsg struct {
	job  string
	what string // to be said, "" for nothing
	err  error
}

// doOutside does the actions of the player; false for others.
func (m *Model) doOutside(id string) (tea.Cmd, bool) {
	p, j := m.deps.Player, m.job()
	tell := func(do func() error) tea.Cmd {
		return func() tea.Msg { return playedMsg{err: do()} }
	}
	switch id {
	case "queue.player":
		if s := m.outside.state; s.Running && j != nil && m.outside.job == j.ID {
			return tell(p.Pause), true
		}
		return m.playOutside(j), true
	case "queue.player-forward":
		return tell(func() error { return p.Seek(seekBy) }), true
	case "queue.player-back":
		return tell(func() error { return p.Seek(-seekBy) }), true
	case "queue.player-stop":
		return tell(func() error { p.Stop(); return nil }), true
	}
	return nil, false
}

func (m *Model) playOutside(j *jobs.Job) tea.Cmd {
	t, _ := player.Of(j)
	p, id, what := m.deps.Player, j.ID, ""
	if t.Path == "" {
		what = "it plays from its address, since the file is not on the disk; " + m.deps.Keys.Keys("queue.download") + " saves it"
	}
	return func() tea.Msg { return playedMsg{job: id, what: what, err: p.Play(t)} }
}

// outsideOff says why the player can not do an action, "" when it can.
func (m *Model) outsideOff(id string, j *jobs.Job) string {
	if m.deps.Player == nil {
		return "there is no player here"
	}
	s := m.outside.state
	if id != "queue.player" {
		switch {
		case !s.Running:
			return "nothing plays in the player"
		case id != "queue.player-stop" && !s.Told:
			return s.Program + " can not be told anything, only ended; mpv can"
		}
		return ""
	}
	if s.Running && m.outside.job == j.ID && !s.Told {
		return s.Program + " can not be paused from here, only ended: " + m.deps.Keys.Keys("queue.player-stop")
	}
	if t, ok := player.Of(j); !ok || t.Still {
		return "there is no video and no sound of this job to play"
	}
	return ""
}

// outsideCame takes over what the player tells.
func (m *Model) outsideCame(msg outsideMsg) tea.Cmd {
	o := &m.outside
	was := o.state
	o.state, o.watching = msg.state, false
	m.detail.dirty = true
	if o.state.Err != nil && (was.Running || was.Err == nil) {
		return tea.Batch(m.watchOutside(), screen.Toast(screen.Bad, client.CleanLine(o.state.Err.Error())))
	}
	return m.watchOutside()
}

// played takes over the outcome of having something played.
func (m *Model) played(msg playedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
	case msg.job == "":
		return nil
	}
	m.outside.job = msg.job
	cmds := []tea.Cmd{m.watchOutside()}
	if !m.outside.watching { // it was not running: see what it is now
		seq := m.outside.state.Seq
		cmds = append(cmds, m.awaitOutside(seq))
	}
	if msg.what != "" {
		cmds = append(cmds, screen.Toast(screen.Info, msg.what))
	}
	return tea.Batch(cmds...)
}

// watchOutside waits for the next state while something plays. Nothing waits otherwise.
func (m *Model) watchOutside() tea.Cmd {
	if o := &m.outside; o.watching || !o.state.Running {
		return nil
	}
	return m.awaitOutside(m.outside.state.Seq)
}

func (m *Model) awaitOutside(seq uint64) tea.Cmd {
	m.outside.watching = true
	p := m.deps.Player
	return func() tea.Msg { return outsideMsg{p.Wait(context.Background(), seq)} }
}

// playerWord is the button's text.
func (m *Model) playerWord() string {
	if s := m.outside.state; s.Running && m.outside.job == m.current && !s.Paused {
		return "pause player"
	}
	return "player"
}

// outsideFact tells what plays.
func (m *Model) outsideFact(s *sheet, j *jobs.Job) {
	o := &m.outside
	if !o.state.Running {
		return
	}
	sign := "▶"
	if o.state.Paused {
		sign = "‖"
	}
	text := sign + " " + o.state.Program
	if o.state.Told {
		text = fmt.Sprintf("%s %s of %s · %s", sign, clock(o.state.Pos), clock(o.state.Length), o.state.Program)
	}
	k := m.deps.Keys
	if o.job == j.ID && o.state.Told {
		text += fmt.Sprintf(" · %s pauses, %s %s 5 s", k.Keys("queue.player"), k.Keys("queue.player-back"), k.Keys("queue.player-forward"))
	} else if o.job != j.ID {
		text += " · job " + shortID(o.job)
	}
	s.paint("Player", client.CleanLine(text)+", "+k.Keys("queue.player-stop")+" ends it", m.ink.accent)
}

// clock is a time as "1:05".
func clock(d time.Duration) string {
	n := int(d.Seconds())
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}
