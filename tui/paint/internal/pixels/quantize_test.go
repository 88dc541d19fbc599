package pixels

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestColoursAreNoMoreThanTheTerminalHas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a reproducible test
	many := image.NewRGBA(image.Rect(0, 0, 60, 40))
	for i := range many.Pix {
		many.Pix[i] = byte(r.Uint32())
	}
	for _, n := range []int{2, 16, 200, 256} {
		out := Quantize(many, n)
		assert.Len(t, out.Palette, n)
	}
	two := image.NewRGBA(image.Rect(0, 0, 4, 1))
	copy(two.Pix, []byte{255, 0, 0, 255, 0, 0, 255, 255})
	got := Quantize(two, 0)
	assert.Equal(t, fmt.Sprint(color.RGBA{255, 0, 0, 255}), fmt.Sprint(got.At(0, 0)))
	assert.Equal(t, fmt.Sprint(color.RGBA{0, 0, 255, 255}), fmt.Sprint(got.At(1, 0)))
}
