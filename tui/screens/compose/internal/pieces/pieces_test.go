package pieces

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/widgets/form"
)

func TestAFieldShowsAsPiecesUnlessItIsNoJSON(t *testing.T) {
	c := catalogtest.Catalog(t)
	f, ok := c.Field(client.Video, "content")
	require.True(t, ok)
	p := New()
	assert.False(t, p.Any())
	p.SetFields(c, client.Video, []catalog.Field{f})
	require.True(t, p.Any())
	spec, ok := p.Spec("content")
	require.True(t, ok)
	assert.Equal(t, catalog.ContentTypes(), spec.Tags)

	v, err := p.Parse(&f, `[{"type":"text","text":"a kite"}]`)
	require.NoError(t, err)
	assert.True(t, p.Shows("content", v))
	bad, err := p.Parse(&f, `[{`)
	require.Error(t, err)
	assert.False(t, p.Shows("content", bad))
	assert.False(t, p.Shows("content", v), "it stays text until it is left")
	assert.True(t, p.Show("content", true))
	assert.False(t, p.Show("content", true), "it does already")
	assert.True(t, p.Shows("content", v))
	assert.False(t, p.Shows("prompt", "a kite"))

	row := p.Row(form.Field{ID: "content"}, v, func(v any) any { return v }, nil)
	assert.Equal(t, form.Items, row.Kind)
	require.Len(t, row.Entries, 1)
	assert.Contains(t, row.Entries[0].Text, "a kite")
	assert.Contains(t, p.Row(form.Field{ID: "content"}, nil, nil, nil).Hint, "type", "an empty one names its keys")
}
