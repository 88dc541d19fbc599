package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

func TestSlotsHaveOneText(t *testing.T) {
	for _, s := range []compare.Slot{{Cell: 1, Repeat: 1}, {Cell: 12, Repeat: 3}, {Cell: 7, Repeat: 2, Warmup: true}} {
		got, err := compare.ParseSlot(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, got)
	}
	for _, bad := range []string{"", "1", "1.", ".1", "0.1", "1.0", "01.1", "1.w", "1.ww1", "1.1 ", "-1.1", "1.+1", "a.b"} {
		_, err := compare.ParseSlot(bad)
		assert.Error(t, err, bad)
	}
}

func TestGroupLeavesThePromptOut(t *testing.T) {
	c := compare.Cell{Model: "famA3", ModelName: "pro", Format: "common", Settings: []compare.Setting{{Field: "duration", Value: "8"}, {Field: "seed"}}}
	assert.Equal(t, "famA3 · pro · duration 8 · seed unset", c.Group(false))
	assert.Equal(t, "famA3 · pro · common · duration 8 · seed unset", c.Group(true))
}

func TestTallyCountsTheNewestAttempts(t *testing.T) {
	slot := func(c, r int) compare.Slot { return compare.Slot{Cell: c, Repeat: r} }
	end := func(s jobs.State) compare.Outcome { return compare.Outcome{State: s} }
	warm := compare.Slot{Cell: 1, Repeat: 1, Warmup: true}
	r := compare.Run{
		Cells: []compare.Cell{{Number: 1}, {Number: 2}, {Number: 3, Cannot: "has no mode i2v"}},
		Order: []compare.Slot{warm, slot(2, 1), slot(1, 1), slot(1, 2), slot(2, 2)},
		Trials: []compare.Trial{
			{Slot: warm, Attempt: 1, Outcome: end(jobs.Completed)},
			{Slot: slot(2, 1), Attempt: 1, Outcome: end(jobs.Failed)},
			{Slot: slot(1, 1), Attempt: 1, Outcome: end(jobs.Running)},
			{Slot: slot(2, 1), Attempt: 2, Outcome: end(jobs.Completed)},
			{Slot: slot(1, 2), Attempt: 1, Outcome: compare.Outcome{State: jobs.Running, TimedOut: true}},
		},
	}
	assert.Equal(t, compare.Tally{Cells: 3, Cannot: 1, Planned: 4, Sent: 3, Done: 1, Failed: 1, Open: 1}, r.Tally())
	var order []string
	for _, x := range r.Latest() {
		order = append(order, x.Slot.String())
	}
	assert.Equal(t, []string{"1.w1", "1.1", "1.2", "2.1"}, order)
	var counted []string
	for _, x := range r.Counted() {
		counted = append(counted, x.Slot.String()+" "+string(x.State))
	}
	assert.Equal(t, []string{"2.1 failed", "1.1 running", "1.2 running"}, counted, "first attempts, without warm-ups")
	assert.Equal(t, 2, r.Cell(2).Number)
	assert.Nil(t, r.Cell(0))
	assert.Nil(t, r.Cell(4))
}
