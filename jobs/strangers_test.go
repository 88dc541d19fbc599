package jobs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

// withFile is a draft that names a file of the machine.
func withFile(path string) client.Draft {
	return client.Draft{Modality: client.Video, Model: "famA3", Prompt: "p", Values: client.Values{
		"content": []any{map[string]any{"image_url": client.FileURL(path)}},
	}}
}

// running starts an engine of an installation until the test ends.
func running(t *testing.T, o jobs.Options) *jobs.Engine {
	t.Helper()
	e := jobs.NewEngine(o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		assert.NoError(t, e.Run(ctx))
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return e
}

// becomes waits until a job as an engine tells it meets a condition.
func becomes(t *testing.T, e *jobs.Engine, id string, met func(jobs.Job) bool) jobs.Job {
	t.Helper()
	limit := time.After(5 * time.Minute) // passes only when something is broken
	for {
		j, err := e.Get(t.Context(), id)
		require.NoError(t, err)
		if met(j) {
			return j
		}
		select {
		case <-e.Dirty():
		case <-time.After(20 * time.Millisecond):
		case <-limit:
			t.Fatalf("it stays %s, %q", j.State, j.Note)
		}
	}
}

// TestForgedRowsUploadNothing: a planned row that another person wrote, or changed, names a
// file on this machine. It is never sent by itself, whatever it says of who made it.
func TestForgedRowsUploadNothing(t *testing.T) {
	t.Parallel()
	me := jobs.NewInstallation()
	for name, forge := range map[string]func(*jobs.Job){
		"of nobody":       func(*jobs.Job) {},
		"with my id":      func(j *jobs.Job) { j.Installation = me.ID() },
		"with some proof": func(j *jobs.Job) { j.Installation, j.Proof = me.ID(), "00" },
		"another path": func(j *jobs.Job) {
			j.Draft = withFile("/home/me/holiday.png")
			me.Sign(j)
			j.Draft = withFile("/home/me/.ssh/id.png")
		},
		"of another job": func(j *jobs.Job) {
			id := j.ID
			j.ID = "018bcfe5-6800-7000-8000-000000000001"
			me.Sign(j)
			j.ID = id
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st, g := storetest.NewMem(), &gateway{}
			j := storetest.NewJob("p")
			j.Draft = withFile("/home/me/.ssh/id.png")
			forge(&j)
			require.NoError(t, st.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
			e := running(t, jobs.Options{Store: st, Gateway: g, Profile: "p", Installation: me})
			held := becomes(t, e, j.ID, func(j jobs.Job) bool { return j.Paused })
			assert.Equal(t, jobs.Planned, held.State)
			assert.Contains(t, held.Note, "local files")
			assert.True(t, held.Foreign)
			assert.True(t, jobs.ForPerson(held))
			assert.Equal(t, []jobs.Hold{{Kind: jobs.HoldFiles}}, e.Counts().Flow.Holds(held, "h"))

			for what, act := range map[string]func() error{
				"resume": func() error { return e.SetPaused(t.Context(), j.ID, false) },
				"repoll": func() error { return e.Repoll(t.Context(), j.ID) },
			} {
				err := act()
				strange := &jobs.ForeignError{}
				require.ErrorAs(t, err, &strange, what)
				assert.Contains(t, err.Error(), "/home/me/.ssh/id.png", "it says which")
			}
			assert.Zero(t, g.sent())

			require.NoError(t, e.SendFiles(t.Context(), j.ID), "a deliberate act")
			sent := becomes(t, e, j.ID, func(j jobs.Job) bool { return j.State == jobs.Queued })
			assert.Equal(t, me.ID(), sent.Installation)
			assert.False(t, sent.Foreign)
			assert.Equal(t, 1, g.sent())
		})
	}
}

// TestFilesStayWithTheirMachine: of two installations that share a history each sends the jobs
// that name its own files, and leaves those of the other alone.
func TestFilesStayWithTheirMachine(t *testing.T) {
	t.Parallel()
	st := storetest.NewMem()
	a, b := jobs.NewInstallation(), jobs.NewInstallation()
	ga, gb := &gateway{}, &gateway{}
	ea := jobs.NewEngine(jobs.Options{Store: st, Gateway: ga, Profile: "p", Installation: a})
	ids, err := ea.Submit(t.Context(), []jobs.Submission{{Draft: withFile("/home/a/kite.png"), Format: "videos"}})
	require.NoError(t, err)
	require.NoError(t, st.Release(t.Context(), ownerOf(t, st, ids[0]))) // its process ends

	eb := running(t, jobs.Options{Store: st, Gateway: gb, Profile: "p", Installation: b})
	plain, err := eb.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "p"}, Format: "videos"}})
	require.NoError(t, err)
	becomes(t, eb, plain[0], func(j jobs.Job) bool { return j.State == jobs.Queued })
	seen, err := eb.Get(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Equal(t, jobs.Planned, seen.State)
	assert.False(t, seen.Paused, "it is the other's to send, and nothing is in the way there")
	assert.True(t, seen.Foreign)
	require.Error(t, eb.Repoll(t.Context(), ids[0]))

	running(t, jobs.Options{Store: st, Gateway: ga, Profile: "p", Installation: a})
	becomes(t, eb, ids[0], func(j jobs.Job) bool { return j.State == jobs.Queued })
	assert.Equal(t, 1, ga.sent())
	assert.Equal(t, 1, gb.sent(), "its own alone")
}

