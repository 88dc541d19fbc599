package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
)

// history writes jobs into the world's history and returns their ids.
func (w *world) history(n int, make func(i int, j *jobs.Job)) []string {
	w.t.Helper()
	st, err := store.Open(w.t.Context(), w.paths().History)
	require.NoError(w.t, err)
	defer func() { require.NoError(w.t, st.Close()) }()
	var changes []jobs.Change
	var ids []string
	for i := range n {
		id, err := uuid.NewV7()
		require.NoError(w.t, err)
		j := jobs.Job{ID: id.String(), Profile: "sandbox", Format: "videos", State: jobs.Completed, Progress: -1,
			Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: fmt.Sprintf("prompt %d", i)}}
		if make != nil {
			make(i, &j)
		}
		ids = append(ids, j.ID)
		changes = append(changes, jobs.Change{Job: j, Events: []jobs.Event{{Kind: jobs.EventPlanned, To: j.State}}})
	}
	require.NoError(w.t, st.Insert(w.t.Context(), changes))
	return ids
}

func TestNoJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("jobs", "list")
	require.Empty(t, r.out)
	require.Contains(t, r.err, "no jobs of the profile sandbox; --all-profiles")
	require.Equal(t, "no jobs\n", w.ok("jobs", "list", "--all-profiles").err)
	require.Equal(t, "[]\n", w.ok("jobs", "list", "-o", "json").out)
	require.Empty(t, w.ok("jobs", "list", "-o", "ndjson").out)
	require.Equal(t, "[]\n", w.ok("jobs", "list", "-o", "yaml").out)
	require.Contains(t, w.ok("jobs", "watch").err, "no jobs")
	w.fails(kit.ExitNotFound, []string{`"nothing"`}, "jobs", "show", "nothing")
}

func TestList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(523, func(i int, j *jobs.Job) {
		switch i {
		case 7:
			j.State, j.Draft.Prompt = jobs.Failed, "a needle in the hay"
		case 9:
			j.Profile = "work"
		case 11:
			j.Draft.Modality, j.Draft.Model = client.Image, "famL-2"
		}
	})
	lines := func(args ...string) int {
		return strings.Count(w.ok(append([]string{"jobs", "list", "-o", "ndjson"}, args...)...).out, "\n")
	}
	require.Equal(t, 30, lines())
	require.Equal(t, 522, lines("--limit", "0"), "all pages")
	require.Equal(t, 523, lines("--limit", "0", "--all-profiles"))
	require.Equal(t, 510, lines("-n", "510"))
	require.Equal(t, 1, lines("--search", "needle"))
	require.Equal(t, 1, lines("--state", "failed,ambiguous"))
	require.Equal(t, 1, lines("--kind", "image"))
	require.Equal(t, 1, lines("--model", "famL-2"))
	require.Equal(t, 1, lines("-p", "sandbox", "-s", "needle"))
	require.Equal(t, 2, lines("--before", ids[2]))
	require.Len(t, w.ok("jobs", "list", "--limit", "0", "-o", "json").array(t), 522)

	r := w.ok("jobs", "list", "-n", "2")
	require.Equal(t, 3, strings.Count(r.out, "\n"))
	require.Contains(t, r.out, jobs.ShortID(ids[522]), "the newest first")
	require.Contains(t, r.err, "--before "+jobs.ShortID(ids[521]))
	require.Contains(t, w.ok("jobs", "list", "-n", "1", "--before", jobs.ShortID(ids[521])).out, jobs.ShortID(ids[520]))
}

func TestShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.history(1, func(_ int, j *jobs.Job) { j.TaskID = "video_other"; j.Profile = "work" })
	job := w.ok("create", "music", "waves\nat \u202edusk", "--wait", "-o", "json").object(t)
	id, task := text(t, job, "id"), text(t, job, "task_id")
	for _, word := range []string{id, jobs.ShortID(id), id[len(id)-5:], task} {
		r := w.ok("jobs", "show", word)
		require.Contains(t, r.out, id)
		require.Contains(t, r.out, "submitting")
		require.Contains(t, r.out, "request, through music")
		require.Contains(t, r.out, "newest answer")
		require.NotContains(t, r.out, "\u202e")
	}
	d := w.ok("jobs", "show", id, "-o", "json").object(t)
	require.Equal(t, id, text(t, d["job"].(map[string]any), "id"))
	require.Equal(t, "waves\nat \u202edusk", text(t, d["request"].(map[string]any), "prompt"), "redirected, it is as it was")
	require.NotEmpty(t, d["answer"])
	require.NotEmpty(t, d["events"])

	require.Contains(t, w.ok("jobs", "show", "video_other").out, "work", "of any profile")
	for _, verb := range []string{"watch", "drop", "repoll", "download", "resend"} {
		w.fails(kit.ExitUsage, []string{"profile work", "--profile work"}, "jobs", verb, "video_other")
	}
}

