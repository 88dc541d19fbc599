package grid

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/zone"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// aRun is one of so many models, prompts and repeats; nothing was sent yet.
func aRun(models, prompts, repeats int) *compare.Run {
	r := &compare.Run{ID: "run-1", Name: "harbour", Repeats: repeats, Status: compare.Open}
	for p := range prompts {
		for m := range models {
			n := len(r.Cells) + 1
			r.Cells = append(r.Cells, compare.Cell{Number: n, Model: fmt.Sprintf("famA%d", m), Format: "common",
				Prompt: compare.Prompt{ID: fmt.Sprintf("p%d", p+1), Text: fmt.Sprintf("a red kite over salt flat %d at dawn", p+1)}})
		}
	}
	for repeat := 1; repeat <= repeats; repeat++ {
		for i := range r.Cells {
			r.Order = append(r.Order, compare.Slot{Cell: i + 1, Repeat: repeat})
		}
	}
	return r
}

func polled(least, most time.Duration) compare.Interval {
	return compare.Interval{Source: compare.Polled, Least: least, Most: most}
}

// send adds a trial of the cell in every state, by turns.
func send(r *compare.Run) *compare.Run {
	for i, s := range r.Order {
		t := compare.Trial{Slot: s, Attempt: 1, JobID: fmt.Sprintf("job-%d", i)}
		t.SentAt = now.Add(-20 * time.Second)
		t.Progress = -1
		switch least := time.Duration(3000+100*(i%17)) * time.Millisecond; i % 8 {
		case 0, 1, 2, 3:
			t.State = jobs.Completed
			t.Latency.Total = polled(least, least+450*time.Millisecond)
			if i%3 == 0 {
				t.Facts = []compare.Property{{Field: "duration", Verdict: compare.Fail, Delivered: compare.Fact{Text: "5", Known: true}}}
			}
		case 4:
			t.State, t.Code, t.Message = jobs.Failed, "rate_limit", "too many requests"
		case 5:
			t.State, t.Progress = jobs.Running, 42
		case 6:
			t.State = jobs.Queued
		default:
			t.TimedOut, t.State = true, jobs.Running
			t.Latency.Total = compare.Interval{Source: compare.Polled, Least: time.Minute, Open: true}
		}
		r.Trials = append(r.Trials, t)
	}
	return r
}

func aGrid(t testing.TB, r *compare.Run, w, h int) *Model {
	t.Helper()
	m := New(nil, "grid.", func() time.Time { return now }, say.Names{})
	m.SetStyles(tuitest.Styles(t))
	m.SetSize(w, h)
	m.Show(r)
	return m
}

func press(t testing.TB, m *Model, names ...string) {
	t.Helper()
	for _, n := range names {
		m.Update(tuitest.KeyMsg(t, n))
	}
}

func TestGoldens(t *testing.T) {
	for _, size := range [][2]int{{200, 24}, {120, 18}, {80, 14}, {40, 9}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		m := aGrid(t, send(aRun(6, 5, 3)), size[0], size[1])
		press(t, m, "j", "j", "l")
		tuitest.CheckFrame(t, m.View(true), size[0], size[1])
		tuitest.Golden(t, "lines-"+name, m.View(true))
		m.SetTall(true)
		tuitest.CheckFrame(t, m.View(true), size[0], size[1])
		tuitest.Golden(t, "tall-"+name, m.View(true))
	}
}

func TestHeadersStayInSight(t *testing.T) {
	m := aGrid(t, send(aRun(20, 30, 2)), 100, 20)
	press(t, m, "G", "end")
	frame := strings.Split(tuitest.Plain(m.View(true)), "\n")
	assert.Contains(t, frame[0], "famA19")
	assert.NotContains(t, frame[0], "famA0 ")
	assert.Contains(t, frame[2], "p22", "the first row in sight names its prompt")
	assert.Contains(t, frame[19], "2/2")
	assert.Equal(t, "columns 17–20 of 20 · row 60 of 60", m.Sight())
	c, repeat, trial := m.Current()
	require.NotNil(t, trial)
	assert.Equal(t, []any{600, 2, "p30", "famA19"}, []any{c.Number, repeat, c.Prompt.ID, c.Model})
	press(t, m, "g", "home")
	c, repeat, _ = m.Current()
	assert.Equal(t, []any{1, 1}, []any{c.Number, repeat})
}

