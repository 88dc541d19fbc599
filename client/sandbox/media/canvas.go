package media

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// point is a place in pixels, y down.
type point struct{ x, y float64 }

// canvas paints anti-aliased shapes on an opaque picture. It is not safe for
// concurrent use.
type canvas struct {
	img  *image.RGBA
	w, h float64
	ras  vector.Rasterizer
	mask image.Alpha
	path []segment
}

// segment is a step of a path: a move (n = 0), a line (n = 1) or a cubic
// curve (n = 3) to its last point.
type segment struct {
	n int
	p [3]point
}

func newCanvas(width, height int) *canvas {
	return on(image.NewRGBA(image.Rect(0, 0, width, height)))
}

// on paints on a picture whose bounds start at (0, 0).
func on(img *image.RGBA) *canvas {
	return &canvas{img: img, w: float64(img.Rect.Dx()), h: float64(img.Rect.Dy())}
}

// unit is the length by which things are sized: the shorter side.
func (c *canvas) unit() float64 { return min(c.w, c.h) }

func (c *canvas) move(x, y float64) {
	c.path = append(c.path, segment{0, [3]point{{x, y}}})
}

func (c *canvas) line(x, y float64) {
	c.path = append(c.path, segment{1, [3]point{{x, y}}})
}

func (c *canvas) cubic(x1, y1, x2, y2, x, y float64) {
	c.path = append(c.path, segment{3, [3]point{{x1, y1}, {x2, y2}, {x, y}}})
}

// fill paints the path in one colour and starts a new path.
func (c *canvas) fill(paint color.NRGBA) { c.fillDown(paint, paint) }

// fillDown paints the path with a gradient from its top to its bottom, and starts a new path. Open
// paths are closed.
func (c *canvas) fillDown(top, bottom color.NRGBA) {
	full, ok := c.bounds()
	path := c.path
	c.path = c.path[:0]
	r := full.Intersect(c.img.Rect)
	if !ok || r.Empty() {
		return
	}
	c.ras.Reset(r.Dx(), r.Dy())
	dx, dy := float64(r.Min.X), float64(r.Min.Y)
	at := func(p point) (float32, float32) { return float32(p.x - dx), float32(p.y - dy) }
	for i, s := range path {
		x, y := at(s.p[0])
		switch s.n {
		case 0:
			if i > 0 {
				c.ras.ClosePath()
			}
			c.ras.MoveTo(x, y)
		case 1:
			c.ras.LineTo(x, y)
		default:
			x2, y2 := at(s.p[1])
			x3, y3 := at(s.p[2])
			c.ras.CubeTo(x, y, x2, y2, x3, y3)
		}
	}
	c.ras.ClosePath()
	c.blend(r, full, top, bottom)
}

// blend rasterises into the mask and lays the gradient over the picture.
func (c *canvas) blend(r, full image.Rectangle, top, bottom color.NRGBA) {
	n := r.Dx() * r.Dy()
	if cap(c.mask.Pix) < n {
		c.mask.Pix = make([]uint8, n)
	}
	c.mask.Pix, c.mask.Stride, c.mask.Rect = c.mask.Pix[:n], r.Dx(), image.Rect(0, 0, r.Dx(), r.Dy())
	c.ras.DrawOp = draw.Src
	c.ras.Draw(&c.mask, c.mask.Rect, image.Opaque, image.Point{})
	for y := range r.Dy() {
		paint := top
		if top != bottom {
			paint = mix(top, bottom, (float64(r.Min.Y+y-full.Min.Y)+0.5)/float64(full.Dy()))
		}
		at := c.img.PixOffset(r.Min.X, r.Min.Y+y)
		blendRow(c.img.Pix[at:at+4*r.Dx()], c.mask.Pix[y*r.Dx():(y+1)*r.Dx()], paint)
	}
}

// blendRow lays a colour over RGBA bytes with a coverage for each pixel.
func blendRow(dst, cover []uint8, paint color.NRGBA) {
	r, g, b, a := int32(paint.R), int32(paint.G), int32(paint.B), int32(paint.A)
	for i, m := range cover {
		if m == 0 {
			continue
		}
		k := (int32(m)*a + 127) / 255
		d := dst[4*i : 4*i+4 : 4*i+4]
		d[0] = lay(d[0], r, k)
		d[1] = lay(d[1], g, k)
		d[2] = lay(d[2], b, k)
		d[3] = 255
	}
}

// lay moves v towards to by k of 255, rounded.
func lay(v uint8, to, k int32) uint8 {
	x := int32(v)*(255-k) + to*k + 128
	return uint8((x + x>>8) >> 8)
}

