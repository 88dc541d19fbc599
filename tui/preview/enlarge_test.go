package preview

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnlargeIsWhatScaleMakesOfIt(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {2, 3}, {17, 9}, {320, 180}} {
		frame := make([]byte, 3*size.X*size.Y)
		src := image.NewRGBA(image.Rectangle{Max: size})
		for i := range size.X * size.Y {
			x, y := i%size.X, i/size.X
			rgb := []byte{byte(200 * x / size.X), byte(200 * y / size.Y), byte(255 * (i % 2))}
			copy(frame[3*i:], rgb)
			copy(src.Pix[4*i:], append(rgb, 255))
		}
		for _, to := range []image.Point{size, size.Add(image.Pt(1, 5)), size.Mul(3)} {
			got := image.NewRGBA(image.Rectangle{Max: to})
			enlarge(got, frame, size)
			want := scale(src, to.X, to.Y)
			for i := range got.Pix {
				require.InDelta(t, want.Pix[i], got.Pix[i], 3, "%v to %v: byte %d", size, to, i)
			}
		}
	}
}

func BenchmarkEnlarge(b *testing.B) {
	size := image.Pt(320, 180)
	frame, dst := make([]byte, 3*size.X*size.Y), image.NewRGBA(image.Rect(0, 0, 900, 500))
	for b.Loop() {
		enlarge(dst, frame, size)
	}
}
