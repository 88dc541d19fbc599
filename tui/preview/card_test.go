package preview_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

func file(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestCard(t *testing.T) {
	st := tuitest.Styles(t)
	v, err := mediainfo.Read(t.Context(), file(t, "v.mp4", mediatest.Video(t)))
	require.NoError(t, err)
	s, err := mediainfo.Read(t.Context(), file(t, "s.wav", mediatest.WAV(8000, 1)))
	require.NoError(t, err)
	for w := 1; w < 70; w += 3 {
		for h := 1; h < 18; h++ {
			for _, info := range []mediainfo.Info{v, s, {}, {FPS: math.NaN(), Channels: 6}} {
				tuitest.CheckFrame(t, preview.Card(st, info, w, h), w, h)
			}
		}
	}
	tuitest.Golden(t, "card-video", preview.Card(st, v, 44, 7))
	tuitest.Golden(t, "card-sound", preview.Card(st, s, 44, 8))
	tuitest.Golden(t, "card-sound-tall", preview.Card(st, s, 44, 14))
	assert.Contains(t, strings.Join(mediainfo.Info{Channels: 6, Rate: 48000}.Facts(), "\n"), "48 kHz · 6 channels")
}

func FuzzCard(f *testing.F) {
	for _, d := range [][]byte{mediatest.Video(f), mediatest.WAV(100, 1), mediatest.FLAC(), mediatest.MP3("Xing")[:500], encode(f, "gif", noise(4, 4)), webp, mediatest.Nested(2000), mediatest.Noted(f), mediatest.WebM(0x1ff), mediatest.WebM(40)} {
		f.Add(d)
	}
	path := filepath.Join(f.TempDir(), "fuzz")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		info, _ := mediainfo.Read(t.Context(), path)
		tuitest.CheckFrame(t, preview.Card(tuitest.Styles(t), info, 40, 8), 40, 8)
	})
}
