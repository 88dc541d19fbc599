package paint

import (
	"image"
	"slices"
	"testing"
)

// A picture of 48 x 13 cells of 9 x 18 pixels, as the detail of a job has it at 120x34.
func benchPicture(b *testing.B, protocol Protocol) (*pictures, []string) {
	b.Helper()
	p := newPictures(7)
	p.set(&surface{want: protocol, cell: image.Pt(9, 18)})
	img := image.NewRGBA(image.Rect(0, 0, 48*9, 13*18))
	for i := range img.Pix {
		img.Pix[i] = byte(i/97 + i%5)
	}
	_, lines, err := p.put(img, 48, 13)
	if err != nil {
		b.Fatal(err)
	}
	return p, lines
}

func BenchmarkPaintPicture(b *testing.B) {
	for name, protocol := range map[string]Protocol{"kitty": KittyPictures, "sixel": SixelPictures} {
		b.Run(name, func(b *testing.B) {
			p, lines := benchPicture(b, protocol)
			one := benchFrame(0)
			two := one
			rows := slices.Clone(two.lines)
			copy(rows[3:], lines)
			two.lines = rows
			benchPaint(b, &screen{pics: p}, one, two)
		})
	}
}

func BenchmarkPutPicture(b *testing.B) {
	img := noisy(48*9, 13*18)
	for name, protocol := range map[string]Protocol{"kitty": KittyPictures, "sixel": SixelPictures} {
		b.Run(name, func(b *testing.B) {
			p, _ := benchPicture(b, protocol)
			for b.Loop() {
				n, _, err := p.put(img, 48, 13)
				if err != nil {
					b.Fatal(err)
				}
				p.drop(n)
			}
		})
	}
}
