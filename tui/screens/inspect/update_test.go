package inspect

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestAsksHistoryAndLikelyRoutes(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["videos"] = completed()
	b.h.jobs = []jobs.Job{aJob()}
	b.ask("vid_1")
	assert.ElementsMatch(t, []string{"videos vid_1", "content vid_1"}, b.gw.asked, "the likely routes; one of them knows it")
	assert.Contains(t, b.View(), "not asked")
	require.NotEmpty(t, b.h.queries)
	assert.Equal(t, "vid_1", b.h.queries[0].TaskID)
	assert.Contains(t, b.View(), "✓ completed  raw completed")
	assert.Contains(t, b.View(), aJob().ID)
	b.Key("o")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Queue, Payload: screen.ShowJob{JobID: aJob().ID}}, open)
}

func TestInspectIDLooksUpAtOnce(t *testing.T) {
	b := start(t, 80, 24)
	b.Send(screen.InspectID{ID: " vid_7\n"})
	assert.Equal(t, "vid_7", b.m.q.id)
	assert.Len(t, b.gw.asked, 4)
	assert.False(t, b.m.Capturing(), "nothing is typed after a look-up")
}

func TestPasteIsTrimmedAndCleaned(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\n  \"vid_1\"  \n", "vid_1"},
		{"vid\u200b_1\ufeff", "vid_1"},
		{"\x1b[31mvid_1\u202e", "[31mvid_1"},
		{"`task-9`,\nmore text", "task-9"},
		{"\t\n", ""},
		{strings.Repeat("x", 900), strings.Repeat("x", maxID)},
	} {
		assert.Equal(t, c.want, cleanID(c.in), "%q", c.in)
	}
	b := start(t, 80, 24)
	b.Paste("\n  vid\u200b_1 \n")
	b.Key("enter")
	assert.Equal(t, "vid_1", b.m.q.id)
	b.Paste("vid_2") // while a pane has the focus
	assert.Equal(t, "vid_2", b.m.input.Value())
	b.Key("enter")
	assert.Equal(t, "vid_2", b.m.q.id)
}

func TestAJobsOwnIDAsksByItsTask(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["videos"] = completed()
	b.h.jobs = []jobs.Job{aJob()}
	b.Send(screen.InspectID{ID: aJob().ID})
	assert.Equal(t, "vid_1", b.m.q.asked)
	assert.Contains(t, b.gw.asked, "videos vid_1")
	assert.Contains(t, b.View(), "✓ completed")
	b.Key("Y")
	c, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "vid_1", c.Text)
}

func TestAJobWithoutATaskIsNotAskedAbout(t *testing.T) {
	b := start(t, 120, 34)
	j := aJob()
	j.TaskID, j.State = "", jobs.Ambiguous
	b.h.jobs = []jobs.Job{j}
	b.Send(screen.InspectID{ID: j.ID})
	assert.Empty(t, b.m.q.found.Routes)
	assert.Contains(t, b.View(), "no task id")
}

func TestANewLookupCancelsTheOld(t *testing.T) {
	b := start(t, 120, 34)
	b.Limit = 10 * time.Millisecond
	b.gw.hold = make(chan struct{})
	b.ask("old")
	first := b.gw.firstCtx()
	require.NoError(t, first.Err())
	assert.Contains(t, b.View(), "asking 4 routes")
	b.gw.mu.Lock()
	b.gw.answers["videos"] = completed()
	close(b.gw.hold)
	b.gw.hold = nil
	b.gw.mu.Unlock()
	b.ask("new")
	require.Error(t, first.Err())
	b.Settle(5*time.Second, "every command has ended", func() bool { return b.Waiting() == 0 })
	assert.Equal(t, "new", b.m.q.id)
	assert.Zero(t, b.m.q.found.Busy())
}

func TestEscapeStopsAsking(t *testing.T) {
	b := start(t, 120, 34)
	b.Limit = 10 * time.Millisecond
	b.gw.hold = make(chan struct{}) // never closed: only the context ends it
	b.ask("vid_1")
	assert.Positive(t, b.m.q.found.Busy())
	b.Key("esc")
	assert.Zero(t, b.m.q.found.Busy())
	require.Error(t, b.gw.firstCtx().Err())
	b.Settle(5*time.Second, "the routes have given up", func() bool { return b.Waiting() == 0 })
	assert.Contains(t, b.View(), "stopped")
}

