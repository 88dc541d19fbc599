package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// solid is a picture of one colour.
func solid(width, height int, c color.NRGBA) *image.RGBA {
	cv := newCanvas(width, height)
	cv.gradient(0, float64(height), c, c)
	return cv.img
}

// difference is the mean absolute difference of the colour samples of two
// pictures of one size.
func difference(t *testing.T, a, b *image.RGBA) float64 {
	t.Helper()
	require.Equal(t, a.Rect, b.Rect)
	sum := 0.0
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix)) * 4 / 3
}

// frames has ffmpeg decode a film; any message of it fails the test.
func frames(t *testing.T, v *Video) []*image.RGBA {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	require.NoError(t, err, "ffmpeg is needed: make test installs it")
	file := filepath.Join(t.TempDir(), "film.mp4")
	require.NoError(t, os.WriteFile(file, v.MP4, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-v", "warning", "-xerror", "-i", file, "-fps_mode", "passthrough",
		"-f", "rawvideo", "-pix_fmt", "rgba", "pipe:1")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	require.NoError(t, cmd.Run(), messages.String())
	require.Empty(t, messages.String(), "the decoder has complaints")
	size := 4 * v.Width * v.Height
	require.Zero(t, out.Len()%size)
	var list []*image.RGBA
	for b := out.Bytes(); len(b) > 0; b = b[size:] {
		list = append(list, &image.RGBA{Pix: b[:size], Stride: 4 * v.Width, Rect: image.Rect(0, 0, v.Width, v.Height)})
	}
	return list
}

// endsAfter is a context that ends when it has been asked n times.
type endsAfter struct {
	context.Context
	n int
}

func (c *endsAfter) Err() error {
	if c.n--; c.n < 0 {
		return context.Canceled
	}
	return nil
}
