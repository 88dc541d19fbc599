package sheet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
)

func TestAKindKeepsItsOwnAndSharesTheRest(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	k := newKinds(c)
	values := k.presets[client.Speech].Clone()
	assert.True(t, k.blank(client.Speech, values), "speech begins with its engine")
	engine := values["upstream_model"]
	require.NotNil(t, engine)
	values["callback_url"] = "https://x.example"
	assert.False(t, k.blank(client.Speech, values))

	assert.Equal(t, []string{"upstream_model"}, k.stow(client.Speech, values))
	assert.Equal(t, client.Values{"callback_url": "https://x.example"}, values, "what kinds share stays")
	assert.Equal(t, client.Values{"callback_url": "https://x.example", "upstream_model": engine}, k.of(client.Speech, values))

	assert.False(t, k.restore(client.Speech, "callback_url", "https://y.example"), "it is shared")
	assert.True(t, k.restore(client.Speech, "upstream_model", "another"), "what was kept goes over what a kind begins with")
	assert.True(t, k.restore(client.Speech, "upstream_model", "a third"))
	assert.Equal(t, "another", k.own[client.Speech]["upstream_model"], "what was chosen since stays")
}

func TestTheNewestKindIsTheLastOneWhateverTheClockSays(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	kept := map[client.Modality]screen.ComposeDraft{client.Image: {Turned: at}, client.Music: {Turned: at.Add(time.Hour)}}
	k := newKinds(c)
	assert.Equal(t, client.Music, k.newest(kept))
	k.turn(client.Speech, at)
	assert.True(t, k.turned[client.Speech].After(at.Add(time.Hour)))
	assert.Empty(t, k.newest(kept), "one was chosen since")
}
