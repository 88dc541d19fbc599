package paint

import (
	"image"
	"image/color"
	"sort"
	"strconv"
)

// usualColors is how many colours a sixel picture has where the terminal does not tell
// how many it can have.
const usualColors = 256

// appendSixel writes the part r of a picture as sixels. Pixels below it stay as they are.
func appendSixel(dst []byte, img *image.Paletted, r image.Rectangle) []byte {
	r = r.Intersect(img.Bounds())
	if r.Empty() {
		return dst
	}
	dst = append(dst, "\x1bP0;1q\"1;1;"...)
	dst = strconv.AppendInt(dst, int64(r.Dx()), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(r.Dy()), 10)
	for i, used := range usedColors(img, r) {
		if used {
			dst = appendRegister(dst, i, img.Palette[i])
		}
	}
	w := r.Dx()
	bands := make([][]byte, len(img.Palette)) // of each colour that occurs in this band
	for y := r.Min.Y; y < r.Max.Y; y += 6 {
		order := fillBand(bands, img, r, y)
		for n, c := range order {
			if n > 0 {
				dst = append(dst, '$')
			}
			dst = append(dst, '#')
			dst = strconv.AppendInt(dst, int64(c), 10)
			dst = appendRuns(dst, bands[c][:w])
			clear(bands[c])
		}
		dst = append(dst, '-')
	}
	return append(dst[:len(dst)-1], "\x1b\\"...)
}

func usedColors(img *image.Paletted, r image.Rectangle) []bool {
	used := make([]bool, 256)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, c := range img.Pix[img.PixOffset(r.Min.X, y):][:r.Dx()] {
			used[c] = true
		}
	}
	return used[:len(img.Palette)]
}

// appendRegister defines a colour in percent.
func appendRegister(dst []byte, i int, c color.Color) []byte {
	r, g, b, _ := c.RGBA()
	dst = append(dst, '#')
	dst = strconv.AppendInt(dst, int64(i), 10)
	dst = append(dst, ";2"...)
	for _, v := range []uint32{r, g, b} {
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64((v*100+0x7fff)/0xffff), 10)
	}
	return dst
}

// fillBand sets the bits of six rows from y in the band of each colour, and returns the
// colours in the order in which they occur.
func fillBand(bands [][]byte, img *image.Paletted, r image.Rectangle, y int) []uint8 {
	var seen [256]bool
	var order []uint8
	for dy := range min(6, r.Max.Y-y) {
		for x, c := range img.Pix[img.PixOffset(r.Min.X, y+dy):][:r.Dx()] {
			if !seen[c] {
				seen[c] = true
				order = append(order, c)
				if len(bands[c]) < r.Dx() {
					bands[c] = make([]byte, r.Dx())
				}
			}
			bands[c][x] |= 1 << dy
		}
	}
	return order
}

// appendRuns writes one colour of a band. Empty columns at its end need no bytes.
func appendRuns(dst, bits []byte) []byte {
	for len(bits) > 0 && bits[len(bits)-1] == 0 {
		bits = bits[:len(bits)-1]
	}
	for i := 0; i < len(bits); {
		n := 1
		for i+n < len(bits) && bits[i+n] == bits[i] {
			n++
		}
		if n > 3 {
			dst = append(dst, '!')
			dst = strconv.AppendInt(dst, int64(n), 10)
			dst = append(dst, '?'+bits[i])
		} else {
			for range n {
				dst = append(dst, '?'+bits[i])
			}
		}
		i += n
	}
	return dst
}

// quantize finds at most n colours (2 to 256, the usual number for 0) for a picture, by
// cutting boxes of its colours at their middle, and uses the nearest for each pixel.
func quantize(img *image.RGBA, n int) *image.Paletted {
	if n == 0 {
		n = usualColors
	}
	boxes := cutBoxes(histogram(img), max(2, min(n, 256)))
	out := image.NewPaletted(image.Rectangle{Max: img.Bounds().Size()}, nil)
	var index [1 << 15]uint8
	for i, b := range boxes {
		out.Palette = append(out.Palette, b.mean())
		for _, e := range b {
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

type box []entry

func histogram(img *image.RGBA) box {
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
	var out box
	for i, e := range all {
		if e.n > 0 {
			e.key = uint16(i)
			out = append(out, e)
		}
	}
	return out
}

// cutBoxes cuts the box that is worth most until there are n, or none can be cut.
func cutBoxes(first box, n int) []box {
	boxes := []box{first}
	for len(boxes) < n {
		best, score := -1, 0
		for i, b := range boxes {
			if _, width := b.longest(); width*b.pixels() > score {
				best, score = i, width*b.pixels()
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

// longest is the channel in which the box is widest, and how wide: 0 for one colour.
func (b box) longest() (channel, width int) {
	for c := range 3 {
		low, high := uint16(31), uint16(0)
		for _, e := range b {
			low, high = min(low, e.channel(c)), max(high, e.channel(c))
		}
		if w := int(high) - int(low); w > width {
			channel, width = c, w
		}
	}
	return channel, width
}

func (b box) pixels() int {
	n := 0
	for _, e := range b {
		n += e.n
	}
	return n
}

// cut parts the box so that both halves have as many pixels, and at least one colour.
func (b box) cut() (low, high box) {
	c, _ := b.longest()
	sort.Slice(b, func(i, j int) bool { return b[i].channel(c) < b[j].channel(c) })
	half, n, at := b.pixels()/2, 0, 0
	for at < len(b)-1 {
		n += b[at].n
		at++
		if n >= half {
			break
		}
	}
	return b[:at], b[at:]
}

func (b box) mean() color.Color {
	var sum [3]int
	n := max(1, b.pixels())
	for _, e := range b {
		for c := range 3 {
			sum[c] += e.sum[c]
		}
	}
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}