func ownerOf(t *testing.T, st jobs.Store, id string) string {
	t.Helper()
	w, err := st.Get(t.Context(), id)
	require.NoError(t, err)
	return w.Owner
}

// TestResendOfForeignFiles: sending again makes a job of this installation, which would make
// another person's paths its own.
func TestResendOfForeignFiles(t *testing.T) {
	t.Parallel()
	st := storetest.NewMem()
	j := storetest.NewJob("p")
	j.State, j.Draft = jobs.Refused, withFile("/etc/shadow.png")
	c := storetest.Plan(j)
	c.Due = time.Time{}
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{c}))
	e := jobs.NewEngine(jobs.Options{Store: st, Gateway: &gateway{}, Profile: "p"})
	_, err := e.Resend(t.Context(), j.ID)
	require.ErrorAs(t, err, new(*jobs.ForeignError))
	w, err := st.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Refused, w.Job.State, "it is not dropped")
	require.NoError(t, e.SendFiles(t.Context(), j.ID))
	_, err = e.Resend(t.Context(), j.ID)
	require.NoError(t, err)
}

// TestForeignFilesAreNotHere: what a row says of where files lie is shown, and leads nowhere.
func TestForeignFilesAreNotHere(t *testing.T) {
	t.Parallel()
	st, me := storetest.NewMem(), jobs.NewInstallation()
	path := filepath.Join(t.TempDir(), "x.png")
	require.NoError(t, os.WriteFile(path, []byte("png"), 0o600))
	j := storetest.NewJob("p")
	j.State = jobs.Completed
	j.Assets = []client.Asset{{Kind: client.AssetImage, URL: "https://h/x.png"}, {Kind: client.AssetCover, URL: "https://h/c.png"}}
	j.Files = []jobs.File{{Index: 0, Kind: client.AssetImage, State: jobs.FileSaved, Path: path, Bytes: 3},
		{Index: 1, Kind: client.AssetCover, State: jobs.FileSaved, Path: "/d/c.png"}}
	me.SignFile(j.ID, &j.Files[1])
	c := storetest.Plan(j)
	c.Due = time.Time{}
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{c}))
	e := jobs.NewEngine(jobs.Options{Store: st, Gateway: &gateway{}, Profile: "p", Installation: me, Saver: &saver{}})
	got, err := e.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.True(t, got.Files[0].Elsewhere)
	assert.Equal(t, path, got.Files[0].Path)
	assert.False(t, got.Files[0].Here())
	assert.True(t, got.Files[1].Here())
	show, poster := got.Showpiece()
	assert.Equal(t, "/d/c.png", show)
	assert.Equal(t, "/d/c.png", poster)
	page, err := e.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	assert.True(t, page.Jobs[0].Files[0].Elsewhere)
	d, err := e.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	assert.True(t, d.Job.Files[0].Elsewhere)

	// What lies there is not taken for the result: it is fetched.
	require.NoError(t, e.Download(t.Context(), j.ID))
	changed, _ := e.Changes(0)
	require.Len(t, changed, 1)
	assert.Equal(t, jobs.FileWanted, changed[0].Files[0].State)
}
