package preview

import (
	"strings"

	"darkroom/client/human"
	"darkroom/client/mediainfo"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// thumbWave bounds the height, in lines, at which the loudness over time is drawn.
const thumbWave = 6

// Thumb is [Card] for little room: the duration and the loudness over time, or else what the file
// says of itself. It is exactly w x h cells.
func Thumb(st *themes.Styles, info mediainfo.Info, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	text := info.Title()
	if info.Duration > 0 {
		text = human.Dur(info.Duration)
	}
	accent, muted := widgets.NewInk(st.Accent), widgets.NewInk(st.Muted)
	lines := []string{accent.Text(sign(info.Kind)) + " " + widgets.Truncate(text, max(1, w-2))}
	if rows := min(h-1, thumbWave); len(info.Wave) > 0 && rows > 0 {
		for _, l := range bars(info.Wave, w, rows) {
			lines = append(lines, accent.Text(l))
		}
	} else {
		for _, l := range info.Facts() {
			lines = append(lines, muted.Text(widgets.Truncate(l, w)))
		}
	}
	return widgets.Fit(strings.Join(lines, "\n"), w, h)
}
