package compare

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare/pick"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func (b *bench) of(t testing.TB, model string) pick.Candidate {
	t.Helper()
	i := slices.IndexFunc(b.m.plan.Candidates, func(c pick.Candidate) bool { return c.Model.ID == model })
	require.GreaterOrEqual(t, i, 0, model)
	return b.m.plan.Candidates[i]
}

func TestOneGroupInOneCall(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.choose("famA3", "famK-3.0")
	b.Key("ctrl+s")
	require.Len(t, b.e.got, 1)
	subs := b.e.got[0]
	require.Len(t, subs, 3)
	assert.NotEmpty(t, subs[0].Group)
	var models []string
	for _, s := range subs {
		assert.Equal(t, subs[0].Group, s.Group)
		assert.Equal(t, aDraft().Prompt, s.Draft.Prompt)
		models = append(models, s.Draft.Model)
	}
	assert.Equal(t, []string{"famA3", "famI-omni", "famK-3.0"}, models)
	assert.NotContains(t, subs[2].Draft.Values, "resolution", "famK decides its resolution")
	assert.Equal(t, "480P", subs[1].Draft.Values["resolution"], "the draft itself is not changed")
	assert.Equal(t, gridPane, b.m.focus)
}

func TestAdaptationIsHonest(t *testing.T) {
	b := start(t, 120, 34)
	d := aDraft()
	d.Values[client.FieldExternalTaskID] = "mine"
	b.Send(screen.CompareDraft{Draft: d})
	k := b.of(t, "famK-3.0")
	assert.Empty(t, k.Block)
	assert.Contains(t, k.Changes, "resolution removed: always 720P")
	assert.Contains(t, k.Changes, "external_task_id removed: it names one task")
	same := b.of(t, "famK-3.0-480p")
	assert.NotContains(t, strings.Join(same.Changes, " "), "resolution", "a value that agrees stays")
	f := b.of(t, "famF-video")
	assert.Equal(t, "famF-v1", f.Draft.ModelName)
	assert.Contains(t, f.Changes, "model_name famF-v1 taken")
	assert.Contains(t, b.of(t, "famC-1.0-i2v").Block, "has no mode t2v")
	assert.Contains(t, b.of(t, "famH-2.3").Block, "has no mode t2v")
	assert.Contains(t, strings.Join(b.of(t, "famJq3-turbo").Warns, " "), "resolution", "its values are hard on /ent/v2 only")
	assert.NotEmpty(t, b.of(t, "famG-h3").Warns)
	assert.Equal(t, "mine", b.m.plan.Base.Values[client.FieldExternalTaskID])
}

func TestModelNameStaysWhereItIsKnown(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: client.Draft{Modality: client.Image, Model: "famF-image", ModelName: "famF-v2", Prompt: "x"}})
	assert.Equal(t, "famF-v2", b.of(t, "famF-image").Draft.ModelName)
	assert.Empty(t, b.of(t, "famL").Draft.ModelName)
	assert.Contains(t, b.of(t, "famL").Changes, "model_name removed")
	assert.Equal(t, "famF-image-o1", b.of(t, "famF-omni-image").Draft.ModelName)
}

func TestAModelThatCanNotIsNeverSent(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.choose("famC-1.0-i2v")
	b.Key("ctrl+s")
	require.Len(t, b.e.got, 1)
	require.Len(t, b.e.got[0], 1)
	assert.Equal(t, "famI-omni", b.e.got[0][0].Draft.Model)

	b = start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	for i, c := range b.m.plan.Candidates {
		if c.Model.ID == "famH-2.3" {
			b.m.table.SetCursor(i)
		}
	}
	b.Key(" ")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "has no mode t2v")
	assert.False(t, b.m.plan.Chosen["famH-2.3"])
}

