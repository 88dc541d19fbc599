package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// hostile is text that would do something to a terminal.
const hostile = "a\x1b]0;owned\x07b\u202ec\u200bd\u009b2Je"

func TestTerminalsGetNothingHarmful(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(1, func(_ int, j *jobs.Job) { j.Draft.Prompt, j.Title, j.Note = hostile, hostile, hostile })
	for _, format := range outputs() {
		for _, args := range [][]string{{"jobs", "list"}, {"jobs", "show", ids[0]}} {
			args = append(args, "-o", format)
			y := newTypist(t)
			require.Zero(t, y.ends(y.start(t.Context(), w, args...)))
			y.shows("famI-omni")
			s := strings.ReplaceAll(strings.ReplaceAll(y.screen(), "\r\n", ""), "\n", "")
			require.Equal(t, client.CleanLine(s), s, "%v", args)

			r := w.ok(args...)
			if format != outTable && format != outYAML {
				require.Contains(t, r.out, "\u202e", "redirected, it is as it is: %v", args)
			}
			if format == outJSON && args[1] == "list" {
				var all []jobs.Job
				require.NoError(t, json.Unmarshal([]byte(y.screen()), &all), "escaped, it is the same value")
				require.Equal(t, hostile, all[0].Draft.Prompt)
			}
		}
	}
}

func TestRawIsRaw(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var out bytes.Buffer
	s := w.stdio(&out, io.Discard)
	require.NoError(t, s.raw([]byte(hostile)))
	require.Equal(t, hostile+"\n", out.String())
	s.Tty = os.Stdout // only that it is set counts
	out.Reset()
	require.NoError(t, s.raw([]byte(hostile)))
	require.Equal(t, client.Clean(hostile)+"\n", out.String())
}

func TestYAMLMeansTheSame(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`{}`, `[]`, `null`, `true`, `-1.5e3`, `12345678901234567890`, `"x"`, `""`,
		`{"a":{"b":[1,[2,{"c":null}],[],{}],"d":{"e":{}}},"f":[{"g":1,"h":[{"i":2}]}]}`,
		`["yes","No","null","~","1e3","0x10","1:2","a: b","a #b","- a","?","*a","&a","!a","%a","@a"," a","a ","a\nb","a\tb","\u0000\u001b\u0085\u202e😀","it's","\"q\"","\\","2024-01-01","/a/b.png","a/","<<","="]`,
		`{"yes":1,"a b":2,"":3,"1":4,"a: b":5,"\u001b":6}`,
	} {
		b, err := yamlOf([]byte(s))
		require.NoError(t, err, s)
		require.NotContains(t, string(b), "\x1b")
		var want, got any
		require.NoError(t, json.Unmarshal([]byte(s), &want))
		require.NoError(t, yaml.Unmarshal(b, &got), "%s", b)
		wantJSON, err := json.Marshal(want)
		require.NoError(t, err)
		gotJSON, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(wantJSON), string(gotJSON), "%s", b)
	}
	_, err := yamlOf([]byte(`{"a":`))
	require.Error(t, err)
}

func FuzzVisible(f *testing.F) {
	f.Add(hostile)
	f.Add("😀\u2028\ufffd\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		require.NoError(t, enc.Encode(map[string]string{"a": s}))
		safe := visible(b.Bytes())
		var before, after map[string]string
		require.NoError(t, json.Unmarshal(b.Bytes(), &before))
		require.NoError(t, json.Unmarshal(safe, &after))
		require.Equal(t, before, after)
		for _, r := range string(safe) {
			require.True(t, harmless(r), "%q", r)
		}
		y, err := yamlOf(b.Bytes())
		require.NoError(t, err)
		for _, r := range string(y) {
			require.True(t, harmless(r), "%q", r)
		}
	})
}

func TestRowsAreAligned(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, rows(&b, []string{"A", "B"}, [][]string{{"盐田", "x"}, {"ab\x1b[31m", "y\nz"}, {"", ""}}))
	lines := strings.Split(b.String(), "\n")
	require.Equal(t, "盐田", strings.TrimSuffix(lines[1], strings.TrimLeft(lines[1], "盐田")))
	require.NotContains(t, b.String(), "\x1b")
	require.Len(t, lines, 5)
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
		require.Equal(t, ExitFailed, code, "%v", args)
		require.Contains(t, errOut.String(), "no space left", "%v", args)
	}
	// What went wrong with the job is not hidden by it.
	code := run(t.Context(), w.stdio(broken{syscall.EPIPE}, broken{syscall.EPIPE}), []string{"create", "music", "[[sandbox:fail]] x", "--wait"})
	require.Equal(t, ExitFailed, code)
}

