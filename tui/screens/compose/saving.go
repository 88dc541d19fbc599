package compose

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/autosave"
	"darkroom/tui/screens/compose/internal/sheet"
)

// Flush saves what is not on the disk yet, whatever was left lying when the loop ended.
// Drafts that were never read are read first, so that what they hold is not lost.
func (m *Model) Flush() error {
	m.releaseAll("the end came") // nobody runs what it asks for: what was pasted and typed is in the form
	return errors.Join(m.over.Flush(), m.save.Flush(sheet.Modalities(), m.takeKept, m.sheet.Kept))
}

// unsavedPaste tells what is pasted or typed and not in the form yet, and what becomes of it at
// quit; "" for nothing.
func (m *Model) unsavedPaste() string {
	if lost := m.pasting.Unsaved(); lost != "" {
		return lost
	}
	switch {
	case m.over.Has(askAttach):
		return "A question about files of this machine is open in Compose: quitting leaves them out, keeps the rest in the form, and submits nothing."
	case m.asksOfPaste():
		return "A question about what was pasted in Compose is open: quitting keeps it as text, with what was typed behind it, and submits nothing."
	case m.pasting.Waiting():
		return "What was typed in Compose waits for a choice: quitting keeps it in the form, and submits nothing."
	}
	return ""
}

// handleLoaded puts the drafts that were kept into the form.
func (m *Model) handleLoaded(msg autosave.LoadedMsg) tea.Cmd {
	m.save.Loaded()
	m.takeKept(msg.Drafts)
	m.refresh()
	cmds := []tea.Cmd{m.makeRequest(), m.save.Arm(), m.sheet.LookAtFiles(), m.sheet.LookAtTemplate(m.deps.wildcards), m.findOrigin()}
	if msg.Err != nil {
		cmds = append(cmds, screen.Toast(screen.Warn, "a draft was not read: "+client.CleanLine(msg.Err.Error())))
	}
	return tea.Batch(cmds...)
}

// takeKept puts kept drafts into the form.
func (m *Model) takeKept(drafts map[client.Modality]screen.ComposeDraft) {
	m.sheet.Restored(drafts, m.dialogOpen())
}

// filled puts a draft from elsewhere into the form. What was there can be brought back.
func (m *Model) filled(from screen.ComposeDraft) tea.Cmd {
	if from.Draft.Cut { // a form has no place for the rest
		return screen.Toast(screen.Bad, client.ErrCut.Error())
	}
	m.sheet.Take(from)
	m.onlyPane = false
	return m.replaced()
}

// replaced follows when the form is another one: until something is changed in it, undo
// brings the former one back.
func (m *Model) replaced() tea.Cmd {
	cmd := m.touched()
	m.unfilled = m.save.Revision()
	return cmd
}

// clearForm empties the form; doing it again on an empty form brings it back.
func (m *Model) clearForm() tea.Cmd {
	if !m.sheet.Blank() {
		m.sheet.Empty()
		return tea.Batch(m.replaced(), screen.Toast(screen.Info, "cleared; the same again brings it back"))
	}
	if m.sheet.Copies() > 1 {
		m.sheet.SetCopies(sheet.OneCopy)
		return m.changed(sheet.RowCopies)
	}
	return m.bringBack()
}

// bringBack puts the newest former form in the place of this one.
func (m *Model) bringBack() tea.Cmd {
	if !m.sheet.Restore() {
		return nil
	}
	return m.replaced()
}

// undone takes a fill back where nothing was changed since; false when there is none.
func (m *Model) undone(key string) (tea.Cmd, bool) {
	if key != "ctrl+_" && key != "ctrl+z" || m.unfilled != m.save.Revision() || m.unfilled == 0 || len(m.sheet.Formers) == 0 {
		return nil, false
	}
	return m.bringBack(), true
}
