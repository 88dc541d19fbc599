package sheet

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// choices are those of the embedded catalog, on a gateway that has some formats.
func choices(t *testing.T) *Choices {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	out := newChoices(c, func(d client.Draft) []string {
		m, ok := c.ModelFor(d.Modality, d.Model)
		if !ok {
			return nil
		}
		return m.Formats
	})
	return &out
}

func TestAWishThatTheModelLacksIsNotGranted(t *testing.T) {
	m := choices(t)
	m.Chosen[client.Video] = Choice{Model: " famJq3-turbo ", Mode: "i2v", Format: "ent"}
	got := m.Effective()
	assert.Equal(t, Choice{Model: "famJq3-turbo", ModelName: got.ModelName, Mode: "i2v", Format: "ent"}, got)
	assert.Equal(t, "ent", m.ChosenFormat())
	assert.Equal(t, m.Ways, m.Reaching(), "all of its formats create here")

	m.Chosen[client.Video] = Choice{Model: "famJq3-turbo", Mode: "no such mode", Format: "no such format"}
	x, ok := m.model()
	require.True(t, ok)
	assert.Equal(t, x.ModeNames()[0], m.Effective().Mode)
	assert.Equal(t, m.Ways[0], m.Effective().Format)
	assert.Empty(t, m.ChosenFormat(), "nobody chose that one")
}

func TestWhatTheCatalogDoesNotKnowIsSentAsItIs(t *testing.T) {
	m := choices(t)
	m.Chosen[client.Video] = Choice{Model: "no-such-model", ModelName: "v9", Mode: "x"}
	got := m.Effective()
	assert.Equal(t, "v9", got.ModelName)
	assert.Equal(t, "x", got.Mode)
	m.Modality = client.Chat
	m.Effective()
	assert.True(t, m.Free, "any name of a chat model will do")
}
