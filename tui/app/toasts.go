package app

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/toast"
	"darkroom/tui/widgets/zone"
)

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

// show shows a text of the shell's own for as long as it takes to read.
func (t *toasts) show(l screen.Level, text string) tea.Cmd { return t.showFor("", l, text) }

// showFor is show for a text that a screen says: it ends with the screen.
func (t *toasts) showFor(owner screen.ID, l screen.Level, text string) tea.Cmd {
	stay := toastShort
	if l >= screen.Warn {
		stay = toastLong
	}
	return t.push(owner, l, text, stay)
}

// keep shows a text until it is dismissed with a click.
func (t *toasts) keep(l screen.Level, text string) tea.Cmd { return t.push("", l, text, toastStays) }

func (t *toasts) push(owner screen.ID, l screen.Level, text string, stay time.Duration) tea.Cmd {
	t.Push(toast.Level(l), string(owner), client.CleanLine(text), t.now().Add(stay))
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

// withToasts lays the newest toast over a frame where it hides the least.
func (m *Model) withToasts(frame string) string {
	if m.toasts.Len() == 0 {
		return frame
	}
	_, zones := zone.Scan(frame)
	room := toast.Room{Above: 1, Below: 1, Typing: m.typing()}
	for _, z := range zones {
		if isPressed(z.ID) {
			room.Pressed = append(room.Pressed, z.Rect)
		}
	}
	return m.toasts.Over(m.st, frame, room)
}

// isPressed reports whether a zone can be pressed: a button, a tab, or the like.
func isPressed(id string) bool {
	return strings.HasPrefix(id, "btn:") || strings.HasPrefix(id, "tab:") || strings.HasPrefix(id, "shell:")
}
