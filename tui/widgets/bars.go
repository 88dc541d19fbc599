package widgets

import (
	"math"
	"strings"

	"darkroom/themes"
)

// Progress is a bar of exactly w cells, filled by fraction (0 to 1, in halves of a cell). A
// fraction below 0 or not a number is unknown: a dotted line.
func Progress(st *themes.Styles, fraction float64, w int) string {
	if w <= 0 {
		return ""
	}
	rest := NewInk(st.Border)
	if fraction < 0 || math.IsNaN(fraction) {
		return rest.Text(strings.Repeat("╌", w))
	}
	done := NewInk(st.Accent)
	if fraction >= 1 {
		return NewInk(st.Good).Text(strings.Repeat("━", w))
	}
	n := int(fraction*float64(2*w) + 0.5)
	full, half := n/2, ""
	if n%2 == 1 {
		half = "╸"
	}
	return done.Text(strings.Repeat("━", full)+half) + rest.Text(strings.Repeat("─", w-full-n%2))
}

// Spark draws values as a line of columns in exactly w cells, scaled from 0 to the largest. When
// there are more values than cells, a cell shows the maximum of several; fewer are padded with
// blanks. Values that are not numbers or below 0 count as 0.
func Spark(st *themes.Styles, values []float64, w int) string {
	if w <= 0 {
		return ""
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	cells := min(w, len(values))
	peak := 0.0
	bins := make([]float64, cells)
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			v = 0
		}
		at := i * cells / len(values)
		bins[at] = max(bins[at], v)
		peak = max(peak, v)
	}
	var b strings.Builder
	for _, v := range bins {
		i := 0
		if peak > 0 {
			i = min(len(steps)-1, int(v/peak*float64(len(steps)-1)+0.5))
		}
		b.WriteRune(steps[i])
	}
	return NewInk(st.Accent).Text(b.String()) + blanks(w-cells)
}
