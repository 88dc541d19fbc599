package h264

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var startCode = []byte{0, 0, 0, 1}

// noise is a small deterministic generator, so that runs can be repeated.
type noise uint64

func (n *noise) next() uint32 {
	*n = *n*6364136223846793005 + 1442695040888963407
	return uint32(*n >> 33)
}

// paint draws frame number i of a test film: a gradient, a noisy patch that
// changes on every frame, a hard-edged square that moves, and now and then
// noise all over. The shown area is cut off anywhere, not at macroblocks.
func paint(img *image.RGBA, i int, n *noise) {
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			p := img.Pix[img.PixOffset(x, y):]
			p[0], p[1], p[2], p[3] = uint8(x*255/b.Dx()), uint8(y*255/b.Dy()), uint8((x+y)&255), 255
			switch {
			case x >= 5*i%b.Dx() && x < 5*i%b.Dx()+20 && y > 4 && y < 30:
				p[0], p[1], p[2] = 250, 10, 20
			case i%7 == 3 || x > b.Dx()/2 && y > b.Dy()/2:
				v := n.next()
				p[0], p[1], p[2] = uint8(v), uint8(v>>8), uint8(v>>16)
			}
		}
	}
}

// decode has ffmpeg decode an Annex B stream to planar 4:2:0 bytes.
func decode(t *testing.T, stream []byte) []byte {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	require.NoError(t, err, "ffmpeg is needed: make test installs it")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-v", "warning", "-xerror", "-f", "h264", "-i", "pipe:0",
		"-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "pipe:1")
	var out, messages bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stream), &out, &messages
	require.NoError(t, cmd.Run(), messages.String())
	require.Empty(t, messages.String(), "the decoder has complaints")
	return out.Bytes()
}

// TestDecodersShowRecon is the proof of the whole bitstream: ffmpeg decodes
// every frame to exactly the samples of Recon.
func TestDecodersShowRecon(t *testing.T) {
	t.Parallel()
	const frames = 20
	for _, size := range []image.Point{{16, 16}, {64, 48}, {98, 54}, {130, 114}} {
		for _, qp := range []int{0, 4, 11, 12, 20, 28, 35, 44, 51} {
			t.Run(fmt.Sprintf("%dx%d qp %d", size.X, size.Y, qp), func(t *testing.T) {
				t.Parallel()
				e, err := New(Config{Width: size.X, Height: size.Y, FPS: 8})
				require.NoError(t, err)
				stream := bytes.Join([][]byte{nil, e.SPS(), e.PPS()}, startCode)
				var want []byte
				random := noise(qp + size.X)
				img := image.NewRGBA(image.Rectangle{Max: size})
				frame := NewFrame(size.X, size.Y)
				for i := range frames {
					if i%9 != 5 { // now and then nothing moves at all
						paint(img, i, &random)
					}
					frame.SetRGBA(img)
					unit, err := e.Encode(frame, i == 13, min(qp+i%3, 51))
					require.NoError(t, err)
					stream = append(append(stream, startCode...), unit...)
					want = append(want, e.Recon().I420()...)
				}
				got := decode(t, stream)
				require.Len(t, got, len(want))
				for i := range want {
					if got[i] != want[i] {
						size := len(want) / frames
						t.Fatalf("frame %d, byte %d: decoded %d, reconstructed %d", i/size, i%size, got[i], want[i])
					}
				}
			})
		}
	}
}
