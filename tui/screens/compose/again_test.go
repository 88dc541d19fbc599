package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
)

// TestAgainWithOneChange takes three presses from a result: the one that brings the job here, what is
// typed, and the one that submits. The cursor is in the prompt, behind its last word.
func TestAgainWithOneChange(t *testing.T) {
	b := start(t, 120, 34)
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a boat"}, Job: "job-0001"})
	b.Type("s")
	assert.Contains(t, b.View(), "1 change from job")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	require.Len(t, b.jobs.got[0], 1)
	assert.Equal(t, "a boats", b.jobs.got[0][0].Draft.Prompt)
	assert.Equal(t, "famI-omni", b.jobs.got[0][0].Draft.Model)
}