func TestNewsKeepTheCursorAndTheFilter(t *testing.T) {
	r := aRun(4, 3, 2)
	m := aGrid(t, r, 120, 20)
	press(t, m, "j", "j", "j", "l", "l")
	c, repeat, trial := m.Current()
	require.Nil(t, trial)
	m.Filter("kite")
	next := *r
	m.Show(send(&next))
	c2, repeat2, trial := m.Current()
	assert.Equal(t, []any{c.Number, repeat}, []any{c2.Number, repeat2})
	assert.NotNil(t, trial)
	m.FailedOnly()
	for i := range next.Trials {
		next.Trials[i].State, next.Trials[i].TimedOut = jobs.Completed, false
	}
	m.Show(&next)
	assert.Empty(t, m.rows, "none has failed any more")
	c, _, _ = m.Current()
	assert.Nil(t, c)
	tuitest.CheckFrame(t, m.View(true), 120, 20)
	assert.True(t, m.All())
	assert.Len(t, m.rows, 6)
	assert.False(t, m.All())
}

func TestTheNewestAttemptShowsAndTheFirstCounts(t *testing.T) {
	r := aRun(1, 1, 1)
	r.Trials = []compare.Trial{
		{Slot: compare.Slot{Cell: 1, Repeat: 1, Warmup: true}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Failed}},
		{Slot: compare.Slot{Cell: 1, Repeat: 1}, Attempt: 2, Outcome: compare.Outcome{State: jobs.Completed}},
		{Slot: compare.Slot{Cell: 1, Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{State: jobs.Failed}},
		{Slot: compare.Slot{Cell: 9, Repeat: 1}, Attempt: 1}, {Slot: compare.Slot{Cell: 1, Repeat: 9}, Attempt: 1},
	}
	m := aGrid(t, r, 80, 6)
	assert.Equal(t, 2, m.Trial(1, 1).Attempt)
	assert.Contains(t, tuitest.Plain(m.View(false)), "✓ completed")
	assert.Contains(t, tuitest.Plain(m.View(false)), "↻")
	assert.Nil(t, m.Trial(1, 2))
	assert.Nil(t, m.Trial(2, 1))
	assert.Equal(t, tally{sent: 1, ended: 1}, m.across[0].tally)
}

