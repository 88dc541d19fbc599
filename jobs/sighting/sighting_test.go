package sighting

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/inspect"
)

var base = time.Date(2026, 3, 1, 12, 1, 3, 0, time.UTC)

func at(second int) time.Time { return base.Add(time.Duration(second) * time.Second) }

func saw(second int, state, raw string) Look { return Look{At: at(second), State: state, Raw: raw} }

// clock writes times in UTC, on the day of the base.
func clock() human.Times { return human.Times{Style: human.UTC, Now: at(600)} }

// TestList: what is read of looks, in a person's words.
func TestList(t *testing.T) {
	t.Parallel()
	busy := saw(190, NoAnswer, "")
	busy.Why = "HTTP 503"
	for name, c := range map[string]struct {
		looks []Look
		want  []string
	}{
		"to its end": {
			[]Look{saw(0, "running", "RUNNING"), saw(187, "running", "RUNNING"), saw(197, "completed", "done")},
			[]string{"first seen running 12:01:03Z, still at 12:04:10 (2 looks)", "completed (done) between 12:04:10 and 12:04:20Z"},
		},
		"one look":         {[]Look{saw(0, "failed", "failed")}, []string{"first seen failed 12:01:03Z"}},
		"nobody knows it":  {[]Look{saw(0, NotFound, "")}, []string{"not found 12:01:03Z"}},
		"nobody was asked": {[]Look{{At: at(0)}}, []string{}},
		"what did not answer tells nothing of the task": {
			[]Look{saw(0, "queued", "queued"), saw(187, "queued", "queued"), busy, saw(192, NoAnswer, ""), saw(197, "running", "running")},
			[]string{"first seen queued 12:01:03Z, still at 12:04:10 (2 looks)", "no answer x 2, 12:04:13 to 12:04:15Z: HTTP 503", "running between 12:04:10 and 12:04:20Z"},
		},
		"nothing changed meanwhile": {
			[]Look{saw(0, "queued", ""), saw(5, NoAnswer, ""), saw(10, "queued", "")},
			[]string{"first seen queued 12:01:03Z", "no answer 12:01:08Z", "seen queued 12:01:13Z"},
		},
		"the gateway's own word": {
			[]Look{saw(0, "queued", "a"), saw(5, "queued", "b")},
			[]string{"first seen queued (a) 12:01:03Z", "queued (b) between 12:01:03 and 12:01:08Z"},
		},
		"over midnight": {
			[]Look{saw(-86400, "queued", ""), saw(0, "running", "")},
			[]string{"first seen queued 2026-02-28 12:01:03Z", "running between 28 Feb 12:01 and 12:01:03Z"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l List
			for _, x := range c.looks {
				l.Add(x)
			}
			assert.Equal(t, c.want, l.Lines(clock()))
		})
	}
}

// TestListIsBounded: a gateway that invents states fills no memory, and what was seen first stays.
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	var l List
	for i := range 1000 {
		require.True(t, l.Add(saw(i, "unknown", fmt.Sprint(i))))
	}
	require.Len(t, l, most)
	assert.Equal(t, "0", l[0].Raw)
	assert.Equal(t, "999", l[most-1].Raw)
	before := l.Clone()
	l.Add(saw(1000, "unknown", "999"))
	assert.Equal(t, 1, before[most-1].Looks)
}

