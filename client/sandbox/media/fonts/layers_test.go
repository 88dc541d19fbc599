package fonts

import (
	"encoding/binary"
	"image"
	"image/color"
	"testing"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
)

// inColours is a font whose H is in two layers: itself in red, and a dot of the last colour.
func inColours(t *testing.T, colr func(h, dot uint16) []byte) []byte {
	t.Helper()
	l := New(folder(t, map[string][]byte{"plain.ttf": gobold.TTF}))
	f := l.Set(nil).Face([]rune("H."))
	require.NotNil(t, f)
	glyphs, ok := f.Shape([]rune("H."), 0, 2, false)
	require.True(t, ok)
	file, loaders := open(f.entry.path)
	require.NotNil(t, file)
	defer file.Close()
	all := []opentype.Table{
		{Tag: opentype.MustNewTag("COLR"), Content: colr(uint16(glyphs[0].ID), uint16(glyphs[1].ID))},
		{Tag: opentype.MustNewTag("CPAL"), Content: []byte("\x00\x00\x00\x02\x00\x01\x00\x02\x00\x00\x00\x0e\x00\x00" + "\x00\x00\xff\xff" + "\xff\x00\x00\xff")},
	}
	for _, tag := range loaders[0].Tables() {
		b, err := loaders[0].RawTable(tag)
		require.NoError(t, err)
		all = append(all, opentype.Table{Tag: tag, Content: b})
	}
	return opentype.WriteTTF(all)
}