func TestFilters(t *testing.T) {
	r := aRun(3, 2, 1)
	r.Cells[1].Settings = []compare.Setting{{Field: "duration", Value: "8"}}
	r.Cells[5].Cannot = "has no mode i2v"
	end := func(cell int, s jobs.State, code string, facts ...compare.Property) compare.Trial {
		return compare.Trial{Slot: compare.Slot{Cell: cell, Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{State: s, Code: code, Facts: facts}}
	}
	told := func(text string, v compare.Verdict) compare.Property {
		return compare.Property{Field: "duration", Verdict: v, Delivered: compare.Fact{Text: text, Known: true}}
	}
	r.Trials = []compare.Trial{
		end(1, jobs.Completed, "", told("5", compare.Pass)), end(3, jobs.Completed, "", told("5", compare.Pass)),
		end(4, jobs.Failed, "rate_limit"), end(2, jobs.Completed, "", told("6", compare.Fail)),
	}
	m := aGrid(t, r, 120, 20)
	shown := func() (out []int) {
		for _, l := range m.rows {
			for _, c := range m.cols {
				if n := m.groups[l.group].cells[c]; n > 0 && (m.match == nil || m.match[n-1]) {
					out = append(out, n)
				}
			}
		}
		return out
	}
	assert.ElementsMatch(t, []int{1, 2, 3, 4, 5, 6}, shown())
	for text, want := range map[string][]int{
		"fama1": {2, 5}, "P2 Kite": {4, 5, 6}, "rate_limit": {4}, "failed": {4}, "duration 8": {2}, "mode i2v": {6}, "cannot": {6},
		"completed fama2": {3}, "not sent": {5}, "nothing": nil,
	} {
		m.Filter(text)
		assert.ElementsMatch(t, want, shown(), text)
		tuitest.CheckFrame(t, m.View(true), 120, 20)
	}
	m.Filter("")
	m.FailedOnly()
	assert.Equal(t, []int{4}, shown())
	m.FailedOnly()
	m.DiffersOnly()
	assert.Equal(t, []int{2}, shown(), "only its duration is not what was asked for")
	r.Trials[1].Facts[0].Delivered.Text = "6"
	m.Show(r)
	assert.Equal(t, []int{1, 3, 2}, shown(), "of one prompt two models delivered another duration")
}

func TestColumnsAreSorted(t *testing.T) {
	r := aRun(3, 2, 1)
	end := func(cell int, s jobs.State, took time.Duration) compare.Trial {
		return compare.Trial{Slot: compare.Slot{Cell: cell, Repeat: 1}, Attempt: 1, Outcome: compare.Outcome{State: s, Latency: compare.Latency{Total: polled(took, took)}}}
	}
	r.Trials = []compare.Trial{end(1, jobs.Failed, 0), end(4, jobs.Completed, 3*time.Second), end(2, jobs.Completed, 9*time.Second), end(5, jobs.Completed, 7*time.Second)}
	m := aGrid(t, r, 120, 20)
	press(t, m, "l")
	m.Turn()
	assert.Equal(t, []int{1, 0, 2}, m.cols, "famA2 has ended none")
	assert.Equal(t, 0, m.col, "the cursor stays on its cell")
	m.Turn()
	assert.Equal(t, []int{0, 1, 2}, m.cols)
	assert.Equal(t, polled(8*time.Second, 8*time.Second), m.across[1].median)
	m.Turn()
	assert.Equal(t, AsPlanned, m.Order())
}

func TestJumpToTheNextThatFailed(t *testing.T) {
	m := aGrid(t, send(aRun(8, 2, 1)), 120, 20)
	require.True(t, m.FirstFailed())
	assert.Equal(t, []int{0, 4}, []int{m.row, m.col})
	require.True(t, m.FirstFailed())
	assert.Equal(t, []int{0, 7}, []int{m.row, m.col}, "the next one timed out")
	m.FirstFailed()
	m.FirstFailed()
	require.True(t, m.FirstFailed())
	assert.Equal(t, []int{0, 4}, []int{m.row, m.col}, "and from the first again")
	assert.False(t, aGrid(t, aRun(2, 2, 1), 80, 9).FirstFailed())
}

func TestClicksMeetTheirCells(t *testing.T) {
	for _, tall := range []bool{false, true} {
		m := aGrid(t, send(aRun(6, 9, 2)), 120, 26)
		m.SetTall(tall)
		_, zones := zone.Scan(m.View(true))
		z, ok := zones.Find(Zone)
		require.True(t, ok)
		require.Equal(t, zone.Rect{W: 120, H: 26}, z.Rect)
		s := m.shape()
		for y := range min(3, s.rows) {
			for x := range s.cols {
				at := screen.ClickMsg{Zone: Zone, X: s.side + 1 + x*(s.cell+1) + 2, Y: headLines + y*s.line}
				cell, header := m.Click(at)
				require.True(t, cell)
				assert.Equal(t, -1, header)
				assert.Equal(t, []int{y, x}, []int{m.row, m.col})
			}
		}
		_, header := m.Click(screen.ClickMsg{Zone: Zone, X: s.side + 3, Y: 0})
		assert.Equal(t, 0, header)
		cell, header := m.Click(screen.ClickMsg{Zone: Zone, X: 1, Y: 5})
		assert.False(t, cell || header >= 0)
	}
}

func TestTheWheelScrolls(t *testing.T) {
	m := aGrid(t, send(aRun(3, 40, 1)), 80, 12)
	m.Wheel(2)
	assert.Equal(t, []int{6, 6}, []int{m.top, m.row})
	m.Wheel(-1)
	assert.Equal(t, []int{3, 6}, []int{m.top, m.row})
	m.Wheel(99)
	assert.Equal(t, 30, m.top)
}

func TestAnySizeAndAnyText(t *testing.T) {
	texts := strings.Split("🪁 塩の平原|מישור\u202e|\x1b[2J evil|👩\u200d🚀|e\u0301\u200b|\t\n|a", "|")
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		run := send(aRun(1+r.IntN(9), 1+r.IntN(9), 1+r.IntN(4)))
		for i := range run.Cells {
			run.Cells[i].Prompt.Text = strings.Repeat(texts[r.IntN(len(texts))]+" ", 1+r.IntN(40))
			run.Cells[i].Format = texts[i%2]
			run.Cells[i].Settings = []compare.Setting{{Field: texts[r.IntN(len(texts))]}}
		}
		for i := range run.Trials {
			run.Trials[i].Code, run.Trials[i].Message = texts[r.IntN(len(texts))], texts[r.IntN(len(texts))]
		}
		m := aGrid(t, run, 80, 24)
		for range 150 {
			w, h := 1+r.IntN(140), 1+r.IntN(50)
			m.SetSize(w, h)
			m.SetTall(r.IntN(2) == 0)
			press(t, m, []string{"j", "k", "l", "h", "G", "g", "end", "home", "pgdown", "ctrl+u"}[r.IntN(10)])
			m.Wheel(r.IntN(5) - 2)
			tuitest.CheckFrame(t, m.View(r.IntN(2) == 0), w, h)
		}
	}
}

