package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlayer(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	load := func(text string) ([]string, error) {
		write(t, p.Config, text+"\n")
		c, err := Load(Request{Paths: p, Env: environment(nil)})
		return c.Player, err
	}
	got, err := load("")
	require.NoError(t, err)
	require.Empty(t, got)
	got, err = load("player: [vlc, --play-and-exit, '{}']")
	require.NoError(t, err)
	require.Equal(t, []string{"vlc", "--play-and-exit", "{}"}, got)
	for text, want := range map[string]string{
		"player: vlc --fs":         "[1:9]", // no shell takes words apart
		"player: ['', x]":          "player: the first word is the program",
		"player: [mpv, \"a\\nb\"]": "player: a word has a line end",
	} {
		_, err = load(text)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, p.Config)
	}
}
