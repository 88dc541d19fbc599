package preview

import (
	"context"
	"image"
	"math"
)

// maxScaled bounds the pixels of a picture that a canvas which scales by itself is given.
const maxScaled = 1 << 20

// fitted is a picture scaled for the cells that it fills.
type fitted struct {
	px         *image.RGBA
	cols, rows int
	size       image.Point // of the picture itself, where it is asked for
}

// fitted reads a picture and scales it for a request, or finds it on the disk.
func (l *Loader) fitted(ctx context.Context, file string, r Request, read func(context.Context, string) (image.Image, error)) (fitted, error) {
	if r.Part != (Part{}) {
		return l.part(ctx, file, r, read)
	}
	name := diskName(file, r)
	if f, ok := l.o.Disk.get(name); ok {
		return f, nil
	}
	img, err := read(ctx, file)
	if err != nil || ctx.Err() != nil {
		return fitted{}, err
	}
	m := r.Mode.drawn()
	b := img.Bounds()
	cols, rows := fit(b.Dx(), b.Dy(), r.Width, r.Height, m.Surface.Cell)
	if cols == 0 || rows == 0 {
		return fitted{}, nil
	}
	most := maxScaled
	if r.Pixels > 0 {
		most = min(most, r.Pixels)
	}
	size := pixels(b.Size(), cols, rows, m, most)
	f := fitted{px: scale(img, size.X, size.Y), cols: cols, rows: rows}
	l.o.Disk.put(name, f)
	return f, nil
}

// pixels returns the size to which a picture is scaled.
func pixels(source image.Point, cols, rows int, m Mode, most int) image.Point {
	if m.Surface == (Surface{}) {
		sx, sy := subcells(m.Blocks)
		return image.Pt(cols*sx, rows*sy)
	}
	size := image.Pt(cols*m.Surface.Cell.X, rows*m.Surface.Cell.Y)
	if m.Surface.Exact {
		return size
	}
	if size.X > source.X && size.Y > source.Y {
		size = source
	}
	if n := size.X * size.Y; n > most {
		by := math.Sqrt(float64(most) / float64(n))
		size = image.Pt(max(1, int(float64(size.X)*by)), max(1, int(float64(size.Y)*by)))
	}
	return size
}
