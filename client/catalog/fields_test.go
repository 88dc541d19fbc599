package catalog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestFieldsForAFormat(t *testing.T) {
	c, err := Embedded()
	require.NoError(t, err)
	field := func(d client.Draft, format, name string) (Field, bool) {
		all := c.FieldsFor(d, format)
		i := slices.IndexFunc(all, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return Field{}, false
		}
		return all[i], true
	}
	famJ := client.Draft{Modality: client.Video, Model: "famJq3-turbo"}
	assert.Equal(t, c.Fields(famJ), c.FieldsFor(famJ, ""))

	f, ok := field(famJ, "videos", "aspect_ratio")
	require.True(t, ok)
	assert.False(t, f.Hard, "on /v1/videos the ratios are usual ones")
	f, ok = field(famJ, "ent", "aspect_ratio")
	require.True(t, ok)
	assert.True(t, f.Hard, "on /ent/v2 they are all there are")
	_, ok = field(famJ, "videos", "movement_amplitude")
	assert.False(t, ok, "only /ent/v2 carries it")
	_, ok = field(famJ, "ent", "movement_amplitude")
	assert.True(t, ok)

	f, ok = field(client.Draft{Modality: client.Video, Model: "famA3"}, "native", "reference_images")
	require.True(t, ok)
	assert.Equal(t, 3, f.MaxItems)
	assert.True(t, f.Hard)
	f, ok = field(client.Draft{Modality: client.Video, Model: "famK-3.0"}, "tasks", "resolution")
	require.True(t, ok)
	assert.Equal(t, []string{"720P"}, f.Allowed)
	assert.NotEmpty(t, c.FieldsFor(client.Draft{Modality: client.Video, Model: "not-listed"}, "videos"))
}
