package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

func TestWhatTheCatalogDoesNotKnowCanBeTried(t *testing.T) {
	t.Parallel()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	assert.True(t, c.Unlisted(client.Video, "nova-9"))
	for _, m := range []string{"", "famA3", "famL"} {
		assert.False(t, c.Unlisted(client.Video, m), "%q: it is known, of whatever kind, or none is named", m)
	}
	assert.False(t, c.Unlisted(client.Chat, "nova-9"), "any will do there")

	d := client.Draft{Modality: client.Video, Model: "nova-9", Prompt: "a kite"}
	assert.True(t, catalog.Blocked(c.CheckFor(d, "videos")))
	tried := c.CheckTried(d, "videos")
	assert.False(t, catalog.Blocked(tried))
	require.NotEmpty(t, tried)
	assert.Contains(t, tried[0].Message, "nothing is known of it")
	assert.True(t, catalog.Blocked(c.CheckTried(d, "")), "no format is chosen")
	d.Model = "famL"
	assert.True(t, catalog.Blocked(c.CheckTried(d, "videos")))
	formats := func(d client.Draft) []string {
		if d.Model == "famL" {
			return []string{"images", "videos", "images"}
		}
		return []string{"images"}
	}
	assert.Equal(t, []string{"images", "videos"}, c.Ways(client.Draft{Modality: client.Image, Model: "nova-9"}, formats))
	assert.Equal(t, formats(d), c.Ways(client.Draft{Modality: client.Image, Model: "famL"}, formats))
	assert.Equal(t, []string{"nova-9"}, catalog.Nearest("nova9", []string{"zzz", "nova-9"}, 3))
}
