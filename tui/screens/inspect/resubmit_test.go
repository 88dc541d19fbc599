package inspect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestTheJobGoesToCompose(t *testing.T) {
	b := start(t, 120, 34)
	j := aJob()
	j.State = jobs.Completed
	j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://media.invalid/v"}}
	b.h.jobs = []jobs.Job{j}
	b.ask(j.TaskID)
	b.m.setFocus(factsPane)
	b.Key("c")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeDraft{Draft: j.Draft, Format: j.Format, Job: j.ID}}, open)
	b.Key("U")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeResult{JobID: j.ID, As: "reference"}}, open)
	j.Assets = nil
	b.h.jobs = []jobs.Job{j}
	b.ask(j.TaskID)
	b.m.setFocus(factsPane)
	b.Key("U")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "no picture, video or sound")
}
