package fonts

import (
	"image"
	"image/color"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
	"golang.org/x/image/vector"
)

// Emoji that are drawn, in layers of shapes in colour (the COLR table), become pictures.

const (
	layerScale = 192  // pixels an em
	layerLeft  = -0.2 // ems; where the picture begins
	layerTop   = 1.2
	layerSide  = 1.75

	mostPaints = 512 // steps of one sign
	mostDepth  = 24
)

// affine is a change of coordinates: x' = xx*x + xy*y + dx, y' = yx*x + yy*y + dy.
type affine struct{ xx, yx, xy, yy, dx, dy float64 }

// then is the change by b, and then by a.
func (a affine) then(b affine) affine {
	return affine{a.xx*b.xx + a.xy*b.yx, a.yx*b.xx + a.yy*b.yx, a.xx*b.xy + a.xy*b.yy, a.yx*b.xy + a.yy*b.yy,
		a.xx*b.dx + a.xy*b.dy + a.dx, a.yx*b.dx + a.yy*b.dy + a.dy}
}

func (a affine) at(x, y float64) (float64, float64) {
	return a.xx*x + a.xy*y + a.dx, a.yx*x + a.yy*y + a.dy
}

func (a affine) inverse() (affine, bool) {
	d := a.xx*a.yy - a.xy*a.yx
	if math.Abs(d) < 1e-12 || math.IsNaN(d) || math.IsInf(d, 0) {
		return affine{}, false
	}
	return affine{a.yy / d, -a.yx / d, -a.xy / d, a.xx / d, (a.xy*a.dy - a.yy*a.dx) / d, (a.yx*a.dx - a.xx*a.dy) / d}, true
}

// around makes a change about another place than the origin.
func (a affine) around(x, y int16) affine {
	return affine{1, 0, 0, 1, float64(x), float64(y)}.then(a).then(affine{1, 0, 0, 1, -float64(x), -float64(y)})
}

// artist paints one sign.
type artist struct {
	face   *Face
	colour []tables.ColorRecord
	steps  int
	failed bool // something is in it that is not known here
}

// layers paints a sign that is made of layers, nil if it is none or has what is not known here.
func (f *Face) layers(id uint32) *Picture {
	sign, ok := f.face.GlyphDataColor(font.GID(id))
	if !ok || len(f.face.CPAL) == 0 {
		return nil
	}
	const side = int(layerSide * layerScale)
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	unit := layerScale / f.em
	a := &artist{face: f, colour: f.face.CPAL[0]}
	a.paint(img, sign.Paint, affine{unit, 0, 0, -unit, -layerLeft * layerScale, layerTop * layerScale}, nil, 0)
	if a.failed {
		return nil
	}
	return &Picture{Image: img, X: layerLeft, Y: -layerTop, Width: layerSide, Height: layerSide}
}

// paint lays a paint over dst, where the mask lets it; a nil mask does everywhere.
func (a *artist) paint(dst *image.RGBA, p tables.PaintTable, m affine, mask *image.Alpha, depth int) {
	if a.steps++; a.steps > mostPaints || depth > mostDepth {
		a.failed = true
	}
	if a.failed {
		return
	}
	switch p := p.(type) {
	case tables.PaintColrLayersResolved:
		for _, l := range p[:min(len(p), mostPaints)] {
			if inner := a.cut(uint32(l.GlyphID), m, mask); inner != nil {
				fill(dst, inner, a.ink(l.PaletteIndex, 1).everywhere())
			}
		}
	case tables.PaintColrLayers:
		list, err := a.face.face.COLR.LayerList.Resolve(p)
		for _, l := range list {
			a.paint(dst, l, m, mask, depth+1)
		}
		a.failed = a.failed || err != nil
	case tables.PaintGlyph:
		if inner := a.cut(uint32(p.GlyphID), m, mask); inner != nil {
			a.paint(dst, p.Paint, m, inner, depth+1)
		}
	case tables.PaintColrGlyph:
		next, ok := a.face.face.COLR.Search(tables.GlyphID(p.GlyphID))
		if a.failed = !ok; ok {
			a.paint(dst, next, m, mask, depth+1)
		}
	case tables.PaintComposite:
		a.compose(dst, p, m, mask, depth)
	default:
		if change, next := placed(p); next != nil {
			a.paint(dst, next, m.then(change), mask, depth+1)
			return
		}
		shade := a.shade(p, m)
		if a.failed = shade == nil; shade != nil {
			fill(dst, mask, shade)
		}
	}
}

