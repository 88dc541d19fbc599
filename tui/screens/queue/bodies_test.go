package queue

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// records has a request and an answer of every job.
type records struct{}

func (records) Record(_ context.Context, id string) (jobs.Record, error) {
	request, answer := []byte(`{"prompt":"of `+id+`"}`), []byte(`{"id":"vid_1","status":"done"}`)
	return jobs.Record{Job: jobs.Job{ID: id, Profile: "other"}, Bodies: map[string][]byte{jobs.PayloadSHA(request): request, jobs.PayloadSHA(answer): answer},
		Current: map[jobs.PayloadKind]string{jobs.PayloadRequest: jobs.PayloadSHA(request), jobs.PayloadAnswer: jobs.PayloadSHA(answer)}}, nil
}

func TestTheBodiesOfAJobAreRead(t *testing.T) {
	f := newFake(job(1, jobs.Completed))
	d := deps(t, f)
	d.Keys = keys.New(Rows(), screen.Rows(body.Commands()))
	d.Bodies = body.Options{History: records{}, Keys: d.Keys, Profile: "main"}
	b := openDeps(t, d, f, 120, 34)
	b.Key("B")
	assert.Contains(t, b.View(), `"status": "done"`, "the answer first")
	b.Key("x")
	assert.Empty(t, f.done, "keys of the list mean nothing there")
	b.Key("f")
	assert.True(t, b.m.Capturing())
	b.Type(".id")
	b.Key("enter", "y")
	msg, ok := tuitest.Last[screen.CopyMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "vid_1", msg.Text)
	b.Key("esc", "esc")
	assert.Nil(t, b.m.stack.Top())

	b.Key("tab", "right", "right")
	assert.Equal(t, request, b.m.detail.section)
	b.Key("B")
	assert.Contains(t, b.View(), "of "+b.row(), "the request first, where that showed")
	for _, a := range b.m.Actions() {
		if a.ID == body.Scope+".copy-curl" {
			assert.Contains(t, a.Off, "the profile other")
			return
		}
	}
	t.Fatal("the palette has the actions of the dialog")
}
