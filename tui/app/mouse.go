package app

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
	"darkroom/tui/widgets/zone"
)

const doubleClick = 400 * time.Millisecond

// mouse routes a mouse event. Zones of the shell begin with "shell:" or belong to its overlays;
// all others belong to the visible screen.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	z, hit := m.zones.At(msg.X, msg.Y)
	switch {
	case msg.Button == tea.MouseButtonWheelUp || msg.Button == tea.MouseButtonWheelDown:
		delta := 1
		if msg.Button == tea.MouseButtonWheelUp {
			delta = -1
		}
		if m.overlay != noOverlay {
			m.overlayWheel(delta)
			return nil
		}
		return m.toScreen(m.active, screen.WheelMsg{Zone: z.ID, Delta: delta})
	case msg.Action != tea.MouseActionPress || msg.Button != tea.MouseButtonLeft:
		return nil
	}
	if m.overlay != noOverlay {
		return m.overlayClick(zone.Click{Zone: z.ID}, hit)
	}
	if !hit {
		return nil
	}
	if m.toasts.Dismiss(z.ID) {
		return nil
	}
	if name, ok := strings.CutPrefix(z.ID, "tab:"); ok && msg.Y == 0 {
		return m.show(m.index(screen.ID(name)))
	}
	if name, ok := strings.CutPrefix(z.ID, "shell:"); ok {
		return m.do(name)
	}
	now := m.o.Now()
	double := m.lastClick.zone == z.ID && now.Sub(m.lastClick.at) < doubleClick
	m.lastClick = click{zone: z.ID, at: now}
	if double {
		m.lastClick = click{}
	}
	return m.toScreen(m.active, screen.ClickMsg{Zone: z.ID, X: msg.X - z.Rect.X, Y: msg.Y - z.Rect.Y, Double: double})
}