func TestManyJobsAskFirst(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.choose("famA3")
	b.Key("n", "n", "ctrl+s") // 2 models, 3 times
	assert.Empty(t, b.e.got)
	assert.Contains(t, b.View(), "6 jobs are created and billed: 2 models,")
	assert.Contains(t, b.View(), "each 3 times.")
	assert.True(t, b.m.Capturing())
	b.Key("enter") // the first answer loses nothing
	assert.Empty(t, b.e.got)
	assert.Nil(t, b.m.asking)
	b.Key("ctrl+s")
	b.Click("btn:yes")
	require.Len(t, b.e.got, 1)
	assert.Len(t, b.e.got[0], 6)
	assert.Contains(t, b.View(), "2/3")
}

func TestPromptAndKindAreTypedHere(t *testing.T) {
	b := start(t, 120, 34)
	assert.True(t, b.m.Capturing())
	b.Key("up", "right") // to the kind: image
	assert.Equal(t, client.Image, b.m.plan.Base.Modality)
	assert.False(t, b.m.Capturing())
	b.Key("down")
	b.Type("1 red kite?")
	assert.Equal(t, "1 red kite?", b.m.plan.Base.Prompt)
	assert.NotEmpty(t, b.m.Unsaved())
	b.Key("enter", "j", " ", "ctrl+s")
	require.Len(t, b.e.got, 1)
	assert.Equal(t, "famF-omni-image", b.e.got[0][0].Draft.Model)
	assert.Equal(t, "1 red kite?", b.e.got[0][0].Draft.Prompt)
	assert.Empty(t, b.m.Unsaved())
}

func TestWithoutAPromptNothingIsSent(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("enter", " ", "ctrl+s")
	assert.Empty(t, b.e.got)
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "type a prompt first", toast.Text)
}

func TestLineEndsOfThePromptSurviveEditing(t *testing.T) {
	b := start(t, 80, 24)
	d := aDraft()
	d.Prompt = "one\ntwo"
	b.Send(screen.CompareDraft{Draft: d})
	b.Key("/")
	b.Type("!")
	assert.Equal(t, "one\ntwo!", b.m.plan.Base.Prompt)
	b.Paste(" three\r\nfour\n")
	assert.Equal(t, "one\ntwo! three\nfour", b.m.plan.Base.Prompt)
}

func TestARefusedRunLosesNothing(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.e.err = errors.New("disk\x1b[2J full")
	b.Key("ctrl+s")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "nothing was sent: disk")
	assert.NotContains(t, toast.Text, "\x1b")
	assert.Empty(t, b.m.run.Trials)
	assert.Equal(t, aDraft().Prompt, b.m.plan.Base.Prompt)
	b.e.err = nil
	b.Key("ctrl+s")
	assert.Len(t, b.m.run.Trials, 1)
}

func TestASecondPressSendsNothingTwice(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	first := b.m.commands.Do(b.m, "compare.run")
	require.NotNil(t, first)
	require.NotNil(t, b.m.commands.Do(b.m, "compare.run")) // a toast that says why not
	b.Send(first())
	assert.Len(t, b.e.got, 1)
}

func TestNewsBeforeTheIDsAreKnownCount(t *testing.T) {
	b := start(t, 120, 34)
	b.e.early = func(id string, s jobs.Submission) jobs.Job {
		return jobs.Job{ID: id, Draft: s.Draft, State: jobs.Submitting, SubmittedAt: now, Progress: -1}
	}
	b.Send(screen.CompareDraft{Draft: aDraft()})
	cmd := b.m.commands.Do(b.m, "compare.run")
	msg := cmd()
	b.Send(screen.JobsMsg{}) // comes before the answer to the run
	b.Send(msg)
	assert.True(t, b.m.run.Trials[0].Have)
	assert.Contains(t, b.View(), "◌ submitting")
}

func TestLatencyIsSplitAsFarAsItIsKnown(t *testing.T) {
	b := start(t, 160, 40)
	five(t, b)
	flat := strings.Join(strings.Fields(b.View()), " ")
	assert.Contains(t, flat, "create 200 ms · queue 2.8 s")
	assert.Contains(t, flat, "run 16.0 s")
	assert.Contains(t, flat, "queue and run 14.8 s", "it was never seen running")
	assert.Contains(t, flat, "✓ 2 of 5 · ▶ 2 open · ✗ 1 failed")
	tl := b.m.run.Tally(now)
	assert.Equal(t, "famK-3.0", tl.Fastest)
	assert.Equal(t, 15*time.Second, tl.Least)
	assert.Equal(t, 17*time.Second, tl.Median)
}

