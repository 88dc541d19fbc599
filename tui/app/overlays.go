package app

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/keys"
	"darkroom/tui/widgets/helpbar"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/picker"
	"darkroom/tui/widgets/zone"
)

// openPalette lists all available actions: those of the visible screen first, then the shell's,
// then those of the other screens.
func (m *Model) openPalette() {
	var items []picker.Item
	for _, i := range m.order() {
		s := made(m, i)
		for _, a := range s.screen.Actions() {
			if i != m.active && a.Off != "" {
				continue
			}
			items = append(items, picker.Item{ID: a.ID, Title: a.Title, Group: s.title, Keys: m.o.Keys.Keys(a.ID), Off: a.Off})
		}
		if i == m.active {
			items = append(items, m.shellItems()...)
		}
	}
	m.palette = picker.New("Command palette", "what to do", items)
	m.overlay = paletteOverlay
}

func (m *Model) order() []int {
	out := []int{m.active}
	for i := range m.slots {
		if i != m.active {
			out = append(out, i)
		}
	}
	return out
}

func (m *Model) shellItems() []picker.Item {
	var items []picker.Item
	for i, s := range m.slots {
		id := actScreen + strconv.Itoa(i+1)
		items = append(items, picker.Item{ID: id, Title: "Go to " + s.title, Group: "Console", Keys: works(m, id)})
	}
	for _, a := range m.commands.Actions(m) {
		if a.ID == actPalette || strings.HasPrefix(a.ID, actScreen) {
			continue
		}
		items = append(items, picker.Item{ID: a.ID, Title: a.Title, Group: "Console", Keys: works(m, a.ID), Off: a.Off})
	}
	return items
}

func (m *Model) openHelp() {
	m.overlay = helpOverlay
	groups := helpbar.Groups(m.current().screen, m.current().title)
	for _, g := range groups {
		for i := range g.Bindings {
			b := &g.Bindings[i]
			if k := b.Keys(); len(k) > 1 && b.Help().Key == keys.Show(k[0]) { // others are said in the screen's own way
				b.SetHelp(allKeys(m, *b), b.Help().Desc)
			}
		}
	}
	console := helpbar.Group{Title: "Console"}
	for i, s := range m.slots {
		b := m.o.Keys.Binding(actScreen + strconv.Itoa(i+1))
		b.SetHelp(allKeys(m, b), s.title)
		console.Bindings = append(console.Bindings, b)
	}
	for _, a := range m.commands.Actions(m) {
		if !strings.HasPrefix(a.ID, actScreen) {
			b := m.o.Keys.Binding(a.ID)
			b.SetHelp(allKeys(m, b), a.Title)
			console.Bindings = append(console.Bindings, b)
		}
	}
	m.help = helpbar.NewSheet(append(groups, console))
}

func (m *Model) helpSize() (int, int) { return min(m.w-2, 76), m.h - 2 }

func (m *Model) paletteSize() (int, int) { return min(m.w-2, 76), min(m.h-2, 22) }

func (m *Model) overlayKey(msg tea.KeyMsg) tea.Cmd {
	name := msg.String()
	switch m.overlay {
	case paletteOverlay:
		return m.picked(m.palette.Update(msg))
	case helpOverlay:
		id, _ := m.commands.Lookup(name)
		if m.help.Update(msg) || id == actHelp {
			m.overlay = noOverlay
		}
	case quitOverlay:
		return m.quitAnswer(m.quit.Update(msg))
	}
	return nil
}

func (m *Model) overlayClick(c zone.Click, hit bool) tea.Cmd {
	switch {
	case !hit:
		if m.themes != nil {
			return m.themes.leave(m)
		}
		if m.overlay != quitOverlay {
			m.overlay = noOverlay
		}
	case m.overlay == paletteOverlay:
		return m.picked(m.palette.Click(c))
	case m.overlay == quitOverlay:
		return m.quitAnswer(m.quit.Click(c))
	}
	return nil
}

func (m *Model) overlayWheel(delta int) {
	switch m.overlay {
	case paletteOverlay:
		m.palette.Wheel(delta)
		if m.themes != nil {
			m.themes.follow(m, picker.None)
		}
	case helpOverlay:
		m.help.Wheel(delta)
	}
}

func (m *Model) picked(e picker.Event) tea.Cmd {
	if m.themes != nil {
		return m.themes.follow(m, e)
	}
	switch e {
	case picker.Cancelled:
		m.overlay = noOverlay
	case picker.Picked:
		m.overlay = noOverlay
		if item, ok := m.palette.Current(); ok {
			return m.do(item.ID)
		}
	}
	return nil
}

// over draws the overlays onto the frame. Under a dialog no zone of the frame may be hit, so the
// caller removes the frame's own marks first.
func (m *Model) over(frame string) string {
	switch m.overlay {
	case paletteOverlay:
		if m.themes != nil {
			return m.themes.view(m, frame)
		}
		w, h := m.paletteSize()
		return overlay.Dialog(m.st, frame, m.palette.View(m.st, w, h))
	case helpOverlay:
		w, h := m.helpSize()
		return overlay.Dialog(m.st, frame, m.help.View(m.st, w, h))
	case quitOverlay:
		return overlay.Dialog(m.st, frame, m.quit.View(m.st, m.w-4, m.h-2))
	}
	return frame
}