func numbers(list ...uint16) (b []byte) {
	for _, n := range list {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return b
}

func TestLayersBecomeAPicture(t *testing.T) {
	t.Parallel()
	b := inColours(t, func(h, dot uint16) []byte {
		return numbers(0, 1, 0, 14, 0, 20, 2 /* H */, h, 0, 2 /* its layers */, h, 0, dot, 1)
	})
	f := New(folder(t, map[string][]byte{"x.ttf": b})).Set(nil).Face([]rune("H"))
	require.NotNil(t, f)
	glyphs, ok := f.Shape([]rune("HH"), 0, 1, false)
	require.True(t, ok)
	p := f.Picture(glyphs[0].ID)
	require.NotNil(t, p)
	seen := map[color.Color]int{}
	for y := range p.Image.Bounds().Dy() {
		for x := range p.Image.Bounds().Dx() {
			seen[p.Image.At(x, y)]++
		}
	}
	assert.Greater(t, seen[color.RGBA{255, 0, 0, 255}], 2000, "the letter is red")
	assert.Greater(t, seen[color.RGBA{0, 0, 255, 255}], 200, "the dot is blue")
}

// TestPaintsThatStandForTooMany makes a font of some hundred bytes whose paints, each twice in the one
// before it, are a thousand million.
func TestPaintsThatStandForTooMany(t *testing.T) {
	t.Parallel()
	bomb := func(n int) []byte {
		return inColours(t, func(h, _ uint16) []byte {
			b := append(numbers(1, 0, 0, 0, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 0, 0, 0) /* the list */, numbers(0, 1, h, 0, 10)...)
			for range n {
				b = append(b, 32, 0, 0, 8, 3, 0, 0, 8) // one over the other, which are the same
			}
			return append(b, 2, 0, 0, 0x40, 0)
		})
	}
	assert.Len(t, New(folder(t, map[string][]byte{"x.ttf": bomb(4)})).entries(), 1)
	assert.Empty(t, New(folder(t, map[string][]byte{"x.ttf": bomb(30)})).entries())
}

// painted is what a paint makes of the middle of a letter, and of what is beside it.
func painted(t *testing.T, p tables.PaintTable) (inside, outside color.RGBA, failed bool) {
	t.Helper()
	f := New(folder(t, map[string][]byte{"plain.ttf": gobold.TTF})).Set(nil).Face([]rune("H"))
	require.NotNil(t, f)
	a := &artist{face: f, colour: []tables.ColorRecord{{Red: 255, Alpha: 255}, {Blue: 255, Alpha: 255}}}
	img := image.NewRGBA(image.Rect(0, 0, 336, 336))
	glyphs, ok := f.Shape([]rune("H"), 0, 1, false)
	require.True(t, ok)
	in := tables.PaintGlyph{Paint: p, GlyphID: uint16(glyphs[0].ID)}
	a.paint(img, in, affine{300 / f.em, 0, 0, -300 / f.em, 0, 300}, nil, 0)
	return img.RGBAAt(106, 192), img.RGBAAt(4, 4), a.failed // the bar of the H lies 0.36 em above the line
}

func TestPaints(t *testing.T) {
	t.Parallel()
	red, blue := tables.PaintSolid{PaletteIndex: 0, Alpha: 1 << 14}, tables.PaintSolid{PaletteIndex: 1, Alpha: 1 << 14}
	line := func(extend tables.Extend) tables.ColorLine {
		return tables.ColorLine{Extend: extend, ColorStops: []tables.ColorStop{{StopOffset: 0, PaletteIndex: 0, Alpha: 1 << 14}, {StopOffset: 1 << 14, PaletteIndex: 1, Alpha: 1 << 14}}}
	}
	over := func(mode tables.CompositeMode) tables.PaintTable {
		return tables.PaintComposite{SourcePaint: red, CompositeMode: mode, BackdropPaint: blue}
	}
	r, b := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	for name, c := range map[string]struct {
		paint tables.PaintTable
		want  color.RGBA
	}{
		"solid":              {red, r},
		"half":               {tables.PaintSolid{PaletteIndex: 0, Alpha: 1 << 13}, color.RGBA{128, 0, 0, 128}},
		"the text's":         {tables.PaintSolid{PaletteIndex: 0xffff, Alpha: 1 << 14}, color.RGBA{255, 255, 255, 255}},
		"before its start":   {tables.PaintLinearGradient{ColorLine: line(tables.ExtendPad), X0: 1800, X1: 2000, X2: 1800, Y2: 100}, r},
		"behind its end":     {tables.PaintLinearGradient{ColorLine: line(tables.ExtendPad), X1: 100, Y2: 100}, b},
		"turned about":       {tables.PaintRotateAroundCenter{Angle: 1 << 14, CenterX: 700, CenterY: 700, Paint: tables.PaintLinearGradient{ColorLine: line(tables.ExtendPad), X0: 900, X1: 1000, X2: 900, Y2: 100}}, r},
		"within the circle":  {tables.PaintRadialGradient{ColorLine: line(tables.ExtendPad), X0: 720, Y0: 720, Radius0: 400, X1: 720, Y1: 720, Radius1: 800}, r},
		"beyond the circle":  {tables.PaintRadialGradient{ColorLine: line(tables.ExtendPad), X0: -3000, Y0: 0, X1: -3000, Radius1: 10}, b},
		"a circle elsewhere": {tables.PaintTranslate{Dx: 3720, Dy: 720, Paint: tables.PaintRadialGradient{ColorLine: line(tables.ExtendPad), X0: -3000, Radius0: 400, X1: -3000, Radius1: 800}}, r},
		"over":               {over(tables.CompositeSrcOver), r},
		"under":              {over(tables.CompositeDestOver), b},
		"multiplied":         {over(tables.CompositeMultiply), color.RGBA{0, 0, 0, 255}},
		"on a screen":        {over(tables.CompositeScreen), color.RGBA{255, 0, 255, 255}},
		"cut out":            {over(tables.CompositeSrcOut), color.RGBA{}},
	} {
		in, out, failed := painted(t, c.paint)
		assert.False(t, failed, name)
		assert.Equal(t, c.want, in, name)
		assert.Zero(t, out, "%s: beside the letter", name)
	}
	_, _, failed := painted(t, tables.PaintVarSolid{})
	assert.True(t, failed, "what is not known is not drawn wrongly")
	deep := tables.PaintTable(red)
	for range mostDepth + 1 {
		deep = tables.PaintTranslate{Paint: deep}
	}
	_, _, failed = painted(t, deep)
	assert.True(t, failed)
}

func TestLinesOfColours(t *testing.T) {
	t.Parallel()
	a := &artist{colour: []tables.ColorRecord{{Alpha: 255}, {Red: 255, Alpha: 255}}}
	at := func(extend tables.Extend, t float64) float64 {
		return a.line(tables.ColorLine{Extend: extend, ColorStops: []tables.ColorStop{{PaletteIndex: 0, Alpha: 1 << 14}, {StopOffset: 1 << 14, PaletteIndex: 1, Alpha: 1 << 14}}})(t)[0]
	}
	assert.InDelta(t, 0.25, at(tables.ExtendPad, 0.25), 1e-9)
	assert.InDelta(t, 1, at(tables.ExtendPad, 1.25), 1e-9)
	assert.InDelta(t, 0, at(tables.ExtendPad, -3), 1e-9)
	assert.InDelta(t, 0.25, at(tables.ExtendRepeat, 1.25), 1e-9)
	assert.InDelta(t, 0.75, at(tables.ExtendReflect, 1.25), 1e-9)
	assert.InDelta(t, 0.25, at(tables.ExtendReflect, -0.25), 1e-9)
	quarter, ok := sweep(tables.PaintSweepGradient{StartAngle: -1 << 14, EndAngle: 1<<14 - 1})(0, 5)
	assert.True(t, ok)
	assert.InDelta(t, 0.25, quarter, 1e-3)
}
