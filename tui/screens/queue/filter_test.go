package queue

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestFilter(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.Key("down", " ")
	b.f.took()
	b.Key("/")
	require.True(t, b.m.Capturing())
	b.Paste("state:failed")
	require.Len(t, b.f.lists, 1)
	assert.Equal(t, []jobs.State{jobs.Failed}, b.f.lists[0].States)
	assert.Contains(t, b.View(), "1 of 5")
	assert.Equal(t, jobID(36), b.row(), "the cursor goes to the newest")
	assert.Empty(t, b.m.list.jobs.marked, "what does not show is not marked")
	b.Key("enter")
	assert.False(t, b.m.Capturing())
	assert.Contains(t, b.View(), "/ state:failed")
	b.Key("esc")
	assert.Contains(t, b.View(), "1 of 40")
}

// TestTheFilterSearchesWithTheKey: what was read is looked through in the same frame, the history is
// asked at once, and no more for the filter before.
func TestTheFilterSearchesWithTheKey(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.f.took()
	b.Key("/")
	var asked []tea.Cmd
	typed := func(text string) {
		_, cmd := b.m.Update(burst(text))
		asked = append(asked, flat(cmd)...)
	}
	typed("9")
	typed("9")
	typed("8")
	require.Len(t, asked, 3)
	assert.Equal(t, 1, b.m.list.jobs.Len())
	assert.Equal(t, jobID(998), b.row(), "of the rows that were read")
	assert.Contains(t, b.m.View(), "1 of 1+", "there may be more")
	answers := []pageMsg{}
	for _, ask := range asked {
		answers = append(answers, ask().(pageMsg))
	}
	require.ErrorIs(t, answers[0].err, context.Canceled)
	require.ErrorIs(t, answers[1].err, context.Canceled)
	b.Send(answers[0], answers[2], answers[1])
	assert.Contains(t, b.View(), "1 of 1")
	assert.NotContains(t, b.View(), "1 of 1+")
	assert.NotContains(t, b.View(), "cannot be read")

	b.f.took()
	typed(" ")
	assert.Len(t, asked, 3, "a blank asks for nothing else")
	typed("nowhere")
	assert.Equal(t, jobID(998), b.row(), "as long as nothing is found the list stays")
	b.Send(asked[3]())
	assert.Contains(t, b.View(), "No job matches the filter.")
}

// TestWhatWasFoundAtOnceCanBeUsed: who moves on before the history has answered stays where he is.
func TestWhatWasFoundAtOnceCanBeUsed(t *testing.T) {
	b := open(t, 120, 34, many(1000)...)
	b.Key("/")
	_, cmd := b.m.Update(burst(`"take 9"`))
	answer := flat(cmd)
	require.Len(t, answer, 1)
	require.Equal(t, 100, b.m.list.jobs.Len())
	b.m.Update(tea.KeyMsg{Type: tea.KeyEnter})
	for range 105 {
		b.m.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	assert.Equal(t, jobID(900), b.row())
	b.Send(answer[0]())
	assert.Equal(t, jobID(94), b.row(), "five rows on, in those that the history has found")
	assert.Equal(t, 111, b.m.list.jobs.Len())
}

func TestAFilterThatSaysNothing(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.f.took()
	b.Key("/")
	b.Paste("state:burnt \x1b[2Jtag")
	assert.Empty(t, b.f.lists)
	assert.Contains(t, b.View(), "state:burnt: try planned")
	assert.Contains(t, b.View(), "1 of 40", "the list stays as it was")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	b.Key("esc")
	assert.NotContains(t, b.View(), "burnt")
}

func TestAnswersOfAnOlderFilterAreDropped(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	old := load(t.Context(), b.f, jobs.Query{States: []jobs.State{jobs.Dropped}}, b.m.list.jobs.gen)()
	b.Key("/")
	b.Paste("state:failed")
	b.Send(old)
	assert.Contains(t, b.View(), "1 of 5")
}

func TestNewsUnderAFilter(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Running), job(2, jobs.Running), job(3, jobs.Running))
	b.Key("/")
	b.Paste("state:running")
	b.Key("enter", "down")
	require.Equal(t, jobID(2), b.row())

	b.f.change(job(4, jobs.Running))
	b.f.change(job(5, jobs.Queued))
	b.f.change(job(1, jobs.Completed))
	b.f.change(job(2, jobs.Completed))
	b.Send(screen.JobsMsg{})
	assert.NotNil(t, b.m.list.jobs.Get(jobID(4)), "a new one that matches comes")
	assert.Nil(t, b.m.list.jobs.Get(jobID(5)))
	assert.Nil(t, b.m.list.jobs.Get(jobID(1)), "one that matches no more goes")
	assert.Equal(t, jobID(2), b.row(), "but not from under the cursor")
	b.Key("up")
	assert.Equal(t, jobID(3), b.row())
	assert.Nil(t, b.m.list.jobs.Get(jobID(2)))
	assert.Equal(t, 2, b.m.list.jobs.Len())
}

