package media

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"unicode"

	"darkroom/client/sandbox/media/fonts"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// maxTitleRunes bounds how much of a title is looked at.
const maxTitleRunes = 300

// typeface draws text in one size. What its font lacks is drawn in fonts of the machine (see set);
// where these lack it, too, as a box with the digits of the code point, so that no text is dropped
// silently. It is not safe for concurrent use.
type typeface struct {
	size   float64 // pixels per em
	glyphs *sfnt.Font
	face   font.Face
	digits font.Face // for the boxes
	buf    sfnt.Buffer

	bold      bool
	others    *fonts.Set // for a text that its font lacks a part of, else nil
	fromRight bool       // that text begins at the right
}

// boldFace is for titles, monoFace for counters and labels.
func boldFace(size float64) (*typeface, error) {
	t, err := newTypeface(gobold.TTF, size)
	if err == nil {
		t.bold = true
	}
	return t, err
}

func monoFace(size float64) (*typeface, error) { return newTypeface(gomono.TTF, size) }

func newTypeface(ttf []byte, size float64) (*typeface, error) {
	size = max(size, 4)
	glyphs, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	face, err := opentype.NewFace(glyphs, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	mono, err := opentype.Parse(gomono.TTF)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	digits, err := opentype.NewFace(mono, &opentype.FaceOptions{Size: size * 0.46, DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	return &typeface{size: size, glyphs: glyphs, face: face, digits: digits}, nil
}

// has reports whether the font has a glyph for r.
func (t *typeface) has(r rune) bool {
	index, err := t.glyphs.GlyphIndex(&t.buf, r)
	return err == nil && index != 0
}

// clean makes one line of s: spaces collapsed, and what is never seen by
// itself (controls, joiners, variation selectors) left out.
func clean(s string) string { return cleaned(s, func(rune) bool { return false }) }

// cleaned is clean, but for some of what is never seen by itself.
func cleaned(s string, keep func(rune) bool) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case keep(r):
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Variation_Selector):
			continue
		}
		if n++; n > maxTitleRunes {
			break
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (t *typeface) advance(r rune) float64 {
	if t.has(r) {
		if a, ok := t.face.GlyphAdvance(r); ok {
			return toFloat(a)
		}
	}
	return t.boxWidth(r) + 0.1*t.size
}

func (t *typeface) boxWidth(r rune) float64 {
	if r > 0xffff {
		return 0.88 * t.size
	}
	return 0.64 * t.size
}

// width is the length of a line in pixels.
func (t *typeface) width(s string) float64 {
	if t.others != nil {
		return t.spread([]rune(s))
	}
	sum := 0.0
	for _, r := range s {
		sum += t.advance(r)
	}
	return sum
}

// draw writes one line from x on, its baseline at y, and returns where it
// ends.
func (t *typeface) draw(c *canvas, x, y float64, s string, paint color.NRGBA) float64 {
	if t.others != nil {
		return t.drawPieces(c, x, y, []rune(s), paint)
	}
	return t.drawOwn(c, x, y, s, paint)
}

// drawOwn is draw for what is in the typeface's own font, or in none.
func (t *typeface) drawOwn(c *canvas, x, y float64, s string, paint color.NRGBA) float64 {
	src := image.NewUniform(paint)
	for _, r := range s {
		if !t.has(r) {
			t.box(c, x, y, r, paint)
			x += t.advance(r)
			continue
		}
		d := font.Drawer{Dst: c.img, Src: src, Face: t.face, Dot: dot(x, y)}
		d.DrawString(string(r))
		x += t.advance(r)
	}
	return x
}

// box draws the code point of a character that the font lacks, in
// hexadecimal, two rows of digits in a frame.
func (t *typeface) box(c *canvas, x, y float64, r rune, paint color.NRGBA) {
	w, h := t.boxWidth(r), 0.92*t.size
	top := y - 0.78*t.size
	edge := max(1, t.size/24)
	for _, side := range [4][4]float64{{x, top, w, edge}, {x, top + h - edge, w, edge}, {x, top, edge, h}, {x + w - edge, top, edge, h}} {
		c.rect(side[0], side[1], side[2], side[3])
	}
	c.fill(paint)
	hex := fmt.Sprintf("%04X", r)
	if len(hex) == 5 {
		hex = "0" + hex
	}
	half := len(hex) / 2
	for row, digits := range [2]string{hex[:half], hex[half:]} {
		d := font.Drawer{Dst: c.img, Src: image.NewUniform(paint), Face: t.digits}
		length := toFloat(d.MeasureString(digits))
		d.Dot = dot(x+(w-length)/2, top+h*(0.46+0.42*float64(row)))
		d.DrawString(digits)
	}
}

// wrap breaks s into at most maxLines lines no wider than width. What does
// not fit is cut off and marked with an ellipsis.
func (t *typeface) wrap(s string, width float64, maxLines int) []string {
	var lines []string
	rest := []rune(t.clean(s))
	for len(rest) > 0 && len(lines) < maxLines {
		n := t.fits(rest, width)
		if n < len(rest) && len(lines) == maxLines-1 {
			return append(lines, t.elide(rest, width))
		}
		lines = append(lines, strings.TrimSpace(string(rest[:n])))
		rest = []rune(strings.TrimSpace(string(rest[n:])))
	}
	return lines
}

// fits is how many characters of s go on one line, at least one. It breaks
// after a space where there is one, and anywhere where there is none.
func (t *typeface) fits(s []rune, width float64) int {
	if t.others != nil {
		return t.fitsPieces(s, width)
	}
	sum, space := 0.0, 0
	for i, r := range s {
		if r == ' ' {
			space = i + 1
		}
		sum += t.advance(r)
		if sum > width && r != ' ' {
			if space > 0 {
				return space
			}
			return max(i, 1)
		}
	}
	return len(s)
}

// elide cuts s so that it fits with an ellipsis.
func (t *typeface) elide(s []rune, width float64) string {
	if t.others != nil {
		return t.elidePieces(s, width)
	}
	sum := t.advance('…')
	for i, r := range s {
		if sum += t.advance(r); sum > width {
			return strings.TrimSpace(string(s[:i])) + "…"
		}
	}
	return string(s)
}

func dot(x, y float64) fixed.Point26_6 {
	return fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
}

func toFloat(v fixed.Int26_6) float64 { return float64(v) / 64 }

// caption draws the title over a shade along the lower edge, and the label
// above it or, without a title, in its place. shade is how dark the lower
// edge gets, 0 to 1.
func caption(c *canvas, library *fonts.Library, title, label string, shade float64) error {
	size := max(10, 0.062*c.unit())
	face, err := boldFace(size)
	if err != nil {
		return err
	}
	small, err := monoFace(max(9, 0.45*size))
	if err != nil {
		return err
	}
	face.set(library, title)
	small.set(library, label)
	margin := 0.045 * c.unit()
	lines := face.wrap(title, c.w-2*margin, 3)
	labels := small.wrap(label, c.w-2*margin, 1)
	height := 1.25*size*float64(len(lines)) + 1.5*small.size*float64(len(labels))
	if height == 0 {
		return nil
	}
	top := c.h - margin - height
	dark := color.NRGBA{8, 10, 20, 0}
	c.gradient(top-1.6*size, c.h, dark, fade(dark, shade*shade), fade(dark, shade))
	y := top
	for _, l := range labels {
		y += 1.5 * small.size
		small.draw(c, margin, y-0.4*small.size, l, color.NRGBA{255, 255, 255, 190})
	}
	for _, l := range lines {
		y += 1.25 * size
		x := margin
		if face.fromRight {
			x = c.w - margin - face.width(l)
		}
		face.draw(c, x+size/22, y-0.3*size+size/22, l, shadow())
		face.draw(c, x, y-0.3*size, l, color.NRGBA{255, 255, 255, 255})
	}
	return nil
}

// shadow is what lies behind a title, so that it is seen on anything.
func shadow() color.NRGBA { return color.NRGBA{0, 0, 0, 150} }
