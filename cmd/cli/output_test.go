package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/kittest"
	"darkroom/jobs"
)

// hostile is text that would do something to a terminal.
const hostile = "a\x1b]0;owned\x07b\u202ec\u200bd\u009b2Je"

func TestTerminalsGetNothingHarmful(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(1, func(_ int, j *jobs.Job) { j.Draft.Prompt, j.Title, j.Note = hostile, hostile, hostile })
	for _, format := range kit.OutputFormats() {
		for _, args := range [][]string{{"jobs", "list"}, {"jobs", "show", ids[0]}} {
			args = append(args, "-o", format)
			y := kittest.NewTypist(t)
			require.Zero(t, y.Ends(start(t.Context(), y, w, args...)))
			y.Shows("famI-omni")
			s := strings.ReplaceAll(strings.ReplaceAll(y.Screen(), "\r\n", ""), "\n", "")
			require.Equal(t, client.CleanLine(s), s, "%v", args)

			r := w.ok(args...)
			if format != kit.Table && format != kit.YAML {
				require.Contains(t, r.out, "\u202e", "redirected, it is as it is: %v", args)
			}
			if format == kit.JSON && args[1] == "list" {
				var all []jobs.Job
				require.NoError(t, json.Unmarshal([]byte(y.Screen()), &all), "escaped, it is the same value")
				require.Equal(t, hostile, all[0].Draft.Prompt)
			}
		}
	}
}

// broken fails with an error at each write.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestOutputThatGoesAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, args := range [][]string{{"models"}, {"version"}, {"--help"}, {"models", "-o", "ndjson"}, {"create", "image", "x", "-o", "json"}} {
		var errOut bytes.Buffer
		code := run(t.Context(), w.stdio(broken{syscall.EPIPE}, &errOut), args)
		require.Zero(t, code, "%v: %s", args, errOut.String())
		require.NotContains(t, errOut.String(), "pipe")

		errOut.Reset()
		code = run(t.Context(), w.stdio(broken{syscall.ENOSPC}, &errOut), args)
		require.Equal(t, kit.ExitFailed, code, "%v", args)
		require.Contains(t, errOut.String(), "no space left", "%v", args)
	}
	// What went wrong with the job is not hidden by it.
	code := run(t.Context(), w.stdio(broken{syscall.EPIPE}, broken{syscall.EPIPE}), []string{"create", "music", "[[sandbox:fail]] x", "--wait"})
	require.Equal(t, kit.ExitFailed, code)
}

func TestInterruptedWhileWaiting(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		w := newWorld(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		s := w.stdio(io.Discard, nil)
		s.Timing = sandbox.Real
		said := &until{text: "queued", then: func() { cancel(kit.Interrupted(signal)) }}
		s.Err = said
		code := run(ctx, s, []string{"create", "music", "x", "--wait"})
		require.Equal(t, want, code, said.String())
		require.Contains(t, said.String(), "nothing is lost")
		job, ok := w.ok("jobs", "list", "-o", "json").array(t)[0].(map[string]any)
		require.True(t, ok)
		require.Contains(t, said.String(), "darkroom jobs watch "+jobs.ShortID(text(t, job, "id")))
		require.NotEmpty(t, job["task_id"])
	}
}

// until calls a function when a text was written.
type until struct {
	bytes.Buffer
	text string
	then func()
}

func (u *until) Write(b []byte) (int, error) {
	n, err := u.Buffer.Write(b)
	if strings.Contains(u.String(), u.text) {
		u.then()
	}
	return n, err
}

// TestInterruptedCreateIsAnswered: the create is under way when the signal comes; it gets
// its answer, and no other process sends it again.
func TestInterruptedCreateIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	s := w.stdio(io.Discard, nil)
	s.Timing = sandbox.Fast // an image takes 300 ms
	said := &until{text: "submitting", then: func() { cancel(kit.Interrupted(syscall.SIGINT)) }}
	s.Err = said
	require.Equal(t, kit.ExitCancelled, run(ctx, s, []string{"create", "image", "x"}), said.String())
	require.Contains(t, said.String(), "nothing is sent twice")
	job, ok := w.ok("jobs", "list", "-o", "json").array(t)[0].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "completed", job["state"])
	b, err := os.ReadFile(filepath.Join(w.paths().Sandbox, "creates.log"))
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(b, []byte("\n")))
}

// TestSignals is not parallel: signals are the process's.
func TestSignals(t *testing.T) {
	ctx, stop := interruptible()
	defer stop()
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGPIPE)) // does not kill
	require.NoError(t, syscall.Kill(syscall.Getpid(), syscall.SIGTERM))
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("the signal did not arrive")
	}
	code, text := kit.Verdict(ctx, fmt.Errorf("GET /: %w", ctx.Err()))
	require.Equal(t, 143, code)
	require.Equal(t, "ended by the signal terminated", text)
}

func TestConfigKeysShowsTheSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("config", "keys").out, "queue.download")
	require.NoError(t, os.MkdirAll(filepath.Dir(w.paths().Config), 0o700))
	require.NoError(t, os.WriteFile(w.paths().Config, []byte("keys:\n  queue.download: [ctrl+d]\n"), 0o600))
	for _, row := range w.ok("config", "keys", "-o", "json").array(t) {
		if r := row.(map[string]any); r["action"] == "queue.download" {
			require.Equal(t, []any{"ctrl+d"}, r["keys"])
			return
		}
	}
	t.Fatal("the action is not listed")
}
