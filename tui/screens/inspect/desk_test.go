package inspect

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// moving answers look-ups with one stage after the other; the last stays.
type moving struct {
	*gateway
	clock  *time.Time
	stages []client.RouteResult
}

func (g *moving) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	*g.clock = g.clock.Add(10 * time.Second)
	if len(formats) == 1 && formats[0] == "videos" {
		g.answers["videos"] = g.stages[0]
		g.stages = g.stages[min(1, len(g.stages)-1):]
	}
	return g.gateway.Lookup(ctx, id, formats...)
}

func stage(s client.Status, raw string) client.RouteResult {
	return client.RouteResult{Task: &client.Task{ID: "vid_1", Status: s, RawStatus: raw, Progress: -1, Raw: []byte(`{"id":"vid_1","status":"` + raw + `"}`)}, Meta: client.Meta{HTTPStatus: 200}}
}

// TestWatch: the id that shows is looked at until its task ends, on the route that knows it, and what
// was seen grows with each look.
func TestWatch(t *testing.T) {
	b := start(t, 120, 40)
	clock := now
	b.m.deps.Now = func() time.Time { return clock }
	g := &moving{gateway: b.gw, clock: &clock, stages: []client.RouteResult{
		stage(client.StatusQueued, "queued"), stage(client.StatusRunning, "in_progress"), refusal(503, "busy", "busy"),
		stage(client.StatusRunning, "in_progress"), stage(client.StatusCompleted, "completed"),
	}}
	b.m.deps.Gateway = g
	b.gw.knows = map[string]string{"vid_1": "videos"}
	looks := 0
	b.m.sights.Pause = func(context.Context, time.Duration) bool { looks++; return true }
	b.Send(screen.ActionMsg{ID: actWatch})
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, "nothing was looked up yet", toast.Text)

	b.ask("vid_1")
	v := b.View()
	assert.Contains(t, v, "first seen queued 12:00:")
	b.Key("v")
	v = b.View()
	assert.Contains(t, v, "completed between")
	assert.Contains(t, v, "no answer 12:")
	assert.Contains(t, v, `"status": "completed"`, "the answer is the newest")
	assert.NotContains(t, v, "Watching")
	assert.Equal(t, 4, looks)
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, screen.ToastMsg{Level: screen.Good, Text: "watched to its end: completed"}, toast)
	asked := 0
	for _, a := range b.gw.asked[1:] {
		if strings.HasPrefix(a, "videos ") {
			asked++
		}
	}
	assert.Equal(t, 4, asked, "the route that knows it is asked")
	b.Send(screen.ActionMsg{ID: actWatch})
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, "it has ended: there is nothing to watch", toast.Text)
}

// TestWatchStops: by the key, and when another id is looked up; what was seen of the first stays.
func TestWatchStops(t *testing.T) {
	b := start(t, 120, 40)
	b.gw.answers["videos"] = stage(client.StatusRunning, "in_progress")
	b.m.sights.Pause = func(context.Context, time.Duration) bool { return false }
	b.ask("vid_1")
	b.Key("v")
	assert.Contains(t, b.View(), "until it ends; v stops")
	b.Key("v")
	assert.NotContains(t, b.View(), "until it ends")
	b.Key("v")
	b.ask("vid_2")
	assert.False(t, b.m.sights.Watching("vid_1"))
	assert.Len(t, b.m.sights.Seen("vid_1"), 1)
	b.ask("vid_1")
	assert.Contains(t, b.View(), "(2 looks)")
}

// TestWhatIsNoIDIsToldApartFromNothing: somebody who has typed a text is not asked to type one.
func TestWhatIsNoIDIsToldApartFromNothing(t *testing.T) {
	b := start(t, 120, 34)
	for text, said := range map[string]string{"": "type or paste an id first", "   ": "type or paste an id first", "nonsense 123": "nothing in this looks like an id or an address"} {
		b.m.input.SetValue(text)
		b.Key("enter")
		toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
		require.True(t, ok, text)
		assert.Equal(t, said, toast.Text, text)
	}
}

// TestAdoptInTheConsole: a task that the history does not have goes into it with its ticket; then the
// screen shows the job with its timeline.
func TestAdoptInTheConsole(t *testing.T) {
	b := start(t, 120, 60)
	tags := &tagger{}
	b.m.deps.Tags = tags
	b.gw.answers["videos"] = stage(client.StatusRunning, "in_progress")
	b.ask("vid_1")
	b.Key("a")
	b.Type("7 7")
	b.Key("enter")
	assert.Contains(t, b.View(), "as one word")
	b.Key("ctrl+u")
	b.Type("77")
	j := aJob()
	j.State, j.Observed, j.Tags, j.Remark = jobs.Running, true, []string{"ticket:77"}, "called twice"
	b.h.jobs = []jobs.Job{j}
	b.h.events = []jobs.Event{{At: now, Kind: jobs.EventPerson, To: jobs.Running, Message: "taken into the history to be watched"}}
	b.h.exchanges = []jobs.Exchange{{At: now, Kind: jobs.ExchangePoll, HTTPStatus: 503, Error: "busy", Count: 12, First: now.Add(-time.Minute)}}
	b.Key("enter")
	assert.Equal(t, []string{"observe vid_1 ticket:77"}, tags.told)
	v := b.View()
	for _, want := range []string{"somebody else's task", "ticket:77", "called twice", "taken into the history", "poll 503 x 12 since 11:59:00"} {
		assert.Contains(t, v, want)
	}
	b.Send(screen.ActionMsg{ID: actResubmit})
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "never sent")
	b.Send(screen.ActionMsg{ID: actKeep})
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "has it already")

	b.Key("t")
	b.Type("kept -ticket:77")
	b.Key("enter")
	b.Key("n")
	b.Type(" more")
	b.Key("enter")
	assert.Equal(t, []string{j.ID + "[kept] [ticket:77]", "remark " + j.ID + " called twice more"}, tags.told[1:])

	tags.err = errors.New("the history is away")
	b.h.jobs = nil
	b.ask("vid_1")
	b.Key("a", "enter")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	require.Equal(t, "the history is away", toast.Text)
}

// TestTheTimelineGrows: news of the job bring its timeline.
func TestTheTimelineGrows(t *testing.T) {
	b := start(t, 120, 60)
	j := aJob()
	j.State = jobs.Running
	b.h.jobs = []jobs.Job{j}
	b.h.events = []jobs.Event{{At: now, Kind: jobs.EventState, From: jobs.Queued, To: jobs.Running, RawStatus: "in_progress"}}
	b.ask("vid_1")
	assert.Contains(t, b.View(), "running (in_progress)")
	b.Send(screen.ActionMsg{ID: actWatch})
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "followed already")
	b.h.events = append(b.h.events, jobs.Event{At: now.Add(time.Second), Kind: jobs.EventState, From: jobs.Running, To: jobs.Lost, Message: "gone for good"})
	j.State, j.UpdatedAt = jobs.Lost, now.Add(time.Second)
	b.h.changed = []jobs.Job{j}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "gone for good")
}
