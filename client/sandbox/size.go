package sandbox

import (
	"math"
	"strconv"
	"strings"

	"darkroom/client/text"
)

const (
	videoSide   = 640 // longest side of a video, in pixels
	videoMin    = 64  // shortest side of a video that is not very narrow
	exactMin    = 256 // an exact aspect ratio is worth a long side down to this
	ratioLimit  = 8   // widest aspect ratio, and narrowest the other way
	pictureSide = 4096
	pictureArea = 8 << 20
)

// pair reads two numbers around one of the separators.
func pair(s, seps string) (a, b float64, ok bool) {
	i := strings.IndexAny(s, seps)
	if i < 0 {
		return 0, 0, false
	}
	a, err1 := strconv.ParseFloat(strings.TrimSpace(s[:i]), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(s[i+len(string([]rune(s[i:])[0])):]), 64)
	ok = err1 == nil && err2 == nil && a > 0 && b > 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0)
	return a, b, ok
}

// shape returns the aspect ratio that a request asks for: from size, then aspect_ratio, then the
// first known picture among its inputs; 0, 0 if it asks for none. sized says that the numbers are
// pixels that were asked for.
func (a *asked) shape(refs ...*ref) (w, h float64, sized bool, err error) {
	for _, f := range []string{"size", "aspect_ratio"} {
		t := a.text(f)
		if t == "" {
			continue
		}
		w, h, ok := pair(t, "xX×*:")
		if !ok {
			continue // a word such as "adaptive" or "2K": the catalog has judged it
		}
		if w/h > ratioLimit || h/w > ratioLimit {
			return 0, 0, false, badRequest(a.name(f), "%s %q: the embedded gateway makes shapes from 1:%d to %d:1",
				a.name(f), text.Clip(t, 40), ratioLimit, ratioLimit)
		}
		return w, h, f == "size", nil
	}
	if w, h, ok := bounds(refs...); ok {
		return float64(w), float64(h), false, nil
	}
	return 0, 0, false, nil
}

// fitVideo scales a shape to even sides: the long one has at most videoSide pixels and, if sized,
// no more than were asked for. The aspect ratio is kept exactly if even sides of a fair size have
// it, and otherwise to the nearest even pixel.
func fitVideo(w, h float64, sized bool) (int, int) {
	w, h = clampRatio(w, h)
	long := float64(videoSide)
	if sized {
		long = min(long, max(w, h, exactMin))
	}
	if w == math.Trunc(w) && h == math.Trunc(h) && w < 1e6 && h < 1e6 {
		g := gcd(int(w), int(h))
		x, y := int(w)/g, int(h)/g
		k := int(long) / max(x, y)
		if x%2 == 1 || y%2 == 1 {
			k -= k % 2
		}
		if k > 0 && k*max(x, y) >= exactMin && k*min(x, y) >= videoMin {
			return k * x, k * y
		}
	}
	f := long / math.Max(w, h)
	return even(w * f), even(h * f)
}

func clampRatio(w, h float64) (float64, float64) {
	if w <= 0 || h <= 0 {
		return 16, 9
	}
	return math.Min(w, h*ratioLimit), math.Min(h, w*ratioLimit)
}

func even(f float64) int { return max(videoMin, int(math.Round(f/2))*2) }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// pictureSize returns the size of a request's pictures: exactly the size asked for, or the shape
// asked for with a long side of 1024 pixels.
func (a *asked) pictureSize(sources []ref) (w, h int, err error) {
	t := a.text("size")
	if x, y, ok := pair(t, "xX×*"); ok {
		w, h = int(x), int(y)
		if float64(w) != x || float64(h) != y || w < 16 || h < 16 || w > pictureSide || h > pictureSide || w*h > pictureArea {
			return 0, 0, badRequest(a.name("size"), "%s %q: the embedded gateway makes 16 to %d whole pixels a side, and at most 8 megapixels",
				a.name("size"), text.Clip(t, 40), pictureSide)
		}
		return w, h, nil
	}
	var first *ref
	if len(sources) > 0 {
		first = &sources[0]
	}
	x, y, _, err := a.shape(first)
	if err != nil {
		return 0, 0, err
	}
	if x == 0 {
		return 1024, 1024, nil
	}
	x, y = clampRatio(x, y)
	f := 1024 / math.Max(x, y)
	return int(math.Round(x * f)), int(math.Round(y * f)), nil
}
