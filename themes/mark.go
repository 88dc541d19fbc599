package themes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// named are the colours that have a name besides the roles, for what a person marks.
func named() []token {
	return []token{
		{"red", "#c62828"}, {"orange", "#e65100"}, {"yellow", "#fdd835"}, {"green", "#2e7d32"}, {"teal", "#00796b"},
		{"cyan", "#4dd0e1"}, {"blue", "#1565c0"}, {"purple", "#6a1b9a"}, {"pink", "#f06292"}, {"brown", "#6d4c41"}, {"grey", "#616161"},
	}
}

// roles are the colours of a palette that a mark may have.
func (p Palette) roles() []token {
	return []token{{"accent", p.Accent}, {"good", p.Good}, {"warn", p.Warn}, {"bad", p.Bad}, {"info", p.Info}}
}

// ParseMark reads the colour of a mark: a role of the theme (accent, good, warn, bad, info), the
// name of a colour, or "#rrggbb". It returns what [Styles.Mark] takes.
func ParseMark(s string) (string, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	if _, err := parseHex(word); err == nil {
		return word, nil
	}
	all := append(Palette{}.roles(), named()...)
	if slices.ContainsFunc(all, func(t token) bool { return t.name == word }) {
		return word, nil
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.name
	}
	return "", fmt.Errorf("%q is not a colour: give one of %s, or #rrggbb", s, strings.Join(names, ", "))
}

// Mark is the style of a mark in a colour that [ParseMark] took: that background, with black or
// white text on it, whichever is read better. Without colours it is reversed.
func (s *Styles) Mark(color string) lipgloss.Style {
	hex := color
	for _, t := range append(s.Palette.roles(), named()...) {
		if t.name == color {
			hex = t.value
		}
	}
	m := maker{r: s.Renderer, plain: s.Plain}
	ink := "#000000"
	if Contrast("#ffffff", hex) > Contrast(ink, hex) {
		ink = "#ffffff"
	}
	return m.on(ink, hex).Bold(true)
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
