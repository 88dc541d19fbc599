package queue

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// toast is the last toast.
func (b *bench) toast(t *testing.T) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok, "no toast")
	return msg
}

func saved(j jobs.Job) jobs.Job {
	j.Files = []jobs.File{
		{Index: 1, Kind: client.AssetCover, State: jobs.FileSaved, Path: "/pictures/cover.png", Bytes: 10},
		{Index: 0, Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/pictures/kite.mp4", Bytes: 1000},
	}
	return j
}

func TestActionsHandTheJobOn(t *testing.T) {
	j := saved(job(1, jobs.Completed))
	b := open(t, 120, 34, j)
	b.Key("o")
	file, ok := tuitest.Last[screen.OpenFileMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "/pictures/kite.mp4", file.Path, "the result, not its cover")

	b.Key("alt+f")
	file, _ = tuitest.Last[screen.OpenFileMsg](b.Driver)
	assert.Equal(t, "/pictures", file.Path)

	b.Key("y")
	c, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.CopyMsg{Text: "/pictures/kite.mp4", What: "the path"}, c)
	b.Key("Y")
	c, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, screen.CopyMsg{Text: "task-1", What: "the task id"}, c)

	b.Key("c")
	o, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	draft := o.Payload.(screen.ComposeDraft).Draft
	assert.Equal(t, j.Draft, draft)
	draft.Values["duration"] = "changed"
	assert.NotEqual(t, "changed", b.m.list.job().Draft.Values["duration"], "Compose has a copy")

	b.Key("i")
	o, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: "task-1"}}, o)

	b.Key("d")
	assert.Equal(t, []string{"download " + j.ID}, b.f.done)
	assert.Equal(t, screen.ToastMsg{Level: screen.Good, Text: "downloading 1 job"}, b.toast(t))
}

func TestACopiedIDIsHarmless(t *testing.T) {
	j := job(1, jobs.Completed)
	j.TaskID = "x\n\x1b[200~rm -rf ~\n"
	b := open(t, 80, 24, j)
	b.Key("Y")
	c, _ := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.NotContains(t, c.Text, "\n")
	assert.NotContains(t, c.Text, "\x1b")
	j.TaskID = ""
	b.f.change(j)
	b.Send(screen.JobsMsg{})
	b.Key("Y")
	c, _ = tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, screen.CopyMsg{Text: j.ID, What: "the job id"}, c)
}

func TestReasonsWhyNot(t *testing.T) {
	empty := job(1, jobs.Completed)
	empty.Assets = nil
	refused, best := job(1, jobs.Refused), job(1, jobs.Failed)
	best.Tags = []string{jobs.Star}
	for _, c := range []struct {
		id   string
		job  jobs.Job
		says string
	}{
		{"queue.download", job(1, jobs.Running), "only completed jobs"},
		{"queue.download", empty, "no files"},
		{"queue.open-file", job(1, jobs.Completed), "on the disk"},
		{"queue.repoll", job(1, jobs.Completed), "completed"},
		{"queue.repoll", job(1, jobs.Lost), "nothing to ask"},
		{"queue.inspect", refused, "no task id"},
		{"queue.adopt", job(1, jobs.Running), "lost"},
		{"queue.resend", job(1, jobs.Failed), "Compose"},
		{"queue.drop", best, "starred"},
		{"queue.reject", job(1, jobs.Running), "has not ended"},
		{"queue.drop", job(1, jobs.Submitting), "waits for its answer"},
	} {
		b := open(t, 80, 24, c.job)
		b.Send(screen.ActionMsg{ID: c.id})
		toast := b.toast(t)
		assert.Equal(t, screen.Warn, toast.Level, c.id)
		assert.Contains(t, toast.Text, c.says, c.id)
		assert.Empty(t, b.f.done, c.id)
		assert.Nil(t, b.m.stack.Top(), c.id)
		for _, a := range b.m.Actions() {
			if a.ID == c.id {
				assert.Equal(t, toast.Text, a.Off)
			}
		}
	}
}

func TestWithoutAnyJobNothingFails(t *testing.T) {
	b := open(t, 120, 34)
	for _, a := range b.m.Actions() {
		b.Send(screen.ActionMsg{ID: a.ID})
		tuitest.CheckFrame(t, b.Frame(), 120, 34)
	}
	b.m.deps.Previews = nil
	assert.NotEmpty(t, b.m.off("queue.preview"))
}

