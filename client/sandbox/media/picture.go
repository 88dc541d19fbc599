// Package media makes the pictures, films and tunes that the embedded gateway
// answers with: real PNG, MP4 (H.264) and WAV data, drawn and composed in pure
// Go from the prompt and the seed. The same input gives the same bytes with
// the same build, and for words in other scripts the same fonts; another seed
// gives other media.
package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	"darkroom/client/sandbox/media/fonts"

	"golang.org/x/image/draw"
)

// errSpec is wrapped by every error about a size, length or rate that cannot
// be made.
var errSpec = errors.New("media: cannot be made")

// maxPicturePixels is the most pixels that Picture draws.
const maxPicturePixels = 40_000_000

// PictureSpec says what picture to draw.
type PictureSpec struct {
	Prompt string
	Title  string // written into the picture; the prompt if empty
	Seed   int64

	Width, Height int // pixels, at least 1 each

	// Sources makes the picture an edit: it is derived from the first one,
	// the others are inset.
	Sources []image.Image

	Style string // vivid, natural, mono and so on shift the palette
	Label string // a small line above the title, such as the model's name

	// Fonts has those for what the program's own font lacks; nil draws that as code points.
	Fonts *fonts.Library
}

// Picture draws a picture of exactly the size asked for.
func Picture(ctx context.Context, spec PictureSpec) (*image.RGBA, error) {
	if spec.Width < 1 || spec.Height < 1 || spec.Width > maxPicturePixels/spec.Height {
		return nil, fmt.Errorf("%w: a picture of %dx%d pixels", errSpec, spec.Width, spec.Height)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := newCanvas(spec.Width, spec.Height)
	s := newScene(spec.Prompt, spec.Seed, spec.Style)
	shade := 0.72
	if len(spec.Sources) > 0 {
		cover(c.img, spec.Sources[0])
		s.tint(c)
		s.placeSubject(c, 0, 0.5)
		inset(c, spec.Sources[1:])
		shade = 0.95 // there may be a title in the source
	} else {
		s.background(c)
		s.foreground(c, 0, 0.5)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	title := spec.Title
	if strings.TrimSpace(title) == "" {
		title = spec.Prompt
	}
	if err := caption(c, spec.Fonts, title, spec.Label, shade); err != nil {
		return nil, err
	}
	return c.img, ctx.Err()
}

// PNG encodes a picture, fast rather than small.
func PNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("PNG: %w", err)
	}
	return b.Bytes(), nil
}

// tint lays a touch of the scene's colours over a source picture, so that an
// edit shows.
func (s *scene) tint(c *canvas) {
	c.gradient(0, c.h, fade(s.skyTop, 0.3), fade(s.skyLow, 0.08), fade(s.near, 0.3))
}

// cover scales src to fill dst and crops the rest, evenly on both sides.
func cover(dst *image.RGBA, src image.Image) {
	scaler := draw.Scaler(draw.BiLinear)
	if src.Bounds().Dx()*src.Bounds().Dy() > 6_000_000 {
		scaler = draw.ApproxBiLinear // the better one would take seconds
	}
	scaler.Scale(dst, dst.Rect, src, coverRect(src.Bounds(), dst.Rect.Dx(), dst.Rect.Dy()), draw.Src, nil)
	opaque(dst)
}

// coverRect is the largest middle part of b with the aspect of w to h.
func coverRect(b image.Rectangle, w, h int) image.Rectangle {
	sw, sh := b.Dx(), b.Dy()
	if sw*h > sh*w {
		part := max(1, int(math.Round(float64(sh)*float64(w)/float64(h))))
		x := b.Min.X + (sw-part)/2
		return image.Rect(x, b.Min.Y, x+part, b.Max.Y)
	}
	part := max(1, int(math.Round(float64(sw)*float64(h)/float64(w))))
	y := b.Min.Y + (sh-part)/2
	return image.Rect(b.Min.X, y, b.Max.X, y+part)
}

// opaque puts white behind a picture that is partly transparent.
func opaque(img *image.RGBA) {
	for i := 3; i < len(img.Pix); i += 4 {
		a := img.Pix[i]
		if a == 255 {
			continue
		}
		for k := i - 3; k < i; k++ {
			img.Pix[k] += 255 - a // the samples are premultiplied
		}
		img.Pix[i] = 255
	}
}

// maxInsets is how many further sources are shown.
const maxInsets = 4

// inset shows pictures in small frames down the right edge.
func inset(c *canvas, pictures []image.Image) {
	size := 0.2 * c.unit()
	gap := 0.03 * c.unit()
	if size < 8 {
		return
	}
	for i, p := range pictures[:min(len(pictures), maxInsets)] {
		x, y := c.w-gap-size, gap+float64(i)*(size+gap)
		if y+size > c.h {
			return
		}
		c.roundRect(x-0.04*size, y-0.04*size, 1.08*size, 1.08*size, 0.06*size)
		c.fill(color.NRGBA{255, 255, 255, 230})
		thumb := image.NewRGBA(image.Rect(0, 0, int(size), int(size)))
		cover(thumb, p)
		draw.Draw(c.img, thumb.Rect.Add(image.Pt(int(x), int(y))), thumb, image.Point{}, draw.Src)
	}
}
