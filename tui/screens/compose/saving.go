package compose

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// armSave wakes up once, some time after the first change that is not saved.
func (m *Model) armSave() tea.Cmd {
	if m.deps.Drafts == nil || m.save.armed || m.save.busy || m.save.saved == m.save.revision {
		return nil
	}
	m.save.armed = true
	return m.later()
}

// saveNow writes what has changed, unless that is being done.
func (m *Model) saveNow() tea.Cmd {
	if m.deps.Drafts == nil || m.save.busy || !m.save.loaded || m.save.saved == m.save.revision {
		return nil
	}
	m.save.busy = true
	return store(m.writer, m.kept(), m.save.revision)
}

// Flush saves what is not on the disk yet, whatever was left lying when the loop ended.
// Drafts that were never read are read first, so that what they hold is not lost.
func (m *Model) Flush() error {
	m.releaseAll("the end came") // nobody runs what it asks for: what was pasted and typed is in the form
	return errors.Join(m.flushImprove(), m.flushDrafts())
}

// unsavedPaste tells what is pasted or typed and not in the form yet, and what becomes of it at
// quit; "" for nothing.
func (m *Model) unsavedPaste() string {
	p := &m.pasting
	switch {
	case p.on && p.text == nil:
		return "Files that were chosen in Compose are still being looked at: quitting does not add them, and submits nothing."
	case p.on:
		return "What was pasted in Compose is still being looked at: quitting keeps it as text, and submits nothing."
	case m.requests.attach != nil:
		return "A question about files of this machine is open in Compose: quitting leaves them out, keeps the rest in the form, and submits nothing."
	case m.asksOfPaste():
		return "A question about what was pasted in Compose is open: quitting keeps it as text, with what was typed behind it, and submits nothing."
	case len(p.held) > 0:
		return "What was typed in Compose waits for a choice: quitting keeps it in the form, and submits nothing."
	}
	return ""
}

func (m *Model) flushDrafts() error {
	if m.deps.Drafts == nil || m.save.saved == m.save.revision {
		return nil
	}
	if !m.save.loaded {
		if msg, ok := load(m.deps.Drafts)().(loadedMsg); ok {
			m.restored(msg.drafts)
			m.save.loaded = true
		}
	}
	err := m.writer.write(m.kept(), m.save.revision)
	m.save.failed = err != nil
	if err == nil {
		m.save.saved = m.save.revision
	}
	return err
}

func (m *Model) saved(msg savedMsg) tea.Cmd {
	m.save.busy = false
	if msg.err != nil {
		first := !m.save.failed
		m.save.failed = true
		if !first {
			return nil // said once; the next change tries again
		}
		return screen.Toast(screen.Warn, "the draft is not saved: "+client.CleanLine(msg.err.Error()))
	}
	m.save.failed = false
	m.save.saved = msg.revision
	return m.armSave()
}

func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	m.save.loaded = true
	m.restored(msg.drafts)
	m.refresh()
	cmds := []tea.Cmd{m.makeRequest(), m.armSave(), m.lookAtFiles(), m.lookAtTemplate(), m.findOrigin()}
	if msg.err != nil {
		cmds = append(cmds, screen.Toast(screen.Warn, "a draft was not read: "+client.CleanLine(msg.err.Error())))
	}
	return tea.Batch(cmds...)
}
