package paint

import (
	"image"
	"image/color"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// canvas is a terminal that knows sixels: a cell has text, or pixels over it, and text
// that is written, and erasing, take the pixels away.
type canvas struct {
	t    *testing.T
	w, h int
	cell image.Point
	text map[image.Point]string
	px   map[image.Point]color.Color // by pixel
	x, y int
}

func newCanvas(t *testing.T, w, h int, cell image.Point) *canvas {
	return &canvas{t: t, w: w, h: h, cell: cell, text: map[image.Point]string{}, px: map[image.Point]color.Color{}}
}

func (c *canvas) set(x, y int, text string) {
	if text == " " {
		text = ""
	}
	c.text[image.Pt(x, y)] = text
	for dy := range c.cell.Y {
		for dx := range c.cell.X {
			delete(c.px, image.Pt(x*c.cell.X+dx, y*c.cell.Y+dy))
		}
	}
}

func (c *canvas) write(s string) {
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, "\x1bP"):
			end := strings.Index(s, "\x1b\\")
			require.GreaterOrEqual(c.t, end, 0)
			c.sixel(s[2:end])
			s = s[end+2:]
		case strings.HasPrefix(s, "\x1b]1337;File="):
			end := strings.IndexByte(s, '\a')
			require.GreaterOrEqual(c.t, end, 0)
			c.inline(s[len("\x1b]1337;File="):end])
			s = s[end+1:]
		case s[0] == 0x1b:
			n, _ := escape(s)
			c.control(s[2:n])
			s = s[n:]
		default:
			text, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			c.set(c.x, c.y, text)
			c.x += width
			s = s[len(text):]
		}
	}
}

func (c *canvas) control(body string) {
	switch body[len(body)-1] {
	case 'H':
		a, b, _ := strings.Cut(body[:len(body)-1], ";")
		y, _ := strconv.Atoi(a)
		x, _ := strconv.Atoi(b)
		c.x, c.y = max(x-1, 0), max(y-1, 0)
	case 'G':
		x, _ := strconv.Atoi(body[:len(body)-1])
		c.x = x - 1
	case 'C':
		n, _ := strconv.Atoi(body[:len(body)-1])
		c.x += n
	case 'K':
		for x := c.x; x < c.w; x++ {
			c.set(x, c.y, "")
		}
	case 'J':
		clear(c.text)
		clear(c.px)
	case 'm', 'h', 'l':
	default:
		require.Fail(c.t, "unknown", "%q", body)
	}
}

// sixel draws a picture at the cursor.
func (c *canvas) sixel(body string) {
	_, body, _ = strings.Cut(body, "q")
	palette := map[int]color.Color{}
	x, y, now := 0, 0, 0
	for len(body) > 0 {
		b := body[0]
		end := 1
		for end < len(body) && (body[end] >= '0' && body[end] <= '9' || body[end] == ';') {
			end++
		}
		var args []int
		for _, a := range strings.Split(body[1:end], ";") {
			n, _ := strconv.Atoi(a)
			args = append(args, n)
		}
		n := 1
		switch {
		case b == '"':
			require.LessOrEqual(c.t, c.y*c.cell.Y+args[3], (c.h-1)*c.cell.Y, "it would scroll")
		case b == '#' && len(args) == 5:
			palette[args[0]] = color.RGBA{uint8(args[2]), uint8(args[3]), uint8(args[4]), 0}
		case b == '#':
			now = args[0]
		case b == '$':
			x = 0
		case b == '-':
			x, y = 0, y+6
		default:
			if b == '!' {
				n, b = args[0], body[end]
				end++
			}
			for range n {
				for bit := range 6 {
					if (b-'?')>>bit&1 == 1 {
						c.px[image.Pt(c.x*c.cell.X+x, c.y*c.cell.Y+y+bit)] = palette[now]
					}
				}
				x++
			}
		}
		body = body[end:]
	}
}

// tiles is a picture with a colour of its own for each cell, and two for those on a diagonal.
func tiles(cols, rows int, cell image.Point, seed int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, cols*cell.X, rows*cell.Y))
	for y := range rows * cell.Y {
		for x := range cols * cell.X {
			v := color.RGBA{uint8(x / cell.X * 32), uint8(y / cell.Y * 32), uint8(seed * 64), 255}
			if x/cell.X == y/cell.Y && y%cell.Y > 2 {
				v.B += 32
			}
			img.SetRGBA(x, y, v)
		}
	}
	return img
}

