package preview

import (
	"image"
	"strconv"
)

// rgb is a colour.
type rgb struct{ r, g, b uint8 }

// quadrants are the characters for each set of quarters in the text colour: 1 upper left, 2 upper
// right, 4 lower left, 8 lower right.
const quadrants = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"

// ramp are characters from dark to light.
const ramp = " .,:;-=+*oxX#%@"

// painter writes one line of cells after another into buf, and sets a colour only where it changes.
type painter struct {
	mode   Mode
	px     *image.RGBA
	buf    []byte
	glyphs [16]string
	fg, bg int // as code, -1 for none
}

func (p *painter) line(y, w int) {
	if p.glyphs[0] == "" {
		i := 0
		for _, r := range quadrants {
			p.glyphs[i] = string(r)
			i++
		}
	}
	p.fg, p.bg = -1, -1
	for x := range w {
		switch p.mode.Blocks {
		case Quadrants:
			p.quad(x, y)
		case Sextants:
			p.sext(x, y)
		case HalfBlocks:
			p.half(x, y)
		default:
			p.ascii(x, y)
		}
	}
	if p.fg >= 0 || p.bg >= 0 {
		p.buf = append(p.buf, "\x1b[0m"...)
	}
}

func (p *painter) at(x, y int) rgb {
	i := p.px.PixOffset(x, y)
	return rgb{p.px.Pix[i], p.px.Pix[i+1], p.px.Pix[i+2]}
}

func (p *painter) ascii(x, y int) {
	c := p.at(x, y)
	lum := (299*int(c.r) + 587*int(c.g) + 114*int(c.b)) / 1000
	p.buf = append(p.buf, ramp[lum*(len(ramp)-1)/255])
}

func (p *painter) half(x, y int) {
	top, bottom := p.code(p.at(x, 2*y)), p.code(p.at(x, 2*y+1))
	if top == bottom {
		p.flat(bottom)
		return
	}
	p.set(top, bottom)
	p.buf = append(p.buf, "▀"...)
}

// quad draws the four pixels of a cell in the two colours that come nearest to them.
func (p *painter) quad(x, y int) {
	px := [4]rgb{p.at(2*x, 2*y), p.at(2*x+1, 2*y), p.at(2*x, 2*y+1), p.at(2*x+1, 2*y+1)}
	if px[0] == px[1] && px[0] == px[2] && px[0] == px[3] {
		p.flat(p.code(px[0]))
		return
	}
	mask, front, back := split(px)
	fg, bg := p.code(front), p.code(back)
	if mask == 0 || fg == bg {
		p.flat(bg)
		return
	}
	// The same cell can be drawn with the colours the other way round: take the way
	// that needs fewer changes.
	if fg == p.bg || bg == p.fg {
		fg, bg, mask = bg, fg, 15&^mask
	}
	p.set(fg, bg)
	p.buf = append(p.buf, p.glyphs[mask]...)
}

// flat draws a cell of one colour.
func (p *painter) flat(c int) {
	p.set(-1, c)
	p.buf = append(p.buf, ' ')
}

// split finds the two colours, and the quarters that have the first of them, that come nearest to
// four pixels by least squares. Of the 16 ways to divide the quarters 8 are different; the
// remaining sum of squares is smallest where the sum of |group sum|^2 / group size is largest.
func split(px [4]rgb) (mask int, front, back rgb) {
	var all [3]int
	for _, c := range px {
		all[0] += int(c.r)
		all[1] += int(c.g)
		all[2] += int(c.b)
	}
	bestScore, bestCount := -1, 0
	var bestSum [3]int
	for m := range 8 { // the lower right quarter is always of the background
		var s [3]int
		n := 0
		for i := range 3 {
			if m>>i&1 == 1 {
				s[0] += int(px[i].r)
				s[1] += int(px[i].g)
				s[2] += int(px[i].b)
				n++
			}
		}
		score := 0
		for ch := range 3 {
			o := all[ch] - s[ch]
			// 12 is divisible by every group size, so that integers are exact.
			score += o * o * 12 / (4 - n)
			if n > 0 {
				score += s[ch] * s[ch] * 12 / n
			}
		}
		if score > bestScore {
			mask, bestScore, bestCount, bestSum = m, score, n, s
		}
	}
	back = mean([3]int{all[0] - bestSum[0], all[1] - bestSum[1], all[2] - bestSum[2]}, 4-bestCount)
	if bestCount > 0 {
		front = mean(bestSum, bestCount)
	}
	return mask, front, back
}

func mean(s [3]int, n int) rgb {
	half := n / 2
	return rgb{uint8((s[0] + half) / n), uint8((s[1] + half) / n), uint8((s[2] + half) / n)} //nolint:gosec // means of bytes
}

// set writes the sequence for colours that change; an fg of -1 leaves the text colour as it is,
// since it does not show.
func (p *painter) set(fg, bg int) {
	sep := byte(0)
	if fg >= 0 && fg != p.fg {
		p.buf = append(p.buf, "\x1b["...)
		p.color(fg, false)
		p.fg, sep = fg, ';'
	}
	if bg >= 0 && bg != p.bg {
		if sep == 0 {
			p.buf = append(p.buf, "\x1b["...)
		} else {
			p.buf = append(p.buf, sep)
		}
		p.color(bg, true)
		p.bg, sep = bg, ';'
	}
	if sep != 0 {
		p.buf = append(p.buf, 'm')
	}
}

// color writes the parameters of a colour code.
func (p *painter) color(c int, bg bool) {
	base := 38
	if bg {
		base = 48
	}
	switch p.mode.Colors {
	case TrueColor:
		p.num(base)
		p.buf = append(p.buf, ";2;"...)
		p.num(c >> 16)
		p.buf = append(p.buf, ';')
		p.num(c >> 8 & 255)
		p.buf = append(p.buf, ';')
		p.num(c & 255)
	case Color256:
		p.num(base)
		p.buf = append(p.buf, ";5;"...)
		p.num(c)
	default:
		base -= 8
		if c >= 8 {
			base, c = base+60, c-8
		}
		p.num(base + c)
	}
}

func (p *painter) num(n int) { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }

// code returns a colour in the terminal's terms: 0xrrggbb, or an index.
func (p *painter) code(c rgb) int {
	switch p.mode.Colors {
	case TrueColor:
		return int(c.r)<<16 | int(c.g)<<8 | int(c.b)
	case Color256:
		return index256(c)
	default:
		return index16(c)
	}
}

// index256 returns the nearest of the colour cube and the greys of xterm's 256 colours.
func index256(c rgb) int {
	level := func(v uint8) int {
		switch {
		case v < 48:
			return 0
		case v < 115:
			return 1
		default:
			return (int(v) - 35) / 40
		}
	}
	value := func(l int) int {
		if l == 0 {
			return 0
		}
		return 55 + 40*l
	}
	r, g, b := level(c.r), level(c.g), level(c.b)
	cube := dist(c, value(r), value(g), value(b))
	avg := (int(c.r) + int(c.g) + int(c.b)) / 3
	grey := max(0, min(23, (avg-3)/10))
	v := 8 + 10*grey
	if dist(c, v, v, v) < cube {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

// index16 returns the nearest of xterm's 16 colours.
func index16(c rgb) int {
	table := [16][3]int{
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
	}
	best, at := 1<<30, 0
	for i, t := range table {
		if d := dist(c, t[0], t[1], t[2]); d < best {
			best, at = d, i
		}
	}
	return at
}

func dist(c rgb, r, g, b int) int {
	dr, dg, db := int(c.r)-r, int(c.g)-g, int(c.b)-b
	return dr*dr + dg*dg + db*db
}