func TestSlowRouteHoldsUpNoOther(t *testing.T) {
	m, g, _ := newModel(t)
	m.SetSize(120, 34)
	g.answers["videos"] = running()
	m.input.SetValue("vid_1")
	_ = m.lookup()
	_, _ = m.Update(ask(t.Context(), g, "vid_1", "videos", m.q.gen, 0)())
	view := tuitest.Plain(m.View())
	assert.Contains(t, view, "▶ running  raw in_progress")
	assert.Contains(t, view, "asking 3 of 4 routes and the history")
}

func TestOldAnswersAreDropped(t *testing.T) {
	b := start(t, 120, 34)
	b.ask("vid_1")
	b.Send(routeMsg{gen: b.m.q.gen - 1, at: 0, res: completed()})
	assert.Equal(t, -1, b.m.q.found.Best())
}

func TestWhatToDoNext(t *testing.T) {
	all := func(r client.RouteResult) map[string]client.RouteResult {
		return map[string]client.RouteResult{"videos": r, "content": r, "responses": r, "music": r}
	}
	queued := answer(client.StatusQueued, "queueing", `{}`)
	queued.Task.CreatedAt = now.Add(-time.Hour)
	for _, c := range []struct {
		name    string
		answers map[string]client.RouteResult
		want    []string
	}{
		{"404 everywhere", nil, []string{"no route knows this id", "Is the id complete"}},
		{"a real gateway", map[string]client.RouteResult{"videos": refusal(400, "task_not_exist", "task_not_exist"), "content": refusal(200, "", "a web page"),
			"music": refusal(200, "", "a web page")}, []string{"no route knows this id", "Is the id complete", "a web page, no answer"}},
		{"web pages", all(refusal(200, "", "a web page")), []string{"a web page in place of an answer", "Every route that was asked", "a web page, no answer"}},
		{"one is away", map[string]client.RouteResult{"videos": {Err: errors.New("dial tcp: refused")}}, []string{"a route was not reached"}},
		{"401", all(refusal(401, "x", "y")), []string{"the key was refused", "darkroom auth status"}},
		{"429", all(refusal(429, "x", "y")), []string{"too many requests"}},
		{"500", all(refusal(503, "x", "y")), []string{"the gateway failed", "request id"}},
		{"offline", all(client.RouteResult{Err: errors.New("dial tcp: refused")}), []string{"not reached", "network"}},
		{"html", all(client.RouteResult{Meta: client.Meta{HTTPStatus: 200}, Err: errors.New("not JSON"), Raw: []byte("<html>")}), []string{"no answer was understood", "<html>"}},
		{"failed", map[string]client.RouteResult{"music": failed()}, []string{"✗ failed  raw FAILED", "DataInspectionFailed the prompt was refused"}},
		{"long queued", map[string]client.RouteResult{"videos": queued}, []string{"◌ queued  raw queueing", "which is long"}},
		{"odd state", map[string]client.RouteResult{"videos": answer(client.StatusUnknown, "paused", `{}`)}, []string{"? unknown  raw paused", "a state that the interface does not list"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := start(t, 160, 40)
			if c.answers != nil {
				b.gw.answers = c.answers
			}
			b.ask("vid_1")
			left := "" // the pane of facts alone, whose sentences go on in the next line
			for line := range strings.Lines(b.View()) {
				if cells := strings.Split(line, "│"); len(cells) > 1 {
					left += cells[1] + " "
				}
			}
			flat := strings.Join(strings.Fields(b.View()+left), " ")
			for _, w := range c.want {
				assert.Contains(t, flat, strings.Join(strings.Fields(w), " "))
			}
		})
	}
}

func TestAKnownStateIsBetterThanAnUnknownOne(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["videos"] = answer(client.StatusUnknown, "odd", `{}`)
	b.gw.answers["music"] = failed()
	b.ask("vid_1")
	assert.Equal(t, "music", b.m.q.found.Routes[b.m.q.found.Best()].Format)
	assert.Equal(t, "music", b.m.current().Format, "the answer shown is that of the best route")
	b.Click("row:0")
	assert.Equal(t, "videos", b.m.current().Format)
	b.Key("tab")
	assert.Equal(t, answerPane, b.m.focus)
}