// bounds is the box around the path's points.
func (c *canvas) bounds() (image.Rectangle, bool) {
	minX, minY := math.Inf(1), math.Inf(1)
	maxX, maxY := math.Inf(-1), math.Inf(-1)
	for _, s := range c.path {
		for _, p := range s.p[:max(s.n, 1)] {
			minX, maxX = min(minX, p.x), max(maxX, p.x)
			minY, maxY = min(minY, p.y), max(maxY, p.y)
		}
	}
	if !(maxX > minX && maxY > minY) { // also refuses NaN
		return image.Rectangle{}, false
	}
	far := 4 * (c.w + c.h)
	return image.Rect(int(max(minX, -far)), int(max(minY, -far)), int(min(maxX, far))+1, int(min(maxY, far))+1), true
}

// polygon adds a closed polygon to the path.
func (c *canvas) polygon(points ...point) {
	for i, p := range points {
		if i == 0 {
			c.move(p.x, p.y)
			continue
		}
		c.line(p.x, p.y)
	}
}

// rect adds a rectangle.
func (c *canvas) rect(x, y, w, h float64) {
	c.polygon(point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

// roundRect adds a rectangle with rounded corners.
func (c *canvas) roundRect(x, y, w, h, r float64) {
	r = min(r, w/2, h/2)
	k := r * (1 - kappa)
	c.move(x+r, y)
	c.line(x+w-r, y)
	c.cubic(x+w-k, y, x+w, y+k, x+w, y+r)
	c.line(x+w, y+h-r)
	c.cubic(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h)
	c.line(x+r, y+h)
	c.cubic(x+k, y+h, x, y+h-k, x, y+h-r)
	c.line(x, y+r)
	c.cubic(x, y+k, x+k, y, x+r, y)
}

// kappa is the handle length with which a cubic curve draws a quarter circle.
const kappa = 0.5522847

// ellipse adds an ellipse around (x, y).
func (c *canvas) ellipse(x, y, rx, ry float64) {
	kx, ky := rx*kappa, ry*kappa
	c.move(x+rx, y)
	c.cubic(x+rx, y+ky, x+kx, y+ry, x, y+ry)
	c.cubic(x-kx, y+ry, x-rx, y+ky, x-rx, y)
	c.cubic(x-rx, y-ky, x-kx, y-ry, x, y-ry)
	c.cubic(x+kx, y-ry, x+rx, y-ky, x+rx, y)
}

// stroke paints a line through the points, width pixels wide.
func (c *canvas) stroke(paint color.NRGBA, width float64, points ...point) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		dx, dy := b.x-a.x, b.y-a.y
		length := math.Hypot(dx, dy)
		if length == 0 {
			continue
		}
		nx, ny := -dy/length*width/2, dx/length*width/2
		// A little longer at both ends, so that joints do not gape.
		ex, ey := dx/length*width/4, dy/length*width/4
		c.polygon(point{a.x + nx - ex, a.y + ny - ey}, point{b.x + nx + ex, b.y + ny + ey},
			point{b.x - nx + ex, b.y - ny + ey}, point{a.x - nx - ex, a.y - ny - ey})
	}
	c.fill(paint)
}

// glow lays a colour over a disc, strongest in its middle.
func (c *canvas) glow(x, y, radius float64, paint color.NRGBA) {
	r := image.Rect(int(x-radius), int(y-radius), int(x+radius)+1, int(y+radius)+1).Intersect(c.img.Rect)
	for py := r.Min.Y; py < r.Max.Y; py++ {
		for px := r.Min.X; px < r.Max.X; px++ {
			dx, dy := float64(px)+0.5-x, float64(py)+0.5-y
			t := 1 - math.Sqrt(dx*dx+dy*dy)/radius
			if t <= 0 {
				continue
			}
			d := c.img.Pix[c.img.PixOffset(px, py):]
			k := int32(t * t * float64(paint.A))
			d[0], d[1], d[2], d[3] = lay(d[0], int32(paint.R), k), lay(d[1], int32(paint.G), k), lay(d[2], int32(paint.B), k), 255
		}
	}
}

// gradient paints rows from y0 to y1 over the whole width, through evenly
// spaced colours.
func (c *canvas) gradient(y0, y1 float64, stops ...color.NRGBA) {
	for y := max(0, int(y0)); y < min(int(c.h), int(math.Ceil(y1))); y++ {
		t := clamp01((float64(y)+0.5-y0)/(y1-y0)) * float64(len(stops)-1)
		i := min(int(t), len(stops)-2)
		paint := mix(stops[i], stops[i+1], t-float64(i))
		row := c.img.Pix[c.img.PixOffset(0, y):][:4*c.img.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			k := int32(paint.A)
			row[x] = lay(row[x], int32(paint.R), k)
			row[x+1] = lay(row[x+1], int32(paint.G), k)
			row[x+2] = lay(row[x+2], int32(paint.B), k)
			row[x+3] = 255
		}
	}
}
