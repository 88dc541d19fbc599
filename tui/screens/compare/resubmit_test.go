package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestAJobOfTheGridGoesToCompose(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("enter", "C")
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "nothing was run yet", toast.Text)
	b.Send(screen.CompareDraft{Draft: aDraft()})
	b.Key("ctrl+s")
	require.Len(t, b.m.run.Trials, 1)
	b.m.setFocus(gridPane)
	b.Key("u")
	toast, _ = tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, toast.Text, "only a completed job has a result")
	j := b.aJob(0, jobs.Completed, "completed")
	j.Format, j.Draft.Parents = "videos", []client.Parent{{Job: "p", Ref: "r"}}
	j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://media.invalid/v"}}
	b.e.tell(j)
	b.Send(screen.JobsMsg{})
	b.Key("C")
	open, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeDraft{Draft: j.Draft, Format: "videos", Job: j.ID}}, open)
	b.Key("u")
	open, _ = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeResult{JobID: j.ID, As: "reference"}}, open)
}
