package app

import (
	"slices"
	"strings"

	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

const toastWidth = 60 // cells, at most

// withToasts lays the toasts over a frame: at the lower right, or higher up where they would
// hide what can be pressed there.
func (m *Model) withToasts(frame string) string {
	if m.toasts.Len() == 0 {
		return frame
	}
	return m.toasts.Over(m.st, frame, m.belowToasts(frame))
}

// belowToasts is how many lines of a frame are left free below the toasts. Where they cover
// something wherever they are, only the line of help is.
func (m *Model) belowToasts(frame string) int {
	const help = 1
	all := m.toasts.View(m.st, min(m.w-2, toastWidth), m.h-help-1)
	w, h := widgets.Width(all), widgets.Height(all)
	_, zones := zone.Scan(frame)
	pressed := slices.DeleteFunc(zones, func(z zone.Zone) bool { return !isPressed(z.ID) })
	for below := help; m.h-below-h > 0; below++ {
		at := zone.Rect{X: m.w - 1 - w, Y: m.h - below - h, W: w, H: h}
		if !slices.ContainsFunc(pressed, func(z zone.Zone) bool { return overlap(z.Rect, at) }) {
			return below
		}
	}
	return help
}

// isPressed reports whether a zone is a button, a tab, or the like.
func isPressed(id string) bool {
	return strings.HasPrefix(id, "btn:") || strings.HasPrefix(id, "tab:") || strings.HasPrefix(id, "shell:")
}

func overlap(a, b zone.Rect) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}
