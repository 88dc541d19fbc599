package models

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	if _, ok := msg.(screen.JobsMsg); ok {
		return m, nil // nothing here is about jobs
	}
	m.fresh = false
	return m, m.handle(msg)
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	case liveMsg:
		m.answered(msg)
	case screen.ShownMsg:
		return m.stars.load() // other screens and programs give stars too
	case probeRowMsg:
		return m.probeRow(msg)
	case probeMsg:
		m.probed(msg)
	case starsMsg:
		return m.stars.handle(msg)
	}
	return nil
}

// refresh asks the gateway's lists anew; requests under way are given up. The former answers stay
// until there are new ones.
func (m *Model) refresh() tea.Cmd {
	m.live.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	m.live.cancel = cancel
	m.live.gen++
	m.live.loading, m.live.asked = true, m.deps.Now()
	m.live.changes++
	m.layout()
	return ask(ctx, m.deps.Gateway, m.base, m.live.gen)
}

// answered takes the answers of the lists. If none of them answered, the former answers stay, and
// how each failed shows.
func (m *Model) answered(msg liveMsg) {
	l := &m.live
	if msg.gen != l.gen {
		return
	}
	l.cancel()
	l.loading, l.sources, l.err = false, msg.sources, msg.err
	if msg.err == nil {
		m.rows, m.tally = msg.rows, msg.tally
		l.have, l.of = true, l.asked
	}
	l.changes++
	m.apply(false)
	m.layout()
}

// settle makes the row under the cursor the current one.
func (m *Model) settle() {
	id := ""
	if r := m.selected(); r != nil {
		id = r.id
	}
	if id != m.current {
		m.current = id
		m.detail.SetTop(0)
	}
}

func (m *Model) setKind(i int) {
	n := len(kindNames())
	m.kind = (i + n) % n
	m.apply(false)
}

func (m *Model) setShow(s show) {
	m.show = s
	m.apply(false)
}

// family goes to the first model of the next family, or back to the first of this one
// and then of the one before.
func (m *Model) family(step int) {
	i := m.table.Cursor()
	if i < 0 {
		return
	}
	of := func(i int) string { return m.rows[m.visible[i]].family }
	start := func(i int) int {
		for i > 0 && of(i-1) == of(i) {
			i--
		}
		return i
	}
	if step < 0 {
		if first := start(i); first < i {
			i = first
		} else {
			i = start(max(0, i-1))
		}
	} else {
		j := i
		for j < len(m.visible) && of(j) == of(i) {
			j++
		}
		if j < len(m.visible) {
			i = j
		}
	}
	m.table.SetCursor(i)
	m.settle()
}
