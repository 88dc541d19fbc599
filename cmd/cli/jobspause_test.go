package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(2, func(i int, j *jobs.Job) {
		if i == 0 {
			j.State, j.TaskID, j.QueryFormat, j.AcceptedAt = jobs.Running, "t-1", "videos", time.Now()
		}
	})
	require.Equal(t, true, w.ok("jobs", "pause", ids[0], "-o", "json").object(t)["paused"])
	require.Contains(t, w.ok("jobs", "show", ids[0]).out, "lets it go on")
	require.Nil(t, w.ok("jobs", "resume", ids[0], "-o", "json").object(t)["paused"])
	w.fails(kit.ExitFailed, []string{"nothing to pause", "completed"}, "jobs", "pause", ids[1])

	require.Contains(t, w.ok("jobs", "pause", "--all").out, "everything")
	require.Len(t, w.ok("jobs", "pause", "--host", "CDN.example", "-o", "json").array(t), 2)
	require.Contains(t, w.ok("jobs", "resume", "--all").out, "cdn.example")
	w.fails(kit.ExitNotFound, []string{`"cdn.exmaple" is not paused`, "cdn.example"}, "jobs", "resume", "--host", "cdn.exmaple")
	require.Empty(t, w.ok("jobs", "resume", "--host", "cdn.example", "-o", "json").array(t))
	for _, args := range [][]string{{}, {ids[0], "--all"}, {"--all", "--host", "h"}} {
		w.fails(kit.ExitUsage, []string{"one of the three"}, append([]string{"jobs", "pause"}, args...)...)
	}
	w.fails(kit.ExitUsage, []string{"give a host name"}, "jobs", "pause", "--host", "https://h/")
}

func TestTagAndRemark(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.history(2, nil)[0]
	require.Contains(t, w.ok("jobs", "tag", id, "+kept", "good").err, "good kept")
	got := w.ok("jobs", "tag", id, "-good", "new", "-o", "json").object(t)
	assert.Equal(t, []any{"kept", "new"}, got["tags"])
	require.Len(t, w.ok("jobs", "list", "--tag", "kept", "-o", "json").array(t), 1)
	require.Empty(t, w.ok("jobs", "list", "--tag", "good", "-o", "json").array(t))
	require.Equal(t, "for the client", w.ok("jobs", "remark", id, "for", "the", "client", "-o", "json").object(t)["remark"])
	require.Len(t, w.ok("jobs", "list", "-s", "the client", "-o", "json").array(t), 1)
	require.Nil(t, w.ok("jobs", "remark", id, "-o", "json").object(t)["remark"])
	require.Contains(t, w.ok("jobs", "tag", "--help").out, "-TAG")
	w.fails(kit.ExitUsage, []string{`--tag "a b"`, "one tag"}, "jobs", "list", "--tag", "a b")
	w.fails(kit.ExitUsage, []string{"give tags"}, "jobs", "tag", id)
	w.fails(kit.ExitUsage, []string{"name a job"}, "jobs", "tag")
	w.fails(kit.ExitUsage, []string{"one word"}, "jobs", "tag", id, "a,b")
	w.fails(kit.ExitUsage, []string{"--nonsense"}, "jobs", "tag", id, "a", "--nonsense")
	w.fails(kit.ExitUsage, []string{"xml"}, "jobs", "tag", id, "a", "-o", "xml")
}

// TestWhatWasSaidIsTold: what there is, and no line for what there is not.
func TestWhatWasSaidIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.history(1, nil)[0]
	for _, step := range []struct {
		args []string
		says string
	}{
		{[]string{"tag", id, "kept"}, "tags: kept\n"},
		{[]string{"remark", id, "the client's"}, "tags: kept\nremark: the client's\n"},
		{[]string{"tag", id, "-kept"}, "remark: the client's\n"},
		{[]string{"remark", id}, "no tags and no remark\n"},
	} {
		told := w.ok(append([]string{"jobs"}, step.args...)...).err
		told = strings.ReplaceAll(told, "darkroom: waiting a moment for what is under way…\n", "") // on a busy machine
		assert.Equal(t, step.says, told, "%v", step.args)
	}
}

