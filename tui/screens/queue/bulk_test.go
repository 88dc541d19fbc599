package queue

import (
	"encoding/csv"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/dialogs/bulk"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// TestManyAreAskedAboutOnce: with the number, who is left out and why, and nothing happens before.
func TestManyAreAskedAboutOnce(t *testing.T) {
	b := open(t, 120, 34, many(80)...) // of eight, one is running and one queued
	b.Key("*")
	assert.Contains(t, b.View(), "80 marked")
	b.Key("r")
	assert.IsType(t, &bulk.Dialog{}, b.m.stack.Top())
	assert.Contains(t, b.View(), "Ask again about 20 jobs?")
	assert.Contains(t, b.View(), "30 left out: there is nothing to ask about: this job is completed")
	assert.Empty(t, b.f.done)
	b.Key("n")
	assert.Empty(t, b.f.done)
	assert.Len(t, b.m.list.jobs.marked, 80, "the marks stay")
	b.Key("r", "y")
	assert.Len(t, b.f.done, 20)
	assert.Contains(t, b.View(), "asking again about 20 jobs")
	b.Key("esc")
	assert.Empty(t, b.m.list.jobs.marked)
}

// TestATagIsAskedForOnce: who types it has seen the number.
func TestATagIsAskedForOnce(t *testing.T) {
	b := open(t, 120, 34, many(30)...)
	b.Key("*", "t")
	assert.Contains(t, b.View(), "30 jobs")
	b.Type("+late -new")
	b.Key("enter")
	assert.Len(t, b.f.done, 30)
	assert.Contains(t, b.f.done[0], "tag [late] [new] ")
	assert.Equal(t, "tagged 30 jobs", b.toast(t).Text)
	assert.Nil(t, b.m.stack.Top())

	b.f.took()
	b.Key("*", "n")
	assert.Contains(t, b.View(), "replaces theirs")
	b.Type("ticket 77")
	b.Key("enter")
	assert.Len(t, b.f.done, 30)
	assert.Contains(t, b.f.done[0], "remark ticket 77 ")
}

// TestWhoIsLeftOutOfAFewIsToldToo, without a question.
func TestWhoIsLeftOutOfAFewIsToldToo(t *testing.T) {
	b := open(t, 120, 34, many(8)...)
	b.Key("*", "r")
	assert.Len(t, b.f.done, 2)
	var told []string
	for _, msg := range b.Sent {
		if toast, ok := msg.(screen.ToastMsg); ok {
			told = append(told, toast.Text)
		}
	}
	require.Len(t, told, 2)
	assert.Contains(t, told[0], "left out: 00000001: there is nothing to ask about: this job is completed")
	assert.Contains(t, told[0], "and 3 more")
	assert.Equal(t, "asking again about 2 jobs", told[1])
}

// TestAllAreMarkedOnceTheyAreRead, however many pages there are.
func TestAllAreMarkedOnceTheyAreRead(t *testing.T) {
	b := open(t, 80, 24, many(450)...)
	assert.Equal(t, pageSize, b.m.list.jobs.Len())
	b.Key("*")
	assert.Len(t, b.m.list.jobs.marked, 450)
	assert.Contains(t, b.View(), "450 marked")
	assert.Equal(t, 0, b.m.list.table.Cursor(), "the cursor stays")
	b.Key("*")
	assert.Empty(t, b.m.list.jobs.marked, "the same key takes the marks away")

	f := newFake(many(450)...)
	b = openWith(t, f, 80, 24)
	f.listErr = errAway
	b.Key("*")
	assert.Empty(t, b.m.list.jobs.marked)
	assert.False(t, b.m.list.jobs.marking, "nobody waits for what cannot be read")
}

var errAway = fmt.Errorf("the history is away")

func TestChosenJobsAreExported(t *testing.T) {
	t.Chdir(t.TempDir())
	b := open(t, 120, 34, many(30)...)
	b.Key("*", "X")
	assert.Contains(t, b.View(), "Export 30 jobs")
	b.Key("enter")
	toast := b.toast(t)
	assert.Equal(t, screen.Good, toast.Level)
	assert.Contains(t, toast.Text, "30 jobs, in /")
	f, err := os.Open("jobs-2026-03-01-120000.csv")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 31)
	assert.Equal(t, jobID(1), rows[1][0])
	assert.Empty(t, b.m.list.jobs.marked)

	b.Key("X", "enter", "n", "esc") // it is there already
	assert.Nil(t, b.m.stack.Top())
	b.Key("X", "right", "enter")
	data, err := os.ReadFile("jobs-2026-03-01-120000.json")
	require.NoError(t, err)
	assert.Contains(t, string(data), jobID(30), "the one under the cursor")
	assert.NotContains(t, string(data), jobID(29))
}

func TestGoldenMany(t *testing.T) {
	for _, s := range sizes {
		b := open(t, s[0], s[1], append(many(60), job(61, jobs.Lost))...)
		b.Key("*", "r")
		b.Golden(fmt.Sprintf("many-%dx%d", s[0], s[1]))
		b.Key("esc", "X")
		tuitest.CheckFrame(t, b.Frame(), s[0], s[1])
	}
}
