package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHowPicturesAreDrawn(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	load := func(flag, env string) (Preview, error) {
		c, err := Load(Request{Paths: p, Preview: flag, Env: environment(map[string]string{EnvPreview: env})})
		return c.Preview, err
	}
	got, err := load("", "")
	require.NoError(t, err)
	require.Equal(t, PreviewAuto, got)
	write(t, p.Config, "preview: blocks\n")
	for _, c := range []struct {
		flag, env string
		want      Preview
	}{{"", "", PreviewBlocks}, {"", "sixel", PreviewSixel}, {"none", "sixel", PreviewNone}, {"iterm2", "", PreviewITerm2}} {
		got, err := load(c.flag, c.env)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err = load("vt340", "")
	require.ErrorContains(t, err, `--preview: "vt340" is none of auto, kitty, iterm2, sixel, blocks, sextants, ascii, none`)
	_, err = load("", "Kitty")
	require.ErrorContains(t, err, `DARKROOM_PREVIEW: "Kitty" is none of`)
	write(t, p.Config, "preview: pixels\n")
	_, err = load("", "")
	require.ErrorContains(t, err, `preview: "pixels" is none of`)
	require.ErrorContains(t, err, p.Config)
}
