package app

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/toast"
	"darkroom/tui/widgets/zone"
)

const toastWidth = 60 // cells, at most

// How long toasts stay, by how much there is to read.
const (
	toastShort = 4 * time.Second
	toastLong  = 10 * time.Second
	toastStays = 365 * 24 * time.Hour // until it is clicked away
)

// toasts are the visible toasts, and the timer for the next one to expire.
type toasts struct {
	toast.Stack
	due time.Time // when the timer fires, zero for none
	now func() time.Time
}

// show shows a text for as long as it takes to read.
func (t *toasts) show(l screen.Level, text string) tea.Cmd {
	stay := toastShort
	if l >= screen.Warn {
		stay = toastLong
	}
	return t.push(l, text, stay)
}

// keep shows a text until it is dismissed with a click.
func (t *toasts) keep(l screen.Level, text string) tea.Cmd { return t.push(l, text, toastStays) }

func (t *toasts) push(l screen.Level, text string, stay time.Duration) tea.Cmd {
	t.Push(toast.Level(l), client.CleanLine(text), t.now().Add(stay))
	return t.arm()
}

// tick removes the toasts that have expired.
func (t *toasts) tick() tea.Cmd {
	t.Expire(t.now())
	t.due = time.Time{}
	return t.arm()
}

// arm sets one timer for the next toast to expire; none when there is no toast.
func (t *toasts) arm() tea.Cmd {
	next, ok := t.Next()
	if !ok || (!t.due.IsZero() && !next.Before(t.due)) {
		return nil
	}
	t.due = next
	return tea.Tick(max(0, next.Sub(t.now())), func(time.Time) tea.Msg { return toastTick{} })
}

// withToasts lays the toasts over a frame: at the lower right, or higher up where they would cover
// something clickable.
func (m *Model) withToasts(frame string) string {
	if m.toasts.Len() == 0 {
		return frame
	}
	return m.toasts.Over(m.st, frame, m.belowToasts(frame))
}

// belowToasts returns how many lines of a frame stay free below the toasts: the fewest at which
// they cover nothing that can be clicked. If there is no such height, only the help line stays
// free.
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

// isPressed reports whether a zone can be pressed: a button, a tab, or the like.
func isPressed(id string) bool {
	return strings.HasPrefix(id, "btn:") || strings.HasPrefix(id, "tab:") || strings.HasPrefix(id, "shell:")
}

func overlap(a, b zone.Rect) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}
