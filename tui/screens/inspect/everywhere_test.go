package inspect

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// offices are two profiles, of which the second one knows every id.
type offices struct{}

func (offices) Names() []string { return []string{"own", "team"} }

func (offices) One(_ context.Context, s inspect.Subject, _ func(lookup.Answer)) lookup.Found {
	known := lookup.Answer{Profile: "team", Result: lookup.Result{Subject: s}}
	known.Findings.Routes = []inspect.Route{{Format: "videos", Done: true, Result: client.RouteResult{Task: &client.Task{Status: client.StatusQueued}}}}
	return lookup.Found{Answers: []lookup.Answer{{Profile: "own", Left: lookup.ErrRequest}, known}}
}

func TestAllProfilesAreAsked(t *testing.T) {
	b := start(t, 120, 34)
	b.ask("vid_1")
	b.Send(screen.ActionMsg{ID: "inspect.everywhere"})
	toast, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	assert.Contains(t, toast.Text, "there is no other profile")

	b.m.deps.Profile, b.m.deps.Everywhere = "own", func() everywhere.Profiles { return offices{} }
	b.Send(screen.ActionMsg{ID: "inspect.everywhere"})
	assert.Contains(t, b.View(), "knows it: queued")
	b.Key("enter")
	to, ok := tuitest.Last[screen.SwitchMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.SwitchMsg{Profile: "team", Then: screen.OpenMsg{Screen: screen.Inspect, Payload: screen.InspectID{ID: "vid_1"}}}, to)
	assert.Nil(t, goThere("own", everywhere.Taken{Profile: "own"}), "it shows already")
}
