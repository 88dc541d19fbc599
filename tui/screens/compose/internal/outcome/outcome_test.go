package outcome

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/sending"
)

// board tells changes of jobs.
type board struct {
	list  []jobs.Job
	asked []uint64
}

func (b *board) Changes(seq uint64) ([]jobs.Job, uint64) {
	b.asked = append(b.asked, seq)
	return b.list, seq + 1
}

func said(t *testing.T, cmd tea.Cmd) []screen.ToastMsg {
	t.Helper()
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case screen.ToastMsg:
		return []screen.ToastMsg{msg}
	case tea.BatchMsg:
		var out []screen.ToastMsg
		for _, c := range msg {
			out = append(out, said(t, c)...)
		}
		return out
	}
	return nil
}

func TestWhatBecameOfABatch(t *testing.T) {
	b := &board{}
	o := New(b, "alt+q")
	why := func(*jobs.Job) string { return "no credit" }
	assert.Nil(t, o.Look(why))
	assert.Empty(t, b.asked, "nobody is asked while nothing was submitted")
	assert.Equal(t, "no batch was submitted yet", o.OffBatch())
	assert.Empty(t, o.Hint())

	master := uint64(7)
	o.Sent(sending.SentMsg{Group: "g", IDs: []string{"a", "b", "c", "d"}, Master: &master})
	b.list = []jobs.Job{{ID: "a", State: jobs.Refused}, {ID: "b", State: jobs.Ambiguous}, {ID: "c", State: jobs.Submitting}, {ID: "other", State: jobs.Refused}, {ID: "d", State: jobs.Running}}
	got := said(t, o.Look(why))
	require.Len(t, got, 2)
	assert.Equal(t, screen.Warn, got[0].Level)
	assert.Contains(t, got[0].Text, "the answer was lost")
	assert.Equal(t, screen.ToastMsg{Level: screen.Bad, Text: "no credit; the form is kept"}, got[1])
	assert.Equal(t, "last batch: 4 jobs, 3 answered, 1 refused, 1 with the answer lost, 1 to go; drawn with 7; alt+q shows it in Queue", o.Hint())
	assert.Nil(t, said(t, o.Look(why)), "each is told once")
	assert.Equal(t, []uint64{0, 1}, b.asked)
	assert.Empty(t, o.OffBatch())

	o.Sent(sending.SentMsg{IDs: []string{"one"}})
	assert.Contains(t, o.Hint(), "last batch: 4 jobs", "one job is no batch")
}
