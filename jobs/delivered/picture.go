package delivered

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"darkroom/client"
)

// picture is a size in pixels, or only a shape or a resolution: as much as is known.
type picture struct {
	w, h  float64
	lines float64 // of "720p"
	shape float64 // width to height
}

// String names what is known of the picture, for people.
func (p picture) String() string {
	switch {
	case p.w > 0:
		return fmt.Sprintf("%.0fx%.0f", p.w, p.h)
	case p.lines > 0:
		return fmt.Sprintf("%.0fp", p.lines)
	default:
		return fmt.Sprintf("%.2f:1", p.shape)
	}
}

// pair reads two numbers with one of the given signs between them.
func pair(s, signs string) (a, b float64, ok bool) {
	i := strings.IndexAny(s, signs)
	if i < 0 {
		return 0, 0, false
	}
	a, err1 := strconv.ParseFloat(strings.TrimSpace(s[:i]), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(s[i+1:]), 64)
	ok = err1 == nil && err2 == nil && a > 0 && b > 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0)
	return a, b, ok
}

// sized reads "1280x720".
func sized(s string) (picture, bool) {
	w, h, ok := pair(strings.ReplaceAll(s, "×", "x"), "xX*")
	return picture{w: w, h: h}, ok
}

// shaped reads "16:9".
func shaped(s string) (picture, bool) {
	w, h, ok := pair(s, ":/")
	return picture{shape: w / h}, ok
}

// Resolutions of videos that are named by something other than their lines.
var named = map[string]float64{"2k": 1440, "4k": 2160, "8k": 4320}

// lined reads "720p", "720P", "720", "4k".
func lined(s string) (picture, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, ok := named[s]; ok {
		return picture{lines: n}, true
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(s, "p"), 64)
	return picture{lines: n}, err == nil && n >= 100 && n <= 10_000
}

// How far sizes may be from what was asked for: encoders take whole blocks, and models name
// shapes and resolutions roughly.
const (
	slackPixels = 16
	slackSide   = 0.03
	slackShape  = 0.08
	slackArea   = 0.2
	slackLines  = 0.05
)

// wrongPicture returns the beginning of a warning, "" if the picture is the one asked for as far as
// anybody can tell. scaled is the size from which, as the gateway itself says, the result was
// scaled.
func (w *Wish) wrongPicture(got picture, scaled string) string {
	asked := func(text string, wrong bool) string {
		if !wrong {
			return ""
		}
		return "asked for " + text + ", "
	}
	size, sizeSet := w.text(fieldSize)
	if want, ok := sized(size); sizeSet && ok {
		if sameText(size, scaled) {
			return asked(size, !sameShape(want.ratio(), got.ratio()))
		}
		return asked(size, !got.is(want))
	}
	ratio, _ := w.text(fieldRatio)
	if ratio == "" {
		ratio = size // some give shapes there
	}
	if want, ok := shaped(ratio); ok && !sameShape(want.shape, got.ratio()) {
		return asked(ratio, true)
	}
	lines, _ := w.text(fieldResolution)
	if want, ok := lined(lines); ok && w.video() && scaled == "" {
		return asked(lines, !got.has(want.lines))
	}
	return ""
}

func (w *Wish) video() bool { return w.Draft.Modality == client.Video }

func sameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// ratio returns width to height, 0 if that is not known.
func (p picture) ratio() float64 {
	if p.w > 0 {
		return p.w / p.h
	}
	return p.shape
}

// sameShape reports whether two shapes are alike, or one is not known.
func sameShape(a, b float64) bool {
	return !(a > 0) || !(b > 0) || math.Abs(a-b) <= slackShape*max(a, b)
}

// is reports whether the picture may be of the wanted size.
func (p picture) is(want picture) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= max(slackPixels, slackSide*b) }
	switch {
	case p.w > 0:
		return near(p.w, want.w) && near(p.h, want.h)
	case p.lines > 0:
		return want.has(p.lines)
	default:
		return sameShape(p.shape, want.ratio())
	}
}

// has reports whether the picture may be called one of so many lines: that of its short side, or of
// a picture of 16:9 with as many pixels.
func (p picture) has(lines float64) bool {
	switch {
	case p.w > 0:
		const wide = 16.0 / 9
		short, area := min(p.w, p.h), p.w*p.h/(lines*lines*wide)
		return math.Abs(short-lines) <= slackLines*lines || math.Abs(area-1) <= slackArea
	case p.lines > 0:
		return p.lines == lines
	default:
		return true
	}
}
