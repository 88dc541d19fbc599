package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// envChild makes the test binary one command in the world that it names.
const envChild = "CLI_TEST_CHILD"

// envTrying is how long such a command tries to write what is unsaved, instead of
// app.KeepTrying.
const envTrying = "CLI_TEST_TRYING"

// asChild runs the command that the test binary was started for, as main does, or returns.
func asChild() {
	dir := os.Getenv(envChild)
	if dir == "" {
		return
	}
	w := &world{dir: dir, ring: &ring{keys: map[string]string{}}}
	s := w.stdio(os.Stdout, os.Stderr)
	s.Env = os.Getenv
	s.Trying, _ = time.ParseDuration(os.Getenv(envTrying)) // 0 for none
	os.Exit(Main(s, os.Args[1:]))
}

// process is a command in a process of its own.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer // both streams
	eof chan struct{}
}

// spawn starts a command in a process of its own, which is killed at the end of the test.
func (w *world) spawn(args ...string) *process {
	w.t.Helper()
	p := &process{t: w.t, cmd: exec.Command(os.Args[0], args...), eof: make(chan struct{})}
	p.cmd.Env = []string{envChild + "=" + w.dir, "PATH=" + os.Getenv("PATH")}
	for k, v := range w.env {
		p.cmd.Env = append(p.cmd.Env, k+"="+v)
	}
	r, err := p.cmd.StdoutPipe()
	require.NoError(w.t, err)
	p.cmd.Stderr = p.cmd.Stdout
	require.NoError(w.t, p.cmd.Start())
	w.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go func() {
		defer close(p.eof)
		for in := bufio.NewReader(r); ; {
			line, err := in.ReadString('\n')
			p.mu.Lock()
			p.out.WriteString(line)
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// says waits for a text.
func (p *process) says(text string) {
	p.t.Helper()
	for end := time.Now().Add(waitLong); !strings.Contains(p.said(), text); <-time.After(tick) {
		require.True(p.t, time.Now().Before(end), "%q is not in %s", text, p.said())
	}
}

// end sends a signal and returns the exit code, -1 for a process that was killed.
func (p *process) end(sig os.Signal) int {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(sig))
	return p.wait()
}

func (p *process) wait() int {
	<-p.eof
	_ = p.cmd.Wait() // the code says it
	return p.cmd.ProcessState.ExitCode()
}
