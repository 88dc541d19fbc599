package inspect

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/inspect/internal/sights"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	cmd := m.handle(msg)
	m.layout()
	return m, tea.Batch(cmd, m.loadPicture())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if cmd, ok := m.outside.Handle(msg); ok {
		return cmd
	}
	dialogs, taken := m.stack.Update(msg)
	if taken {
		return dialogs
	}
	return tea.Batch(dialogs, m.receive(msg))
}

// receive takes a message that is for the screen, too.
func (m *Model) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	case screen.InspectID:
		m.stack.Clear()
		m.input.SetValue(cleanID(msg.ID))
		return m.lookup()
	case screen.ShownMsg:
		return m.outside.Look()
	case screen.JobsMsg:
		return m.q.news(m.deps.Jobs)
	default:
		return takeAnswer(m, msg)
	}
	return nil
}

// takeAnswer takes what a command found.
func takeAnswer(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case detailMsg:
		if m.q.bundled == nil {
			m.q.told(msg)
		}
	case routeMsg:
		if msg.gen != m.q.gen {
			return nil
		}
		return tea.Batch(m.q.route(msg, m.deps.Gateway), m.saw(), countDrift(m))
	case sights.Due:
		if m.sights.Take(msg) && m.sights.Watching(m.q.asked) {
			m.q.at = m.deps.Now()
			return m.q.look(m.deps.Gateway)
		}
	case keptMsg:
		return m.kept(msg)
	case pastedMsg:
		return m.take(msg)
	case manyMsg:
		cmd := m.many.take(msg)
		if msg.done && msg.gen == m.many.gen {
			cmd = tea.Batch(cmd, countMany(m))
		}
		return cmd
	case resultMsg:
		m.q.result(msg)
	case historyMsg:
		return tea.Batch(m.history(msg), countDrift(m))
	case bundleMsg:
		return show(m, msg)
	case caseMsg:
		takeCase(m, msg)
	case savedMsg:
		return saved(m, msg)
	case preview.ReadyMsg:
		m.picture.Take(msg)
	}
	return nil
}

// lookup asks the history and the routes about the id in the input. Requests under way are given
// up.
func (m *Model) lookup() tea.Cmd {
	if v := m.input.Value(); v != "" && v == m.pasted.Value {
		return m.lookupOne(m.pasted)
	}
	all := inspect.Read(m.input.Value())
	switch len(all) {
	case 0:
		m.setFocus(inputPane)
		if strings.TrimSpace(m.input.Value()) == "" {
			return screen.Toast(screen.Warn, "type or paste an id first")
		}
		return screen.Toast(screen.Warn, "nothing in this looks like an id or an address")
	case 1:
	default:
		return m.lookUpAll(all)
	}
	return m.lookupOne(all[0])
}

// lookupOne asks the history and the routes about one subject.
func (m *Model) lookupOne(subject inspect.Subject) tea.Cmd {
	leaveBundle(m)
	m.pasted = subject
	m.input.SetValue(subject.Value)
	m.recent.add(subject.Value)
	m.listing = false
	m.picture = pictureBox{}
	m.facts.SetTop(0)
	m.fromTheTop()
	m.setFocus(factsPane)
	if !m.sights.Watching(subject.Value) {
		m.sights.Stop() // what shows is watched
	}
	return m.q.begin(m.deps.Gateway, m.deps.Jobs, subject, m.deps.Now())
}

// lookUpAll asks about all ids of a pasted text.
func (m *Model) lookUpAll(all []inspect.Subject) tea.Cmd {
	leaveBundle(m)
	m.listing = true
	m.setFocus(factsPane)
	d := lookup.Desk{Gateway: m.deps.Gateway, History: m.deps.Jobs, Profile: m.deps.Profile, Routes: m.deps.Catalog.Routes}
	if m.q.found.Only != "" {
		d.Only = []string{m.q.found.Only}
	}
	return m.many.begin(d, m.deps.Catalog, all)
}

// openCurrent shows the id under the cursor of the list by itself.
func (m *Model) openCurrent() tea.Cmd {
	if m.many.current() == "" {
		return nil
	}
	if m.hand.shown != nil {
		return showCase(m, m.many.table.Cursor())
	}
	return m.lookupOne(m.many.rows[m.many.table.Cursor()].subject)
}

// backToList shows the list again.
func (m *Model) backToList() {
	m.listing = true
	m.setFocus(factsPane)
}

// fromTheTop shows the matrix and the answer of new routes from their beginning.
func (m *Model) fromTheTop() {
	m.moved = false
	m.answer.SetTop(0)
}

func (m *Model) history(msg historyMsg) tea.Cmd {
	if msg.gen != m.q.gen || m.q.bundled != nil {
		return nil
	}
	cmd := m.q.history(msg, m.deps.Gateway, m.deps.Jobs, m.deps.Catalog.Routes)
	if m.q.gen != msg.gen { // the routes are others now
		m.fromTheTop()
	}
	return cmd
}
