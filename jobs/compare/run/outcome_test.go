package run

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

var t0 = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// at is so many milliseconds after t0.
func at(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }

func polledFor(least, most int) compare.Interval {
	return compare.Interval{Source: compare.Polled, Least: time.Duration(least) * time.Millisecond, Most: time.Duration(most) * time.Millisecond}
}

func openFor(least int) compare.Interval {
	return compare.Interval{Source: compare.Polled, Least: time.Duration(least) * time.Millisecond, Open: true}
}

func exact(source compare.Source, ms int) compare.Interval {
	d := time.Duration(ms) * time.Millisecond
	return compare.Interval{Source: source, Least: d, Most: d}
}

func TestLatencies(t *testing.T) {
	t.Parallel()
	// The create is sent at 0 and answered at 200; a look begins and is answered 100 later.
	base := jobs.Job{SubmittedAt: at(-50), AcceptedAt: at(200), CreateTook: 200 * time.Millisecond}
	create := exact(compare.Measured, 200)
	for name, c := range map[string]struct {
		state    jobs.State
		seen     jobs.Seen
		timedOut bool
		change   func(*jobs.Job)
		want     compare.Latency
	}{
		"waits": {state: jobs.Queued, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Working: at(1000)},
			want: compare.Latency{Create: create, Total: openFor(1000), Queue: openFor(800)}},
		"runs": {state: jobs.Running, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Running: at(2100), Working: at(3000)},
			want: compare.Latency{Create: create, Total: openFor(3000), Queue: polledFor(800, 2100), Run: openFor(900)}},
		"ended": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Running: at(2100), Working: at(5000), Ended: at(6100)},
			want: compare.Latency{Create: create, Total: polledFor(5000, 6100), Queue: polledFor(800, 2100), Run: polledFor(2900, 5100)}},
		"failed": {state: jobs.Failed, seen: jobs.Seen{Sent: at(0), Waiting: at(0), Running: at(2100), Working: at(2000), Ended: at(3100)},
			want: compare.Latency{Create: create, Total: polledFor(2000, 3100), Queue: polledFor(0, 2100), Run: polledFor(0, 3100)}},
		"never seen running": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Running: at(2100), Working: at(1000), Ended: at(2100)},
			want: compare.Latency{Create: create, Total: polledFor(1000, 2100)}},
		"runs at once": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Running: at(200), Working: at(2000), Ended: at(3100)},
			want: compare.Latency{Create: create, Total: polledFor(2000, 3100), Queue: polledFor(0, 200), Run: polledFor(1800, 3100)}},
		"the answer has the result": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Running: at(200), Ended: at(200)},
			want: compare.Latency{Create: create, Total: exact(compare.Measured, 200)}},
		"timed out while running": {state: jobs.Running, timedOut: true, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Running: at(2100), Working: at(30_000)},
			want: compare.Latency{Create: create, Total: openFor(30_000), Queue: polledFor(800, 2100), Run: openFor(27_900)}},
		"timed out, and ended later": {state: jobs.Completed, timedOut: true, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Running: at(2100), Working: at(30_000), Ended: at(31_100)},
			want: compare.Latency{Create: create, Total: openFor(30_000), Queue: polledFor(800, 2100), Run: openFor(27_900)}},
		"lost": {state: jobs.Lost, seen: jobs.Seen{Sent: at(0), Waiting: at(1000), Working: at(1000)},
			want: compare.Latency{Create: create, Total: openFor(1000), Queue: openFor(800)}},
		"refused": {state: jobs.Refused, seen: jobs.Seen{Sent: at(0)}, change: func(j *jobs.Job) { j.AcceptedAt = time.Time{} },
			want: compare.Latency{Create: create}},
		"fetched": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Running: at(200), Ended: at(200), FetchBegun: at(300), Fetched: at(900)},
			want: compare.Latency{Create: create, Total: exact(compare.Measured, 200), Download: exact(compare.Measured, 600)}},
		"being fetched": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Running: at(200), Ended: at(200), FetchBegun: at(300), Fetched: at(900)},
			change: func(j *jobs.Job) { j.Files = []jobs.File{{State: jobs.FileSaved}, {State: jobs.FileFetching}} },
			want:   compare.Latency{Create: create, Total: exact(compare.Measured, 200)}},
		"stamps of milliseconds": {state: jobs.Completed,
			seen: jobs.Seen{Sent: at(0), Running: at(200), Ended: at(200), GatewayCreated: at(10), GatewayStarted: at(60), GatewayEnded: at(160)},
			want: compare.Latency{Create: create, Total: exact(compare.Measured, 200), GatewayQueue: exact(compare.Stamped, 50), GatewayRun: exact(compare.Stamped, 100), GatewayTotal: exact(compare.Stamped, 150)}},
		"stamps of seconds": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Running: at(200), Ended: at(200), GatewayCreated: at(0), GatewayEnded: at(4000)},
			want: compare.Latency{Create: create, Total: exact(compare.Measured, 200), GatewayTotal: compare.Interval{Source: compare.Stamped, Least: 3 * time.Second, Most: 5 * time.Second}}},
		"a clock that went back": {state: jobs.Completed, seen: jobs.Seen{Sent: at(0), Waiting: at(-500), Running: at(-300), Working: at(-400), Ended: at(-200), GatewayStarted: at(9000), GatewayEnded: at(100)},
			want: compare.Latency{Create: create, Total: polledFor(0, 0), Queue: polledFor(0, 0), Run: polledFor(0, 300)}},
	} {
		j := base
		j.State, j.Seen = c.state, c.seen
		if c.change != nil {
			c.change(&j)
		}
		assert.Equal(t, c.want, OutcomeOf(&j, c.timedOut).Latency, name)
	}
}

