package follow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestATitleThatRepeatsThePromptIsLeftOut(t *testing.T) {
	t.Parallel()
	song := jobs.Job{Title: "Salt Flats", Draft: client.Draft{Prompt: "a calm song"}}
	assert.Equal(t, "“Salt Flats” ", titled(song))
	song.Draft.Prompt = "Salt Flats"
	assert.Empty(t, titled(song))
	assert.Empty(t, titled(jobs.Job{Draft: song.Draft}))
}
