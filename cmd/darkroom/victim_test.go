package main_test

import (
	"bytes"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// victim is a process that is to be killed.
type victim struct {
	cmd     *exec.Cmd
	out     lockedBuffer  // both outputs
	started chan struct{} // closed
	dead    chan struct{} // closed
}

func newVictim() *victim {
	return &victim{started: make(chan struct{}), dead: make(chan struct{})}
}

// run starts a command.
func (v *victim) run(t *testing.T, h *home, args ...string) {
	t.Helper()
	v.cmd = h.command(t, args...)
	v.cmd.Stdout, v.cmd.Stderr = &v.out, &v.out
	require.NoError(t, v.cmd.Start())
	t.Cleanup(v.kill)
	go v.follow(func() { _ = v.cmd.Wait() }) // killed
}

// follow waits for the end of a process that was started.
func (v *victim) follow(wait func()) {
	close(v.started)
	wait()
	close(v.dead)
}

// kill returns when the process is dead.
func (v *victim) kill() {
	<-v.started
	_ = v.cmd.Process.Kill() // it may have ended
	<-v.dead
}

// killed reports of a dead process whether it was killed, and did not end by itself.
func (v *victim) killed() bool {
	s, ok := v.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && s.Signal() == syscall.SIGKILL
}

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
