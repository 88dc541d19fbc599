package queue

import (
	"reflect"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
)

const scope = string(screen.Queue)

// key handles a key: a dialog first, then the filter, then actions, then moving.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	m.toEnd = 0
	switch {
	case m.dialog.question.typed():
		return m.typedKey(msg)
	case m.dialog.question != noQuestion:
		return m.answer(m.dialog.confirm.HandleKey(msg.String()))
	case m.filtering:
		return m.filterKey(msg)
	case msg.Paste:
		return nil // text that nobody asked for is no list of commands
	}
	var cmds []tea.Cmd
	for _, k := range keys.Split(msg) {
		cmds = append(cmds, m.command(k.String()))
		m.settle() // the next key means the job on which this one has put the cursor
		if m.Capturing() {
			break // the rest was not meant for what has opened
		}
	}
	return tea.Batch(cmds...)
}

// command does what a single key means. Keys of actions go before those that move, but
// for the space bar, which turns pages in the detail.
func (m *Model) command(name string) tea.Cmd {
	m.toEnd = 0
	if m.zoom.on {
		return m.zoomCommand(name)
	}
	if m.focus == detailPane {
		if cmd, ok := m.chainKey(name); ok {
			return cmd
		}
		switch name {
		case "left", "right":
			if name == "left" {
				m.side(-1)
			} else {
				m.side(1)
			}
			return nil
		case " ":
			m.scroll.HandleKey(name)
			return nil
		}
	}
	if id, ok := m.deps.Keys.Lookup(scope, name); ok {
		return m.do(id)
	}
	if m.focus == tablePane {
		if !m.gallery.on || !m.moveCell(name) {
			m.table.HandleKey(name)
		}
		if name == "end" || name == "G" { // read on to it: see nearEnd
			m.toEnd = m.jobs.len() + maxToEnd
		}
		return nil
	}
	switch name {
	case "h":
		name = "left"
	case "l":
		name = "right"
	}
	m.scroll.HandleKey(name)
	return nil
}

func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "down", "tab":
		m.endFilter()
		return nil
	case "esc":
		m.endFilter()
		if m.filter.Value() == "" {
			return nil
		}
		m.filter.SetValue("")
		return m.setFilter()
	}
	before := m.filter.Value()
	var cmd tea.Cmd
	m.filter, cmd = m.filter.Update(cleanKey(msg))
	if m.filter.Value() != before {
		return tea.Batch(cmd, m.setFilter())
	}
	return cmd
}

// cleanKey makes typed and pasted text safe to draw.
func cleanKey(msg tea.KeyMsg) tea.KeyMsg {
	if msg.Type == tea.KeyRunes {
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	return msg
}

func (m *Model) endFilter() {
	m.filtering = false
	m.filter.Blur()
	m.layout()
}

// setFilter reads the filter and asks for it after a moment without typing. A filter
// that says nothing leaves the list as it is.
func (m *Model) setFilter() tea.Cmd {
	q, err := parseFilter(m.filter.Value())
	m.filterErr = ""
	if err != nil {
		m.filterErr = client.CleanLine(err.Error())
	}
	m.layout()
	if err != nil {
		return nil
	}
	q = m.wanted(q)
	if reflect.DeepEqual(q, m.read.query) && m.read.err == nil {
		return nil // a blank more
	}
	m.read.query = q
	m.read.gen++
	m.guest = ""
	return waitFilter(m.read.gen)
}

// click handles a press of the mouse on a zone.
func (m *Model) click(msg screen.ClickMsg) tea.Cmd {
	m.toEnd = 0
	if m.dialog.question != noQuestion {
		id, ok := strings.CutPrefix(msg.Zone, "btn:")
		if ok && (id == yes || id == no) {
			return m.answer(id)
		}
		return nil
	}
	if m.filtering && msg.Zone != "filter" {
		m.endFilter()
	}
	if cmd, ok := m.clickPicture(msg); ok {
		return cmd
	}
	switch {
	case m.table.Click(msg.Zone):
		m.setFocus(tablePane)
		m.settle()
		if msg.Double {
			return m.do("queue.open")
		}
	case msg.Zone == "detail":
		m.setFocus(detailPane)
	case msg.Zone == "filter":
		return m.do("queue.filter")
	case strings.HasPrefix(msg.Zone, "btn:"+scope+"."):
		return m.do(strings.TrimPrefix(msg.Zone, "btn:"))
	default:
		for s := facts; s < sections; s++ {
			if msg.Zone == "tab:"+s.String() {
				m.setFocus(detailPane)
				m.setSection(s)
			}
		}
	}
	return nil
}

func (m *Model) wheel(msg screen.WheelMsg) {
	m.toEnd = 0
	switch {
	case m.dialog.question != noQuestion:
	case m.zoom.on:
		m.wheelZoom(msg.Delta)
	case m.gallery.on && m.tableShows() && msg.Zone != "detail":
		m.wheelCells(msg.Delta)
	case msg.Zone == "detail" || !m.tableShows():
		m.scroll.Wheel(msg.Delta)
	default:
		m.table.Wheel(msg.Delta)
	}
}

// Actions implements screen.Screen.
func (m *Model) Actions() []screen.Action {
	var out []screen.Action
	for _, a := range m.deps.Keys.Actions(scope) {
		out = append(out, screen.Action{ID: a.ID, Title: a.Title, Off: m.off(a.ID)})
	}
	return append(m.zoomActions(), out...)
}

// ShortHelp implements help.KeyMap.
func (m *Model) ShortHelp() []key.Binding {
	k := m.deps.Keys
	switch {
	case m.dialog.question.typed():
		return []key.Binding{fixed("enter", strings.ToLower(m.asked().button)), fixed("esc", "leave it")}
	case m.dialog.question != noQuestion:
		return []key.Binding{fixed("y", "yes"), fixed("n", "no"), fixed("←→", "choose")}
	case m.filtering:
		return []key.Binding{fixed("enter", "keep"), fixed("esc", "clear")}
	case m.zoom.on:
		return m.zoomHelp()
	}
	short := []key.Binding{k.Short("queue.open", "open")}
	if m.focus == detailPane {
		short = []key.Binding{k.Short("queue.clear-filter", "back"), fixed("←→", "sections")}
	}
	for _, a := range m.buttons() {
		if m.offers(a.id) {
			short = append(short, k.Short(a.id, a.label))
		}
	}
	return append(short, k.Short("queue.filter", "filter"), k.Short("queue.mark", "mark"), k.Short("queue.gallery", m.otherView()))
}

// FullHelp implements help.KeyMap.
func (m *Model) FullHelp() [][]key.Binding {
	var actions []key.Binding
	for _, a := range m.deps.Keys.Actions(scope) {
		actions = append(actions, m.deps.Keys.Binding(a.ID))
	}
	move := []key.Binding{fixed("↑↓ j k", "move"), fixed("pgup pgdn", "a page"), fixed("g G", "first, last of all"), fixed("← →", "sections of the detail"), fixed("h l", "the detail sideways")}
	return [][]key.Binding{actions, move, m.zoomKeys()}
}

func fixed(k, what string) key.Binding { return key.NewBinding(key.WithKeys(k), key.WithHelp(k, what)) }
