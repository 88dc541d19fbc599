package chat

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/client/kept"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.fresh = false
	return m, m.handle(msg)
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.keyMsg(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.WheelMsg:
		m.wheel(msg)
	case screen.ActionMsg:
		return m.commands.Do(m, msg.ID)
	case screen.EditedMsg:
		return m.edited(msg)
	case screen.ChatModel:
		m.model.SetValue(msg.Model)
		m.setFocus(inputPane)
		return m.keep.changed()
	case screen.TickMsg:
		m.talk.beat++
	case screen.HiddenMsg:
		return m.keep.save(m.snapshot)
	case talk.PartMsg:
		return m.part(msg)
	case modelsMsg:
		m.remote.busy, m.remote.have, m.remote.list, m.remote.err = false, msg.err == nil, msg.list, msg.err
		if m.dialog.kind == modelDialog {
			m.dialog.picker.SetItems(m.modelItems(m.dialog.picker.Query()))
		}
	case saveTick:
		m.keep.armed = false
		return m.keep.save(m.snapshot)
	case savedMsg:
		return m.saved(msg)
	default:
		return m.kept(msg)
	}
	return nil
}

// kept handles the answers of the store.
func (m *Model) kept(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listedMsg:
		return m.listed(msg)
	case openedMsg:
		if msg.err != nil {
			return screen.Toast(screen.Bad, "the conversation was not opened: "+client.CleanLine(msg.err.Error()))
		}
		if m.talk.coming() { // one was begun meanwhile
			return screen.Toast(screen.Warn, "the conversation was not opened: an answer is coming")
		}
		cmd := m.keep.leave(m.snapshot)
		m.show(msg.conv)
		return cmd
	case deletedMsg:
		if msg.err != nil {
			return screen.Toast(screen.Bad, "not deleted: "+client.CleanLine(msg.err.Error()))
		}
		return screen.Toast(screen.Info, "deleted “"+msg.title+"”")
	}
	return nil
}

// listed takes over what is kept: at the start the newest conversation, unless something
// was begun before it came, and in any case its model.
func (m *Model) listed(msg listedMsg) tea.Cmd {
	m.list = msg.list
	var cmd tea.Cmd
	for _, err := range []error{msg.err, msg.loadErr} {
		if err != nil {
			cmd = tea.Batch(cmd, screen.Toast(screen.Warn, client.CleanLine(err.Error())))
		}
	}
	if msg.first {
		m.loading = false
		switch {
		case msg.have && m.keep.revision == 0 && !m.talk.coming():
			m.show(msg.newest)
		case len(msg.list) > 0 && m.model.Value() == m.deps.Model:
			m.model.SetValue(cmp.Or(msg.list[0].Model, m.deps.Model))
			m.keep.began.Model = m.model.Value()
		}
	}
	if m.dialog.kind == listDialog {
		m.dialog.picker.SetItems(m.listItems())
	}
	return cmd
}

// show replaces the conversation that shows.
func (m *Model) show(c kept.Conversation) {
	c.Model = cmp.Or(c.Model, m.deps.Model)
	m.talk.conv = c
	m.keep.begin(m.fields.show(c)) // what the fields make tidier is no change
	m.read.begin()
}

// begin shows an empty conversation, with the model and the system prompt of the last one, but for
// the one by which Compose has prompts improved.
func (m *Model) begin() tea.Cmd {
	cmd := m.keep.leave(m.snapshot)
	c := kept.Conversation{Model: m.model.Value(), System: m.system.Value()}
	if improve.Instructs(c.System) {
		c.System = ""
	}
	m.show(c)
	return cmd
}
