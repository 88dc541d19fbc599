package queue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
)

// day are jobs of one day, with failures of two codes and two models.
func day() []jobs.Job {
	out := many(60)
	for i := range out {
		j := &out[i]
		switch {
		case j.State == jobs.Refused:
			j.EndedAt = j.UpdatedAt
		case j.State == jobs.Failed && i%16 == 3:
			j.Error = &client.TaskError{Code: "rate_limit\x1b[2J"}
		case j.State == jobs.Completed && i%3 == 0:
			j.Draft.Model, j.EndedAt = "famB-video-with-a-long-name", j.SubmittedAt.Add(3*time.Minute)
		}
	}
	return append(out, job(61, jobs.Ambiguous))
}

func openPulse(t *testing.T, w, h int, js ...jobs.Job) *bench {
	t.Helper()
	f := newFake(js...)
	d := deps(t, f)
	d.Pace = func() (rate, top float64) { return 50, 50 }
	b := openDeps(t, d, f, w, h)
	b.Key("L")
	return b
}

// TestThePulseTellsHowTheWorkStands, in place of the detail, and goes again.
func TestThePulseTellsHowTheWorkStands(t *testing.T) {
	b := openPulse(t, 120, 50, day()...)
	for _, want := range []string{"In flight", "running", "queued", "ambiguous", "content_policy", "rate_limit", "p50 / p95", "11.9 s / 11.9 s of 15", "Nothing.", "polls due", "50 requests a second", "as of 12:00:00"} {
		assert.Contains(t, b.View(), want)
	}
	assert.NotContains(t, b.View(), "Facts", "the detail gives way")
	assert.Contains(t, b.View(), "a red kite", "the list stays")
	b.Key("esc")
	assert.Contains(t, b.View(), "Facts")
	assert.NotContains(t, b.View(), "In flight")
	b.Key("L", "enter")
	assert.Contains(t, b.View(), "Facts", "whoever opens the detail sees it")
	b.Key("esc", "L", "L")
	assert.NotContains(t, b.View(), "In flight")
}

// TestThePulseIsReadByACommand after news, not with every key, and not while nobody sees it.
func TestThePulseIsReadByACommand(t *testing.T) {
	f := newFake(day()...)
	d := deps(t, f)
	now := start
	d.Now = func() time.Time { return now }
	b := openDeps(t, d, f, 120, 34)
	f.took()
	b.Key("L")
	assert.Len(t, f.lists, 3)
	f.took()
	b.Key("down", "up")
	f.change(job(62, jobs.Queued))
	b.Send(screen.JobsMsg{})
	assert.Empty(t, f.lists, "it was read just now")
	assert.Positive(t, b.m.NextTick(), "the screen asks to be woken")
	assert.LessOrEqual(t, b.m.NextTick(), 2*time.Second)
	now = now.Add(2 * time.Second)
	b.Send(screen.HiddenMsg{}, screen.TickMsg{})
	assert.Empty(t, f.lists)
	b.Send(screen.ShownMsg{}, screen.TickMsg{})
	assert.Len(t, f.lists, 3)
	f.listErr = errors.New("the history is away\x1b[2J")
	b.Key("f5")
	assert.Contains(t, b.View(), "✗ the history is away")
	assert.Contains(t, b.View(), "In flight", "what was known stays")
}

func TestWhatHoldsTheWorkUpIsInThePulse(t *testing.T) {
	f := newFake(day()...)
	f.flow = jobs.Flow{Paused: true, Hosts: "cdn.example other.example", Until: start.Add(40 * time.Second), Rate: 2}
	d := deps(t, f)
	d.Pace = func() (rate, top float64) { return 50, 50 }
	b := openDeps(t, d, f, 120, 60)
	b.Key("L")
	for _, want := range []string{"everything", "cdn.example", "other.example", "asked for a pause", "2 requests a second, slowed from 50"} {
		assert.Contains(t, b.View(), want)
	}
}

func TestGoldenPulse(t *testing.T) {
	for _, s := range sizes {
		b := openPulse(t, s[0], s[1], day()...)
		b.Golden(fmt.Sprintf("pulse-%dx%d", s[0], s[1]))
		b.Key("pgdown", "v", "v")
		openPulse(t, s[0], s[1]).Golden(fmt.Sprintf("pulse-empty-%dx%d", s[0], s[1]))
	}
}