func TestIDsThatAreTooShort(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.history(2, func(i int, j *jobs.Job) { j.ID = fmt.Sprintf("0190000%d-0000-7000-8000-00000000abcd", i) })
	w.fails(kit.ExitUsage, []string{"more than one", `"abcd"`}, "jobs", "show", "abcd")
	w.fails(kit.ExitNotFound, []string{`"bcd"`}, "jobs", "show", "bcd")
	w.ok("jobs", "show", "01900001-0000-7000-8000-00000000abcd")
}

func TestWatchAndDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("create", "music", "waves", "-o", "json").object(t)
	id := jobs.ShortID(text(t, job, "id"))
	dir := filepath.Join(w.dir, "got")
	require.Equal(t, "completed", w.ok("jobs", "repoll", id, "-o", "json").object(t)["state"], "it waits for the answer")
	require.Equal(t, "completed", w.ok("jobs", "watch", id, id, "-o", "json").array(t)[0].(map[string]any)["state"])
	w.fails(kit.ExitFailed, []string{"repoll", "completed"}, "jobs", "repoll", id)
	got := w.ok("jobs", "download", id, "--dir", dir, "-o", "json").object(t)
	path := text(t, got["files"].([]any)[0].(map[string]any), "path")
	require.Equal(t, dir, filepath.Dir(path))
	require.FileExists(t, path)
	require.FileExists(t, path+".json")
	again := w.ok("jobs", "download", id, "-o", "json").object(t)
	require.Equal(t, path, text(t, again["files"].([]any)[0].(map[string]any), "path"), "what is there stays there")

	other := filepath.Join(w.dir, "other")
	again = w.ok("jobs", "download", id, "--dir", other, "-o", "json").object(t)
	second := text(t, again["files"].([]any)[0].(map[string]any), "path")
	require.Equal(t, filepath.Join(other, filepath.Base(path)), second, "a folder that is asked for gets them")
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	have, err := os.ReadFile(second)
	require.NoError(t, err)
	require.Equal(t, want, have)
	require.NoError(t, os.WriteFile(second, []byte("mine"), 0o600))
	w.fails(kit.ExitFailed, []string{second}, "jobs", "download", id, "--dir", other)
}

func TestDropAdoptResend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	task := text(t, w.ok("create", "video", "waves", "-o", "json").object(t), "task_id")
	ids := w.history(4, func(_ int, j *jobs.Job) { j.State = jobs.Ambiguous })

	w.fails(kit.ExitUsage, []string{"is in no task id"}, "jobs", "adopt", ids[3], "video 1")
	w.fails(kit.ExitNotFound, []string{"does not know the task", "HTTP 404", "--insist"}, "jobs", "adopt", ids[3], "video_none")
	require.Equal(t, "ambiguous", w.ok("jobs", "show", ids[3], "-o", "json").object(t)["job"].(map[string]any)["state"])
	kept := w.ok("jobs", "adopt", ids[3], "video_none", "--insist", "-o", "json")
	require.Contains(t, kept.err, "was not asked")
	require.Equal(t, "video_none", text(t, kept.object(t), "task_id"))

	r := w.ok("jobs", "adopt", ids[0], task, "-o", "json")
	require.Contains(t, r.err, task+"; the gateway says that it is ")
	require.Equal(t, task, text(t, r.object(t), "task_id"))
	require.Equal(t, "completed", w.ok("jobs", "watch", ids[0], "-o", "json").object(t)["state"])

	require.Equal(t, "dropped", w.ok("jobs", "drop", ids[1], "-o", "json").object(t)["state"])
	again := w.ok("jobs", "resend", ids[2], "-o", "json").object(t)
	require.NotEqual(t, ids[2], text(t, again, "id"))
	require.NotEmpty(t, text(t, again, "task_id"))
	w.fails(kit.ExitFailed, []string{"dropped"}, "jobs", "adopt", ids[1], task)
	w.fails(kit.ExitUsage, []string{"dropped", "completed"}, "jobs", "download", ids[1])
	w.fails(kit.ExitFailed, []string{"dropped"}, "jobs", "watch", ids[1])
}

