package queue

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// cutList is a history whose lists cut every draft.
type cutList struct {
	*fake
	getErr error
}

func (l *cutList) List(ctx context.Context, q jobs.Query) (jobs.Page, error) {
	p, err := l.fake.List(ctx, q)
	for i := range p.Jobs {
		p.Jobs[i] = cutJob(p.Jobs[i])
	}
	return p, err
}

func (l *cutList) Get(ctx context.Context, id string) (jobs.Job, error) {
	if l.getErr != nil {
		return jobs.Job{}, l.getErr
	}
	return l.fake.Get(ctx, id)
}

func openListing(t *testing.T, l *cutList) *bench {
	t.Helper()
	d := deps(t, l.fake)
	d.Jobs = l
	return openDeps(t, d, l.fake, 120, 34)
}

func cutJob(j jobs.Job) jobs.Job {
	d := j.Draft
	j.Draft = client.Draft{Modality: d.Modality, Model: d.Model, Prompt: d.Prompt[:5], Cut: true}
	j.Foreign = false
	return j
}

// TestComposeTakesTheWholePrompt: a list has the beginning of a long prompt; Compose gets all.
func TestComposeTakesTheWholePrompt(t *testing.T) {
	l := &cutList{fake: newFake(many(3)...)}
	want := l.all[jobID(3)]
	want.Draft.Prompt = strings.Repeat("long ", 1000)
	want.Draft.Values = client.Values{"image": "https://x.example/a.png"}
	l.all[want.ID] = want
	b := openListing(t, l)
	assert.Contains(t, b.View(), "only the beginning")
	b.Click("btn:queue.resubmit")
	o, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, want.Draft, o.Payload.(screen.ComposeDraft).Draft)
	assert.NotContains(t, b.View(), "only the beginning", "it is there whole now")
	news := cutJob(want)
	news.UpdatedAt = news.UpdatedAt.Add(time.Minute)
	b.m.list.jobs.Put(&news)
	assert.Equal(t, want.Draft, b.m.list.jobs.Get(want.ID).Draft, "and stays so")
}

// TestNothingIsMadeOfABeginning: where the whole cannot be read, nothing is handed over.
func TestNothingIsMadeOfABeginning(t *testing.T) {
	l := &cutList{fake: newFake(many(1)...), getErr: errors.New("the disk is away")}
	b := openListing(t, l)
	b.Click("btn:queue.resubmit")
	_, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	assert.False(t, ok)
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "the disk is away")
}

// TestFilesOfALongDraftAreShown: whether the files of another installation's job may be sent is
// asked with their names, which stand behind what a list reads.
func TestFilesOfALongDraftAreShown(t *testing.T) {
	l := &cutList{fake: newFake(many(1)...)}
	j := l.all[jobID(1)]
	j.State, j.Foreign = jobs.Planned, true
	j.Draft.Values = client.Values{"image": "file:///home/you/secret.png"}
	l.all[j.ID] = j
	b := openListing(t, l)
	b.Key("z")
	assert.Contains(t, b.View(), "secret.png")
	assert.Empty(t, l.done)
}
