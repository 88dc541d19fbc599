package chat

import (
	"errors"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// snapshot is a conversation at a revision. key tells conversations of this console apart, whatever
// ids they are kept under.
type snapshot struct {
	key      int
	revision uint64
	conv     kept.Conversation
}

// writer writes one snapshot after another. An older one that comes late, from a slow command, does
// not overwrite a newer one; and a conversation that had to be kept under another id stays there.
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

// remove deletes a conversation. Unwritten changes of it stay unwritten.
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

// keeper saves a conversation some time after it was changed, with one write at a time.
type keeper struct {
	writer *writer           // nil when nothing is kept
	key    int               // tells conversations apart in this console
	began  kept.Conversation // what the fields had when the conversation was shown

	revision uint64 // grows with every change
	saved    uint64 // the newest revision on the disk
	armed    bool   // a saveTick is on its way
	busy     bool   // a command is writing
	failed   bool

	left  map[int]snapshot // conversations that were left and are not saved yet
	later func() tea.Cmd   // wakes up to save; tests do it by hand
}

// begin switches to another conversation.
func (k *keeper) begin(c kept.Conversation) {
	k.key++
	k.began = c
	k.revision, k.saved, k.busy, k.failed = 0, 0, false, false
}

// touch notes an unsaved change.
func (k *keeper) touch() { k.revision++ }

// changed saves a change soon.
func (k *keeper) changed() tea.Cmd {
	k.touch()
	return k.arm()
}

// dirty reports whether something is unsaved.
func (k *keeper) dirty() bool { return k.writer != nil && k.saved != k.revision }

// arm wakes up once, some time after the first unsaved change.
func (k *keeper) arm() tea.Cmd {
	if !k.dirty() || k.armed || k.busy {
		return nil
	}
	k.armed = true
	return k.later()
}

// save writes what has changed, unless a write is under way.
func (k *keeper) save(now func() snapshot) tea.Cmd {
	if !k.dirty() || k.busy {
		return nil
	}
	s := now()
	if !s.worth(k.began) {
		k.saved = k.revision
		return nil
	}
	k.busy = true
	return store(k.writer, s)
}

// saveOrArm saves at once, or when the write under way is done.
func (k *keeper) saveOrArm(now func() snapshot) tea.Cmd {
	if cmd := k.save(now); cmd != nil {
		return cmd
	}
	return k.arm()
}

// leave writes what shows once more, since another conversation replaces it.
func (k *keeper) leave(now func() snapshot) tea.Cmd {
	if !k.dirty() {
		return nil
	}
	s := now()
	if !s.worth(k.began) {
		return nil
	}
	k.left[k.key] = s
	return store(k.writer, s)
}

// wrote handles the outcome of a write, and returns what to tell the person.
func (k *keeper) wrote(msg savedMsg) tea.Cmd {
	if msg.key != k.key { // of a conversation that was left
		if msg.err == nil {
			if k.left[msg.key].revision <= msg.revision {
				delete(k.left, msg.key)
			}
			return nil
		}
		return screen.Toast(screen.Bad, "the previous conversation is not saved; quitting tries again: "+client.CleanLine(msg.err.Error()))
	}
	k.busy = false
	if msg.err != nil {
		first := !k.failed
		k.failed = true
		if !first {
			return nil // it was told; the next change tries again
		}
		return screen.Toast(screen.Warn, "the conversation is not saved: "+client.CleanLine(msg.err.Error()))
	}
	k.saved, k.failed = msg.revision, false
	return nil
}

// flush writes everything unsaved at once.
func (k *keeper) flush(now func() snapshot) error {
	if k.writer == nil {
		return nil
	}
	var errs []error
	for _, s := range k.left {
		_, err := k.writer.write(s)
		errs = append(errs, err)
	}
	if s := now(); k.dirty() && s.worth(k.began) {
		_, err := k.writer.write(s)
		errs = append(errs, err)
		if err == nil {
			k.saved = k.revision
		}
	}
	return errors.Join(errs...)
}

// worth reports whether there is anything to keep; a conversation kept already always is.
func (s *snapshot) worth(began kept.Conversation) bool {
	c := &s.conv
	return c.ID != "" || len(c.Messages) > 0 || c.Draft != "" || c.System != began.System || c.Model != began.Model
}

// snapshot is the conversation as it is now. The texts are shared, and never change.
func (m *Model) snapshot() snapshot {
	c := m.texts(m.talk.conv)
	c.Messages = append(make([]kept.Message, 0, len(c.Messages)), c.Messages...)
	c.Updated, c.Count = m.deps.Now(), len(c.Messages)
	c.Title = titleOf(&c)
	return snapshot{key: m.keep.key, revision: m.keep.revision, conv: c}
}

// saved handles the outcome of a write, and the id that the conversation is kept under.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	told := m.keep.wrote(msg)
	if msg.key != m.keep.key || msg.err != nil {
		return told
	}
	was := m.talk.conv.ID
	m.talk.conv.ID = msg.kept
	var note tea.Cmd
	if was != "" && was != msg.kept {
		note = screen.Toast(screen.Warn, "another console changed this conversation: what is here goes on as a copy of its own")
	}
	return tea.Batch(note, m.keep.arm())
}

// Flush saves what is not on the disk yet, including what has arrived of an answer, which is
// stopped.
func (m *Model) Flush() error {
	if s := m.talk.stream; s != nil {
		m.talk.stopping = true
		s.Cancel()
		s.Wait(flushWait)
		m.talk.giveUp()
		m.keep.touch()
	}
	return m.keep.flush(m.snapshot)
}

// Unsaved tells what would be lost at quit.
func (m *Model) Unsaved() string {
	switch {
	case m.talk.coming():
		return "An answer is coming in Chat: quitting stops it and keeps what has come."
	case m.keep.failed && m.keep.saved != m.keep.revision:
		return "The newest part of the conversation in Chat could not be saved."
	default:
		return ""
	}
}
