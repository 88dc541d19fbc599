package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// packed writes a bundle of some ids, and returns its path.
func packed(t *testing.T, ids ...string) string {
	t.Helper()
	var all []bundle.Case
	for _, id := range ids {
		c := bundle.Case{Result: lookup.Result{Subject: inspect.Subject{Kind: inspect.KindID, Value: id}, Asked: id},
			Events:    []jobs.Event{{At: now.Add(-90e9), Kind: jobs.EventState, To: jobs.Queued}, {At: now.Add(-20e9), Kind: jobs.EventState, To: jobs.Failed, HTTPStatus: 200, Message: "it broke\x1b[2J"}},
			Exchanges: []jobs.Exchange{{At: now.Add(-20e9), Kind: "poll", HTTPStatus: 200, Path: "GET /v1/videos/" + id}}}
		j := aJob()
		j.TaskID, j.State = id, jobs.Failed
		j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: picture(t)}}
		c.Result.Findings.Job = &j
		c.Result.Findings.Routes = []inspect.Route{{Format: "videos"}}
		c.Result.Findings.Answer(0, failed())
		all = append(all, c)
	}
	files, err := bundle.Files(all, bundle.Options{Made: now.Add(-86400e9), NoQueries: true, NoPaths: true})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "ticket-77.zip")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, bundle.Write(f, files, now))
	require.NoError(t, f.Close())
	return path
}

// TestABundleIsShownWithoutAskingAnybody, with its whole timeline; esc shows again what was there before.
func TestABundleIsShownWithoutAskingAnybody(t *testing.T) {
	b := start(t, 140, 60)
	b.gw.answers["videos"] = completed()
	b.ask("vid_before")
	asked, read := len(b.gw.asked), len(b.h.queries)
	b.Send(readBundle(packed(t, "vid_1"))())
	view := b.View()
	for _, want := range []string{"Bundle ticket-77.zip · as seen 2026-02-28 12:00:00 +0000 · no gateway is asked", "✗ failed  raw FAILED", "Sunday, 1 March 2026, +0000", "11:58:30.000", "11:59:40.000", "HTTP 200 · it", "Last requests", "Left out", "queries of addresses"} {
		assert.Contains(t, view, want)
	}
	assert.NotContains(t, view, "Preview", "its files are those of another machine")
	assert.Contains(t, view, "DataInspectionFailed", "the body as it came")
	for _, key := range []string{"r", "u", "s", "c", "o", "f", "B", "P", "U", "e"} {
		b.Key(key)
		toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
		require.True(t, ok, key)
		assert.Contains(t, toast.Text, "this is a bundle", key)
	}
	other := aJob()
	other.ID, other.RawStatus = b.m.q.found.Job.ID, "changed here"
	b.h.changed = []jobs.Job{other}
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "changed here", "nothing is merged")
	assert.Len(t, b.gw.asked, asked)
	assert.Len(t, b.h.queries, read)

	b.Key("esc")
	assert.NotContains(t, b.View(), "Bundle")
	assert.Contains(t, b.View(), "vid_before")
	assert.Contains(t, b.View(), "✓ completed")
	b.Send(readBundle(packed(t, "vid_1"))())
	b.ask("vid_2")
	assert.NotContains(t, b.View(), "Bundle", "another look-up leaves it")
	assert.Contains(t, b.gw.asked, "videos vid_2")
}

func TestABundleOfManyIsAList(t *testing.T) {
	b := start(t, 140, 60)
	b.Send(readBundle(packed(t, "vid_1", "vid_2", "vid_3"))())
	assert.Contains(t, b.View(), "3 ids")
	assert.Contains(t, b.View(), "3 failed")
	b.Key("down", "enter")
	assert.Equal(t, "vid_2", b.m.q.id)
	assert.Contains(t, b.View(), "11:59:40.000")
	b.Key("esc")
	assert.Contains(t, b.View(), "3 ids")
	b.Key("esc")
	assert.NotContains(t, b.View(), "Bundle")
	assert.Empty(t, b.gw.asked)
	assert.True(t, b.m.Capturing(), "nothing was there before")

	for path, want := range map[string]string{t.TempDir(): "is not a file", filepath.Join(t.TempDir(), "none"): "no such file"} {
		b.Send(readBundle(path)())
		toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
		assert.Contains(t, toast.Text, want)
	}
}

// TestABundleIsSaved of one id and of many, with what the history has; esc stops it.
func TestABundleIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	b := start(t, 120, 34)
	b.Key("esc")
	assert.Contains(t, offSave(b.m), "nothing was looked up")
	b.gw.answers["videos"] = completed()
	b.h.jobs, b.h.events = []jobs.Job{aJob()}, []jobs.Event{{At: now, Kind: jobs.EventState, To: jobs.Completed}}
	b.ask("vid_1")
	b.Key("e")
	assert.Contains(t, b.View(), "Save a bundle of 1 id")
	assert.Contains(t, b.View(), "001-vid_1/case.json")
	b.Key("enter")
	b.Settle(5e9, "the bundle is written", func() bool { return b.m.hand.stop == nil && b.m.stack.Top() == nil })
	names, err := filepath.Glob("bundle-*.zip")
	require.NoError(t, err)
	require.Len(t, names, 1)
	f, err := os.Open(names[0])
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	got, err := bundle.Read(f, info.Size())
	require.NoError(t, err)
	require.Len(t, got.Cases, 1)
	assert.Len(t, got.Cases[0].Events, 1, "with the timeline of the history")

	b.Paste("vid_1\nvid_404\n")
	assert.Len(t, results(b.m), 2)
	b.Key("e")
	assert.Contains(t, b.View(), "Save a bundle of 2 ids")
	assert.Contains(t, b.View(), "002-vid_404/case.json")
	b.Key("esc")
	stopped := false
	b.m.hand.stop = func() { stopped = true }
	b.Key("esc")
	assert.True(t, stopped)
}

func TestGoldenBundles(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		b := start(t, s[0], s[1])
		b.Send(readBundle(packed(t, "vid_1"))())
		b.Golden(fmt.Sprintf("bundle-%dx%d", s[0], s[1]))
	}
	b := start(t, 120, 34)
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	b.Key("e")
	b.Golden("save-120x34")
}
