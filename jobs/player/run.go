package player

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// listenWait is how long mpv has until it must listen.
const listenWait = 15 * time.Second

// waits are how long to wait for programs.
type waits struct {
	kill  time.Duration // to end, before they are ended by force
	leave time.Duration // the same at the console's end, and for the end by force
	hand  time.Duration // the desktop's, to fail: what goes wrong later is its own
}

func usualWaits() waits {
	return waits{kill: 2 * time.Second, leave: 250 * time.Millisecond, hand: 3 * time.Second}
}

// run is a program that plays.
type run struct {
	cmd    *exec.Cmd
	dir    string // of the socket; "" for none
	ipc    *ipc
	stderr tail
	killed atomic.Bool
	done   chan struct{} // closed when it has ended, and all of it is gone
	exited chan error    // capacity 1
}

// start runs a program in a group of its own, without input and output.
func (p *Player) start(t tool) (*run, error) {
	r := &run{done: make(chan struct{}), exited: make(chan error, 1)}
	if t.mpv {
		dir, err := os.MkdirTemp("", "darkroom-player-") // mode 0700
		if err != nil {
			return nil, err
		}
		r.dir = dir
		t.args = append([]string{"--input-ipc-server=" + r.socket()}, t.args...)
	}
	r.cmd = p.command(t)
	r.cmd.Stderr = &r.stderr
	r.cmd.WaitDelay = time.Second
	r.cmd.SysProcAttr = attributes()
	began := make(chan error)
	go func() {
		// The system ends the program with the thread that started it: this one is its own.
		runtime.LockOSThread()
		err := r.cmd.Start()
		began <- err
		if err == nil {
			r.exited <- r.cmd.Wait()
		}
	}()
	if err := <-began; err != nil {
		r.clear()
		return nil, fmt.Errorf("%s does not start: %w", t.name, err)
	}
	return r, nil
}

func (r *run) socket() string { return filepath.Join(r.dir, "mpv") }

func (r *run) clear() {
	if r.dir != "" {
		_ = os.RemoveAll(r.dir)
	}
}

// kill ends the program and all that it started: first politely, after a time by force.
func (r *run) kill(after time.Duration) {
	if r.killed.Swap(true) {
		return
	}
	r.signal(unix.SIGTERM)
	r.signal(unix.SIGCONT)
	timer := time.AfterFunc(after, func() { r.signal(unix.SIGKILL) })
	go func() {
		<-r.done
		timer.Stop()
	}()
}

// leave is kill for a caller that does not wait for the end: when it returns, what the program
// would leave behind is gone, and so is the program unless the system holds it.
func (r *run) leave(w waits) {
	r.kill(w.kill)
	if !r.endsWithin(w.leave) {
		r.signal(unix.SIGKILL)
		r.endsWithin(w.leave)
		r.clear()
	}
}

// signal signals the program and all that it started.
func (r *run) signal(s unix.Signal) { _ = unix.Kill(-r.cmd.Process.Pid, s) }

func (r *run) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.done:
		return true
	case <-timer.C:
		return false
	}
}

// follow watches a program until its end.
func (p *Player) follow(r *run) {
	defer close(r.done)
	defer r.clear()
	if r.dir == "" {
		p.ended(r, <-r.exited)
		return
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	limit := time.NewTimer(listenWait)
	defer limit.Stop()
	for r.ipc == nil {
		select {
		case err := <-r.exited:
			p.ended(r, err)
			return
		case <-limit.C: // it plays without being told anything
			p.ended(r, <-r.exited)
			return
		case <-look.C:
			if c, err := dial(r.socket()); err == nil {
				p.listen(r, c)
			}
		}
	}
	err := <-r.exited
	r.ipc.close()
	p.ended(r, err)
}

// listen takes in what mpv tells.
func (p *Player) listen(r *run, c *ipc) {
	p.mu.Lock()
	r.ipc = c
	p.mu.Unlock()
	p.set(func(s *State) { s.Told = s.Running && p.run == r })
	go c.read(func(n note) {
		p.mu.Lock()
		next := p.state
		n.into(&next)
		same := next == p.state || p.run != r
		p.mu.Unlock()
		if !same {
			p.set(func(s *State) {
				if p.run == r { // and not another by now
					n.into(s)
				}
			})
		}
	})
	for i, name := range []string{"time-pos", "duration", "pause"} {
		if err := c.send("observe_property", i+1, name); err != nil {
			return
		}
	}
}

// tail keeps the last bytes that a program wrote to its standard error.
type tail struct {
	mu  sync.Mutex
	got []byte
}

const maxTail = 500

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.got = append(t.got, p...)
	if n := len(t.got) - maxTail; n > 0 {
		t.got = append(t.got[:0], t.got[n:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.got)), "")
}

// errGone means that mpv does not listen any more.
var errGone = errors.New("the player no longer listens")
