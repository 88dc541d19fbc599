package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
)

// readOnlyNote is said once of a history that can only be read.
const readOnlyNote = "reading only"

// closed makes all folders of a home read-only, for a user who is not root.
func (h *home) closed(t *testing.T) {
	t.Helper()
	if os.Getuid() == 0 {
		const nobody = 65534
		h.as = &syscall.Credential{Uid: nobody, Gid: nobody}
		require.NoError(t, os.Chmod(filepath.Dir(h.dir), 0o755)) // #nosec G302 -- of the test alone
		h.each(t, func(path string) error { return os.Lchown(path, nobody, nobody) })
	}
	h.folders(t, 0o500)
	t.Cleanup(func() { h.folders(t, 0o700) })
}

func (h *home) folders(t *testing.T, mode os.FileMode) {
	t.Helper()
	h.each(t, func(path string) error {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			return err
		}
		return os.Chmod(path, mode)
	})
}

// each calls fn for the home and all that is below it.
func (h *home) each(t *testing.T, fn func(string) error) {
	t.Helper()
	require.NoError(t, filepath.Walk(h.dir, func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return fn(path)
	}))
}

// mountReadOnly mounts the home so that nobody can write in it, root included; where the system
// lets nobody mount, its folders are closed.
func (h *home) mountReadOnly(t *testing.T) {
	t.Helper()
	if _, ok := h.mount(t, `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"`); !ok {
		h.closed(t)
	}
}

// journal is where the home's history lies.
func (h *home) journal() string {
	return filepath.Join(h.dir, ".local", "share", "darkroom", "history.db")
}

// waysToClose make a home one that can only be read.
var waysToClose = map[string]func(*home, *testing.T){
	"mounted": (*home).mountReadOnly,
	"closed":  (*home).closed,
	// What a process left that was killed: the newest jobs are in the log alone.
	"with a log": func(h *home, t *testing.T) {
		h.killed(t)
		h.mountReadOnly(t)
	},
	"with a log alone": func(h *home, t *testing.T) {
		h.killed(t)
		require.NoError(t, os.Remove(h.journal()+"-shm"))
		h.mountReadOnly(t)
	},
	"closed with a log, and its files": func(h *home, t *testing.T) {
		h.killed(t)
		for _, ext := range []string{"", "-wal", "-shm"} {
			require.NoError(t, os.Chmod(h.journal()+ext, 0o400))
		}
		h.closed(t)
	},
	"closed with a log alone": func(h *home, t *testing.T) {
		h.killed(t)
		require.NoError(t, os.Remove(h.journal()+"-shm"))
		h.closed(t)
	},
}

// killed leaves the history as a process does that is killed: its last commits are in the log.
func (h *home) killed(t *testing.T) {
	t.Helper()
	s, err := store.Open(t.Context(), h.journal())
	require.NoError(t, err)
	page, err := s.Records(t.Context(), "", 1)
	require.NoError(t, err)
	require.NoError(t, jobs.NewEngine(jobs.Options{Store: s}).Tag(t.Context(), page[0].Job.ID, []string{"in-the-log"}, nil))
	kept := map[string][]byte{}
	for _, ext := range []string{"", "-wal", "-shm"} {
		kept[ext], err = os.ReadFile(h.journal() + ext) // in this process nothing else works on it
		require.NoError(t, err)
	}
	require.NotEmpty(t, kept["-wal"])
	require.NoError(t, s.Close())
	for ext, b := range kept {
		require.NoError(t, os.WriteFile(h.journal()+ext, b, 0o600))
	}
}

// TestReadOnlyHome: what only reads works in a home that cannot be written; what writes ends
// with one sentence that says where and what to do, and nothing is sent.
func TestReadOnlyHome(t *testing.T) {
	t.Parallel()
	for name, shut := range waysToClose {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newTaker(t)
			h := newHome(t, g.env()...)
			_, errOut, code := h.run(t, "", "create", "video", "--prompt", "a kite", "-o", "json")
			require.Equal(t, 0, code, errOut)
			_, errOut, code = h.run(t, "", "presets", "save", "mine", "--job", "video_1")
			require.Equal(t, 0, code, errOut)
			shut(h, t)
			sent := g.creates.Load()
			h.reads(t)
			h.writes(t)
			h.keeps(t)
			require.Equal(t, sent, g.creates.Load())
			if strings.Contains(name, "log") {
				out, errOut, code := h.run(t, "", "jobs", "show", "video_1")
				require.Equal(t, 0, code, errOut)
				require.Contains(t, out, "in-the-log")
			}
		})
	}
}

// reads runs what only reads.
func (h *home) reads(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		words, says string
		history     bool // the history is read, and that it is only read is said
	}{
		{"jobs list", "a kite", true},
		{"jobs list -o ndjson", "video_1", true},
		{"jobs show video_1", "a kite", true},
		{"jobs chain video_1", "a kite", true},
		{"jobs pauses", "", true},
		{"jobs prune --older 1d --dry-run", "", true},
		{"history export", `"end":true`, true},
		{"history doctor", readOnlyNote, false},
		{"history path", "history.db", false},
		{"inspect video_1", "video_1", true},
		{"models list", "famA", false},
		{"models show famK-3.0", "famK", false},
		{"config", "history", false},
		{"presets list", "mine", false},
		{"presets show mine", "a kite", false},
		{"create video --preset mine --dry-run", "a kite", false},
		{"auth status", "", false},
		{"version", "darkroom", false},
	} {
		out, errOut, code := h.run(t, "", strings.Fields(c.words)...)
		require.Equal(t, 0, code, "%s: %s%s", c.words, out, errOut)
		require.Contains(t, out, c.says, c.words)
		n := 0
		if c.history {
			n = 1
		}
		require.Equal(t, n, strings.Count(errOut, readOnlyNote), "%s: %s", c.words, errOut)
	}
}

