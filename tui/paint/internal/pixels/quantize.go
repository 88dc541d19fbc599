package pixels

import (
	"image"
	"image/color"
	"slices"
)

// usualColors is how many colours a sixel picture has where the terminal does not tell
// how many it can have.
const usualColors = 256

// Quantize finds at most n colours (2 to 256, the usual number for 0) for a picture, by
// cutting boxes of its colours at their middle, and uses the nearest for each pixel.
func Quantize(img *image.RGBA, n int) *image.Paletted {
	if n == 0 {
		n = usualColors
	}
	boxes := cutBoxes(histogram(img), max(2, min(n, 256)))
	out := image.NewPaletted(image.Rectangle{Max: img.Bounds().Size()}, nil)
	var index [1 << 15]uint8
	for i, b := range boxes {
		out.Palette = append(out.Palette, b.mean())
		for _, e := range b.entries {
			index[e.key] = uint8(i)
		}
	}
	b := img.Bounds()
	for y := range b.Dy() {
		src := img.Pix[img.PixOffset(b.Min.X, b.Min.Y+y):]
		dst := out.Pix[out.PixOffset(0, y):]
		for x := range b.Dx() {
			dst[x] = index[key(src[4*x], src[4*x+1], src[4*x+2])]
		}
	}
	return out
}

// key is a colour with five bits a channel.
func key(r, g, b uint8) uint16 {
	return uint16(r>>3)<<10 | uint16(g>>3)<<5 | uint16(b>>3)
}

// entry is a colour of the histogram: how often it occurs, and the sums of its channels.
type entry struct {
	key uint16
	n   int
	sum [3]int
}

func (e entry) channel(c int) uint16 { return e.key >> (10 - 5*c) & 31 }

// box is some of the colours, with what is needed to cut it.
type box struct {
	entries []entry
	channel int // in which it is widest
	width   int // how wide: 0 for one colour
	pixels  int
}

func newBox(entries []entry) box {
	b := box{entries: entries}
	for _, e := range entries {
		b.pixels += e.n
	}
	for c := range 3 {
		low, high := uint16(31), uint16(0)
		for _, e := range entries {
			low, high = min(low, e.channel(c)), max(high, e.channel(c))
		}
		if w := int(high) - int(low); w > b.width {
			b.channel, b.width = c, w
		}
	}
	return b
}

func histogram(img *image.RGBA) []entry {
	all := make([]entry, 1<<15)
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		px := img.Pix[img.PixOffset(b.Min.X, y):][:4*b.Dx()]
		for i := 0; i < len(px); i += 4 {
			e := &all[key(px[i], px[i+1], px[i+2])]
			e.n++
			for c := range 3 {
				e.sum[c] += int(px[i+c])
			}
		}
	}
	var out []entry
	for i, e := range all {
		if e.n > 0 {
			e.key = uint16(i)
			out = append(out, e)
		}
	}
	return out
}

// cutBoxes cuts the box that is worth most until there are n, or none can be cut.
func cutBoxes(all []entry, n int) []box {
	boxes := []box{newBox(all)}
	for len(boxes) < n {
		best, score := -1, 0
		for i, b := range boxes {
			if b.width*b.pixels > score {
				best, score = i, b.width*b.pixels
			}
		}
		if best < 0 {
			break
		}
		low, high := boxes[best].cut()
		boxes[best] = low
		boxes = append(boxes, high)
	}
	return boxes
}

// cut divides the box so that both halves have about as many pixels, and at least one colour each.
func (b box) cut() (low, high box) {
	slices.SortFunc(b.entries, func(x, y entry) int { return int(x.channel(b.channel)) - int(y.channel(b.channel)) })
	n, at := 0, 0
	for at < len(b.entries)-1 {
		n += b.entries[at].n
		at++
		if n >= b.pixels/2 {
			break
		}
	}
	return newBox(b.entries[:at]), newBox(b.entries[at:])
}

func (b box) mean() color.Color {
	var sum [3]int
	for _, e := range b.entries {
		for c := range 3 {
			sum[c] += e.sum[c]
		}
	}
	n := max(1, b.pixels)
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}
