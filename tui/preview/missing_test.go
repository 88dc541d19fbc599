package preview_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
)

// TestAMissingPosterTakesNothingAway: the spare one stands for it, then the video itself, then
// its card.
func TestAMissingPosterTakesNothingAway(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "cover.png")
	spare := file(t, "last.png", encode(t, "png", noise(48, 27)))
	path := produce(t, "v.mp4", "-f", "lavfi", "-i", "color=red:s=160x90:d=1:r=5", "-pix_fmt", "yuv420p")
	l := preview.New(preview.Options{Tool: tool(t)})
	r := preview.Request{Slot: "a", Path: path, Poster: gone, Spare: spare, Width: 32, Height: 9}
	of := func(r preview.Request) []string { // what a picture alone shows
		return load(t, l.Load(preview.Request{Slot: "b", Path: r.Path, Width: 32, Height: 9})).Lines
	}

	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Equal(t, of(preview.Request{Path: spare}), msg.Lines)
	assert.Equal(t, mediainfo.Video, msg.Info.Kind)

	require.NoError(t, os.Remove(spare))
	msg = load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Equal(t, of(preview.Request{Path: path}), msg.Lines, "from the video")

	msg = load(t, preview.New(preview.Options{}).Load(r))
	require.NoError(t, msg.Err)
	assert.Nil(t, msg.Lines, "a card is drawn for it")
	assert.Equal(t, 160, msg.Info.Width)

	require.NoError(t, os.WriteFile(gone, encode(t, "png", noise(30, 30)), 0o600))
	assert.Equal(t, of(preview.Request{Path: gone}), load(t, l.Load(r)).Lines, "it came back")
	require.NoError(t, os.WriteFile(gone, []byte("\x89PNG\r\n\x1a\n damaged"), 0o600))
	msg = load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Equal(t, of(preview.Request{Path: path}), msg.Lines, "a damaged one is as good as none")
}

func TestASoundWithoutItsCoverKeepsItsWaveform(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "a", Path: file(t, "s.wav", mediatest.WAV(8000, 1)), Poster: filepath.Join(t.TempDir(), "cover.png"), Width: 40, Height: 12}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Nil(t, msg.Lines)
	assert.NotEmpty(t, msg.Info.Wave)

	r.Path = filepath.Join(t.TempDir(), "gone.wav")
	msg = load(t, l.Load(r))
	require.ErrorContains(t, msg.Err, "gone.wav", "the file itself is what is missed")
	assert.NotContains(t, msg.Err.Error(), "cover.png")
	r.Path = ""
	require.ErrorContains(t, load(t, l.Load(r)).Err, "cover.png")
}
