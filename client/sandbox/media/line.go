package media

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode"

	"darkroom/client/sandbox/media/fonts"

	"github.com/go-text/typesetting/bidi"
	"github.com/rivo/uniseg"
	"golang.org/x/image/draw"
)

// Lines that have more than the program's own font: parts in fonts of the machine, from right to
// left where they are written so, joined where their letters are.

// piece is a part of a line in one font and one direction, by the places of its characters.
type piece struct {
	from, to int
	level    bidi.Level
	face     *fonts.Face // nil for the typeface's own font
	glyphs   []fonts.Glyph
}

func (p *piece) rightToLeft() bool { return p.level%2 == 1 }

// set looks for the fonts of a text that is about to be drawn. A text that the own font has all of
// is drawn as ever, and looks for none.
func (t *typeface) set(library *fonts.Library, text string) {
	t.others, t.fromRight = nil, false
	if library == nil {
		return
	}
	var lacking []rune
	for _, r := range cleaned(text, fonts.Joins) {
		if !t.has(r) && !slices.Contains(lacking, r) {
			lacking = append(lacking, r)
		}
	}
	if len(lacking) == 0 {
		return
	}
	t.others, t.fromRight = library.Set(lacking), beginsRight(text)
}

// beginsRight reports whether the first letter of a text is of a script that is written from the
// right.
func beginsRight(text string) bool {
	for _, r := range text {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}

func (t *typeface) clean(s string) string {
	if t.others != nil {
		return cleaned(s, fonts.Joins)
	}
	return clean(s)
}

// sign is a character as readers count: a letter with its marks, an emoji of several parts.
type sign struct {
	from, to int
	breaks   bool // a line may end after it
}

func signs(s []rune) []sign {
	var out []sign
	rest, state, at := string(s), -1, 0
	for len(rest) > 0 {
		var one string
		var flags int
		one, rest, flags, state = uniseg.StepString(rest, state)
		n := len([]rune(one))
		out = append(out, sign{at, at + n, flags&uniseg.MaskLine == uniseg.LineCanBreak})
		at += n
	}
	return out
}

// pieces takes a line apart, in the order in which it is read.
func (t *typeface) pieces(s []rune) []piece {
	levels := t.levels(s)
	var out []piece
	for _, g := range signs(s) {
		p := piece{from: g.from, to: g.to, level: levels[g.from]}
		var last *piece
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		p.face = t.faceOf(s[g.from:g.to])
		if p.face == nil && last != nil && last.face != nil && p.rightToLeft() && covers(last.face, s[g.from:g.to]) {
			p.face = last.face // spaces and brackets turn with the words around them
		}
		if last != nil && last.face == p.face && last.level == p.level {
			last.to = p.to
			continue
		}
		out = append(out, p)
	}
	for i := range out {
		p := &out[i]
		if p.face == nil {
			continue
		}
		var ok bool
		if p.glyphs, ok = p.face.Shape(s, p.from, p.to, p.rightToLeft()); !ok {
			p.face = nil
		}
	}
	return out
}

func covers(f *fonts.Face, s []rune) bool {
	return !slices.ContainsFunc(s, func(r rune) bool { return !f.Has(r) })
}

// faceOf is the font for one sign, nil for the own one, which also has the boxes for what is in
// none.
func (t *typeface) faceOf(s []rune) *fonts.Face {
	own := !slices.ContainsFunc(s, func(r rune) bool { return !t.has(r) && !fonts.Joins(r) })
	if own && !fonts.Emoji(s) {
		return nil
	}
	return t.others.Face(s)
}

// levels is which way each character runs: odd ones from the right. The line as a whole runs as its
// text does, whatever it begins with.
func (t *typeface) levels(s []rune) []bidi.Level {
	way := bidi.LeftToRight
	if t.fromRight {
		way = bidi.RightToLeft
	}
	var p bidi.Paragraph
	runs := p.Segment(s, way)
	out := make([]bidi.Level, len(s))
	for i := range runs.NumRuns() {
		r := runs.Run(i)
		for k := max(0, r.Start); k < min(r.End, len(out)); k++ {
			out[k] = r.Level
		}
	}
	return out
}

// seen puts pieces into the order in which they stand, from the left.
func seen(pieces []piece) []piece {
	highest := bidi.Level(0)
	for _, p := range pieces {
		highest = max(highest, p.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(pieces); i++ {
			n := i
			for n < len(pieces) && pieces[n].level >= level {
				n++
			}
			slices.Reverse(pieces[i:n])
			i = n
		}
	}
	return pieces
}

// advances is how far the line goes on at each character; that of a sign is at its first one.
func (t *typeface) advances(s []rune) []float64 {
	out := make([]float64, len(s))
	for _, p := range t.pieces(s) {
		for _, g := range p.glyphs {
			out[g.Rune] += g.Advance * t.size
		}
		for i := p.from; p.face == nil && i < p.to; i++ {
			if !fonts.Joins(s[i]) {
				out[i] = t.advance(s[i])
			}
		}
	}
	return out
}

// spread is the length of a line.
func (t *typeface) spread(s []rune) float64 {
	sum := 0.0
	for _, a := range t.advances(s) {
		sum += a
	}
	return sum
}

// fitsPieces is fits for such lines: they end where the language lets them, between two signs where
// it does not.
func (t *typeface) fitsPieces(s []rune, width float64) int {
	advances, sum, last := t.advances(s), 0.0, 0
	for _, g := range signs(s) {
		for _, a := range advances[g.from:g.to] {
			sum += a
		}
		if sum > width && s[g.from] != ' ' {
			switch {
			case last > 0:
				return last
			case g.from > 0:
				return g.from
			}
			return g.to
		}
		if g.breaks {
			last = g.to
		}
	}
	return len(s)
}

func (t *typeface) elidePieces(s []rune, width float64) string {
	advances, sum := t.advances(s), t.advance('…')
	for _, g := range signs(s) {
		for _, a := range advances[g.from:g.to] {
			sum += a
		}
		if sum > width {
			return strings.TrimSpace(string(s[:g.from])) + "…"
		}
	}
	return string(s)
}

// drawPieces is draw for such lines.
func (t *typeface) drawPieces(c *canvas, x, y float64, s []rune, paint color.NRGBA) float64 {
	for _, p := range seen(t.pieces(s)) {
		if p.face == nil {
			x = t.drawOwn(c, x, y, t.inOrder(s, p), paint)
			continue
		}
		for _, g := range p.glyphs {
			t.glyph(c, p.face, g, x, y, paint)
			x += g.Advance * t.size
		}
	}
	return x
}

// inOrder is the text of a piece in the own font as it stands, from the left.
func (t *typeface) inOrder(s []rune, p piece) string {
	text := slices.DeleteFunc(slices.Clone(s[p.from:p.to]), fonts.Joins)
	if p.rightToLeft() {
		slices.Reverse(text)
		for i, r := range text {
			if k := strings.IndexRune(brackets, r); k >= 0 {
				text[i] = rune(brackets[k^1])
			}
		}
	}
	return string(text)
}

// brackets in pairs, which turn round in what is written from the right.
const brackets = "()[]{}<>"

func (t *typeface) glyph(c *canvas, f *fonts.Face, g fonts.Glyph, x, y float64, paint color.NRGBA) {
	x, y = x+g.X*t.size, y-g.Y*t.size
	if p := f.Picture(g.ID); p != nil {
		if paint != shadow() {
			to := image.Rect(round(x+p.X*t.size), round(y+p.Y*t.size), round(x+(p.X+p.Width)*t.size), round(y+(p.Y+p.Height)*t.size))
			draw.CatmullRom.Scale(c.img, to, p.Image, p.Image.Bounds(), draw.Over, nil)
		}
		return
	}
	steps := f.Outline(g.ID)
	t.trace(c, steps, x, y)
	if t.bold && !f.Bold {
		t.trace(c, steps, x+t.size/28, y) // what is drawn twice at once has thicker strokes
	}
	c.fill(paint)
}

// trace adds an outline to the path.
func (t *typeface) trace(c *canvas, steps []fonts.Step, x, y float64) {
	var at point
	for _, s := range steps {
		var p [3]point
		for i, v := range s.Points {
			p[i] = point{x + v[0]*t.size, y - v[1]*t.size}
		}
		switch s.N {
		case 0:
			c.move(p[0].x, p[0].y)
		case 1:
			c.line(p[0].x, p[0].y)
		case 2:
			c.cubic(at.x+(p[0].x-at.x)*2/3, at.y+(p[0].y-at.y)*2/3, p[1].x+(p[0].x-p[1].x)*2/3, p[1].y+(p[0].y-p[1].y)*2/3, p[1].x, p[1].y)
		default:
			c.cubic(p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y)
		}
		at = p[max(0, s.N-1)]
	}
}

func round(v float64) int { return int(v + 0.5) }
