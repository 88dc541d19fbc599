package preview

import (
	"strings"

	"darkroom/client/mediainfo"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Card returns what stands in place of a picture: what the file says of itself, in exactly w x h
// cells, the most telling first.
func Card(st *themes.Styles, info mediainfo.Info, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	var lines []string
	muted := widgets.NewInk(st.Muted)
	lines = append(lines, widgets.NewInk(st.Accent).Text(sign(info.Kind))+" "+widgets.NewInk(st.Strong).Text(info.Title()))
	for _, l := range info.Facts() {
		lines = append(lines, "  "+muted.Text(l))
	}
	for i, t := range info.Tags {
		if i == 4 || len(lines) >= h-3 { // the sound itself has to show too
			break
		}
		lines = append(lines, "  "+muted.Text(t.Name+" ")+widgets.NewInk(st.Text).Text(widgets.Truncate(t.Value, w-4-len(t.Name))))
	}
	if n := min(w-4, 60); len(info.Wave) > 0 && n > 4 {
		lines = append(lines, "")
		for _, l := range waveLines(st, info.Wave, n, h) {
			lines = append(lines, "  "+l)
		}
	}
	wide := 0
	for _, l := range lines {
		wide = max(wide, widgets.Width(l))
	}
	left := strings.Repeat(" ", max(0, (w-wide)/2))
	for i := range lines {
		lines[i] = left + lines[i]
	}
	top := max(0, (h-len(lines))/2)
	return widgets.Fit(strings.Repeat("\n", top)+strings.Join(lines, "\n"), w, h)
}

// waveFrom is the height of a card from which its waveform has several lines.
const waveFrom = 12

// waveLines draws the loudness over time, the louder the higher, in w cells of a card of h lines.
func waveLines(st *themes.Styles, wave []float64, w, h int) []string {
	if h < waveFrom {
		return []string{widgets.Spark(st, wave, w)}
	}
	out := bars(wave, w, min(6, h-waveFrom+3))
	ink := widgets.NewInk(st.Accent)
	for i, l := range out {
		out[i] = ink.Text(l)
	}
	return out
}

// bars draws values as w columns on rows lines; the largest value takes the full height.
func bars(wave []float64, w, rows int) []string {
	bins, peak := make([]float64, w), 0.0
	for x := range bins {
		for i := x * len(wave) / w; i < max((x+1)*len(wave)/w, x*len(wave)/w+1); i++ {
			bins[x] = max(bins[x], wave[i])
		}
		peak = max(peak, bins[x])
	}
	const eighths = " ▁▂▃▄▅▆▇█"
	steps := []rune(eighths)
	out := make([]string, rows)
	for y := range out {
		var b strings.Builder
		for _, v := range bins {
			n := 1
			if peak > 0 {
				n = max(1, int(v/peak*float64(8*rows)+0.5))
			}
			b.WriteRune(steps[max(0, min(8, n-8*(rows-1-y)))])
		}
		out[y] = b.String()
	}
	return out
}

func sign(k mediainfo.Kind) string {
	switch k {
	case mediainfo.Video:
		return "▶"
	case mediainfo.Audio:
		return "♪"
	case mediainfo.Picture:
		return "▣"
	default:
		return "▤"
	}
}
