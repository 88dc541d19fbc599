package queue

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/zone"
)

// TestAnythingAtAnySize presses keys, types in many scripts, clicks, resizes, and lets
// jobs change and the history fail at random: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	keys := []tea.KeyType{tea.KeyTab, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter,
		tea.KeyEsc, tea.KeyBackspace, tea.KeyPgDown, tea.KeyPgUp, tea.KeyEnd, tea.KeyHome, tea.KeyF5, tea.KeySpace, tea.KeyCtrlU, tea.KeyCtrlV}
	text := []rune("jkxyndoRacip/gGhlvvwf+-sz.,0 塩界🇩🇪👩\u200d🚀e\u0301שלום\u202e\u200b☺\ufe0f1\ufe0f#\ufe0f\u20e3a\u0903x\U0001F3FB\ue000\t\":,state:failed")
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // reproducible, not secret
		f := newFake(append(many(250), story()...)...)
		f.tell()
		m := New(deps(t, f))
		w, h := 40+r.IntN(161), 12+r.IntN(49)
		m.SetSize(w, h)
		drain(m, m.Init(), 0)
		for range 120 {
			var msg tea.Msg
			switch r.IntN(10) {
			case 0, 1, 2:
				msg = tea.KeyMsg{Type: keys[r.IntN(len(keys))]}
			case 3, 4:
				var s []rune
				for range 1 + r.IntN(4) {
					s = append(s, text[r.IntN(len(text))])
				}
				msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: s, Paste: r.IntN(3) == 0}
			case 5:
				if _, zones := zone.Scan(m.View()); len(zones) > 0 {
					msg = screen.ClickMsg{Zone: zones[r.IntN(len(zones))].ID, Double: r.IntN(3) == 0}
				}
			case 6:
				msg = []tea.Msg{screen.WheelMsg{Delta: r.IntN(3) - 1}, screen.HiddenMsg{}, screen.ShownMsg{}, screen.TickMsg{},
					screen.ShowJob{JobID: jobID(r.IntN(300))}, pageMsg{gen: m.list.jobs.gen, err: errAway}}[r.IntN(6)]
			case 7:
				f.change(job(r.IntN(300), jobs.States()[r.IntN(len(jobs.States()))]))
				msg = screen.JobsMsg{}
			case 8:
				f.mu.Lock() // a command that took its time may read them
				f.listErr, f.detailErr, f.doErr = nil, nil, nil
				if r.IntN(2) == 0 {
					f.listErr, f.detailErr, f.doErr = errors.New("no\nlist \x1b[2J"), errors.New("no detail"), errors.New("not now")
				}
				f.mu.Unlock()
				continue
			default:
				w, h = 40+r.IntN(161), 12+r.IntN(49)
				m.SetSize(w, h)
			}
			_, cmd := m.Update(msg)
			drain(m, cmd, 0)
			tuitest.CheckFrame(t, m.View(), w, h)
			m.sound(t)
		}
	}
}

// sound fails the test when parts of the model do not agree.
func (m *Model) sound(t *testing.T) {
	t.Helper()
	l := &m.list.jobs.List
	for i := range l.Len() {
		if l.Get(l.ID(i)) == nil || i > 0 && l.Compare(l.At(i-1), l.At(i)) >= 0 {
			t.Fatalf("row %d of %d is out of order", i, l.Len())
		}
	}
	if m.list.table.Len() != l.Len() {
		t.Fatalf("%d jobs, %d rows", l.Len(), m.list.table.Len())
	}
	if first, n := m.list.sight(); m.gallery && m.list.jobs.Len() > 0 && (m.list.table.Cursor() < first || m.list.table.Cursor() >= first+n) {
		t.Fatalf("the cursor, at %d, is not among the %d cells from %d on", m.list.table.Cursor(), n, first)
	}
	if j := m.list.jobs.At(m.list.table.Cursor()); j != nil && j.ID != m.list.current {
		t.Fatalf("the cursor is on %s, not on %s", j.ID, m.list.current)
	}
}

// drain runs commands but for timers.
func drain(m *Model, cmd tea.Cmd, depth int) {
	if cmd == nil || depth > 60 {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	slow := time.NewTimer(30 * time.Millisecond)
	defer slow.Stop()
	var msg tea.Msg
	select {
	case msg = <-done:
	case <-slow.C:
		return // the pause of the filter
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			drain(m, c, depth+1)
		}
	default:
		_, next := m.Update(msg)
		drain(m, next, depth+1)
	}
}

// TestTinySizes draws what no one can use, without a broken line.
func TestTinySizes(t *testing.T) {
	f := newFake(story()...)
	f.tell()
	m := New(deps(t, f))
	drain(m, m.Init(), 0)
	for _, q := range []string{"", "queue.adopt", "queue.drop"} {
		for _, p := range []pane{tablePane, detailPane} {
			for w := 1; w < 110; w += 13 {
				for h := 1; h < 16; h++ {
					m.SetSize(w, h)
					_, _ = m.Update(screen.ShowJob{JobID: jobID(3)})
					m.focus = p
					if q != "" {
						_, _ = m.Update(screen.ActionMsg{ID: q})
					}
					tuitest.CheckFrame(t, m.View(), w, h)
					m.stack.Clear()
				}
			}
		}
	}
}