func TestTheCursorGoesOverTheCells(t *testing.T) {
	b := start(t, 120, 34)
	five(t, b)
	cols, _ := b.m.grid.shape()
	require.Equal(t, 2, cols)
	b.Key("right")
	assert.Equal(t, 1, b.m.grid.at)
	b.Key("down", "down")
	assert.Equal(t, 4, b.m.grid.at, "the last row is shorter")
	b.Key("i")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: "task-4"}}, open)
	b.Key("enter")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Queue, Payload: screen.ShowJob{JobID: b.m.run.Trials[4].JobID}}, open)
	b.Key("c")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	d, ok := open.Payload.(screen.ComposeDraft)
	require.True(t, ok)
	assert.Equal(t, "famK-3.0", d.Draft.Model)
	b.Key(" ") // chooses no model from here
	assert.Len(t, b.m.plan.Chosen, 5)
	b.Click("cell:2")
	assert.Equal(t, 2, b.m.grid.at)
	b.DoubleClick("cell:3")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.ShowJob{JobID: b.m.run.Trials[3].JobID}, open.Payload)
}

// TestCellsCanBeHitAnywhere looks up what a click into the middle of cells meets.
func TestCellsCanBeHitAnywhere(t *testing.T) {
	b := start(t, 120, 34)
	five(t, b)
	zones := b.Zones()
	for _, c := range []struct {
		x, y int
		want string
	}{{60, 8, "cell:0"}, {100, 8, "cell:1"}, {60, 18, "cell:2"}, {100, 18, "cell:3"}, {60, 27, "cell:4"}, {5, 8, "row:"}} {
		z, ok := zones.At(c.x, c.y)
		require.True(t, ok, "%v\n%s", c, b.View())
		assert.True(t, strings.HasPrefix(z.ID, c.want), "%v is %s\n%s", c, z.ID, b.View())
	}
}

func TestClicksChooseModels(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.Key("g")
	b.Click("row:0")
	assert.True(t, b.m.plan.Chosen["famA3"])
	b.Send(screen.ClickMsg{Zone: "row:1", X: 20})
	assert.False(t, b.m.plan.Chosen["famA3-fast"], "a click on the name only moves the cursor")
	assert.Equal(t, 1, b.m.table.Cursor())
	b.Key("a")
	able := len(b.m.plan.In())
	assert.Greater(t, able, 20)
	b.Key("a")
	assert.Empty(t, b.m.plan.In())
	b.Click("kind:music")
	assert.Equal(t, client.Music, b.m.plan.Base.Modality)
}

func TestPreviewOfAResult(t *testing.T) {
	b := start(t, 120, 34)
	five(t, b)
	b.Settle(5*time.Second, "the preview has come", func() bool { return b.m.pictures[0].Have })
	assert.NotEmpty(t, b.m.pictures[0].Got.Lines)
	b.Resize(200, 60)
	b.Send(screen.JobsMsg{})
	b.Settle(5*time.Second, "the larger one has come", func() bool { return b.m.pictures[0].Have && b.m.pictures[0].Got.Key.Height > 8 })
}

func TestTicksOnlyWhileSomethingRuns(t *testing.T) {
	b := start(t, 120, 34)
	assert.Zero(t, b.m.NextTick())
	five(t, b)
	assert.Equal(t, time.Second, b.m.NextTick())
	b.e.tell(b.aJob(1, jobs.Completed, "completed"), b.aJob(2, jobs.Failed, "failed"))
	b.Send(screen.JobsMsg{})
	assert.Zero(t, b.m.NextTick())
	assert.Zero(t, b.Waiting())
}
