package compose

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// makePreview makes the request anew. At most one command is on its way: what changes
// meanwhile is made when it has come back, so that the newest draft wins.
func (m *Model) makePreview() tea.Cmd {
	if m.preview.busy {
		m.preview.stale = true
		return nil
	}
	m.preview.busy, m.preview.stale = true, false
	var wire []string
	if m.preview.tab == tabWire {
		wire = m.reaching()
	}
	if wire == nil {
		return request(m.deps.Gateway, m.draft, m.effective().format)
	}
	return requestIn(m.deps.Gateway, m.draft, m.effective().format, m.wideDraft(), wire)
}

func (m *Model) previewed(msg previewMsg) tea.Cmd {
	m.preview.busy, m.preview.have = false, true
	m.preview.got = msg
	m.refresh() // what the format drops is among the checks
	m.showPreview()
	if m.preview.stale {
		return m.makePreview()
	}
	return nil
}

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
func (m *Model) Flush() error { return errors.Join(m.flushImprove(), m.flushDrafts()) }

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
	cmds := []tea.Cmd{m.makePreview(), m.armSave(), m.lookAtFiles(), m.lookAtTemplate(), m.findOrigin()}
	if msg.err != nil {
		cmds = append(cmds, screen.Toast(screen.Warn, "a draft was not read: "+client.CleanLine(msg.err.Error())))
	}
	return tea.Batch(cmds...)
}

// former is a form that another one took the place of.
type former struct {
	screen.ComposeDraft
	origin *origin
	copies string
}

// oneCopy is what a form begins with: how often one request is sent says nothing of another.
const oneCopy = "1"

func (m *Model) setCopies(n string) { m.form.SetText(rowCopies, n) }

// maxFormers bounds how many are kept.
const maxFormers = 20

// filled puts a draft from elsewhere into the form. What was there can be brought back.
func (m *Model) filled(from screen.ComposeDraft) tea.Cmd {
	m.keepFormer()
	m.setCopies(oneCopy)
	m.fill(from.Draft, from.Format)
	m.tookMode(from)
	m.origin = m.originOf(from)
	m.form.Focus(client.FieldPrompt)
	m.onlyPane = false
	return m.replaced()
}

// replaced follows when the form is another one: until something is changed in it, undo
// brings the former one back.
func (m *Model) replaced() tea.Cmd {
	cmd := m.touched()
	m.unfilled = m.save.revision
	return cmd
}

func (m *Model) keepFormer() {
	if m.blank() {
		return
	}
	m.formers = append(m.formers, former{m.whole(), m.origin, m.form.Text(rowCopies)})
	if len(m.formers) > maxFormers {
		m.formers = slices.Delete(m.formers, 0, 1)
	}
}

// clearForm empties the form; doing it again on an empty form brings it back.
func (m *Model) clearForm() tea.Cmd {
	if m.blank() {
		if m.copies() > 1 {
			m.setCopies(oneCopy)
			return m.changed(rowCopies)
		}
		return m.bringBack()
	}
	m.keepFormer()
	m.setCopies(oneCopy)
	c := m.chosen[m.modality]
	m.fill(client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode, Values: m.kinds.presets[m.modality]}, c.format)
	m.tookMode(screen.ComposeDraft{})
	m.origin = nil
	m.form.Focus(client.FieldPrompt)
	return tea.Batch(m.replaced(), screen.Toast(screen.Info, "cleared; the same again brings it back"))
}

// bringBack puts the newest former form in the place of this one, which becomes the oldest:
// again and again it goes through all of them.
func (m *Model) bringBack() tea.Cmd {
	n := len(m.formers)
	if n == 0 {
		return nil
	}
	was := m.formers[n-1]
	m.formers = m.formers[:n-1]
	if !m.blank() {
		m.formers = slices.Insert(m.formers, 0, former{m.whole(), m.origin, m.form.Text(rowCopies)})
	}
	m.setCopies(was.copies)
	m.fill(was.Draft, was.Format)
	m.tookMode(was.ComposeDraft)
	m.origin = was.origin
	return m.replaced()
}

// undone takes a fill back where nothing was changed since; false when there is none.
func (m *Model) undone(key string) (tea.Cmd, bool) {
	if key != "ctrl+_" && key != "ctrl+z" || m.unfilled != m.save.revision || m.unfilled == 0 || len(m.formers) == 0 {
		return nil, false
	}
	return m.bringBack(), true
}
