package themes

import (
	"fmt"
	"math"
)

// Builtin loads all built-in themes in the order of [Names].
func Builtin() ([]Theme, error) {
	var all []Theme
	for _, n := range Names() {
		t, err := Get(n)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Contrast is the ratio of two colours by WCAG 2, from 1 to 21; 0 when one of them is
// no colour.
func Contrast(a, b string) float64 {
	ca, err := parseHex(a)
	if err != nil {
		return 0
	}
	cb, err := parseHex(b)
	if err != nil {
		return 0
	}
	la, lb := luminance(ca), luminance(cb)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c [3]uint8) float64 {
	var lin [3]float64
	for i, v := range c {
		f := float64(v) / 255
		if f <= 0.04045 {
			lin[i] = f / 12.92
		} else {
			lin[i] = math.Pow((f+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*lin[0] + 0.7152*lin[1] + 0.0722*lin[2]
}

// Problems lists, for people, the pairs of colours that are drawn on each other and
// have less contrast than the theme promises. The built-in themes have none; a palette
// of a person's own is only warned about.
func (t Theme) Problems() []string {
	p := t.Palette
	var out []string
	need := func(name, fg, onName, bg string) {
		if c := Contrast(fg, bg); c < t.Contrast {
			out = append(out, fmt.Sprintf("%s on %s: contrast %.1f, should be %.1f", name, onName, c, t.Contrast))
		}
	}
	for _, c := range p.tokens() {
		switch c.name {
		case "background", "surface", "overlay", "selection", "border", "on-accent":
		default:
			need(c.name, c.value, "background", p.Background)
		}
	}
	need("text", p.Text, "surface", p.Surface)
	need("text", p.Text, "overlay", p.Overlay)
	need("text", p.Text, "selection", p.Selection)
	need("muted", p.Muted, "surface", p.Surface)
	need("muted", p.Muted, "overlay", p.Overlay)
	need("on-accent", p.OnAccent, "accent", p.Accent)
	return out
}
