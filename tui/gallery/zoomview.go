package gallery

import (
	"fmt"
	"image"
	"math"
	"strings"

	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// Caption is what is said of the file on the whole screen.
type Caption struct {
	Title string                  // its line
	Other string                  // what can be flipped to, by name; "" for nothing
	Why   string                  // why nothing can be flipped to
	Card  func(w, h int) []string // in place of the file, where there is none; nil for nothing
	Film  []string                // of the video that plays; nil for none
}

// View draws it in exactly the size of the screen.
func (z *Zoom) View(c Caption) string {
	w, h := z.room()
	lines := []string{c.Title}
	if z.flipping {
		lines = append(lines, z.flipLine(c))
	}
	body := widgets.Fit(z.body(c, w, h), w, h)
	return strings.Join(append(lines, zone.Mark("zoom", body)), "\n")
}

func (z *Zoom) body(c Caption, w, h int) string {
	_, ok := z.Media()
	switch {
	case c.Card == nil || w <= 0 || h <= 0:
		return ""
	case c.Film != nil:
		out := make([]string, 0, len(c.Film))
		for _, l := range c.Film {
			out = append(out, strings.Repeat(" ", max(0, w-widgets.Width(l))/2)+l)
		}
		return strings.Join(z.ink.framed(out, w, h, false), "\n")
	case !ok:
		return strings.Join(z.ink.framed(c.Card(min(w, 60), h), w, h, false), "\n")
	case !z.have && (z.got.Lines == nil || z.got.Key.Width != w || z.got.Key.Height != h):
		return z.ink.faint.Text("preview …")
	case z.got.Lines != nil:
		return strings.Join(z.got.Lines, "\n")
	case z.got.Err != nil:
		return strings.Join(z.ink.errorLines(z.got.Err, w, h), "\n")
	default:
		return preview.Card(z.st, z.got.Info, w, h)
	}
}

// ScaleText names the size of the picture and how large it shows, "" while that is not known.
func (z *Zoom) ScaleText() string {
	now, _ := z.Scale()
	switch {
	case now == 0:
		return ""
	case z.part.Zoom == 100:
		return sizeText(z.got.Size) + " · 1:1"
	}
	return fmt.Sprintf("%s · %d %%", sizeText(z.got.Size), now)
}

func sizeText(p image.Point) string { return fmt.Sprintf("%d x %d", p.X, p.Y) }

// flipLine names the file to flip to, and says if its size differs.
func (z *Zoom) flipLine(c Caption) string {
	to, ok := z.Other()
	if !ok || c.Why != "" {
		return widgets.Line(" "+z.ink.muted.Text(c.Why), z.w)
	}
	right, style := "", z.st.Muted
	if r, ok := z.request(to, z.otherSlot()); ok {
		other, known := z.loader.Peek(r)
		switch a, b := z.got.Size, other.Size; {
		case !known || a.X == 0 || b.X == 0:
		case a == b:
			right = "both " + sizeText(a) + " "
		default:
			right, style = "other size: "+sizeText(b)+" ", z.st.Warn
		}
	}
	room := max(0, z.w-widgets.Width(right)-1)
	left := z.ink.muted.Text(widgets.Truncate(" ⇄ "+c.Other, room))
	return widgets.Line(widgets.Spread(left, widgets.NewInk(style).Text(right), z.w), z.w)
}

// Bounds of a video on the whole screen where each frame is drawn in full: in pixels if the
// terminal does not scale, and in cells. More would take over 5 % of a core while it plays.
const (
	maxExact = 640_000
	maxFilm  = 8_000
)

// FilmRoom returns how much of the room a playing video takes.
func (z *Zoom) FilmRoom() (w, h int) {
	w, h = z.room()
	return filmRoom(w, h, z.loader.Mode(z.st).Surface)
}

func filmRoom(w, h int, s preview.Surface) (int, int) {
	cost, most := float64(w*h), float64(maxFilm)
	switch {
	case s.Exact:
		cost, most = cost*float64(s.Cell.X*s.Cell.Y), maxExact
	case s != preview.Surface{}: // it scales by itself
		return w, h
	}
	if cost <= most {
		return w, h
	}
	by := math.Sqrt(most / cost)
	return max(1, int(float64(w)*by)), max(1, int(float64(h)*by))
}

// FilmRoom returns how much of w x h cells a playing video takes, where it is not the only thing on the
// screen.
func FilmRoom(w, h int, s preview.Surface) (int, int) { return filmRoom(w, h, s) }