func TestTheFormatCanBeChosen(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("ctrl+f")
	b.Type("music")
	b.Key("enter")
	assert.Equal(t, "music", b.m.q.found.Only)
	b.ask("x")
	assert.Equal(t, []string{"music x"}, b.gw.asked)
	assert.Contains(t, b.View(), "Only music was asked")
	b.Key("f")
	b.Click("pick:" + anyFormat)
	assert.Empty(t, b.m.q.found.Only)
	assert.Len(t, b.gw.asked, 5, "the other choice asks again at once")
}

func TestRecentIDs(t *testing.T) {
	b := start(t, 80, 24)
	for i := range maxRecent + 5 {
		b.ask(fmt.Sprintf("id-%02d", i))
	}
	assert.Len(t, b.m.recent.ids, maxRecent)
	b.Key("/", "up")
	assert.Equal(t, "id-23", b.m.input.Value())
	b.Key("up")
	assert.Equal(t, "id-22", b.m.input.Value())
	b.Key("down", "down", "down", "down")
	assert.Empty(t, b.m.input.Value())
	for range 40 {
		b.Key("up")
	}
	assert.Equal(t, "id-05", b.m.input.Value())
}

func TestCopyTakesTheBodyAsItCame(t *testing.T) {
	b := start(t, 80, 24)
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	b.Key("y")
	c, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, completedBody, c.Text)
}

func TestActionsSayWhyNot(t *testing.T) {
	b := start(t, 80, 24)
	b.Send(screen.ActionMsg{ID: "inspect.copy"})
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.Warn, toast.Level)
	b.Key("enter")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "id")
	off := 0
	for _, a := range b.m.Actions() {
		if a.Off != "" {
			off++
		}
	}
	assert.Equal(t, 22, off)
}

func TestNewsOfTheJob(t *testing.T) {
	b := start(t, 120, 34)
	j := aJob()
	j.State, j.RawStatus = jobs.Running, "in_progress"
	b.h.jobs = []jobs.Job{j}
	b.ask("vid_1")
	assert.Contains(t, b.View(), "▶ running (in_progress)")
	b.h.changed = []jobs.Job{aJob()}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "✓ completed (completed)")
}

func TestNothingTicksWhenNothingAges(t *testing.T) {
	b := start(t, 120, 34)
	assert.Zero(t, b.m.NextTick())
	b.ask("vid_404")
	assert.Zero(t, b.m.NextTick())
	b.gw.answers["videos"] = running()
	b.ask("vid_1")
	assert.Positive(t, b.m.NextTick())
	assert.Zero(t, b.Waiting())
}

func TestTypingCapturesLettersOnly(t *testing.T) {
	b := start(t, 80, 24)
	assert.True(t, b.m.Capturing())
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("wyfo/")})
	assert.Equal(t, "wyfo/", b.m.input.Value())
	b.ask("vid_1")
	b.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("ww")}) // two keys in one read
	assert.False(t, b.m.answer.plain)
	assert.False(t, b.m.Capturing())
}

// TestPanesCanBeHitAnywhere looks up what a click into the middle of each pane meets.
func TestPanesCanBeHitAnywhere(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	zones := b.Zones()
	for _, c := range []struct {
		x, y int
		want string
	}{{20, 8, "facts"}, {90, 20, "answer"}, {20, 1, "input"}, {20, 32, "row:3"}, {110, 1, "btn:inspect.format"}} {
		z, ok := zones.At(c.x, c.y)
		require.True(t, ok, "%v\n%s", c, b.View())
		assert.Equal(t, c.want, z.ID)
	}
	b.Click("answer")
	assert.Equal(t, answerPane, b.m.focus)
	b.Click("facts")
	assert.Equal(t, factsPane, b.m.focus)
	b.Click("input")
	assert.True(t, b.m.Capturing())
}

func TestWarningsOfTheJob(t *testing.T) {
	b := start(t, 100, 30)
	j := aJob()
	j.Warn("asked 10 s, got 5 s")
	b.h.jobs = []jobs.Job{j}
	b.ask(j.ID)
	assert.Contains(t, b.View(), "⚠ asked 10 s, got 5 s")
}

