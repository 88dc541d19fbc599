package preview_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/preview"
)

// elem is an EBML element.
func elem(id string, content ...byte) []byte {
	return append(append([]byte(id), 0x80|byte(len(content))), content...)
}

// webm is one with a track of 320 x 180 at 25 frames a second, whose segment says that it has so
// many bytes; 0x1ff is that it does not say.
func webm(says uint16) []byte {
	track := elem("\x83", 1)
	track = append(track, elem("\x86", []byte("V_VP9")...)...)
	track = append(track, elem("\x23\xe3\x83", 0x02, 0x62, 0x5a, 0x00)...)
	track = append(track, elem("\xe0", append(elem("\xb0", 1, 64), elem("\xba", 180)...)...)...)
	length := append(elem("\x2a\xd7\xb1", 0x0f, 0x42, 0x40), elem("\x44\x89", 0x45, 0x1c, 0x40, 0)...) // 2500
	out := elem("\x1a\x45\xdf\xa3", elem("\x42\x82", []byte("webm")...)...)
	out = append(out, "\x18\x53\x80\x67"...)
	if says == 0x1ff {
		out = append(out, 0xff)
	} else {
		out = append(out, 0x40|byte(says>>8), byte(says))
	}
	out = append(out, elem("\x15\x49\xa9\x66", length...)...)
	out = append(out, elem("\x16\x54\xae\x6b", elem("\xae", track...)...)...)
	return append(out, elem("\x1f\x43\xb6\x75", 1, 2, 3)...)
}

func TestProbeWebM(t *testing.T) {
	info, err := preview.Probe(file(t, "v.webm", webm(0x1ff)))
	require.NoError(t, err)
	assert.Equal(t, preview.Info{Kind: preview.Video, Format: "WebM", Bytes: info.Bytes, Width: 320, Height: 180,
		Duration: 2500 * time.Millisecond, FPS: 25, Codec: "vp9"}, info)
	assert.Contains(t, info.Line(), "320 x 180 · 25 fps · vp9")

	info, err = preview.Probe(file(t, "cut.webm", webm(4000)))
	require.ErrorContains(t, err, "damaged", "it says that it is longer")
	assert.Equal(t, preview.Video, info.Kind)
	_, err = preview.Probe(file(t, "none.webm", webm(0x1ff)[:10]))
	require.Error(t, err)
}

// TestProbeWebMReadsLittle of a file with elements without end.
func TestProbeWebMReadsLittle(t *testing.T) {
	data := webm(0x1ff)[:17] // up to the segment's content
	for range 20_000 {
		data = append(data, 0xec, 0x80)
	}
	_, err := preview.Probe(file(t, "many.webm", data))
	require.ErrorContains(t, err, "too many elements")
}

// TestAWebMIsAVideo: it has a poster, plays and tells its last frame, through ffmpeg.
func TestAWebMIsAVideo(t *testing.T) {
	for _, c := range []struct{ name, coder, codec, format string }{
		{"v.webm", "libvpx-vp9", "vp9", "WebM"}, {"w.webm", "libvpx", "vp8", "WebM"}, {"v.mkv", "mpeg4", "asp", "Matroska"},
	} {
		path := produce(t, c.name, "-f", "lavfi", "-i", "testsrc=s=160x90:d=2:r=10", "-pix_fmt", "yuv420p", "-c:v", c.coder)
		l := preview.New(preview.Options{Tool: tool(t)})
		r := preview.Request{Slot: "a", Path: path, Width: 32, Height: 9}
		msg := load(t, l.Load(r))
		require.NoError(t, msg.Err)
		assert.Len(t, msg.Lines, 9, c.name)
		info := msg.Info
		assert.Equal(t, []any{preview.Video, c.format, c.codec, 160, 90, 2 * time.Second, 10.0},
			[]any{info.Kind, info.Format, info.Codec, info.Width, info.Height, info.Duration, info.FPS}, c.name)
		clip, ok := l.Clip(r)().(preview.ClipMsg)
		require.True(t, ok)
		require.NoError(t, clip.Err)
		assert.Equal(t, 20, clip.Clip.Frames, c.name)
		assert.True(t, clip.Clip.Whole)
		frame, err := preview.NewFrames(tool(t), t.TempDir()).LastFrame(context.Background(), path)
		require.NoError(t, err)
		assert.FileExists(t, frame)
	}
	sound := produce(t, "s.webm", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "libopus")
	info, err := preview.Probe(sound)
	require.NoError(t, err)
	assert.Equal(t, []any{preview.Audio, "opus", 1, 48000}, []any{info.Kind, info.AudioCodec, info.Channels, info.Rate})
}

// TestAWebMThatDoesNotTellItsLength, as what is recorded live, plays all the same.
func TestAWebMThatDoesNotTellItsLength(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.webm")
	out, err := os.Create(path) //nolint:gosec // of the test's folder
	require.NoError(t, err)
	cmd := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:d=2:r=10", "-c:v", "libvpx", "-f", "webm", "-live", "1", "pipe:1")
	cmd.Stdout = out
	require.NoError(t, cmd.Run())
	require.NoError(t, out.Close())
	l := preview.New(preview.Options{Tool: tool(t)})
	clip, ok := l.Clip(preview.Request{Slot: "a", Path: path, Width: 32, Height: 9})().(preview.ClipMsg)
	require.True(t, ok)
	require.NoError(t, clip.Err)
	assert.Zero(t, clip.Clip.Info.Duration)
	assert.Equal(t, 20, clip.Clip.Frames)
	assert.True(t, clip.Clip.Whole)
}