func TestInterruptedWhileWaiting(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		w := newWorld(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		s := w.stdio(io.Discard, nil)
		s.timing = sandbox.Real
		said := &until{text: "queued", then: func() { cancel(interrupted(signal)) }}
		s.Err = said
		code := run(ctx, s, []string{"create", "music", "x", "--wait"})
		require.Equal(t, want, code, said.String())
		require.Contains(t, said.String(), "nothing is lost")
		job, ok := w.ok("jobs", "list", "-o", "json").array(t)[0].(map[string]any)
		require.True(t, ok)
		require.Contains(t, said.String(), "darkroom jobs watch "+shortID(text(t, job, "id")))
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
	s.timing = sandbox.Fast // an image takes 300 ms
	said := &until{text: "submitting", then: func() { cancel(interrupted(syscall.SIGINT)) }}
	s.Err = said
	require.Equal(t, ExitCancelled, run(ctx, s, []string{"create", "image", "x"}), said.String())
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
	code, text := verdict(ctx, fmt.Errorf("GET /: %w", ctx.Err()))
	require.Equal(t, 143, code)
	require.Equal(t, "ended by the signal terminated", text)
}

func TestLiveLines(t *testing.T) {
	t.Parallel()
	y := newTypist(t)
	s := newWorld(t).stdio(y.tty, y.tty)
	s.TtyErr = y.tty
	ids := make([]string, 60)
	for i := range ids {
		ids[i] = fmt.Sprintf("job-%02d", i)
	}
	l := newLive(s, ids)
	l.put(jobs.Job{ID: ids[59], State: jobs.Completed, Draft: client.Draft{Model: "done"}})
	l.put(jobs.Job{ID: ids[0], State: jobs.Running, Progress: 50, Draft: client.Draft{Model: hostile}})
	_, height := s.size()
	require.Len(t, l.lines(height-1), height-1)
	require.Contains(t, l.lines(height - 1)[height-2], "more")
	require.NotContains(t, strings.Join(l.lines(height-1), "\n"), "done", "those with work come first")
	l.draw()
	y.shows("more")
	l.end()
	y.shows("\x1b[J")
	require.NotContains(t, y.screen(), "owned\x07")
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{errors.New("x"), ExitFailed},
		{usage("x"), ExitUsage},
		{fmt.Errorf("y: %w", notFound("x")), ExitNotFound},
		{config.ErrNoKey, ExitAuth},
		{&client.APIError{HTTPStatus: 401}, ExitAuth},
		{&client.APIError{HTTPStatus: 404}, ExitNotFound},
		{&client.APIError{HTTPStatus: 500}, ExitFailed},
		{&client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errors.New("x")}, ExitAmbiguous},
		{&client.CreateError{Outcome: client.OutcomeRefused, Err: &client.APIError{HTTPStatus: 403}}, ExitAuth},
		{context.Canceled, ExitCancelled},
		{stopped("x"), ExitCancelled},
		{worst([]error{notFound("x"), &client.APIError{HTTPStatus: 401}}), ExitAuth},
		{worst([]error{notFound("x")}), ExitNotFound},
		{worst(nil), ExitOK},
	} {
		require.Equal(t, c.want, codeOf(c.err), "%v", c.err)
	}
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	of := func(all ...jobs.Job) int { return codeOf(outcome(t.Context(), nobody{}, all, true)) }
	require.Equal(t, ExitOK, of(jobs.Job{State: jobs.Completed}, jobs.Job{State: jobs.Running}))
	require.Equal(t, ExitFailed, of(jobs.Job{State: jobs.Completed}, jobs.Job{State: jobs.Lost}))
	require.Equal(t, ExitAmbiguous, of(jobs.Job{State: jobs.Failed}, jobs.Job{State: jobs.Ambiguous}))
	require.Equal(t, ExitAuth, of(jobs.Job{ID: "401", State: jobs.Refused}))
	require.Equal(t, ExitFailed, of(jobs.Job{ID: "400", State: jobs.Refused}))
	require.Equal(t, ExitFailed, of(jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileFailed}}}))
	require.Equal(t, ExitFailed, of(jobs.Job{State: jobs.Completed, Files: []jobs.File{{State: jobs.FileWanted, Error: "no such host"}}}))
}

// nobody answers for jobs that were refused with the status that is their id.
type nobody struct{ jobs.Reader }

func (nobody) Detail(_ context.Context, id string) (jobs.Detail, error) {
	status := map[string]int{"401": 401, "400": 400}[id]
	return jobs.Detail{Events: []jobs.Event{{Kind: jobs.EventRefused, HTTPStatus: status}}}, nil
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