func TestEveryActionHasAnEffectOrAReason(t *testing.T) {
	for _, s := range jobs.States() {
		for _, a := range deps(t, nil).Keys.Actions(scope) {
			if a.ID == "queue.clear-filter" {
				continue // there is nothing to leave yet
			}
			b := open(t, 120, 34, saved(job(1, s)), job(2, s))
			before := b.Frame()
			b.f.took()
			b.Send(screen.ActionMsg{ID: a.ID})
			changed := b.Frame() != before || len(b.Sent)+len(b.f.done)+len(b.f.lists) > 0
			assert.True(t, changed, "%s of a %s job does nothing", a.ID, s)
		}
	}
}

func TestDropAsksFirst(t *testing.T) {
	b := open(t, 120, 34, many(8)...)
	b.Send(screen.ShowJob{JobID: jobID(3)}) // running
	b.Key("x")
	assert.Contains(t, b.View(), "Drop 1 job?")
	assert.Contains(t, b.View(), "take 3")
	assert.True(t, b.m.Capturing())
	b.Key("enter")
	assert.Empty(t, b.f.done, "enter loses nothing")
	b.Key("x", "esc")
	assert.Empty(t, b.f.done)
	b.Key("x", "y")
	assert.Equal(t, []string{"drop " + jobID(3)}, b.f.done)
	assert.False(t, b.m.Capturing())
	b.f.took()
	b.Key("x")
	b.Click("btn:yes")
	assert.Equal(t, []string{"drop " + jobID(3)}, b.f.done)
	b.f.took()
	b.Key("x")
	b.Send(screen.ActionMsg{ID: "queue.download"}, screen.ClickMsg{Zone: "row:0"})
	assert.IsType(t, &ask.Decision{}, b.m.stack.Top())
	b.Click("btn:no")
	assert.Empty(t, b.f.done)
}

func TestDropStopsADownload(t *testing.T) {
	j := job(1, jobs.Completed)
	j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileFetching, Bytes: 25, Total: 100}}
	b := open(t, 120, 34, j)
	assert.Contains(t, line(b.View(), "▸ ✓"), "saving 25 %")
	b.Key("x")
	assert.Contains(t, b.View(), "Stop the download?")
	b.Key("y")
	assert.Equal(t, []string{"drop " + j.ID}, b.f.done)
}

func TestBulk(t *testing.T) {
	b := open(t, 120, 34, many(8)...) // 1 2 6 completed, 3 running, 4 failed, 5 queued, 7 dropped, 8 refused
	for range 8 {
		b.Key(" ")
	}
	assert.Len(t, b.m.list.jobs.marked, 8)
	assert.Contains(t, b.View(), "8 marked")
	b.Key("d")
	assert.Equal(t, []string{"download " + jobID(1), "download " + jobID(2), "download " + jobID(6)}, b.f.done)
	assert.Equal(t, "downloading 3 jobs", b.toast(t).Text)
	assert.Empty(t, b.m.list.jobs.marked)

	b.f.took()
	b.Key("home", " ", " ", " ", " ", "x")
	assert.Contains(t, b.View(), "Drop 1 job?", "only one of the four marked is active")
	b.Key("y")
	assert.Equal(t, []string{"drop " + jobID(5)}, b.f.done)

	b.f.took()
	b.Key("home", " ", " ", "r")
	assert.Empty(t, b.f.done)
	assert.Contains(t, b.toast(t).Text, "any of the 2 marked")
	b.Key("esc")
	assert.Empty(t, b.m.list.jobs.marked)
	b.Key("home", " ", "up", " ")
	assert.Empty(t, b.m.list.jobs.marked, "the same key takes the mark away")
}

func TestFailuresAreTold(t *testing.T) {
	b := open(t, 120, 34, many(20)...)
	b.f.doErr = errors.New("engine says\nno")
	for range 20 {
		b.Key(" ")
	}
	b.Key("d")
	toast := b.toast(t)
	assert.Equal(t, screen.Bad, toast.Level)
	assert.Contains(t, toast.Text, "and 5 more")
	assert.NotContains(t, toast.Text, "\n")
}

func TestAdopt(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Ambiguous))
	assert.Contains(t, b.View(), "The task may exist, and nothing was sent again")
	b.Key("a")
	assert.True(t, b.m.Capturing())
	b.Key("enter")
	assert.Contains(t, b.View(), "give the task id")
	b.Type("task 7")
	b.Key("enter")
	assert.Contains(t, b.View(), "' ' is in no task id")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	b.Key("ctrl+u")
	b.Paste(" task-7\n")
	b.Key("enter")
	assert.Equal(t, []string{"ask for task-7 " + jobID(1), "adopt task-7 " + jobID(1)}, b.f.done)
	assert.Equal(t, "adopted task-7; the gateway says that it is running (in_progress)", b.toast(t).Text)
	assert.False(t, b.m.Capturing())

	b.f.took()
	b.Key("a")
	b.Paste("other")
	b.Key("esc")
	b.Key("a")
	assert.NotContains(t, b.View(), "other")
	b.Paste("third")
	b.Click("btn:yes")
	assert.Equal(t, []string{"ask for third " + jobID(1), "adopt third " + jobID(1)}, b.f.done)
}

