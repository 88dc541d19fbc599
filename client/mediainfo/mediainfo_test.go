package mediainfo_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
)

func file(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestProbe(t *testing.T) {
	info, err := mediainfo.Read(t.Context(), file(t, "v.mp4", mediatest.Video(t)))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Video, info.Kind)
	assert.Equal(t, "avc1", info.Codec)
	assert.Equal(t, "mp4a", info.AudioCodec)
	assert.Equal(t, [2]int{480, 270}, [2]int{info.Width, info.Height})
	assert.InDelta(t, 8, info.FPS, 0.001)
	assert.Equal(t, 5*time.Second, info.Duration)
	assert.Equal(t, "Video, 5.0 s · 480 x 270 · 8 fps · avc1 · 44.1 kHz · stereo · mp4a · MP4 · 1.3 kB", info.Line())

	info, err = mediainfo.Read(t.Context(), file(t, "s.wav", mediatest.WAV(8000, 2)))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Audio, info.Kind)
	assert.Equal(t, time.Second, info.Duration)
	assert.Equal(t, [3]int{8000, 2, 16}, [3]int{info.Rate, info.Channels, info.Bits})
	require.Len(t, info.Wave, 240)
	assert.InDelta(t, 0.25, info.Wave[3], 0.001)
	assert.InDelta(t, 0.5, info.Wave[200], 0.001)

	info, err = mediainfo.Read(t.Context(), file(t, "s.flac", mediatest.FLAC()))
	require.NoError(t, err)
	assert.Equal(t, 2*time.Second, info.Duration)
	assert.Equal(t, [3]int{48000, 2, 16}, [3]int{info.Rate, info.Channels, info.Bits})

	for _, tag := range []string{"Xing", "Info"} {
		info, err = mediainfo.Read(t.Context(), file(t, "s.mp3", mediatest.MP3(tag)))
		require.NoError(t, err)
		assert.InDelta(t, 256*1152/44100.0, info.Duration.Seconds(), 0.001)
		assert.False(t, info.About)
	}
	info, err = mediainfo.Read(t.Context(), file(t, "s.mp3", mediatest.MP3("")))
	require.NoError(t, err)
	assert.InDelta(t, 40*417*8/128000.0, info.Duration.Seconds(), 0.001)
	assert.True(t, info.About)

	info, err = mediainfo.Read(t.Context(), file(t, "p.png", mediatest.Picture(t, "png", 31, 7)))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Picture, info.Kind)
	assert.Equal(t, [2]int{31, 7}, [2]int{info.Width, info.Height})

	info, err = mediainfo.Read(t.Context(), file(t, "t.txt", []byte("just text")))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Other, info.Kind)
	assert.EqualValues(t, 9, info.Bytes)
}

