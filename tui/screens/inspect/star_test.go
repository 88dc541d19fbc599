package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// tagger keeps what it was told.
type tagger struct {
	told []string
	err  error
}

func (t *tagger) Remark(_ context.Context, id, text string) error {
	t.told = append(t.told, "remark "+id+" "+text)
	return t.err
}

func (t *tagger) Observe(_ context.Context, o jobs.Observation) (string, bool, error) {
	t.told = append(t.told, "observe "+o.TaskID+" "+strings.Join(o.Tags, " "))
	return "job-1", true, t.err
}

func (t *tagger) Tag(_ context.Context, id string, add, remove []string) error {
	t.told = append(t.told, fmt.Sprint(id, add, remove))
	return t.err
}

func TestStarOfItsJob(t *testing.T) {
	b := start(t, 120, 34)
	tags := &tagger{}
	b.m.deps.Tags = tags
	b.Send(screen.ActionMsg{ID: "inspect.star"})
	toast, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "knows no job")
	b.h.jobs = []jobs.Job{aJob()}
	b.ask("vid_1")
	require.NotNil(t, b.m.q.found.Job)
	b.Key("alt+s")
	id := aJob().ID
	assert.Equal(t, []string{id + "[starred] []"}, tags.told)
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, screen.ToastMsg{Level: screen.Good, Text: "starred its job"}, toast)

	j := aJob()
	j.Tags, j.Seq, j.UpdatedAt = []string{"kept", jobs.Star}, 1, now
	b.h.changed = []jobs.Job{j}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "★ kept")
	tags.err = errors.New("the history is away")
	b.Key("alt+s")
	assert.Equal(t, id+"[] [starred]", tags.told[1])
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Equal(t, screen.ToastMsg{Level: screen.Bad, Text: "the history is away"}, toast)
}
