package media

import (
	"image/color"
	"math"
)

// hsv makes an opaque colour: hue in degrees, any number; saturation and
// value 0..1.
func hsv(h, s, v float64) color.NRGBA {
	h = math.Mod(math.Mod(h, 360)+360, 360) / 60
	s, v = clamp01(s), clamp01(v)
	f := func(n float64) uint8 {
		k := math.Mod(n+h, 6)
		return uint8(math.Round(255 * (v - v*s*max(0, min(k, 4-k, 1)))))
	}
	return color.NRGBA{f(5), f(3), f(1), 255}
}

// mix goes from a (t = 0) to b (t = 1), alpha included.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	t = clamp01(t)
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

// fade returns c with an alpha of 0..1.
func fade(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(math.Round(255 * clamp01(alpha)))
	return c
}

// saturate scales how far c is from its own grey; 0 is grey, 1 is c.
func saturate(c color.NRGBA, by float64) color.NRGBA {
	grey := 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	f := func(v uint8) uint8 { return uint8(max(0, min(math.Round(grey+(float64(v)-grey)*by), 255))) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

func clamp01(v float64) float64 { return max(0, min(v, 1)) }

// smooth eases t in and out between 0 and 1.
func smooth(t float64) float64 {
	t = clamp01(t)
	return t * t * (3 - 2*t)
}