func TestOutcomesAreClean(t *testing.T) {
	t.Parallel()
	j := jobs.Job{
		State: jobs.Failed, TaskID: "t\x1b[2J", Progress: 40, Polls: 3, SubmittedAt: at(0), EndedAt: at(900),
		Error:    &client.TaskError{Code: "rate\nlimit", Message: strings.Repeat("\x07", 9000)},
		Warnings: []string{"a\tb\x00"}, Note: "not shown",
		Files: []jobs.File{
			{State: jobs.FileSaved, Path: "/d/a.mp4", Kind: client.AssetVideo, Bytes: 3, SHA256: "ab"},
			{State: jobs.FileSaved, Path: "/d/b.mp4", Elsewhere: true}, {State: jobs.FileFailed},
		},
	}
	o := OutcomeOf(&j, false)
	assert.Equal(t, at(0), o.SentAt)
	assert.Equal(t, at(900), o.EndedAt)
	for _, s := range []string{o.TaskID, o.Code, o.Message, o.Warnings[0]} {
		assert.NotContains(t, s, "\x1b")
		assert.NotContains(t, s, "\n")
		assert.NotContains(t, s, "\x07")
		assert.LessOrEqual(t, len(s), maxText+3)
	}
	assert.Equal(t, []compare.File{{Path: "/d/a.mp4", Kind: client.AssetVideo, Bytes: 3, SHA256: "ab", Here: true}, {Path: "/d/b.mp4"}}, o.Files)
	held := jobs.Job{State: jobs.Planned, Note: "not sent yet: no route"}
	assert.Equal(t, "not sent yet: no route", OutcomeOf(&held, false).Message)
}

func TestTimeIsUpByALook(t *testing.T) {
	t.Parallel()
	const limit = 30 * time.Second
	sent := func(s jobs.State, seen jobs.Seen) jobs.Job {
		seen.Sent = at(0)
		return jobs.Job{State: s, SubmittedAt: at(0), NextPollAt: at(0), Seen: seen}
	}
	for name, c := range map[string]struct {
		job        jobs.Job
		began, now int
		want       bool
	}{
		"under way, before its time":        {job: sent(jobs.Running, jobs.Seen{Working: at(29_000)}), now: 29_500},
		"its time is over, nobody looked":   {job: sent(jobs.Running, jobs.Seen{Working: at(29_000)}), now: 30_500},
		"looked after its time":             {job: sent(jobs.Running, jobs.Seen{Working: at(30_000)}), now: 30_500, want: true},
		"no look succeeds":                  {job: sent(jobs.Running, jobs.Seen{Working: at(1000)}), now: 90_000, want: true},
		"followed anew, not looked at yet":  {job: sent(jobs.Running, jobs.Seen{Working: at(1000)}), began: 3_600_000, now: 3_601_000},
		"followed anew, and no look so far": {job: sent(jobs.Running, jobs.Seen{Working: at(1000)}), began: 3_600_000, now: 3_660_000, want: true},
		"ended in time":                     {job: sent(jobs.Completed, jobs.Seen{Working: at(29_000), Ended: at(31_000)}), now: 32_000},
		"ended while nobody looked":         {job: sent(jobs.Completed, jobs.Seen{Working: at(5000), Ended: at(3_600_000)}), now: 3_600_000},
		"ended late":                        {job: sent(jobs.Completed, jobs.Seen{Working: at(30_100), Ended: at(31_000)}), now: 32_000, want: true},
		"failed late":                       {job: sent(jobs.Failed, jobs.Seen{Working: at(30_100), Ended: at(31_000)}), now: 32_000, want: true},
		"lost":                              {job: sent(jobs.Lost, jobs.Seen{Working: at(40_000)}), now: 50_000},
		"not sent yet":                      {job: jobs.Job{State: jobs.Planned}, now: 9_000_000},
		"polled no more":                    {job: jobs.Job{State: jobs.Unknown, SubmittedAt: at(0)}, now: 1000, want: true},
	} {
		assert.Equal(t, c.want, timedOut(&c.job, limit, at(c.began), at(c.now)), name)
	}
}