func TestPixelsFollowTheCells(t *testing.T) {
	for seed := range uint64(12) {
		follow(t, SixelPictures, seed)
		follow(t, InlinePictures, seed)
	}
}

// follow paints random frames with pictures, one after the other and each alone.
func follow(t *testing.T, protocol Protocol, seed uint64) {
	cell := image.Pt(4, 7)
	p, s := showing(protocol)
	var all [][]string
	for i := range 3 {
		_, lines, err := p.put(tiles(6, 3+i, cell, i), 6, 3+i)
		require.NoError(t, err)
		all = append(all, lines)
	}
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a reproducible test
	const w, h = 30, 9
	c := newCanvas(t, w, h, cell)
	for step := range 40 {
		f := frame{lines: strings.Split(scene(r, all, w, h), "\n"), width: w, height: h}
		out := s.paint(nil, f)
		c.write(string(out))
		require.Empty(t, s.paint(nil, f))
		whole := newCanvas(t, w, h, cell)
		full := &screen{pics: p}
		whole.write(string(full.paint(nil, f)))
		require.Equal(t, whole.px, c.px, "seed %d step %d", seed, step)
		for y := range h {
			for x := range w {
				require.Equal(t, whole.text[image.Pt(x, y)], c.text[image.Pt(x, y)])
			}
		}
	}
}

// scene is a frame with pictures at random places, text, and perhaps a box over them.
func scene(r *rand.Rand, all [][]string, w, h int) string {
	lines := make([]string, h)
	for y := range lines {
		if r.IntN(5) == 0 {
			lines[y] = "🪁 kite"
		}
	}
	top := r.IntN(h)
	for y, l := range all[r.IntN(len(all))] {
		if top+y < h {
			lines[top+y] = strings.Repeat(" ", top) + l + strings.Repeat("x", r.IntN(4))
		}
	}
	if r.IntN(2) == 0 {
		y, x := r.IntN(h), r.IntN(w-5)
		left := ansi.Truncate(lines[y], x, "")
		left += "\x1b[0m" + strings.Repeat(" ", x-ansi.StringWidth(left))
		lines[y] = left + "[box]" + ansi.TruncateLeft(lines[y], x+5, "")
	}
	return strings.Join(lines, "\n")
}

func TestPixelsAreThoseOfThePicture(t *testing.T) {
	cell := image.Pt(4, 7)
	p, s := showing(SixelPictures)
	img := tiles(6, 3, cell, 1)
	number, lines, err := p.put(img, 6, 3)
	require.NoError(t, err)
	c := newCanvas(t, 20, 6, cell)
	f := frame{lines: strings.Split("\n  "+strings.Join(lines, "\n  "), "\n"), width: 20, height: 6}
	c.write(string(s.paint(nil, f)))
	assert.Len(t, c.px, 6*4*3*7)
	for y := range 3 * 7 {
		for x := range 6 * 4 {
			want := img.RGBAAt(x, y)
			got, _ := c.px[image.Pt(8+x, 7+y)].(color.RGBA)
			require.Equal(t, percent(want), got, "%d,%d", x, y)
		}
	}
	_, _, err = p.put(noisy(5, 5), 6, 3)
	require.ErrorIs(t, err, ErrNoPictures, "it would not fill its cells")

	// A box over it takes only what lies under it; when it goes only that is painted.
	over := f
	over.lines = strings.Split(strings.Replace(strings.Join(f.lines, "\n"), lines[1], ansi.Truncate(lines[1], 2, "")+"\x1b[0m##"+ansi.TruncateLeft(lines[1], 4, ""), 1), "\n")
	out := string(s.paint(nil, over))
	assert.NotContains(t, out, "\x1bP")
	c.write(out)
	assert.Len(t, c.px, (6*3-2)*4*7)
	out = string(s.paint(nil, f))
	assert.Equal(t, 1, strings.Count(out, "\x1bP0;1q\"1;1;8;7#"))
	p.drop(number)
	s.invalidate()
	out = string(s.paint(nil, f))
	assert.NotContains(t, out, "\x1bP")
	assert.True(t, utf8.ValidString(out))
}

func percent(c color.RGBA) color.RGBA {
	f := func(v uint8) uint8 { return uint8((uint32(v)*0x101*100 + 0x7fff) / 0xffff) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), 0}
}