// writes runs what would write.
func (h *home) writes(t *testing.T) {
	t.Helper()
	backups, err := store.Backups(h.journal())
	require.NoError(t, err)
	require.NotEmpty(t, backups)
	export := filepath.Join(t.TempDir(), "jobs.ndjson")
	out, errOut, code := h.run(t, "", "history", "export")
	require.Equal(t, 0, code, errOut)
	require.NoError(t, os.WriteFile(export, []byte(out), 0o644)) // #nosec G306 -- another user reads it
	require.NoError(t, os.Chmod(filepath.Dir(export), 0o755))    // #nosec G302
	for _, words := range []string{
		"create video --prompt another", "create video --prompt another --wait",
		"jobs star video_1", "jobs tag video_1 +x", "jobs remark video_1 x", "jobs repoll video_1", "jobs drop video_1",
		"jobs resend video_1", "jobs adopt video_1 video_2", "jobs download video_1", "jobs watch video_1", "jobs pause --all", "jobs resume --all",
		"jobs prune --older 1d --yes", "poll --once", "history import " + export, "history backup", "history doctor --fix",
		"history restore " + backups[0].Path,
	} {
		out, errOut, code := h.run(t, "", strings.Fields(words)...)
		require.NotEqual(t, 0, code, "%s: %s%s", words, out, errOut)
		require.NotEqual(t, 2, code, "%s: %s%s", words, out, errOut)
		require.Equal(t, 1, strings.Count(errOut, "\n"), "%s: %s", words, errOut)
		require.Contains(t, errOut, h.journal(), words)
		require.Contains(t, errOut, "cannot be written", words)
		require.Contains(t, errOut, "XDG_DATA_HOME", words)
	}
}

// keeps runs what would keep files other than the history: one sentence says which one was not
// written or removed, why, and what to do.
func (h *home) keeps(t *testing.T) {
	t.Helper()
	config, state, data := filepath.Join(h.dir, ".config", "darkroom"), filepath.Join(h.dir, ".local", "state", "darkroom"), filepath.Join(h.dir, ".local", "share", "darkroom")
	for _, c := range []struct{ words, stdin, file, done string }{
		{"presets save other --job video_1", "", filepath.Join(config, "presets", "other.yaml"), "written"},
		{"presets save other --job video_1 --replace", "", filepath.Join(config, "presets", "other.yaml"), "written"},
		{"presets rm mine", "", filepath.Join(config, "presets", "mine.yaml"), "removed"},
		{"models star famI-omni", "", filepath.Join(state, "models.json"), "written"},
		{"models unstar famI-omni", "", filepath.Join(state, "models.json"), "written"},
		{"auth login --profile work --check=false --base-url https://gateway.example", "sk-other-1\n", filepath.Join(data, "keys", "work"), "written"},
	} {
		out, errOut, code := h.run(t, c.stdin, strings.Fields(c.words)...)
		require.Equal(t, 1, code, "%s: %s%s", c.words, out, errOut)
		require.Contains(t, errOut, "darkroom: "+c.file+" cannot be "+c.done+": ", c.words)
		require.Regexp(t, `: (read-only file system\. Its disk can only be read: have it mounted for writing|permission denied\. Make the folder /\S+ writable for you)\n$`, errOut, c.words)
	}
}

// TestClosedFolderWithALog: in a folder where nothing can be made, a history whose own files can
// be written is read, with what is in its log, however often.
func TestClosedFolderWithALog(t *testing.T) {
	t.Parallel()
	g := newTaker(t)
	h := newHome(t, g.env()...)
	_, errOut, code := h.run(t, "", "create", "video", "--prompt", "a kite", "-o", "json")
	require.Equal(t, 0, code, errOut)
	h.killed(t)
	h.closed(t)
	for range 2 {
		out, errOut, code := h.run(t, "", "jobs", "list")
		require.Equal(t, 0, code, errOut)
		require.Contains(t, out, "a kite")
		out, errOut, code = h.run(t, "", "jobs", "show", "video_1")
		require.Equal(t, 0, code, errOut)
		require.Contains(t, out, "in-the-log")
	}
}

// TestReadOnlyConsole: the console opens on a home that can only be read, says so, shows the
// jobs, and sends nothing. It asks at quit only where something was typed.
func TestReadOnlyConsole(t *testing.T) {
	t.Parallel()
	for name, shut := range waysToClose {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newTaker(t)
			h := newHome(t, g.env()...)
			_, errOut, code := h.run(t, "", "create", "video", "--prompt", "a kite", "-o", "json")
			require.Equal(t, 0, code, errOut)
			shut(h, t)
			x := h.open(t, 160, 34)
			x.shows("✗ read-only", "reading only: nothing is submitted")
			x.keys(alt + "2")
			x.shows("a kite", "video_1", "✗ read-only")
			x.keys("q")
			require.Equal(t, 0, x.exit(), x.text())

			x = h.open(t, 160, 34)
			x.shows("✗ read-only")
			x.keys("another")
			x.shows("another")
			x.keys(ctrlS)
			x.shows("nothing was sent")
			x.keys(alt + "2")
			x.shows("a kite", "video_1")
			x.keys("q")
			x.shows("Quit anyway")
			x.keys("q")
			require.Equal(t, 1, x.exit(), x.text())
			require.Contains(t, x.bytes(), "video.json cannot be written")
			require.EqualValues(t, 1, g.creates.Load())
		})
	}
}
