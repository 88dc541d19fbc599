package chat

import (
	"errors"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/tui/screen"
)

// snapshot is a conversation as it was at a revision. key tells conversations of this
// console apart, whatever ids they are kept under.
type snapshot struct {
	key      int
	revision uint64
	conv     Conversation
}

// writer writes one snapshot after another. An older one that comes late, from a command
// that was slow, does not overwrite a newer one; and a conversation that had to be kept
// under another id stays there.
type writer struct {
	store Store
	mu    sync.Mutex
	done  map[int]uint64 // the newest revision on the disk
	ids   map[int]string // what it is kept as
}

func newWriter(s Store) *writer {
	return &writer{store: s, done: make(map[int]uint64), ids: make(map[int]string)}
}

func (w *writer) write(s snapshot) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := s.conv.ID
	if kept := w.ids[s.key]; kept != "" {
		id = kept
	}
	if s.revision <= w.done[s.key] {
		return id, nil
	}
	if id == "" {
		fresh, err := uuid.NewV7()
		if err != nil {
			return "", err
		}
		id = fresh.String()
	}
	s.conv.ID = id
	kept, err := w.store.Save(s.conv)
	if err != nil {
		return id, err
	}
	w.done[s.key], w.ids[s.key] = s.revision, kept
	return kept, nil
}

// remove deletes a conversation. What is still to be written of it stays unwritten.
func (w *writer) remove(id string, key int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if kept := w.ids[key]; kept != "" {
		id = kept
	}
	w.done[key] = ^uint64(0)
	if id == "" {
		return nil
	}
	return w.store.Delete(id)
}

// changed says that something is not on the disk yet.
func (m *Model) changed() tea.Cmd {
	m.save.revision++
	return m.armSave()
}

// armSave wakes up once, some time after the first change that is not saved.
func (m *Model) armSave() tea.Cmd {
	if m.writer == nil || m.save.armed || m.save.busy || m.save.saved == m.save.revision {
		return nil
	}
	m.save.armed = true
	return m.later()
}

// saveNow writes what has changed, unless that is being done.
func (m *Model) saveNow() tea.Cmd {
	if m.writer == nil || m.save.busy || m.save.saved == m.save.revision {
		return nil
	}
	s := m.snapshot()
	if !s.worth(m.began) {
		m.save.saved = m.save.revision
		return nil
	}
	m.save.busy = true
	return store(m.writer, s)
}

// snapshot is the conversation as it is now. The texts are shared, and never change.
func (m *Model) snapshot() snapshot {
	c := m.conv
	c.Draft, c.System, c.Model = m.input.Value(), m.system.Value(), m.model.Value()
	c.Messages = append(make([]Message, 0, len(m.conv.Messages)), m.conv.Messages...)
	c.Updated, c.Count = m.deps.Now(), len(c.Messages)
	c.Title = c.Named()
	return snapshot{key: m.key, revision: m.save.revision, conv: c}
}

// worth reports whether there is anything to keep: one that is kept already is.
func (s *snapshot) worth(began Conversation) bool {
	c := &s.conv
	return c.ID != "" || len(c.Messages) > 0 || c.Draft != "" || c.System != began.System || c.Model != began.Model
}

func (m *Model) saved(msg savedMsg) tea.Cmd {
	if msg.key != m.key { // of a conversation that was left
		if msg.err == nil {
			if m.left[msg.key].revision <= msg.revision {
				delete(m.left, msg.key)
			}
			return nil
		}
		return screen.Toast(screen.Bad, "the conversation before is not saved, quitting tries again: "+client.CleanLine(msg.err.Error()))
	}
	m.save.busy = false
	if msg.err != nil {
		first := !m.save.failed
		m.save.failed = true
		if !first {
			return nil // said once; the next change tries again
		}
		return screen.Toast(screen.Warn, "the conversation is not saved: "+client.CleanLine(msg.err.Error()))
	}
	was := m.conv.ID
	m.conv.ID, m.save.saved, m.save.failed = msg.kept, msg.revision, false
	var note tea.Cmd
	if was != "" && was != msg.kept {
		note = screen.Toast(screen.Warn, "another console changed this conversation: what is here goes on as a copy of its own")
	}
	return tea.Batch(note, m.armSave())
}

// leave has what is shown written once more, since another conversation takes its place.
func (m *Model) leave() tea.Cmd {
	if m.writer == nil || m.save.saved == m.save.revision {
		return nil
	}
	s := m.snapshot()
	if !s.worth(m.began) {
		return nil
	}
	m.left[m.key] = s
	return store(m.writer, s)
}

// Flush saves what is not on the disk yet, with what has come of an answer so far, which
// is stopped.
func (m *Model) Flush() error {
	if s := m.stream; s != nil {
		m.stopping = true
		s.Cancel()
		s.Wait(flushWait)
		m.takePart(s.Look())
		if m.stream != nil {
			m.endAnswer(Stopped, "", stopped)
		}
		m.save.revision++
	}
	if m.writer == nil {
		return nil
	}
	var errs []error
	for _, s := range m.left {
		_, err := m.writer.write(s)
		errs = append(errs, err)
	}
	if s := m.snapshot(); m.save.saved != m.save.revision && s.worth(m.began) {
		_, err := m.writer.write(s)
		errs = append(errs, err)
		if err == nil {
			m.save.saved = m.save.revision
		}
	}
	return errors.Join(errs...)
}

// Unsaved tells what would be lost at quit.
func (m *Model) Unsaved() string {
	switch {
	case m.stream != nil:
		return "An answer is coming in Chat: quitting stops it and keeps what has come."
	case m.save.failed && m.save.saved != m.save.revision:
		return "The newest part of the conversation in Chat could not be saved."
	default:
		return ""
	}
}