func TestProbeRefusesWhatIsNoFile(t *testing.T) {
	_, err := mediainfo.Read(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "not a regular file")
	_, err = mediainfo.Read(t.Context(), filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDamagedFilesAreErrorsNotPanics(t *testing.T) {
	for name, data := range map[string][]byte{"mp4": mediatest.Video(t), "wav": mediatest.WAV(800, 1), "flac": mediatest.FLAC(), "mp3": mediatest.MP3(""), "png": mediatest.Picture(t, "png", 9, 9)} {
		for cut := range min(len(data), 700) {
			_, _ = mediainfo.Read(t.Context(), file(t, "cut."+name, data[:cut]))
			if cut == 100 {
				break
			}
		}
		broken := bytes.Clone(data)
		for i := 12; i < len(broken); i += 7 {
			broken[i] ^= 0xff
		}
		info, _ := mediainfo.Read(t.Context(), file(t, "broken."+name, broken))
		assert.GreaterOrEqual(t, info.Duration, time.Duration(0), name)
		assert.LessOrEqual(t, info.Duration, 1001*time.Hour, name)
	}
	_, err := mediainfo.Read(t.Context(), file(t, "v.mp4", mediatest.Video(t)[:300]))
	require.ErrorContains(t, err, "MP4")
	huge := append([]byte("\x00\x00\x00\x10ftypisom0000\x00\x00\x00\x01moov"), 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	_, err = mediainfo.Read(t.Context(), file(t, "h.mp4", huge))
	require.Error(t, err)
}

func TestBoxesInBoxesAreNotGoneInto(t *testing.T) {
	info, err := mediainfo.Read(t.Context(), file(t, "deep.mp4", mediatest.Nested(1_000_000)))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Video, info.Kind)

	many := append(mediatest.Box("ftyp", make([]byte, 8)), mediatest.Box("moov", bytes.Repeat(mediatest.Box("trak"), 6000))...)
	_, err = mediainfo.Read(t.Context(), file(t, "wide.mp4", many))
	require.EqualError(t, err, "MP4: it has too many boxes: at most 5000 are read")
}

func TestOfADamagedVideoStaysWhatWasRead(t *testing.T) {
	whole := mediatest.Video(t)
	at := bytes.Index(whole, []byte("smhd")) // in the second track
	require.Positive(t, at)
	whole[at-4] = 0x7f
	info, err := mediainfo.Read(t.Context(), file(t, "v.mp4", whole))
	require.EqualError(t, err, "MP4: damaged")
	assert.Equal(t, "Video, 5.0 s · 480 x 270 · 8 fps · avc1 · MP4 · 1.3 kB", info.Line())
}

func TestAVideoOfAnUnusualCodecIsOne(t *testing.T) {
	data := bytes.ReplaceAll(mediatest.Video(t), []byte("avc1"), []byte("mp4v"))
	info, err := mediainfo.Read(t.Context(), file(t, "v.mp4", data))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Video, info.Kind)
	assert.Equal(t, "mp4v", info.Codec)
	assert.Equal(t, 480, info.Width)
}

func TestTheSizeOfAPictureBehindManyNotes(t *testing.T) {
	info, err := mediainfo.Read(t.Context(), file(t, "n.jpg", mediatest.Noted(t)))
	require.NoError(t, err)
	assert.Equal(t, [2]int{40, 30}, [2]int{info.Width, info.Height})
}

func TestProbeWebM(t *testing.T) {
	info, err := mediainfo.Read(t.Context(), file(t, "v.webm", mediatest.WebM(0x1ff)))
	require.NoError(t, err)
	assert.Equal(t, mediainfo.Info{Kind: mediainfo.Video, Format: "WebM", Bytes: info.Bytes, Width: 320, Height: 180,
		Duration: 2500 * time.Millisecond, FPS: 25, Codec: "vp9"}, info)
	assert.Contains(t, info.Line(), "320 x 180 · 25 fps · vp9")

	info, err = mediainfo.Read(t.Context(), file(t, "cut.webm", mediatest.WebM(4000)))
	require.ErrorContains(t, err, "damaged", "it says that it is longer")
	assert.Equal(t, mediainfo.Video, info.Kind)
	_, err = mediainfo.Read(t.Context(), file(t, "none.webm", mediatest.WebM(0x1ff)[:10]))
	require.Error(t, err)
}

// TestProbeWebMReadsLittle of a file with elements without end.
func TestProbeWebMReadsLittle(t *testing.T) {
	data := mediatest.WebM(0x1ff)[:17] // up to the segment's content
	for range 20_000 {
		data = append(data, 0xec, 0x80)
	}
	_, err := mediainfo.Read(t.Context(), file(t, "many.webm", data))
	require.ErrorContains(t, err, "too many elements")
}

// tiny is a lossless WebP of 1 x 1 pixels.
var tiny = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")

func FuzzRead(f *testing.F) {
	for _, d := range [][]byte{mediatest.Video(f), mediatest.WAV(100, 1), mediatest.FLAC(), mediatest.MP3("Xing")[:500], mediatest.Picture(f, "gif", 4, 4), tiny,
		mediatest.Nested(2000), mediatest.Noted(f), mediatest.WebM(0x1ff), mediatest.WebM(40)} {
		f.Add(d)
	}
	path := filepath.Join(f.TempDir(), "fuzz")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		info, _ := mediainfo.Read(t.Context(), path)
		assert.GreaterOrEqual(t, info.Duration, time.Duration(0))
		assert.LessOrEqual(t, info.Duration, 1000*time.Hour)
		assert.Negative(t, strings.IndexFunc(info.Line(), unicode.IsControl), "%q", info.Line())
		assert.LessOrEqual(t, len(info.Wave), mediainfo.WaveSteps)
	})
}
