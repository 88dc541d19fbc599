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

	"darkroom/client/mediainfo"
	"darkroom/tui/preview"
)

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
		assert.Equal(t, []any{mediainfo.Video, c.format, c.codec, 160, 90, 2 * time.Second, 10.0},
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
	info, err := mediainfo.Read(t.Context(), sound)
	require.NoError(t, err)
	assert.Equal(t, []any{mediainfo.Audio, "opus", 1, 48000}, []any{info.Kind, info.AudioCodec, info.Channels, info.Rate})
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
