// Package player runs the program that plays a file outside the console: the one that the settings
// name, or what the system has. mpv is told to pause and to seek, and tells where it is. No shell
// is involved, nothing blocks the screen, and what was started ends with the player.
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
	// Command is the program with its arguments, as the settings name it; a word that is {} stands
	// for the file, which otherwise comes last, after "--". Empty for the first known program that
	// the system has.
	Command []string
	// Env is the environment of the programs. It must not hold the gateway's key.
	Env []string
	// Check says why a file must not be handed to a program; nil for no such check.
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
	Seq     uint64 // grows with each change
	Program string // "mpv"; "" before the first
	Target  Target
	Running bool
	// Told says that the program tells where it is, and can be paused.
	Told        bool
	Paused      bool
	Pos, Length time.Duration // whole seconds; 0 while not known
	// Err is why the last program failed, nil if it did not.
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

// Use has files played by another program from now on; see [Options.Command].
func (p *Player) Use(command []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.o.Command = command
}

// Play ends what plays and starts something else. It returns when the program runs; the state tells
// what becomes of it. The desktop's program is started and left alone.
func (p *Player) Play(t Target) error {
	if t.Path != "" && p.o.Check != nil {
		if err := p.o.Check(t.Path); err != nil {
			return err
		}
	}
	p.mu.Lock()
	o := p.o
	p.mu.Unlock()
	tool, err := o.choose(t)
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

// errEnding means that nothing more is played.
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

// Seek moves forward by a time, back if it is negative.
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

// Close ends what plays, and lets nothing play after it. It does not wait for a start or a stop
// under way. A program that does not end when asked is ended by force; Close waits for that twice
// waits.leave at most.
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

// State returns what the player does now.
func (p *Player) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Wait waits for a state newer than the one with the given number. When ctx ends, it returns the
// state as it is.
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

// ended notes the end of a program.
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