// heldOf are the pauses that hold a job up, as "kind host: command".
func heldOf(t *testing.T, job map[string]any) (out []string) {
	t.Helper()
	list, _ := job["held"].([]any)
	for _, x := range list {
		h, ok := x.(map[string]any)
		require.True(t, ok)
		host, _ := h["host"].(string)
		out = append(out, strings.TrimSpace(text(t, h, "kind")+" "+host)+": "+text(t, h, "resume"))
	}
	return out
}

// TestWhatAPauseKeepsFromBeingSentIsTold: the command does not hang, the job is kept, and
// goes out when the pause ends.
func TestWhatAPauseKeepsFromBeingSentIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ pause, held, says string }{
		"everything": {"--all", "all: darkroom jobs resume --all", "everything is paused"},
		"the host":   {"--host=sandbox", "host sandbox: darkroom jobs resume --host sandbox", "the host sandbox is paused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.ok("jobs", "pause", c.pause)
			r := w.fails(kit.ExitPaused, []string{"is kept and not sent yet", c.says, strings.Split(c.held, ": ")[1]}, "create", "image", "a gate", "-o", "json")
			job := r.object(t)
			assert.Equal(t, "planned", job["state"])
			assert.Equal(t, []string{c.held}, heldOf(t, job))
			id := text(t, job, "id")

			assert.Equal(t, []string{c.held}, heldOf(t, w.ok("jobs", "list", "-o", "json").array(t)[0].(map[string]any)))
			assert.Contains(t, w.ok("jobs", "list").out, "paused")
			shown, ok := w.ok("jobs", "show", id, "-o", "json").object(t)["job"].(map[string]any)
			require.True(t, ok)
			assert.Equal(t, []string{c.held}, heldOf(t, shown))
			assert.Contains(t, w.ok("jobs", "show", id).out, c.says)

			w.fails(kit.ExitPaused, []string{c.says}, "jobs", "repoll", id)
			w.ok("jobs", "resume", c.pause)
			job = w.ok("jobs", "watch", id, "-o", "json").object(t)
			assert.Equal(t, "completed", job["state"])
			assert.Empty(t, heldOf(t, job))
		})
	}
}

// TestWatchingWhatIsPausedEndsWithTheSignal: it waits for the pause to end, says so, and tells
// whoever interrupts it that nothing is lost.
func TestWatchingWhatIsPausedEndsWithTheSignal(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: kit.ExitCancelled, syscall.SIGTERM: 143} {
		w := newWorld(t)
		w.ok("jobs", "pause", "--all")
		id := text(t, w.fails(kit.ExitPaused, nil, "create", "image", "a gate", "-o", "json").object(t), "id")
		ctx, stop := context.WithCancelCause(t.Context())
		said := &until{text: "darkroom jobs resume --all", then: func() { stop(kit.Interrupted(signal)) }}
		var out bytes.Buffer
		require.Equal(t, want, run(ctx, w.stdio(&out, said), []string{"jobs", "watch", id}), said.String())
		assert.Contains(t, said.String(), "stopped watching; nothing is lost: `darkroom jobs watch "+jobs.ShortID(id)+"` goes on")
		assert.Empty(t, out.String())
		assert.Contains(t, w.ok("jobs", "show", id).out, "planned", "it is as it was")
	}
}

