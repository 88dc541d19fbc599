package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs/schedule"
)

// world is a machine of its own for commands: folders, environment, keyring.
type world struct {
	t    *testing.T
	dir  string
	env  map[string]string
	ring *ring
	in   string
}

// ring is a keyring in memory.
type ring struct {
	mu   sync.Mutex
	keys map[string]string
}

func (r *ring) Get(_, user string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k, ok := r.keys[user]; ok {
		return k, nil
	}
	return "", os.ErrNotExist
}

func (r *ring) Set(_, user, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[user] = key
	return nil
}

func (r *ring) Delete(_, user string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, user)
	return nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	return &world{t: t, dir: dir, env: map[string]string{"HOME": dir, "TERM": "dumb"}, ring: &ring{keys: map[string]string{}}}
}

func (w *world) paths() config.Paths {
	d := w.dir
	return config.Paths{
		Config: filepath.Join(d, "config", "config.yaml"), Catalog: filepath.Join(d, "config", "catalog.yaml"), Dialects: filepath.Join(d, "config", "dialects"), Themes: filepath.Join(d, "config", "themes"),
		Secrets: filepath.Join(d, "keys"), History: filepath.Join(d, "data", "history.db"), Spool: filepath.Join(d, "spool"), Drafts: filepath.Join(d, "drafts"), Marks: filepath.Join(d, "models.json"), Views: filepath.Join(d, "views.yaml"), Folders: filepath.Join(d, "folders.json"), Filters: filepath.Join(d, "filters.json"), Looks: filepath.Join(d, "looks.json"),
		Identity: filepath.Join(d, "installation"), Drift: filepath.Join(d, "drift.json"),
		Sandbox: filepath.Join(d, "sandbox"), Downloads: filepath.Join(d, "downloads"), Frames: filepath.Join(d, "frames"), Runs: filepath.Join(d, "runs"),
	}
}

// result is what a command left behind.
type result struct {
	out, err string
	code     int
}

// stdio makes the streams of a command. Tests change what they need.
func (w *world) stdio(out, errOut io.Writer) *kit.IO {
	return &kit.IO{
		In: strings.NewReader(w.in), Out: out, Err: errOut, Paths: w.paths(), Timing: sandbox.Instant, Retry: schedule.Backoff{Base: time.Millisecond, Cap: time.Second}, Work: w.dir,
		Lease: time.Minute, // nothing is killed or hangs here, but the machine may stand still for seconds
		Env:   func(k string) string { return w.env[k] },
		Secret: func(p config.Paths, env func(string) string) config.Secrets {
			return config.Secrets{Dir: p.Secrets, Env: env, Keyring: w.ring, Patience: time.Minute}
		},
	}
}

// run runs a command to its end.
func (w *world) run(args ...string) result {
	w.t.Helper()
	var out, errOut bytes.Buffer
	code := run(context.Background(), w.stdio(&out, &errOut), args)
	return result{out.String(), errOut.String(), code}
}

// ok runs a command that is to succeed.
func (w *world) ok(args ...string) result {
	w.t.Helper()
	r := w.run(args...)
	require.Zero(w.t, r.code, "%v: %s", args, r.err)
	return r
}

// fails runs a command that is to fail with a code, and say all of that.
func (w *world) fails(code int, says []string, args ...string) result {
	w.t.Helper()
	r := w.run(args...)
	require.Equal(w.t, code, r.code, "%v: %s", args, r.err)
	for _, s := range says {
		require.Contains(w.t, r.err, s, "%v", args)
	}
	return r
}

func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.out), &v), r.out)
	return v
}

func (r result) array(t *testing.T) []any {
	t.Helper()
	var v []any
	require.NoError(t, json.Unmarshal([]byte(r.out), &v), r.out)
	return v
}

func text(t *testing.T, v map[string]any, key string) string {
	t.Helper()
	s, ok := v[key].(string)
	require.True(t, ok, "%s of %v", key, v)
	return s
}

func (w *world) file(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(w.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// golden compares with testdata/<name>; UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o750))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "UPDATE_GOLDEN=1 makes it")
	require.Equal(t, string(want), got)
}
