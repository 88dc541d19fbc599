package pixels

import (
	"image"
	"image/color"
	"strconv"
)

// AppendSixel writes the part r of a picture as sixels. Pixels below it stay as they are.
func AppendSixel(dst []byte, img *image.Paletted, r image.Rectangle) []byte {
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
