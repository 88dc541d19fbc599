package preview

import (
	"context"
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// Part says how much of a picture a preview shows to somebody who looks closely. The zero Part is a
// small copy of all of it.
type Part struct {
	// Whole shows all of it, in as many pixels as the room has.
	Whole bool
	// Zoom shows it in percent of its own size: as much as there is room for around the point X, Y,
	// which counts in ten-thousandths of its width and height. At 100 a pixel of it is one of the
	// terminal or, with blocks, a part of a cell as wide as the narrowest. 0 is [Part.Whole].
	Zoom, X, Y int
}

// Unit is the whole width or height in the units of a [Part]'s X and Y.
const Unit = 10_000

// Bounds for pictures that fill the screen, with more pixels than a preview in a corner, and for
// what is kept to look at parts of them.
const (
	maxWhole   = 4 << 20  // pixels that the canvas is given
	maxSource  = 16 << 20 // pixels of a picture that is kept
	maxSources = 2        // two are compared
)

// Box returns how many pixels of a picture w x h cells show at its own size.
func (m Mode) Box(w, h int) image.Point {
	m = m.drawn()
	if m.Surface != (Surface{}) {
		return image.Pt(w*m.Surface.Cell.X, h*m.Surface.Cell.Y)
	}
	sx, _ := subcells(m.Blocks)
	return image.Pt(w*sx, 2*h*sx) // a cell is taken to be twice as high as wide
}

// Fits returns the zoom, in percent, at which a picture fills a box.
func Fits(size, box image.Point) int {
	if size.X <= 0 || size.Y <= 0 {
		return 100
	}
	return max(1, min(100*box.X/size.X, 100*box.Y/size.Y))
}

// Within moves the part so that a picture of that size wastes no room of the box.
func (p Part) Within(size, box image.Point) Part {
	if p.Zoom <= 0 {
		return Part{Whole: true}
	}
	in := func(at, of, room int) int {
		seen := Unit // of the picture, at most all
		if n := of * p.Zoom; n > 0 {
			seen = min(Unit, Unit*100*room/n)
		}
		return max(seen/2, min(at, Unit-seen/2))
	}
	p.Whole = false
	p.X, p.Y = in(p.X, size.X, box.X), in(p.Y, size.Y, box.Y)
	return p
}

// part draws a part of a picture from the picture's own pixels. These are kept for a while, since
// the next part will soon be wanted.
func (l *Loader) part(ctx context.Context, file string, r Request, read func(context.Context, string) (image.Image, error)) (fitted, error) {
	img, err := l.source(ctx, file, read)
	if err != nil || ctx.Err() != nil {
		return fitted{}, err
	}
	m, b := r.Mode.drawn(), img.Bounds()
	if r.Part.Zoom <= 0 {
		cols, rows := fit(b.Dx(), b.Dy(), r.Width, r.Height, m.Surface.Cell)
		if cols == 0 || rows == 0 {
			return fitted{}, nil
		}
		size := pixels(b.Size(), cols, rows, m, maxWhole)
		return fitted{scale(img, size.X, size.Y), cols, rows, b.Size()}, nil
	}
	return cut(img, r.Part, r.Width, r.Height, m), nil
}

// cut takes from a picture what a part shows, and puts it into the middle of as few cells as it
// needs.
func cut(img image.Image, p Part, w, h int, m Mode) fitted {
	b := img.Bounds()
	cell, box := m.Box(1, 1), m.Box(w, h)
	p = p.Within(b.Size(), box)
	side := func(of, room, at, cell int) (cells, from, to, shown int) {
		shown = max(1, min(room, of*p.Zoom/100))
		n := max(1, min(of, shown*100/p.Zoom))
		from = max(0, min(of*p.at(at)/Unit-n/2, of-n))
		return (shown + cell - 1) / cell, from, from + n, shown
	}
	cols, x0, x1, dx := side(b.Dx(), box.X, p.X, cell.X)
	rows, y0, y1, dy := side(b.Dy(), box.Y, p.Y, cell.Y)
	part := crop(img, image.Rect(x0, y0, x1, y1).Add(b.Min))
	// With blocks a cell has fewer pixels than it shows of the picture.
	full := image.Pt(cols*cell.X, rows*cell.Y)
	real := full
	if m.Surface == (Surface{}) {
		sx, sy := subcells(m.Blocks)
		real = image.Pt(cols*sx, rows*sy)
	} else if n := full.X * full.Y; n > maxSource && !m.Surface.Exact { // the canvas scales
		by := math.Sqrt(float64(maxSource) / float64(n))
		real = image.Pt(max(1, int(float64(full.X)*by)), max(1, int(float64(full.Y)*by)))
	}
	to := image.Pt((dx*real.X+full.X-1)/full.X, (dy*real.Y+full.Y-1)/full.Y)
	px := image.NewRGBA(image.Rectangle{Max: real})
	draw.Draw(px, px.Bounds(), image.Black, image.Point{}, draw.Src)
	at := real.Sub(to).Div(2)
	small := part
	if part.Bounds().Size() != to {
		small = scale(part, to.X, to.Y)
	}
	draw.Draw(px, image.Rectangle{at, at.Add(to)}, small, small.Bounds().Min, draw.Over)
	return fitted{px, cols, rows, b.Size()}
}

func (p Part) at(v int) int { return max(0, min(v, Unit)) }

// crop returns a part of a picture, which shares the picture's pixels if possible.
func crop(img image.Image, r image.Rectangle) image.Image {
	if s, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	}); ok {
		return s.SubImage(r)
	}
	px := image.NewRGBA(image.Rectangle{Max: r.Size()})
	draw.Draw(px, px.Bounds(), img, r.Min, draw.Src)
	return px
}

// source is a picture that is kept as it was decoded.
type source struct {
	path string
	at   stamp
	img  image.Image
}

func (l *Loader) source(ctx context.Context, path string, read func(context.Context, string) (image.Image, error)) (image.Image, error) {
	at := stampOf(Request{Path: path})
	l.mu.Lock()
	for _, s := range l.sources {
		if s.path == path && s.at == at {
			l.mu.Unlock()
			return s.img, nil
		}
	}
	l.mu.Unlock()
	img, err := read(ctx, path)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := img.Bounds(); int64(b.Dx())*int64(b.Dy()) <= maxSource && !l.closed {
		kept := append(slices.Clone(l.sources), source{path, at, img})
		l.sources = slices.Clone(kept[max(0, len(kept)-maxSources):])
	}
	return img, nil
}

// Rest forgets the pictures that were kept to look at parts of them.
func (l *Loader) Rest() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sources = nil
}
