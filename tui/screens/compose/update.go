package compose

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/pasted"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/request"
	"darkroom/tui/screens/compose/internal/sending"
	"darkroom/tui/screens/compose/internal/sheet"
	"darkroom/tui/screens/compose/internal/side"
	"darkroom/tui/widgets/form"
)

// Update implements screen.Screen.
func (m *Model) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	m.last.fresh = false
	if !types(msg) {
		m.doc.Settle()
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg, screen.ClickMsg, screen.ActionMsg:
		cmd = m.input(msg)
	case screen.WheelMsg:
		cmd = m.wheel(msg)
	default:
		known := tea.Batch(m.models.Update(msg), m.heads.Update(msg), m.refs.Update(msg), m.latest.Update(msg))
		over, _ := m.over.Update(msg)
		cmd = tea.Batch(known, over, m.follow(msg))
	}
	return m, tea.Batch(cmd, m.followLatest(), m.followShots(), m.keepLook())
}

// types reports whether a message is a letter, or the request that is made of what was typed, with which
// the checks come anyway. A letter behind others goes where they went: what moves the focus is none.
func types(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return !msg.Alt && !msg.Paste && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || msg.Type == tea.KeyBackspace)
	case request.MadeMsg:
		return true
	}
	return false
}

// followShots asks for the pictures of the references, and gives them their lines in the form.
func (m *Model) followShots() tea.Cmd {
	w, h := m.doc.Side.Room().FormSize()
	cmd, changed := m.shots.Follow(m.sheet.References(), &m.sheet.Known, w, h)
	if changed {
		m.sheet.Form.SetFields(m.sheet.Rows())
	}
	return cmd
}

// follow handles all messages but input: those of the shell, and the results of commands.
func (m *Model) follow(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pasted.LookedMsg:
		return m.pasting.Looked(msg)
	case screen.ComposeDraft:
		return tea.Batch(m.leaveDialogs(), m.doc.Fill(msg))
	case screen.JobsMsg:
		return m.jobsChanged()
	case preview.ReadyMsg:
		m.shots.Take(msg)
	case screen.HiddenMsg:
		m.shots.Hide(true)
		m.heads.Awaited = false                  // the person went elsewhere
		return m.doc.Saver.SaveNow(m.sheet.Kept) // quitting waits for it
	case screen.ShownMsg:
		m.shots.Hide(false)
		return m.models.Load() // Models and other programs give stars too
	case autosave.LoadedMsg:
		return tea.Batch(m.doc.Loaded(msg, m.over.Top() != nil), m.findOrigin())
	case jobMsg:
		return msg.then(msg.job, msg.err)
	case screen.ComposeResult:
		return m.refs.TakeResult(msg)
	case references.Msg:
		return m.handleMedia(msg)
	case sending.SentMsg:
		return m.handleSent(msg)
	case lookMsg:
		if m.doc.Side.Fold == side.ByRoom {
			m.doc.Side.Fold, m.look = side.Fold(msg.Request), side.Fold(msg.Request)
		}
	}
	if cmd, ok := m.doc.Update(msg); ok {
		return cmd
	}
	return m.edits.Update(msg)
}

// handleSent follows up a submission that was journalled, or could not be.
func (m *Model) handleSent(msg sending.SentMsg) tea.Cmd {
	said := m.sending.Sent(msg)
	m.outcomes.Sent(msg)
	batch := m.batches.Sent(msg)
	if msg.Err == nil && m.latest.Sent() {
		said = nil // it shows there
	}
	if msg.Err != nil {
		return tea.Batch(batch, said)
	}
	// In this order, whatever is known already: the newest toast tells the outcome.
	return tea.Batch(batch, m.models.Used(msg.Model), tea.Sequence(said, m.jobsChanged()))
}

// jobsChanged checks what became of the submissions made here. Where the results are in sight they say
// it, and no toast does.
func (m *Model) jobsChanged() tea.Cmd {
	said := m.outcomes.Look(func(j *jobs.Job) string {
		m.sheet.Refuse(j)
		return m.sheet.Refusal.Text
	})
	if m.doc.Side.Shows() && !m.latest.Hidden() {
		return nil
	}
	return said
}

// handle follows up a key or a click on the form.
func (m *Model) handle(ev form.Event) tea.Cmd {
	var cmds []tea.Cmd
	switch ev.Kind {
	case form.Changed:
		cmds = append(cmds, m.doc.Changed(ev.ID))
	case form.Opened:
		if _, ok := m.sheet.Pieces.Spec(ev.ID); ok {
			cmds = append(cmds, m.structured.Open(ev.ID, ev.Value, nil))
		} else {
			cmds = append(cmds, m.openPicker(ev.ID))
		}
	case form.Pressed:
		cmds = append(cmds, m.do(cmp.Or(ev.Value, sheet.ActMore)))
	}
	if ev.Left != "" {
		cmds = append(cmds, m.doc.Left(ev.Left))
		m.sheet.Form.SetFields(m.sheet.Rows()) // a folded field that was left empty goes
	}
	return tea.Batch(cmds...)
}

// handleMedia applies the references that were found, if the text is still the one they were found
// in.
func (m *Model) handleMedia(msg references.Msg) tea.Cmd {
	changed := m.sheet.Resolved(msg)
	m.over.Update(pieces.LearnedMsg{})
	var cmd tea.Cmd
	if len(changed) > 0 {
		cmd = m.sending.Found(changed, m.doc.Followed)
	} else {
		m.doc.Refresh()
	}
	switch msg.Then {
	case references.Submit:
		return tea.Batch(cmd, m.sending.Send())
	case references.GoOn:
		return tea.Batch(cmd, m.doc.Looked())
	default:
		return cmd
	}
}
