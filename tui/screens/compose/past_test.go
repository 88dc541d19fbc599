package compose

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/past"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sheet"
)

// reading is a doer with a history, newest first.
type reading struct {
	*doer
	all   []jobs.Job
	asked []jobs.Query
	err   error
}

func (r *reading) List(_ context.Context, q jobs.Query) (jobs.Page, error) {
	r.asked = append(r.asked, q)
	if r.err != nil {
		return jobs.Page{}, r.err
	}
	var p jobs.Page
	for _, j := range r.all {
		if q.Before != "" && j.ID >= q.Before || !strings.Contains(strings.ToLower(j.Draft.Prompt), strings.ToLower(q.Text)) {
			continue
		}
		if len(p.Jobs) == q.Limit {
			p.Next = p.Jobs[len(p.Jobs)-1].ID
			break
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p, nil
}

func (r *reading) Get(_ context.Context, id string) (jobs.Job, error) {
	for _, j := range r.all {
		if j.ID == id {
			return j, nil
		}
	}
	return jobs.Job{}, jobs.ErrNotFound
}

// pastJobs are n jobs, newest first; every prompt was sent twice.
func pastJobs(n int) (out []jobs.Job) {
	for i := n; i > 0; i-- {
		out = append(out, jobs.Job{ID: fmt.Sprintf("0198c0de-%08d", i), Format: "videos", CreatedAt: time.Unix(1_700_000_000-int64(n-i)*3600, 0),
			Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: fmt.Sprintf("kite %d over 塩の平原 🪁\nand מישור המלח", i/2),
				Values: client.Values{"duration": "6"}}})
	}
	return out
}

// pastBench is a screen with n jobs behind it.
func pastBench(t *testing.T, n, w, h int, change ...func(*Deps)) (*bench, *reading) {
	r := &reading{all: pastJobs(n)}
	return start(t, w, h, append(change, behind(r))...), r
}

// behind has a screen have jobs behind it.
func behind(r *reading) func(*Deps) {
	return func(d *Deps) {
		if j, ok := d.Jobs.(*doer); ok {
			r.doer = j
		}
		d.Jobs = r
	}
}

func TestPromptsAreFoundAndTaken(t *testing.T) {
	b, _ := pastBench(t, 30, 120, 34)
	b.Type("mine")
	b.Key("ctrl+r")
	require.True(t, b.m.over.Has(past.Scope))
	assert.Contains(t, b.View(), "kite 15 over")
	b.Type("12 KITE")
	b.Key("enter")
	assert.Equal(t, "kite 12 over 塩の平原 🪁\nand מישור המלח", b.m.sheet.Draft.Prompt)
	assert.Equal(t, "famA3", b.m.sheet.Draft.Model, "the prompt alone")
	b.Key("ctrl+_")
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt, "undo brings back what was there")
}

func TestAWholeJobIsTakenFromThePast(t *testing.T) {
	b, _ := pastBench(t, 30, 120, 34)
	b.Type("mine")
	b.Key("ctrl+r", "down", "alt+enter")
	assert.Nil(t, b.m.over.Top())
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
	assert.Equal(t, "6", sheet.Text(b.m.sheet.Draft.Values["duration"]))
	require.NotNil(t, b.m.sheet.Origin)
	assert.Equal(t, "0198c0de-00000029", b.m.sheet.Origin.Job, "the newest with this prompt")
	b.Key("alt+z")
	assert.Equal(t, "mine", b.m.sheet.Draft.Prompt)
}

func TestThePastNeedsAHistory(t *testing.T) {
	b := start(t, 80, 24)
	b.Key("ctrl+r")
	assert.Nil(t, b.m.over.Top())
	assert.Contains(t, toast(t, b).Text, "no history")
}

func TestPastActionsAndClicks(t *testing.T) {
	b, _ := pastBench(t, 30, 120, 34)
	b.Send(screen.ActionMsg{ID: "compose.history"})
	b.Click("find:3")
	b.Click("find:3")
	assert.Equal(t, "kite 12 over 塩の平原 🪁\nand מישור המלח", b.m.sheet.Draft.Prompt)
	b.Send(screen.ActionMsg{ID: "compose.history"})
	b.Send(screen.WheelMsg{Delta: 2})
	b.Send(screen.ActionMsg{ID: "past.job"})
	assert.Equal(t, "famI-omni", b.m.sheet.Draft.Model)
	b.Send(screen.ActionMsg{ID: "compose.history"})
	require.True(t, b.m.over.Has(past.Scope))
	b.Send(screen.ActionMsg{ID: "past.close"})
	assert.Nil(t, b.m.over.Top())
}

func TestGoldensOfThePast(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		b, _ := pastBench(t, 60, s[0], s[1])
		b.Key("ctrl+r")
		b.Type("kite")
		b.Key("down")
		b.Golden(fmt.Sprintf("past-%dx%d", s[0], s[1]))
	}
}