// TestRepollSaysWhatHoldsTheJob: a paused job is not asked about, which is said at once.
func TestRepollSaysWhatHoldsTheJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := w.history(2, func(_ int, j *jobs.Job) {
		j.State, j.TaskID, j.QueryFormat, j.AcceptedAt = jobs.Running, "t-1", "videos", time.Now()
	})
	w.ok("jobs", "pause", ids[0])
	resume := "darkroom jobs resume " + jobs.ShortID(ids[0])
	r := w.fails(kit.ExitPaused, []string{"was not asked for", "the job is paused", resume}, "jobs", "repoll", ids[0], "-o", "json")
	assert.Equal(t, []string{"job: " + resume}, heldOf(t, r.object(t)))
	assert.NotContains(t, r.err, "planned")

	w.ok("jobs", "pause", "--all")
	r = w.fails(kit.ExitPaused, []string{"the job is paused", "everything is paused"}, "jobs", "repoll", ids[0])
	assert.Contains(t, r.out, "paused, all paused", "the table has it too")
	r = w.fails(kit.ExitPaused, nil, "jobs", "repoll", ids[0], "--profile", "sandbox")
	assert.Contains(t, r.err, resume+" --profile sandbox", "the command named is the one that works")
}

// TestWaitingForWhatIsPausedIsTold: what follows a job to its end waits for the end of the
// pause, too, and says so meanwhile.
func TestWaitingForWhatIsPausedIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok("jobs", "pause", "--all")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	said := &until{text: "planned: everything is paused: `darkroom jobs resume --all` lets it go on", then: func() {
		w.ok("jobs", "resume", "--all")
	}}
	var out strings.Builder
	require.Zero(t, run(ctx, w.stdio(&out, said), []string{"create", "image", "a gate", "--wait", "-o", "json"}), said.String())
	assert.Contains(t, out.String(), `"state": "completed"`)
	assert.NotContains(t, out.String(), `"held"`)
}

// TestMachinesGetMilliseconds: nothing in the output is in nanoseconds, as the history is.
func TestMachinesGetMilliseconds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := w.ok("create", "video", "[[sandbox:delay on=create ms=40]] waves", "-o", "json").object(t)
	took, ok := job["create_took_ms"].(float64)
	require.True(t, ok, "%v", job)
	assert.True(t, took >= 40 && took < 60_000, "%v ms", took)
	assert.NotContains(t, job, "create_took")
	task := text(t, job, "task_id")

	d := w.ok("jobs", "show", task, "-o", "json").object(t)
	x, ok := d["exchanges"].([]any)[0].(map[string]any)
	require.True(t, ok)
	took, ok = x["latency_ms"].(float64)
	require.True(t, ok, "%v", x)
	assert.True(t, took >= 40 && took < 60_000, "%v ms", took)
	assert.NotContains(t, x, "latency")

	found := w.ok("inspect", task, "-o", "json").object(t)
	meta, ok := found["task"].(map[string]any)["meta"].(map[string]any)
	require.True(t, ok)
	assert.Contains(t, meta, "latency_ms")
	assert.NotContains(t, meta, "latency")

	var kept map[string]any
	lines := strings.Split(w.ok("history", "export").out, "\n")
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &kept))
	assert.Contains(t, kept["job"], "create_took", "what is kept stays as older versions read it")
}

// TestUnreachedIsNotWaitedFor: a create that could not be sent is for a person to resume, so
// that what waits for it ends, and says so.
func TestUnreachedIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	st, err := store.Open(t.Context(), w.paths().History)
	require.NoError(t, err)
	j := storetest.NewJob("x")
	j.Profile, j.Paused, j.Note = "sandbox", true, "the gateway could not be reached: dial tcp: refused"
	require.NoError(t, st.Insert(t.Context(), []jobs.Change{storetest.Plan(j)}))
	require.NoError(t, st.Close())
	id := j.ID
	resume := "darkroom jobs resume " + jobs.ShortID(id)
	require.Contains(t, w.ok("jobs", "list").out, "planned, paused")
	require.Contains(t, w.ok("jobs", "show", id).out, resume)
	w.fails(kit.ExitPaused, []string{"is kept and not sent yet", "could not be reached: dial tcp: refused", resume}, "jobs", "watch", id)
	w.ok("poll", "--until-idle")
	require.Contains(t, w.ok("jobs", "pauses").out, resume)
}