func BenchmarkKey500(b *testing.B)    { benchKey(b, 10, 25, 2) }
func BenchmarkKey10000(b *testing.B)  { benchKey(b, 20, 100, 5) }
func BenchmarkView500(b *testing.B)   { benchView(b, 10, 25, 2) }
func BenchmarkView10000(b *testing.B) { benchView(b, 20, 100, 5) }

func benchKey(b *testing.B, models, prompts, repeats int) {
	m := aGrid(b, send(aRun(models, prompts, repeats)), 200, 58)
	keys := []tea.KeyMsg{{Type: tea.KeyDown}, {Type: tea.KeyDown}, {Type: tea.KeyUp}, {Type: tea.KeyUp}}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m.Update(keys[n%len(keys)])
		_ = m.View(true)
		n++
	}
}

func benchView(b *testing.B, models, prompts, repeats int) {
	m := aGrid(b, send(aRun(models, prompts, repeats)), 200, 58)
	b.ReportAllocs()
	for b.Loop() {
		m.Tick()
		_ = m.View(true)
	}
}

// BenchmarkNews10000 takes news of ten thousand trials and draws them.
func BenchmarkNews10000(b *testing.B) {
	r := send(aRun(20, 100, 5))
	m := aGrid(b, r, 200, 58)
	m.Filter("kite")
	b.ReportAllocs()
	for b.Loop() {
		m.Show(r)
		_ = m.View(true)
	}
}

// TestThumbnailsUseTheRoom: models stand beside each other as soon as there is room for them, and no row
// leaves half of the height empty.
func TestThumbnailsUseTheRoom(t *testing.T) {
	for _, c := range []struct{ w, h, cols, rows int }{{72, 28, 2, 3}, {122, 55, 2, 4}, {72, 55, 2, 6}} {
		m := aGrid(t, send(aRun(2, 4, 3)), c.w, c.h)
		m.SetTall(true)
		s := m.shape()
		assert.Equal(t, []int{c.cols, c.rows}, []int{s.cols, s.rows}, "%d x %d: %+v", c.w, c.h, s)
		assert.Less(t, c.h-headLines-s.rows*s.line, s.rows, "%d x %d: %+v", c.w, c.h, s)
	}
}