// TestAdoptUnknown: an id that the gateway does not confirm is adopted by those alone who
// say so once more.
func TestAdoptUnknown(t *testing.T) {
	b := open(t, 80, 24, job(1, jobs.Ambiguous))
	b.f.askErr = fmt.Errorf("%w %q: HTTP 404\x1b[31m", jobs.ErrUnknownTask, "task-7")
	adopt := func() {
		b.f.took()
		b.Key("a")
		b.Paste("task-7")
		b.Key("enter")
	}
	adopt()
	assert.Contains(t, b.View(), "The gateway does not know it. Adopt it?")
	assert.Contains(t, b.View(), "HTTP 404")
	assert.NotContains(t, b.View(), "\x1b[31m\"")
	tuitest.CheckFrame(t, b.Frame(), 80, 24)
	b.Key("enter")
	assert.Equal(t, []string{"ask for task-7 " + jobID(1)}, b.f.done, "leaving it is what enter does")
	assert.False(t, b.m.Capturing())
	adopt()
	b.Key("y")
	assert.Equal(t, []string{"ask for task-7 " + jobID(1), "adopt task-7 " + jobID(1)}, b.f.done)
	assert.Equal(t, "adopted task-7 for 1 job", b.toast(t).Text)

	b.f.askErr = errors.New("connection refused")
	adopt()
	assert.Contains(t, b.View(), "The gateway cannot tell. Adopt it?")
	b.Key("n")
	b.f.askErr = fmt.Errorf("%w: it is running", jobs.ErrState)
	adopt()
	assert.False(t, b.m.Capturing(), "nothing to be decided")
	assert.Contains(t, b.toast(t).Text, "not adopted: ")
}

func TestResend(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Ambiguous), job(2, jobs.Refused))
	b.Key("R")
	assert.Contains(t, b.View(), "It goes out as a new job.")
	b.Key("n")
	assert.Empty(t, b.f.done)
	b.Key("down", "R")
	assert.Contains(t, b.View(), "may have accepted this job")
	assert.NotContains(t, b.View(), "billed", "the embedded gateway takes nothing for it")
	b.Key("y")
	assert.Equal(t, []string{"resend " + jobID(1)}, b.f.done)
	assert.Equal(t, jobID(9001), b.row(), "the cursor goes to the new job")
	b.f.doErr = errors.New("it was accepted meanwhile")
	b.Send(screen.ShowJob{JobID: jobID(1)})
	b.Key("R", "y")
	assert.Equal(t, screen.Bad, b.toast(t).Level)
}

func TestKeysThatCameInOneRead(t *testing.T) {
	b := open(t, 120, 34, many(8)...)
	b.Send(burst("jjj"))
	assert.Equal(t, jobID(5), b.row())
	b.Send(burst("xyd")) // 5 is queued: the question opens and the rest is not taken for an answer
	assert.IsType(t, &ask.Decision{}, b.m.stack.Top())
	assert.Empty(t, b.f.done)
	b.Key("esc")
	b.Paste("xy")
	assert.Nil(t, b.m.stack.Top(), "a paste is no list of commands")
}

func TestReboundKeysWin(t *testing.T) {
	f := newFake(many(3)...)
	d := deps(t, f)
	var errs []error
	d.Keys, errs = d.Keys.Override(map[string][]string{"queue.download": {"j"}})
	require.Empty(t, errs)
	m := New(d)
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, f: f}
	b.Send(screen.ShowJob{JobID: jobID(1)})
	b.Key("j")
	assert.Equal(t, []string{"download " + jobID(1)}, b.f.done)
}

func TestPanes(t *testing.T) {
	b := open(t, 120, 34, many(3)...)
	for _, want := range []section{facts, timeline, request, answer, chainTree} {
		b.Key("tab")
		assert.Equal(t, detailPane, b.m.focus)
		assert.Equal(t, want, b.m.detail.section)
	}
	b.Key("tab")
	assert.Equal(t, tablePane, b.m.focus)
	b.Key("shift+tab")
	assert.Equal(t, chainTree, b.m.detail.section)
	b.Key("right", "right")
	assert.Equal(t, chainTree, b.m.detail.section, "stops at the end")
	b.Key("left", "left", "left", "left", "left")
	assert.Equal(t, facts, b.m.detail.section)
	b.Key("esc")
	assert.Equal(t, tablePane, b.m.focus)
}