func TestOneProfileAtATime(t *testing.T) {
	other := job(4, jobs.Completed)
	other.Profile = "studio"
	f := newFake(job(1, jobs.Completed), job(2, jobs.Running), other)
	d := deps(t, f)
	d.Profile = "sandbox"
	m := New(d)
	b := &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, f: f}
	assert.Equal(t, "sandbox", f.lists[0].Profile)
	assert.Equal(t, 2, m.list.jobs.Len())
	assert.NotContains(t, line(b.View(), "Prompt"), "Profile", "one profile is not told in every row")
	other.ID = jobID(5)
	f.change(other)
	f.change(job(6, jobs.Queued))
	b.Send(screen.JobsMsg{})
	assert.Equal(t, 3, m.list.jobs.Len(), "news of another profile are none")

	b.Key("/")
	b.Paste("profile:all")
	b.Key("enter")
	b.Settle(10*time.Second, "those of all profiles", func() bool { return m.list.jobs.Len() == 5 })
	b.Resize(200, 34)
	v := b.View()
	assert.Contains(t, line(v, "Prompt"), "Profile", "a column of its own")
	assert.Contains(t, v, "famA-video  studio")
	assert.Contains(t, v, "famA-video  sandbox")
	b.Send(screen.ShowJob{JobID: jobID(5)})
	assert.Regexp(t, `│ Profile +studio`, b.View(), "and the detail tells it")

	b.Key("/", "ctrl+u")
	b.Paste("profile:studio")
	b.Key("enter")
	b.Settle(10*time.Second, "those of one profile", func() bool { return m.list.jobs.Len() == 2 })
	b.Key("esc")
	b.Settle(10*time.Second, "the console's own, without a filter", func() bool { return m.list.jobs.Len() == 3 })

	d.Jobs, d.Profile = newFake(other), "empty"
	m = New(d)
	b = &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, f: f}
	assert.Contains(t, b.View(), "Nothing submitted yet in the profile empty.")
	assert.Contains(t, b.View(), "profile:all")
}

func TestAFilterThatFails(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.f.listErr = errors.New("interrupted")
	b.Key("/")
	b.Paste("kite")
	assert.Contains(t, b.View(), "interrupted")
	b.f.listErr = nil
	b.Key("enter", "f5")
	assert.NotContains(t, b.View(), "interrupted")
	assert.Equal(t, "kite", b.f.lists[len(b.f.lists)-1].Text)
}

func TestAGroupIsShown(t *testing.T) {
	b := open(t, 80, 24, many(30)...)
	b.Send(screen.ShowJob{JobID: jobID(4)})
	b.Send(screen.ShowGroup{Group: "0198c0de-77"})
	assert.Equal(t, "group:0198c0de-77", b.m.list.filter.Text())
	assert.Equal(t, "0198c0de-77", b.m.list.jobs.query.Group)
	assert.Equal(t, tablePane, b.m.focus, "the list, on a narrow screen too")
	assert.False(t, b.m.Capturing())
}

// TestTheListComesWithTheHistory: a list that could not be read is read when the history is
// back.
func TestTheListComesWithTheHistory(t *testing.T) {
	b := open(t, 120, 34, many(40)...)
	b.f.listErr, b.f.flow.Away = errors.New("connection refused"), start
	b.Key("f5")
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "cannot be read")
	b.f.listErr, b.f.flow = nil, jobs.Flow{}
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "cannot be read")
}

// TestAJobFoundByItsEventsStays: the history finds more than the job itself holds.
func TestAJobFoundByItsEventsStays(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Running), job(2, jobs.Running), job(3, jobs.Running))
	b.Key("/")
	b.Paste("req_0123456789abcdef")
	b.Key("enter")
	require.Equal(t, 0, b.m.list.jobs.Len())
	found := job(2, jobs.Running)
	b.m.takePage(pageMsg{gen: b.m.list.jobs.gen, query: b.m.list.jobs.query, page: jobs.Page{Jobs: []jobs.Job{job(3, jobs.Running), found}}})
	require.Equal(t, 2, b.m.list.jobs.Len())
	b.f.change(job(2, jobs.Completed))
	b.f.change(job(1, jobs.Completed))
	b.Send(screen.JobsMsg{})
	require.Equal(t, 2, b.m.list.jobs.Len(), "the others are not found")
	assert.Equal(t, jobs.Completed, b.m.list.jobs.Get(jobID(2)).State)
}

func TestWordsOfAFilter(t *testing.T) {
	j := job(1, jobs.Failed)
	j.Draft.Prompt, j.Tags, j.Error = "A red kite over salt", []string{"best"}, &client.TaskError{Message: "policy"}
	for text, want := range map[string]bool{
		"salt kite": true, "best RED policy": true, `"red kite"`: true, `"kite red"`: false, "kite stone": false, `"red kite" state:failed salt`: true,
	} {
		q, err := filter.Parse(text, start)
		require.NoError(t, err)
		assert.Equal(t, want, q.Matches(&j), text)
	}
}

// TestAModelIsFoundWhileItIsTyped: by its beginning, in any case, also by news of jobs.
func TestAModelIsFoundWhileItIsTyped(t *testing.T) {
	other := job(2, jobs.Completed)
	other.Draft.Model = "famB-video"
	b := open(t, 120, 34, job(1, jobs.Completed), other)
	b.Key("/")
	b.Type("model:fama")
	b.Settle(10*time.Second, "one of them", func() bool { return b.m.list.jobs.Len() == 1 })
	assert.Equal(t, jobID(1), b.row())
	b.f.change(job(3, jobs.Running))
	b.Send(screen.JobsMsg{})
	assert.Equal(t, 2, b.m.list.jobs.Len())
}
