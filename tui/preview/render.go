package preview

import (
	"image"
	"strings"

	"golang.org/x/image/draw"
)

// Mode says how pixels become cells.
type Mode struct {
	Blocks Blocks
	Colors Colors
	// Surface is the canvas's if one shows pixels, else zero.
	Surface Surface
}

// Surface says how a canvas takes pictures.
type Surface struct {
	Cell image.Point // the size of a cell in pixels
	// Exact says that a picture must be as large as its cells; otherwise the canvas scales it.
	Exact bool
}

// drawn returns the mode that is really drawn: without colours all is ASCII.
func (m Mode) drawn() Mode {
	if m.Colors == NoColor {
		m.Blocks = ASCII
	}
	return m
}

// Blocks are the shapes that a cell can take.
type Blocks uint8

// Shapes: in each cell Quadrants shows 2 x 2 pixels in two colours, HalfBlocks 1 x 2, Sextants 2 x
// 3 if the font has them, and ASCII one without colour.
const (
	Quadrants Blocks = iota
	HalfBlocks
	ASCII
	Sextants
)

// Colors are the colours that a terminal has.
type Colors uint8

// Colours. NoColor draws as ASCII, whatever the shape asked for.
const (
	TrueColor Colors = iota
	Color256
	Color16
	NoColor
)

// Render draws a picture as exactly w x h cells: as large as fits with its proportions kept (a cell
// is taken to be twice as high as wide), in the middle, with blanks around it. Lines end with their
// styles reset. The result depends on the arguments alone.
func Render(img image.Image, w, h int, mode Mode) string {
	return strings.Join(Lines(img, w, h, mode), "\n")
}

// Lines is [Render] in separate lines.
func Lines(img image.Image, w, h int, mode Mode) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	mode = mode.drawn()
	b := img.Bounds()
	cw, ch := fit(b.Dx(), b.Dy(), w, h, image.Point{})
	if cw == 0 || ch == 0 {
		return framed(nil, 0, w, h)
	}
	sx, sy := subcells(mode.Blocks)
	return framed(cells(scale(img, cw*sx, ch*sy), mode), cw, w, h)
}

// cells draws a picture that already has the right size.
func cells(px *image.RGBA, mode Mode) []string {
	sx, sy := subcells(mode.Blocks)
	b := px.Bounds()
	p := painter{mode: mode, px: px}
	out := make([]string, b.Dy()/sy)
	for y := range out {
		p.buf = p.buf[:0]
		p.line(y, b.Dx()/sx)
		out[y] = string(p.buf)
	}
	return out
}

// framed puts lines of cw cells into the middle of w x h cells.
func framed(lines []string, cw, w, h int) []string {
	blank := strings.Repeat(" ", w)
	left, top := (w-cw)/2, (h-len(lines))/2
	pre, post := blank[:left], blank[:w-cw-left]
	out := make([]string, 0, h)
	for range top {
		out = append(out, blank)
	}
	for _, l := range lines {
		out = append(out, pre+l+post)
	}
	for len(out) < h {
		out = append(out, blank)
	}
	return out
}

func subcells(b Blocks) (int, int) {
	switch b {
	case Quadrants:
		return 2, 2
	case HalfBlocks:
		return 1, 2
	case Sextants:
		return 2, 3
	default:
		return 1, 1
	}
}

// fit returns the size in cells of a picture of iw x ih pixels within w x h cells, which are taken
// to be twice as high as wide if their size is not known.
func fit(iw, ih, w, h int, cell image.Point) (int, int) {
	if iw <= 0 || ih <= 0 {
		return 0, 0
	}
	if cell == (image.Point{}) {
		cell = image.Pt(1, 2)
	}
	// In cells, the picture's width is to its height as x to y.
	x, y := int64(iw)*int64(cell.Y), int64(ih)*int64(cell.X)
	cw, ch := int64(w), (int64(w)*y+x/2)/x
	if ch > int64(h) {
		cw, ch = (int64(h)*x+y/2)/y, int64(h)
	}
	return int(max(1, min(cw, int64(w)))), int(max(1, min(ch, int64(h))))
}

// over is how many points of a large source, in each direction, make one pixel of a preview. The
// scaler looks only at the four pixels nearest to a point, so that thin lines would come and go;
// the mean over a grid of points keeps them, at a fraction of the cost of a filter over all pixels.
const over = 3

// scale makes an opaque copy of w x h pixels over black.
func scale(img image.Image, w, h int) *image.RGBA {
	n := 1
	if b := img.Bounds(); b.Dx() >= 2*w && b.Dy() >= 2*h {
		n = over
	}
	for n > 1 && n*n*w*h > maxSource { // a large copy of a huge picture
		n--
	}
	big := image.NewRGBA(image.Rect(0, 0, w*n, h*n))
	// The colours of an image.RGBA are premultiplied, which is how they look over black: the alpha
	// itself is never needed.
	draw.ApproxBiLinear.Scale(big, big.Bounds(), img, img.Bounds(), draw.Src, nil)
	if n == 1 {
		return big
	}
	return shrink(big, w, h, n)
}

// shrink takes the mean of each n x n pixels.
func shrink(big *image.RGBA, w, h, n int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var r, g, b int
			for dy := range n {
				row := big.Pix[big.PixOffset(x*n, y*n+dy):][:4*n]
				for i := 0; i < len(row); i += 4 {
					r += int(row[i])
					g += int(row[i+1])
					b += int(row[i+2])
				}
			}
			px := dst.Pix[dst.PixOffset(x, y):][:4]
			px[0], px[1], px[2], px[3] = uint8(r/n/n), uint8(g/n/n), uint8(b/n/n), 255 //nolint:gosec // means of bytes
		}
	}
	return dst
}
