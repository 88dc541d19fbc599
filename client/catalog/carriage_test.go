package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

func TestWhatAFormatDoesNotCarryIsNotSent(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	by := catalog.NewCarriage(formats.All())
	assert.True(t, by.Carries("no such format", "fps"))
	assert.True(t, by.Carries("videos", "no_such_field"), "the request tells")
	for _, m := range c.Models(client.Video) {
		for _, f := range m.Formats {
			d := client.Draft{Modality: client.Video, Model: m.ID}
			basic := true
			for _, x := range c.Sent(d, f, by) {
				assert.True(t, by.Carries(f, x.Name), "%s %s %s", m.ID, f, x.Name)
				assert.False(t, x.Basic && !basic, "%s %s %s: the basic ones come first", m.ID, f, x.Name)
				basic = x.Basic
			}
		}
	}
}

func TestAnEngineOfSpeechIsNoneOfMusic(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	assert.True(t, c.Apart("upstream_model"))
	assert.False(t, c.Apart("seed"))
	assert.False(t, c.Apart("no_such_field"))
}