func TestInspect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(kit.ExitNotFound, []string{"video_none"}, "inspect", "video_none")
	require.NoFileExists(t, w.paths().History, "asking makes no history")
	job := w.ok("create", "video", "waves", "-o", "json").object(t)
	id, task := text(t, job, "id"), text(t, job, "task_id")

	r := w.ok("inspect", task)
	require.Contains(t, r.out, "completed (raw: completed)")
	require.Contains(t, r.out, "/v1/videos/"+task)
	require.Contains(t, r.out, id)
	d := w.ok("inspect", task, "-o", "json").object(t)
	require.Equal(t, "videos", d["format"])
	require.Equal(t, task, text(t, d["raw"].(map[string]any), "id"))
	for _, word := range []string{id, jobs.ShortID(id)} {
		d = w.ok("inspect", word, "--format", "videos", "-o", "json").object(t)
		require.Equal(t, word, d["id"])
		require.Equal(t, id, d["job"])
		require.Equal(t, task, d["task_id"], "a job's id stands for its task")
		require.Len(t, d["routes"], 1)
	}
	require.True(t, strings.HasPrefix(w.ok("inspect", task, "--raw").out, "{"))
	r = w.fails(kit.ExitNotFound, []string{"video_none"}, "inspect", "video_none", task, "-o", "ndjson")
	require.Equal(t, 2, strings.Count(r.out, "\n"), "the others are shown all the same")

	ids := w.history(2, func(i int, j *jobs.Job) {
		j.State = jobs.Ambiguous
		if i == 1 {
			j.TaskID, j.Profile = "video_elsewhere", "work"
		}
	})
	w.fails(kit.ExitNotFound, []string{"ambiguous", "jobs show"}, "inspect", ids[0])
	w.fails(kit.ExitUsage, []string{"--profile work"}, "inspect", ids[1])
	w.fails(kit.ExitNotFound, []string{"video_elsewhere", "jobs show"}, "inspect", "video_elsewhere")
}

func TestModels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.Contains(t, w.ok("models").out, "famI-omni")
	require.NotContains(t, w.ok("models", "--kind", "image").out, "famI-omni")
	r := w.ok("models", "famI-omni")
	for _, s := range []string{"t2v", "--duration", "MODE", "FIELD"} {
		require.Contains(t, r.out, s)
	}
	d := w.ok("models", "famI-omni", "-o", "json")
	v := d.object(t)
	require.NotEmpty(t, v["mode_detail"])
	require.NotEmpty(t, v["fields"])
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if k != "value_help" && k != "keys" { // whose names are the gateway's
					require.Equal(t, strings.ToLower(k), k, "names are snake_case")
					walk(x)
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	w.file("config/catalog.yaml", "version: 1\nfamilies:\n  - {token: famX, title: Mine, kind: video, models: [{id: famX-1, modality: video, formats: [content]}]}\n")
	if r := w.run("create", "video", "--model", "famX-1", "--prompt", "x"); r.code != kit.ExitUsage {
		t.Fatalf("a model of formats that are not there: %d %s", r.code, r.err)
	}
}

// TestASenderThatIsGone: a create whose process was killed is ambiguous for everybody who
// looks, and can be decided about.
func TestASenderThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(2, func(_ int, j *jobs.Job) { j.State = jobs.Submitting })
	r := w.ok("jobs", "list")
	require.Equal(t, 2, strings.Count(r.out, "ambiguous"), r.out)
	require.NotContains(t, r.out, "submitting")
	require.Contains(t, w.ok("jobs", "show", ids[0]).out, "jobs adopt")
	require.Equal(t, "dropped", w.ok("jobs", "drop", ids[0], "-o", "json").object(t)["state"])
	require.Equal(t, "video_x", text(t, w.ok("jobs", "adopt", ids[1], "video_x", "--insist", "-o", "json").object(t), "task_id"))
}

// TestWarningsAreShown: in lists by a sign, in full where one job is shown, and to machines.
func TestWarningsAreShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.history(2, func(i int, j *jobs.Job) {
		if i == 0 {
			j.TaskID = "video_short"
			j.Warn("asked 10 s, got 5 s", "no image\x1b[31m arrived")
		}
	})[0]
	require.Contains(t, w.ok("jobs", "list").out, "⚠ prompt 0")
	require.NotContains(t, w.ok("jobs", "list").out, "⚠ prompt 1")
	shown := w.ok("jobs", "show", id).out
	require.Contains(t, shown, "⚠ asked 10 s, got 5 s")
	require.NotContains(t, shown, "\x1b")
	list := w.ok("jobs", "list", "-o", "json").array(t)
	require.Equal(t, []any{"asked 10 s, got 5 s", "no image␛[31m arrived"}, list[1].(map[string]any)["warnings"])
}
