// Package player runs the program that plays a file outside of the console: the one that
// the settings name, or what the system has. mpv is told to pause and to seek, and tells
// where it is. No shell is involved, nothing of it blocks the screen, and what it started
// ends with it.
package player

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"darkroom/client/child"
)

// Options say how files are played.
type Options struct {
	// Command is the program with its arguments, as the settings name it; a word that is
	// {} stands for the file, which else comes last, behind "--". Empty for the first of
	// those that the system has.
	Command []string
	// Env is the environment of the programs. It must not hold the gateway's key.
	Env []string
	// Check says why a file is not to be handed to a program; nil for no such check.
	Check func(path string) error
	// Look finds a program; nil for exec.LookPath.
	Look func(name string) (string, error)
}

// Target is what is played: a file, or else an address.
type Target struct {
	Path  string // absolute
	URL   string // http or https; where there is no file
	Audio bool   // there is nothing to see
	Still bool   // a picture: the desktop's program shows it
	Job   string // of which it is a result, "" for none
}

// State is what the player does.
type State struct {
	Seq     uint64 // it grows with each change
	Program string // "mpv"; "" before the first
	Target  Target
	Running bool
	// Told says that the program tells where it is, and can be paused.
	Told        bool
	Paused      bool
	Pos, Length time.Duration // whole seconds; 0 while not known
	// Err is why the last program ended, nil when that was all right.
	Err error
}

// Player plays one thing at a time. It is safe for concurrent use.
type Player struct {
	o     Options
	waits waits

	act sync.Mutex // held while something is started or ended

	mu     sync.Mutex // guards what follows
	state  State
	change chan struct{} // closed with each change of the state
	run    *run          // nil for none
	closed bool
}

// errNothing means that nothing plays.
var errNothing = errors.New("nothing plays")

// New makes a player that plays nothing yet.
func New(o Options) *Player {
	if o.Look == nil {
		o.Look = exec.LookPath
	}
	return &Player{o: o, waits: usualWaits(), change: make(chan struct{})}
}

// Play ends what plays and starts something else. It returns when the program runs; what
// becomes of it is told by the state. The desktop's program is started and left alone.
func (p *Player) Play(t Target) error {
	if t.Path != "" && p.o.Check != nil {
		if err := p.o.Check(t.Path); err != nil {
			return err
		}
	}
	tool, err := p.o.choose(t)
	if err != nil {
		return err
	}
	p.act.Lock()
	defer p.act.Unlock()
	p.end()
	if p.isClosed() {
		return errEnding
	}
	if tool.detached {
		return p.hand(tool, t)
	}
	r, err := p.start(tool)
	if err != nil {
		return err
	}
	late := false
	p.set(func(s *State) {
		if late = p.closed; !late {
			*s = State{Seq: s.Seq, Program: tool.name, Target: t, Running: true}
			p.run = r
		}
	})
	go p.follow(r)
	if late { // Close has not seen it
		r.kill(p.waits.kill)
		return errEnding
	}
	return nil
}

// errEnding means that nothing is played any more.
var errEnding = errors.New("the console is ending: nothing more is played")

// hand gives a file to the desktop, whose program is not ours to end.
func (p *Player) hand(tool tool, t Target) error {
	cmd := p.command(tool)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s does not start: %w", tool.name, err)
	}
	p.set(func(s *State) { *s = State{Seq: s.Seq, Program: tool.name, Target: t} })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timer := time.NewTimer(p.waits.hand)
	defer timer.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s cannot open it: %w", tool.name, err)
		}
	case <-timer.C:
	}
	return nil
}

func (p *Player) command(t tool) *exec.Cmd {
	return child.Command(context.Background(), p.o.Env, t.path, t.args...)
}

// Pause pauses, or goes on.
func (p *Player) Pause() error { return p.tell("cycle", "pause") }

// Seek goes on by a time, back when it is below zero.
func (p *Player) Seek(by time.Duration) error { return p.tell("seek", by.Seconds(), "relative") }

// tell has the program do something.
func (p *Player) tell(command ...any) error {
	p.mu.Lock()
	s := p.state
	var c *ipc
	if p.run != nil {
		c = p.run.ipc
	}
	p.mu.Unlock()
	switch {
	case !s.Running:
		return errNothing
	case c == nil:
		return fmt.Errorf("%s cannot be told anything, only ended; mpv can", s.Program)
	}
	return c.send(command...)
}

// Stop ends what plays, and waits for its end.
func (p *Player) Stop() {
	p.act.Lock()
	defer p.act.Unlock()
	p.end()
}

// Close ends what plays, and has nothing play after it. It does not wait for whoever is just
// starting or stopping something, and for a program that does not end when it is asked to
// only until that is ended by force: twice waits.leave at most.
func (p *Player) Close() {
	p.mu.Lock()
	p.closed = true
	r := p.run
	p.mu.Unlock()
	if r != nil {
		r.leave(p.waits)
	}
	p.set(func(*State) {})
}

func (p *Player) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// end ends the program; p.act must be held.
func (p *Player) end() {
	p.mu.Lock()
	r := p.run
	p.mu.Unlock()
	if r != nil {
		r.kill(p.waits.kill)
		<-r.done
	}
}

// State is what the player does now.
func (p *Player) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Wait waits for a state newer than one whose number is given. It returns the state as it is
// when the context ends.
func (p *Player) Wait(ctx context.Context, seq uint64) State {
	for {
		p.mu.Lock()
		s, change := p.state, p.change
		p.mu.Unlock()
		if s.Seq > seq {
			return s
		}
		select {
		case <-change:
		case <-ctx.Done():
			return s
		}
	}
}

func (p *Player) set(by func(*State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	by(&p.state)
	p.state.Seq++
	close(p.change)
	p.change = make(chan struct{})
}

// ended takes over the end of a program.
func (p *Player) ended(r *run, err error) {
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // something that it started still has its output
	}
	p.set(func(s *State) {
		if p.run != r {
			return
		}
		p.run = nil
		s.Running, s.Told, s.Paused = false, false, false
		if s.Err = nil; err != nil && !r.killed.Load() {
			s.Err = fmt.Errorf("%s: %w%s", s.Program, err, strings.TrimRight(": "+r.stderr.text(), ": "))
		}
	})
}
