package fonts

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/go-text/typesetting/font/opentype/tables"
)

// shade is what a paint that covers everything has at each pixel, nil for one that is not known.
func (a *artist) shade(p tables.PaintTable, m affine) shade {
	if solid, ok := p.(tables.PaintSolid); ok {
		return a.ink(solid.PaletteIndex, part(solid.Alpha)).everywhere()
	}
	back, ok := m.inverse()
	if !ok {
		return ink{}.everywhere() // squeezed to nothing
	}
	var along func(x, y float64) (float64, bool) // how far a place is along the line of colours
	var line tables.ColorLine
	switch p := p.(type) {
	case tables.PaintLinearGradient:
		along, line = linear(p), p.ColorLine
	case tables.PaintRadialGradient:
		along, line = radial(p), p.ColorLine
	case tables.PaintSweepGradient:
		along, line = sweep(p), p.ColorLine
	default:
		return nil
	}
	colours := a.line(line)
	return func(x, y float64) ink {
		t, ok := along(back.at(x, y))
		if !ok {
			return ink{}
		}
		return colours(t)
	}
}

// line is the colours of a gradient.
func (a *artist) line(l tables.ColorLine) func(t float64) ink {
	type stop struct {
		at float64
		ink
	}
	var stops []stop
	for _, s := range l.ColorStops {
		stops = append(stops, stop{part(s.StopOffset), a.ink(s.PaletteIndex, part(s.Alpha))})
	}
	if len(stops) == 0 {
		return func(float64) ink { return ink{} }
	}
	slices.SortStableFunc(stops, func(a, b stop) int { return cmp.Compare(a.at, b.at) })
	first, last := stops[0], stops[len(stops)-1]
	return func(t float64) ink {
		if length := last.at - first.at; length > 0 && l.Extend != tables.ExtendPad {
			n := math.Floor((t - first.at) / length)
			u := t - first.at - n*length
			if l.Extend == tables.ExtendReflect && math.Mod(n, 2) != 0 {
				u = length - u
			}
			t = first.at + u
		}
		i := slices.IndexFunc(stops, func(s stop) bool { return s.at > t })
		switch {
		case i == 0:
			return first.ink
		case i < 0:
			return last.ink
		}
		from, to := stops[i-1], stops[i]
		k := (t - from.at) / (to.at - from.at)
		var out ink
		for c := range out {
			out[c] = from.ink[c] + k*(to.ink[c]-from.ink[c])
		}
		return out
	}
}

// linear runs from p0 to p1, its stripes along the line from p0 to p2.
func linear(p tables.PaintLinearGradient) func(x, y float64) (float64, bool) {
	x0, y0 := float64(p.X0), float64(p.Y0)
	x1, y1 := float64(p.X1)-x0, float64(p.Y1)-y0
	nx, ny := float64(p.Y2)-y0, x0-float64(p.X2) // across the stripes
	length := x1*nx + y1*ny
	return func(x, y float64) (float64, bool) {
		return ((x-x0)*nx + (y-y0)*ny) / length, length != 0
	}
}

// radial runs from one circle to another one: the largest t whose circle goes through the place.
func radial(p tables.PaintRadialGradient) func(x, y float64) (float64, bool) {
	x0, y0, r0 := float64(p.X0), float64(p.Y0), float64(p.Radius0)
	dx, dy, dr := float64(p.X1)-x0, float64(p.Y1)-y0, float64(p.Radius1)-r0
	a := dx*dx + dy*dy - dr*dr
	return func(x, y float64) (float64, bool) {
		px, py := x-x0, y-y0
		b := px*dx + py*dy + r0*dr
		c := px*px + py*py - r0*r0
		if math.Abs(a) < 1e-9 {
			if b == 0 {
				return 0, false
			}
			t := c / (2 * b)
			return t, r0+t*dr >= 0
		}
		root := b*b - a*c
		if root < 0 {
			return 0, false
		}
		t1, t2 := (b+math.Sqrt(root))/a, (b-math.Sqrt(root))/a
		for _, t := range [2]float64{max(t1, t2), min(t1, t2)} {
			if r0+t*dr >= 0 {
				return t, true
			}
		}
		return 0, false
	}
}

// sweep runs around a place, against the clock.
func sweep(p tables.PaintSweepGradient) func(x, y float64) (float64, bool) {
	from, to := (part(p.StartAngle)+1)*math.Pi, (part(p.EndAngle)+1)*math.Pi
	return func(x, y float64) (float64, bool) {
		angle := math.Atan2(y-float64(p.CenterY), x-float64(p.CenterX))
		if angle < 0 {
			angle += 2 * math.Pi
		}
		return (angle - from) / (to - from), from != to
	}
}

// compose lays two paints over each other in another way, and what comes of it over dst.
func (a *artist) compose(dst *image.RGBA, p tables.PaintComposite, m affine, mask *image.Alpha, depth int) {
	back, front := image.NewRGBA(dst.Rect), image.NewRGBA(dst.Rect)
	a.paint(back, p.BackdropPaint, m, nil, depth+1)
	a.paint(front, p.SourcePaint, m, nil, depth+1)
	if a.failed {
		return
	}
	for i := 0; i < len(back.Pix); i += 4 {
		blend(p.CompositeMode, back.Pix[i:i+4:i+4], front.Pix[i:i+4:i+4])
	}
	w := dst.Rect.Dx()
	fill(dst, mask, func(x, y float64) ink {
		d := back.Pix[4*(int(y)*w+int(x)):]
		if d[3] == 0 {
			return ink{}
		}
		alpha := float64(d[3])
		return ink{float64(d[0]) / alpha, float64(d[1]) / alpha, float64(d[2]) / alpha, alpha / 255}
	})
}

// blend puts a pixel over another one, d, whose samples are multiplied by their alpha.
func blend(mode tables.CompositeMode, d, s []uint8) {
	sa, da := float64(s[3])/255, float64(d[3])/255
	front, back := weights(mode, sa, da)
	for k := range 4 {
		sv, dv := float64(s[k])/255, float64(d[k])/255
		v := sv*front + dv*back
		switch mode {
		case tables.CompositeMultiply:
			v = sv*dv + sv*(1-da) + dv*(1-sa)
		case tables.CompositeScreen:
			v = sv + dv - sv*dv
		}
		d[k] = uint8(255*min(max(v, 0), 1) + 0.5)
	}
}

// weights is how much of the front and of the back is seen, by the rules of Porter and Duff. Modes
// that are none of theirs are as if the front lay over the back.
func weights(mode tables.CompositeMode, front, back float64) (ofFront, ofBack float64) {
	switch mode {
	case tables.CompositeClear:
		return 0, 0
	case tables.CompositeSrc:
		return 1, 0
	case tables.CompositeDest:
		return 0, 1
	case tables.CompositeDestOver:
		return 1 - back, 1
	case tables.CompositeSrcIn:
		return back, 0
	case tables.CompositeDestIn:
		return 0, front
	case tables.CompositeSrcOut:
		return 1 - back, 0
	case tables.CompositeDestOut:
		return 0, 1 - front
	case tables.CompositeSrcAtop:
		return back, 1 - front
	case tables.CompositeDestAtop:
		return 1 - back, front
	case tables.CompositeXor:
		return 1 - back, 1 - front
	case tables.CompositePlus:
		return 1, 1
	}
	return 1, 1 - front
}