// TestAnIDThatARouteSaysIsNoTask is not found, in words; a job of the history stays what it was.
func TestAnIDThatARouteSaysIsNoTask(t *testing.T) {
	b := start(t, 120, 34)
	absent := answer(client.StatusUnknown, "UNKNOWN", `{"output":{"task_status":"UNKNOWN"}}`)
	absent.Task.Absent = "not found there, or older than 24 hours (documented)"
	b.gw.answers["content"] = absent
	b.ask("vid_9")
	words := strings.Join(strings.Fields(b.View()), " ")
	assert.Contains(t, words, "no route knows this id")
	assert.Contains(t, words, "content says UNKNOWN:")
	assert.NotContains(t, words, "unlisted term")

	b.h.jobs = []jobs.Job{aJob()}
	b.ask("vid_1")
	assert.Contains(t, b.View(), "the gateway does not know it (any more)")
	assert.Contains(t, b.View(), "✓ completed (completed)", "what the history says of the job")

	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	assert.Contains(t, b.View(), "✓ completed  raw completed")
}

func TestResultsAreCheckedOnRequest(t *testing.T) {
	b := start(t, 120, 40)
	assert.Contains(t, offResults(b.m), "no address")
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	assert.NotContains(t, b.View(), "200 OK")
	b.Key("u")
	assert.Contains(t, b.gw.asked, "HEAD https://media.example.org/v/vid_1.png")
	assert.Contains(t, b.View(), "✓ 200 OK, video/mp4, 3.2 MB")
	assert.Contains(t, b.View(), "✗ 403 Forbidden")
	b.ask("vid_1")
	assert.NotContains(t, b.View(), "200 OK", "another look-up begins anew")
}

func TestAPastedListIsLookedUpAtOnce(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["content"] = failed()
	b.h.jobs = []jobs.Job{aJob()}
	b.Paste("vid_1\nvid_404\n\nthe customer writes: task_id=cgt-20260301-x \n")
	assert.Contains(t, b.View(), "3 ids")
	assert.Contains(t, b.View(), "3 failed", "the only route that knows them knows all of them")
	assert.Contains(t, b.View(), "cgt-20260301-x")
	assert.Contains(t, b.View(), "DataInspectionFailed: the vendor's content policy refused it")
	b.Key("y")
	c, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, c.Text, "\ncgt-20260301-x\tfailed\t")
	b.Key("down", "enter")
	assert.Equal(t, "vid_404", b.m.q.id)
	assert.Contains(t, b.View(), "Answer · content")
	b.Key("esc")
	assert.Contains(t, b.View(), "3 ids", "back to the list")
	b.ask("vid_7")
	assert.Equal(t, "vid_7", b.m.q.id)
	b.Key("L")
	assert.Contains(t, b.View(), "3 ids")
}

func TestAListIsStopped(t *testing.T) {
	b := start(t, 80, 24)
	b.Limit = 10 * time.Millisecond
	b.gw.hold = make(chan struct{}) // never closed: only the context ends it
	b.Paste("a-1 \nb-2\n")
	assert.Contains(t, b.View(), "asking about 2")
	b.Settle(5*time.Second, "a route is asked", func() bool { return b.gw.firstCtx() != nil })
	b.Key("esc")
	require.Error(t, b.gw.firstCtx().Err())
	b.Settle(5*time.Second, "the routes have given up", func() bool { return b.Waiting() == 0 })
	assert.NotContains(t, b.View(), "asking about")
}

func TestARequestIsFoundInTheHistory(t *testing.T) {
	b := start(t, 120, 34)
	b.gw.answers["videos"] = completed()
	j := aJob()
	j.Remark = "req-of-create"
	b.h.jobs = []jobs.Job{j}
	b.ask("request-id: req-of-create")
	assert.Equal(t, []string{"videos vid_1"}, b.gw.asked[:1], "the gateway is asked about its task, not by the request")
	assert.Contains(t, b.View(), "✓ completed")
	b.gw.asked = nil
	b.ask("request-id: req-2")
	assert.Empty(t, b.gw.asked)
	assert.Contains(t, b.View(), "the history has no such request")
}

func TestALargePasteIsReadBesideTheLoop(t *testing.T) {
	b := start(t, 80, 24)
	b.Paste(strings.Repeat("words without any id in them, ", 4000) + "\ntask_id=vid_1")
	b.Settle(time.Minute, "the text is read", func() bool { return b.m.input.Value() == "vid_1" })
}
