package models

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestFilterByCapability(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	for query, want := range map[string][]string{
		"i2v 1080p":      {"famC-1.0", "famC-1.0-i2v", "famJq3-turbo", "famK-3.0-1080p"},
		"1440P":          {"famG-h3"},
		"talker":         {"Talker-4", "talker-4-mini"},
		"/ent/v2":        {"famJq3-turbo"},
		"multi_i2v":      {"famF-video"},
		"famF-v3-omni":   {"famF-omni-image"},
		"speech":         {"famN_music"},
		"k3480":          {"famK-3.0-480p"}, // letters in their order, where nothing has them as typed
		"cloth_image v1": {"famF-virtual-try-on-v1", "famF-virtual-try-on-v1-5"},
		"somebody":       {"Talker-4", "talker-4-mini"}, // owner
	} {
		b.Key("/", "ctrl+u")
		b.Type(query)
		b.Key("enter")
		assert.Equal(t, want, b.names(), query)
	}
	b.Key("/", "ctrl+u")
	b.Type("famk-3.0-1080p")
	assert.Equal(t, "famK-3.0-1080p", b.m.current, "the cursor goes to the best match while typing")
	b.Key("esc")
	assert.Len(t, b.m.visible, 56)
	assert.Equal(t, "famK-3.0-1080p", b.m.current, "and stays there")
	assert.False(t, b.m.Capturing())
}

func TestTypingIsNoCommand(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.Key("/")
	require.True(t, b.m.Capturing())
	b.Type("Dyrc")
	assert.Equal(t, "Dyrc", b.m.filter.Value())
	assert.Equal(t, showAll, b.m.show)
	assert.Empty(t, b.Sent)
	b.Key("ctrl+r")
	assert.Equal(t, 2, b.gw.asked(), "keys with ctrl do what they do elsewhere")
	b.Key("ctrl+u")
	b.Paste("fam\x1b[2JK\n-3.0")
	assert.NotContains(t, b.m.filter.Value(), "\x1b")
	b.Key("esc")
	b.Paste("Dyr")
	assert.Equal(t, showAll, b.m.show, "a paste that nobody asked for does nothing")
	b.Key("/")
	b.Type("famK")
	b.Key("down")
	assert.Equal(t, "famK-3.0-480p", b.m.current)
	b.Click("kind:video")
	assert.False(t, b.m.Capturing(), "a click elsewhere ends typing")
}

func TestKindsAndFamilies(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.Key("right", "right")
	for _, i := range b.m.visible {
		assert.Equal(t, client.Image, b.m.rows[i].known[0].Modality)
	}
	b.Click("kind:speech")
	assert.Equal(t, []string{"famN_music"}, b.names())
	b.Click("kind:other")
	assert.Equal(t, []string{"famA4", "Talker-4", "talker-4-mini"}, b.names())
	b.Click("kind:chat")
	assert.Empty(t, b.names())
	assert.Contains(t, b.View(), "names no chat")
	b.Key("esc", "g")
	for _, want := range []string{"famB-2", "famC-1.0", "famD-1-0-lite-t2v-250428"} {
		b.Key("n")
		assert.Equal(t, want, b.m.current)
	}
	b.Key("down", "N")
	assert.Equal(t, "famD-1-0-lite-t2v-250428", b.m.current, "first back to the beginning of this one")
	b.Key("N")
	assert.Equal(t, "famC-1.0", b.m.current)
	b.Key("G", "n")
	assert.Equal(t, "talker-4-mini", b.m.current)
	b.Key("left")
	assert.Equal(t, otherKind, b.m.kindName())
}