// placed is what a paint does to the coordinates of another one, which is nil for what is no such
// paint.
func placed(p tables.PaintTable) (affine, tables.PaintTable) {
	switch p := p.(type) {
	case tables.PaintTransform:
		t := p.Transform
		return affine{float64(t.Xx), float64(t.Yx), float64(t.Xy), float64(t.Yy), float64(t.Dx), float64(t.Dy)}, p.Paint
	case tables.PaintTranslate:
		return affine{1, 0, 0, 1, float64(p.Dx), float64(p.Dy)}, p.Paint
	case tables.PaintScale:
		return affine{xx: part(p.ScaleX), yy: part(p.ScaleY)}, p.Paint
	case tables.PaintScaleAroundCenter:
		return affine{xx: part(p.ScaleX), yy: part(p.ScaleY)}.around(p.CenterX, p.CenterY), p.Paint
	case tables.PaintScaleUniform:
		return affine{xx: part(p.Scale), yy: part(p.Scale)}, p.Paint
	case tables.PaintScaleUniformAroundCenter:
		return affine{xx: part(p.Scale), yy: part(p.Scale)}.around(p.CenterX, p.CenterY), p.Paint
	case tables.PaintRotate:
		return turned(p.Angle), p.Paint
	case tables.PaintRotateAroundCenter:
		return turned(p.Angle).around(p.CenterX, p.CenterY), p.Paint
	case tables.PaintSkew:
		return skewed(p.XSkewAngle, p.YSkewAngle), p.Paint
	case tables.PaintSkewAroundCenter:
		return skewed(p.XSkewAngle, p.YSkewAngle).around(p.CenterX, p.CenterY), p.Paint
	}
	return affine{}, nil
}

// part is a number that a font keeps with 14 bits behind the point.
func part(v tables.Fixed214) float64 { return float64(v) / (1 << 14) }

func turned(v tables.Fixed214) affine {
	sin, cos := math.Sincos(part(v) * math.Pi)
	return affine{cos, sin, -sin, cos, 0, 0}
}

func skewed(x, y tables.Fixed214) affine {
	return affine{1, math.Tan(part(y) * math.Pi), -math.Tan(part(x) * math.Pi), 1, 0, 0}
}

// cut is the part of a mask that lies in the outline of a sign, nil if that is nothing.
func (a *artist) cut(id uint32, m affine, mask *image.Alpha) *image.Alpha {
	const side = int(layerSide * layerScale)
	steps := a.face.Outline(id)
	var ras vector.Rasterizer
	ras.Reset(side, side)
	at := func(p [2]float64) (float32, float32) {
		x, y := m.at(p[0]*a.face.em, p[1]*a.face.em)
		return float32(min(max(x, -4*float64(side)), 4*float64(side))), float32(min(max(y, -4*float64(side)), 4*float64(side)))
	}
	for i, s := range steps {
		x, y := at(s.Points[0])
		x2, y2 := at(s.Points[1])
		x3, y3 := at(s.Points[2])
		switch s.N {
		case 0:
			if i > 0 {
				ras.ClosePath()
			}
			ras.MoveTo(x, y)
		case 1:
			ras.LineTo(x, y)
		case 2:
			ras.QuadTo(x, y, x2, y2)
		default:
			ras.CubeTo(x, y, x2, y2, x3, y3)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	ras.ClosePath()
	out := image.NewAlpha(image.Rect(0, 0, side, side))
	ras.Draw(out, out.Rect, image.Opaque, image.Point{})
	if mask != nil {
		for i, v := range mask.Pix {
			out.Pix[i] = uint8((int(out.Pix[i])*int(v) + 127) / 255)
		}
	}
	return out
}

// ink is a colour, its parts from 0 to 1 and not multiplied by its alpha.
type ink [4]float64

// ink is a colour of the font's palette.
func (a *artist) ink(index uint16, alpha float64) ink {
	if int(index) >= len(a.colour) {
		return ink{1, 1, 1, alpha} // that of the text, which is white
	}
	c := a.colour[index]
	return ink{float64(c.Red) / 255, float64(c.Green) / 255, float64(c.Blue) / 255, float64(c.Alpha) / 255 * min(max(alpha, 0), 1)}
}

// shade is the colour at each pixel.
type shade func(x, y float64) ink

func (i ink) everywhere() shade { return func(float64, float64) ink { return i } }

func (i ink) rgba() color.RGBA {
	return color.RGBA{uint8(255*i[0]*i[3] + 0.5), uint8(255*i[1]*i[3] + 0.5), uint8(255*i[2]*i[3] + 0.5), uint8(255*i[3] + 0.5)}
}

// fill lays a shade over a picture where the mask lets it.
func fill(dst *image.RGBA, mask *image.Alpha, s shade) {
	w := dst.Rect.Dx()
	for i := range w * dst.Rect.Dy() {
		cover := uint32(255)
		if mask != nil {
			if cover = uint32(mask.Pix[i]); cover == 0 {
				continue
			}
		}
		c := s(float64(i%w)+0.5, float64(i/w)+0.5).rgba()
		d := dst.Pix[4*i : 4*i+4 : 4*i+4]
		rest := 255*255 - uint32(c.A)*cover
		for k, v := range [4]uint8{c.R, c.G, c.B, c.A} {
			d[k] = uint8((uint32(v)*cover*255 + uint32(d[k])*rest + 255*255/2) / (255 * 255))
		}
	}
}
