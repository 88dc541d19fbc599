package chat

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
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
		return m.do(msg.ID)
	case screen.EditedMsg:
		return m.edited(msg)
	case screen.ChatModel:
		m.model.SetValue(msg.Model)
		m.setFocus(inputPane)
		return m.changed()
	case screen.TickMsg:
		m.beat++
	case screen.HiddenMsg:
		return m.saveNow()
	case talk.PartMsg:
		return m.partCame(msg)
	case modelsMsg:
		m.remote.busy, m.remote.have, m.remote.list, m.remote.err = false, msg.err == nil, msg.list, msg.err
		if m.dialog.kind == modelDialog {
			m.dialog.picker.SetItems(m.modelItems(m.dialog.picker.Query()))
		}
	case saveTick:
		m.save.armed = false
		return m.saveNow()
	case savedMsg:
		return m.saved(msg)
	default:
		return m.kept(msg)
	}
	return nil
}

// kept handles what the store answers.
func (m *Model) kept(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listedMsg:
		return m.listed(msg)
	case openedMsg:
		if msg.err != nil {
			return screen.Toast(screen.Bad, "the conversation was not opened: "+client.CleanLine(msg.err.Error()))
		}
		if m.stream != nil { // one was begun meanwhile
			return screen.Toast(screen.Warn, "the conversation was not opened: an answer is coming")
		}
		cmd := m.leave()
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
		case msg.have && m.save.revision == 0 && m.stream == nil:
			m.show(msg.newest)
		case len(msg.list) > 0 && m.model.Value() == "":
			m.model.SetValue(msg.list[0].Model)
			m.began.Model = m.model.Value()
		}
	}
	if m.dialog.kind == listDialog {
		m.dialog.picker.SetItems(m.listItems())
	}
	return cmd
}

// show puts a conversation in the place of the one that shows.
func (m *Model) show(c Conversation) {
	m.key++
	m.conv, m.began = c, c
	m.laid, m.talk = nil, window{follow: true, reasoning: m.talk.reasoning}
	m.save = saveState{armed: m.save.armed}
	m.input.SetValue(c.Draft)
	m.system.SetValue(c.System)
	m.model.SetValue(c.Model)
	// A field may hold a text more tidily than the file: that is no change.
	m.began.Draft, m.began.System, m.began.Model = m.input.Value(), m.system.Value(), m.model.Value()
	m.past.reset(c.Messages)
	m.setFocus(inputPane)
}

// begin shows an empty conversation, with the model and the system prompt of the one before.
func (m *Model) begin() tea.Cmd {
	cmd := m.leave()
	m.show(Conversation{Model: m.model.Value(), System: m.system.Value()})
	return cmd
}
