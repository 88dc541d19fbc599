package media

import (
	"fmt"
	"image"
	"image/color"
	"strings"
)

// film draws the frames of a video, one after another, on its canvas.
type film struct {
	spec   VideoSpec
	frames int
	scene  *scene
	canvas *canvas
	face   *typeface // of the counter

	still *image.RGBA // what stands still, of a film that is drawn from its prompt
	start *image.RGBA // the picture it starts from, if it has one
	end   *image.RGBA // the picture it ends at, if it has one
}

const (
	// zoom is how much closer a film that starts from a picture gets.
	zoom = 0.1
	// fadeFrom is when, as a fraction of the film, the last picture begins to
	// show.
	fadeFrom = 0.35
)

func newFilm(spec VideoSpec, frames int) (*film, error) {
	f := &film{spec: spec, frames: frames, scene: newScene(spec.Prompt, spec.Seed, spec.Style)}
	f.canvas = newCanvas(spec.Width, spec.Height)
	var err error
	if f.face, err = monoFace(max(9, 0.042*f.canvas.unit())); err != nil {
		return nil, err
	}
	first := spec.First
	if first == nil {
		first = spec.Continue
	}
	if first != nil {
		f.start = f.covered(first)
	}
	if spec.Last != nil {
		f.end = f.covered(spec.Last)
	}
	if f.start != nil {
		return f, nil
	}
	f.still = image.NewRGBA(f.canvas.img.Rect)
	c := on(f.still)
	f.scene.background(c)
	inset(c, spec.References)
	title := spec.Title
	if strings.TrimSpace(title) == "" {
		title = spec.Prompt
	}
	return f, caption(c, spec.Fonts, title, spec.Label, 0.72)
}

func (f *film) covered(src image.Image) *image.RGBA {
	img := image.NewRGBA(f.canvas.img.Rect)
	cover(img, src)
	return img
}

// draw paints frame i.
func (f *film) draw(i int) error {
	p := 0.0 // how far the film is
	switch {
	case f.frames > 1:
		p = float64(i) / float64(f.frames-1)
	case f.start == nil && f.end != nil:
		p = 1
	}
	t := float64(i) / float64(f.spec.FPS)
	c := f.canvas
	if f.start != nil {
		f.drawFromPicture(p, t)
	} else {
		copy(c.img.Pix, f.still.Pix)
		f.scene.foreground(c, t, p)
	}
	if f.end != nil {
		sweep(c.img, f.end, (p-fadeFrom)/(1-fadeFrom))
	}
	// A picture that was given is shown as it is, with nothing on top.
	if f.start != nil && p == 0 || f.end != nil && p == 1 {
		return nil
	}
	f.counter(i, p)
	return nil
}

// drawFromPicture moves slowly into the picture that the film starts from.
// What the prompt names crosses it from one side to the other.
func (f *film) drawFromPicture(p, t float64) {
	c := f.canvas
	if p == 0 {
		copy(c.img.Pix, f.start.Pix)
		return
	}
	side := 0.3 + 0.4*f.scene.startX
	closer := p
	if f.end != nil { // stands still by the time the other picture comes
		closer = 0.5 * smooth(p/fadeFrom)
	}
	magnify(c.img, f.start, 1+zoom*closer, side, 0.45)
	inset(c, f.spec.References)
	if readHints(f.spec.Prompt).subject == anySubject {
		return
	}
	x := -0.2 + 1.4*p
	if f.scene.drift < 0 {
		x = 1.2 - 1.4*p
	}
	f.scene.paintSubject(brush{c: c, x: x * c.w, y: (f.scene.startY + 0.12) * c.h, size: 0.7 * f.scene.size * c.unit()}, t)
}

// counter shows the time, the number of the frame and a bar that grows.
func (f *film) counter(i int, p float64) {
	c, size := f.canvas, f.face.size
	tenths := i * 10 / f.spec.FPS
	text := fmt.Sprintf("%d:%02d.%d %d/%d", tenths/600, tenths/10%60, tenths%10, i+1, f.frames)
	if f.start != nil && f.spec.Label != "" {
		text += " " + clean(f.spec.Label)
	}
	width := min(f.face.width(text), c.w)
	c.roundRect(0.5*size, 0.5*size, width+size, 1.6*size, 0.5*size)
	c.fill(color.NRGBA{8, 10, 20, 170})
	f.face.draw(c, size, 1.65*size, text, color.NRGBA{255, 255, 255, 235})
	thick := max(2, 0.012*c.h)
	c.rect(0, c.h-thick, c.w, thick)
	c.fill(color.NRGBA{8, 10, 20, 140})
	c.rect(0, c.h-thick, max(1, c.w*p), thick)
	c.fill(f.scene.main)
}

// magnify shows src larger by a factor around a fixed place, given as
// fractions of the picture. Both pictures have the same size.
func magnify(dst, src *image.RGBA, factor, fixX, fixY float64) {
	const one = 1 << 8
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	step := int(one * one / factor)
	startX, startY := int(float64(w)*fixX*(1-1/factor)*one*one), int(float64(h)*fixY*(1-1/factor)*one*one)
	for y := range h {
		sy := (startY + y*step) >> 8
		y0, fy := min(sy>>8, h-1), uint32(sy&255)
		y1 := min(y0+1, h-1)
		top, bottom := src.Pix[y0*src.Stride:], src.Pix[y1*src.Stride:]
		out := dst.Pix[y*dst.Stride:]
		for x := range w {
			sx := (startX + x*step) >> 8
			x0, fx := min(sx>>8, w-1), uint32(sx&255)
			x1 := min(x0+1, w-1)
			a, b := top[4*x0:4*x0+4], top[4*x1:4*x1+4]
			c, d := bottom[4*x0:4*x0+4], bottom[4*x1:4*x1+4]
			o := out[4*x : 4*x+4]
			for k := range 3 {
				upper := uint32(a[k])*(one-fx) + uint32(b[k])*fx
				lower := uint32(c[k])*(one-fx) + uint32(d[k])*fx
				o[k] = uint8((upper*(one-fy) + lower*fy + one*one/2) >> 16)
			}
			o[3] = 255
		}
	}
}

// sweep fades from dst to src, from left to right: at t = 0 all is dst, at
// t = 1 all is src. Each column takes its turn, which costs far fewer bits
// than a fade of the whole picture at once.
func sweep(dst, src *image.RGBA, t float64) {
	if t <= 0 {
		return
	}
	const soft = 0.4 // the width of the fading edge, as a fraction of the picture
	w := dst.Rect.Dx()
	weights := make([]int32, w)
	for x := range weights {
		weights[x] = int32(255*smooth((t*(1+soft)-float64(x)/float64(w))/soft) + 0.5)
	}
	for y := range dst.Rect.Dy() {
		to, from := dst.Pix[y*dst.Stride:][:4*w], src.Pix[y*src.Stride:][:4*w]
		for x, k := range weights {
			if k == 0 {
				continue
			}
			for i := 4 * x; i < 4*x+3; i++ {
				to[i] = lay(to[i], int32(from[i]), k)
			}
		}
	}
}
