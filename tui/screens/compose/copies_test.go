package compose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/tui/screen"
)

func TestAnotherFormBeginsWithOneCopy(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.Click("compose/#copies/o2")
	b.Key("ctrl+s")
	assert.Equal(t, 3, b.m.sheet.Copies(), "the same form again")
	b.Send(screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Model: "famI-omni", Prompt: "a boat"}, Job: "job-0001"})
	assert.Equal(t, 1, b.m.sheet.Copies(), "a job that is taken is sent once")
	assert.NotContains(t, b.View(), "Submit ×")
	b.Key("alt+z")
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
	assert.Equal(t, 3, b.m.sheet.Copies(), "what is brought back is as it was")
	b.Key("ctrl+x")
	assert.Equal(t, 1, b.m.sheet.Copies(), "and so is a form that was cleared")
	b.Click("compose/#copies/o4")
	b.Key("ctrl+x")
	assert.Equal(t, 1, b.m.sheet.Copies(), "also one in which nothing else was chosen")
}

func TestVariationsDiffer(t *testing.T) {
	b, _ := batchBench(t, 120, 34)
	b.Type("a kite")
	b.Key("alt+s", "ctrl+s")
	require.Len(t, b.jobs.got, 1)
	require.Len(t, b.jobs.got[0], 4)
	seeds := map[string]bool{}
	for _, s := range b.jobs.got[0] {
		seed, _ := s.Draft.Values.Text("seed")
		seeds[seed] = true
	}
	assert.Len(t, seeds, 4, "no two of them are the same job")
	assert.NotContains(t, seeds, "")
	b.Key("alt+s")
	b.Key("down", "left", "left", "esc", "alt+s", "ctrl+s")
	require.Len(t, b.jobs.got, 2)
	_, seeded := b.jobs.got[1][0].Draft.Values["seed"]
	assert.False(t, seeded, "what was chosen holds")
}
