package preview_test

import (
	"context"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
)

// turning is a video that is red and ends in blue, the last part so many pictures long.
func turning(t *testing.T, name string, red, blue string) string {
	t.Helper()
	return produce(t, name, "-f", "lavfi", "-i", "color=red:s=64x48:r=10:d="+red, "-f", "lavfi", "-i", "color=blue:s=64x48:r=10:d="+blue,
		"-filter_complex", "[0][1]concat=n=2:v=1", "-pix_fmt", "yuv420p")
}

func isBlue(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	img, _, err := image.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, image.Pt(64, 48), img.Bounds().Size())
	c, _ := color.NRGBAModel.Convert(img.At(32, 24)).(color.NRGBA)
	assert.Greater(t, int(c.B), 200)
	assert.Less(t, int(c.R), 60)
}

func TestTheLastFrameOfAVideo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache", "frames")
	frames := preview.NewFrames(tool(t), dir)
	long, short := turning(t, "-längs 塩 'x'.mp4", "6", "0.1"), turning(t, "s.mp4", "0.2", "0.1")
	path, err := frames.LastFrame(t.Context(), long)
	require.NoError(t, err)
	isBlue(t, path)
	st, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), st.Mode().Perm())
	again, err := frames.LastFrame(t.Context(), long)
	require.NoError(t, err)
	assert.Equal(t, path, again, "it is taken once")
	other, err := frames.LastFrame(t.Context(), short)
	require.NoError(t, err)
	isBlue(t, other)
	assert.NotEqual(t, path, other)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2, "nothing else stays")
}

func TestNoLastFrame(t *testing.T) {
	dir := t.TempDir()
	frames := preview.NewFrames(tool(t), dir)
	_, err := frames.LastFrame(t.Context(), file(t, "v.mp4", mediatest.Video(t)))
	require.Error(t, err, "a video without pictures")
	_, err = frames.LastFrame(t.Context(), file(t, "x.mp4", []byte("no video")))
	require.ErrorContains(t, err, "not a video")
	_, err = frames.LastFrame(t.Context(), filepath.Join(dir, "gone.mp4"))
	require.ErrorIs(t, err, os.ErrNotExist)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = frames.LastFrame(ctx, turning(t, "v.mp4", "1", "1"))
	require.Error(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Nil(t, preview.NewFrames(nil, dir))
}
