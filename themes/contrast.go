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

// What borders and signs need at least (WCAG's AA for what is no text), and what they need in a
// theme that promises enhanced contrast (AAA).
const (
	signContrast     = 3.0
	enhanced         = 7.0
	enhancedContrast = 4.5
)

// Problems lists, for people, the pairs of colours that are drawn on each other and
// have less contrast than the theme promises. The built-in themes have none; a palette
// of a person's own is only warned about.
func (t Theme) Problems() (out []string) {
	for _, p := range t.problems() {
		out = append(out, p.text)
	}
	return out
}

// problem is a pair of colours with too little contrast; name is the key of the one in front.
type problem struct{ name, text string }

func (t Theme) problems() (out []problem) {
	for _, p := range t.pairs() {
		if c := Contrast(p.front.value, p.back.value); c < p.least {
			out = append(out, problem{p.front.name, fmt.Sprintf("%s on %s: contrast %.1f, should be %.1f", p.front.name, p.back.name, math.Floor(10*c)/10, p.least)})
		}
	}
	return out
}

// pair is a colour that is drawn on another one.
type pair struct {
	front, back token
	least       float64
}

// pairs are the colours that are drawn on each other: text needs what the theme promises; borders,
// and signs and short words on a row that is selected, less.
func (t Theme) pairs() (out []pair) {
	p := t.Palette
	background, surface, overlay, selection := token{"background", p.Background}, token{"surface", p.Surface}, token{"overlay", p.Overlay}, token{"selection", p.Selection}
	sign := min(signContrast, t.Contrast)
	if t.Contrast >= enhanced {
		sign = enhancedContrast
	}
	for _, c := range p.tokens() {
		switch c.name {
		case "background", "surface", "overlay", "selection", "on-accent":
		case "border", "border-focus":
			out = append(out, pair{c, background, sign})
		default:
			out = append(out, pair{c, background, t.Contrast})
		}
	}
	text, muted := token{"text", p.Text}, token{"muted", p.Muted}
	out = append(out,
		pair{text, surface, t.Contrast}, pair{text, overlay, t.Contrast}, pair{text, selection, t.Contrast},
		pair{muted, surface, t.Contrast}, pair{muted, overlay, t.Contrast},
		pair{token{"on-accent", p.OnAccent}, token{"accent", p.Accent}, t.Contrast})
	for _, c := range append(p.roles(), muted) {
		out = append(out, pair{c, selection, sign})
	}
	return out
}