// TestOf: what routes answered, as one look.
func TestOf(t *testing.T) {
	t.Parallel()
	task := func(s client.Status, raw string) client.RouteResult {
		return client.RouteResult{Task: &client.Task{Status: s, RawStatus: raw, Progress: 40, CreatedAt: at(-60)}, Meta: client.Meta{HTTPStatus: 200}}
	}
	fails := func(status int) client.RouteResult {
		return client.RouteResult{Err: &client.APIError{HTTPStatus: status, RetryAfter: 7 * time.Second}, Meta: client.Meta{HTTPStatus: status}}
	}
	absent := task(client.StatusUnknown, "UNKNOWN")
	absent.Task.Absent = "older than 24 hours"
	for name, c := range map[string]struct {
		results []client.RouteResult
		state   string
		wait    time.Duration
	}{
		"a task":          {[]client.RouteResult{fails(404), task(client.StatusRunning, "RUNNING")}, "running", 0},
		"a stranger":      {[]client.RouteResult{fails(404)}, NotFound, 7 * time.Second},
		"absent":          {[]client.RouteResult{absent}, NotFound, 0},
		"a bad key":       {[]client.RouteResult{fails(401)}, Refused, 7 * time.Second},
		"too many":        {[]client.RouteResult{fails(429)}, NoAnswer, 7 * time.Second},
		"away":            {[]client.RouteResult{{Err: errors.New("dial")}}, NoAnswer, 0},
		"nobody is asked": {nil, "", 0},
	} {
		var f inspect.Findings
		for i, r := range c.results {
			f.Routes = append(f.Routes, inspect.Route{})
			f.Answer(i, r)
		}
		f.Routes = append(f.Routes, inspect.Route{Done: true, Skipped: "another route knows it"}, inspect.Route{Local: true, Done: true})
		l := Of(&f, base)
		assert.Equal(t, c.state, l.State, name)
		assert.Equal(t, c.wait, l.Wait, name)
		assert.Equal(t, c.state == "running", l.Told(), name)
		if l.Told() {
			assert.Equal(t, at(-60), l.Born)
			assert.Equal(t, "RUNNING", l.Raw)
		}
	}
}

// TestWatch: when a watch ends, and how.
func TestWatch(t *testing.T) {
	t.Parallel()
	many := func(n, every int, state string) (out []Look) {
		for i := range n {
			out = append(out, saw(i*every, state, ""))
		}
		return out
	}
	for name, c := range map[string]struct {
		looks []Look
		want  Outcome
	}{
		"completed":             {[]Look{saw(0, "queued", ""), saw(1, "completed", "")}, Completed},
		"failed":                {[]Look{saw(0, "failed", "")}, Failed},
		"never seen":            {[]Look{saw(0, NotFound, "")}, Missing},
		"missing for a moment":  {[]Look{saw(0, "running", ""), saw(1, NotFound, ""), saw(50, NotFound, "")}, Going},
		"gone":                  {append([]Look{saw(-1, "running", "")}, many(4, 20, NotFound)...), Missing},
		"a bad key":             {[]Look{saw(0, "running", ""), saw(1, Refused, "")}, Denied},
		"away for an hour":      {append([]Look{saw(-1, "running", "")}, many(60, 60, NoAnswer)...), Going},
		"a word nobody knows":   {many(10, 60, "unknown"), Going},
		"one that stays":        {many(31, 60, "unknown"), Unknown},
		"nobody could be asked": {[]Look{{At: base}}, Missing},
	} {
		var w Watch
		for i, x := range c.looks {
			wait, _ := w.Saw(x, 0.5)
			if i < len(c.looks)-1 {
				require.Equal(t, Going, w.Outcome, "%s, look %d", name, i)
			}
			assert.Equal(t, w.Outcome == Going, wait > 0, name)
		}
		assert.Equal(t, c.want, w.Outcome, name)
	}
}

// TestPace: a young task is looked at often, an old one rarely, and one that does not answer more and
// more rarely, never sooner than was asked for.
func TestPace(t *testing.T) {
	t.Parallel()
	var w Watch
	wait := func(x Look, news bool) time.Duration {
		t.Helper()
		d, told := w.Saw(x, 0.5)
		assert.Equal(t, news, told)
		return d
	}
	young := saw(0, "running", "")
	young.Born = at(-2)
	assert.LessOrEqual(t, wait(young, true), 2*time.Second)
	assert.GreaterOrEqual(t, wait(saw(3600, "running", ""), false), 25*time.Second)
	busy := saw(3601, NoAnswer, "")
	busy.Wait = 90 * time.Second
	assert.GreaterOrEqual(t, wait(busy, true), 90*time.Second)
	busy.Wait = 0
	d := wait(busy, false)
	assert.Positive(t, d)
	assert.LessOrEqual(t, d, time.Minute)
}
