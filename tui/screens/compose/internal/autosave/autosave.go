// Package autosave saves the form being composed: some time after the first change, when the screen
// goes out of sight, and at the end. An older draft never overwrites a newer one.
package autosave

import (
	"errors"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

// after is how long a change may stay unsaved, counted from the first one.
const after = 400 * time.Millisecond

// Drafts keeps drafts by modality. Its methods touch the disk.
type Drafts interface {
	Load(m client.Modality) (kept.Draft, bool, error)
	Save(kept.Draft) error
}

// LoadedMsg brings the saved drafts, by modality.
type LoadedMsg struct {
	Drafts map[client.Modality]screen.ComposeDraft
	Err    error
}

// TickMsg ends the pause after the first unsaved change.
type TickMsg struct{}

// SavedMsg is the outcome of writing the drafts of a revision.
type SavedMsg struct {
	revision uint64
	err      error
}

// Saver knows which revision of a form is on the disk.
type Saver struct {
	// Later wakes up with a TickMsg.
	Later func() tea.Cmd

	writer   *writer // nil keeps nothing
	revision uint64  // of what the form holds; grows with every change
	saved    uint64  // the newest revision on the disk
	armed    bool    // a TickMsg is on its way
	busy     bool    // a command is writing
	failed   bool
	loaded   bool
}

// New is a saver of a form without changes; with nil drafts it saves nothing.
func New(d Drafts) Saver {
	s := Saver{Later: later, loaded: d == nil}
	if d != nil {
		s.writer = &writer{drafts: d}
	}
	return s
}

func later() tea.Cmd { return tea.Tick(after, func(time.Time) tea.Msg { return TickMsg{} }) }

// Load reads the drafts of some kinds; nil when nothing is saved at all.
func (s *Saver) Load(kinds []client.Modality) tea.Cmd {
	if s.writer == nil {
		return nil
	}
	d := s.writer.drafts
	return func() tea.Msg { return load(d, kinds) }
}

func load(d Drafts, kinds []client.Modality) LoadedMsg {
	out := LoadedMsg{Drafts: make(map[client.Modality]screen.ComposeDraft)}
	for _, k := range kinds {
		draft, ok, err := d.Load(k)
		if err != nil {
			out.Err = errors.Join(out.Err, err)
		} else if ok {
			out.Drafts[k] = screen.ComposeDraft(draft)
		}
	}
	return out
}

// Loaded says that the saved drafts are in the form: nothing is written before that.
func (s *Saver) Loaded() { s.loaded = true }

// Changed counts a new revision of the form.
func (s *Saver) Changed() { s.revision++ }

// Revision is the revision of the form.
func (s *Saver) Revision() uint64 { return s.revision }

// Pending reports whether something is still to be written.
func (s *Saver) Pending() bool { return s.writer != nil && s.saved != s.revision }

// Note says in a word or two whether the draft is saved, "" as long as nothing was changed.
func (s *Saver) Note() string {
	switch {
	case s.writer == nil || s.revision == 0 && s.saved == 0:
		return ""
	case s.failed:
		return "draft not saved"
	case s.saved == s.revision:
		return "draft saved"
	default:
		return "draft changed"
	}
}

// Arm wakes up once, some time after the first unsaved change.
func (s *Saver) Arm() tea.Cmd {
	if s.armed || s.busy || !s.Pending() {
		return nil
	}
	s.armed = true
	return s.Later()
}

// Tick follows a TickMsg.
func (s *Saver) Tick(kept func() []screen.ComposeDraft) tea.Cmd {
	s.armed = false
	return s.Save(kept)
}

// Save writes what has changed, unless a write is under way. Kept returns the form as it is saved.
func (s *Saver) Save(kept func() []screen.ComposeDraft) tea.Cmd {
	if s.busy || !s.loaded || !s.Pending() {
		return nil
	}
	return s.write(kept)
}

// SaveNow writes what has changed, after a write that is under way: its command ends when the form
// of this moment is on the disk.
func (s *Saver) SaveNow(kept func() []screen.ComposeDraft) tea.Cmd {
	if !s.loaded || !s.Pending() {
		return nil
	}
	return s.write(kept)
}

func (s *Saver) write(kept func() []screen.ComposeDraft) tea.Cmd {
	s.busy = true
	w, drafts, revision := s.writer, kept(), s.revision
	return func() tea.Msg { return SavedMsg{revision: revision, err: w.write(drafts, revision)} }
}

// Saved follows a SavedMsg. A failure is reported once; the next change tries again.
func (s *Saver) Saved(msg SavedMsg) tea.Cmd {
	s.busy = false
	if msg.revision < s.saved { // the answers of two writes came in the other order
		return nil
	}
	if msg.err != nil {
		again := s.failed
		s.failed = true
		if again {
			return nil
		}
		return screen.Toast(screen.Warn, "the draft is not saved: "+client.CleanLine(msg.err.Error()))
	}
	s.failed, s.saved = false, msg.revision
	return s.Arm()
}

// Flush writes what is not on the disk yet, whatever was under way when the loop ended. Drafts that
// were never read are read first and handed to restore, so that their contents are not lost.
func (s *Saver) Flush(kinds []client.Modality, restore func(map[client.Modality]screen.ComposeDraft), kept func() []screen.ComposeDraft) error {
	if !s.Pending() {
		return nil
	}
	if !s.loaded {
		restore(load(s.writer.drafts, kinds).Drafts)
		s.loaded = true
	}
	err := s.writer.write(kept(), s.revision)
	if s.failed = err != nil; err == nil {
		s.saved = s.revision
	}
	return err
}

// writer writes drafts one revision after another: an older one that comes late, from a command
// that was slow, does not overwrite a newer one.
type writer struct {
	drafts Drafts
	mu     sync.Mutex
	done   uint64 // the newest revision on the disk
}

func (w *writer) write(drafts []screen.ComposeDraft, revision uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if revision <= w.done {
		return nil
	}
	var errs []error
	for _, draft := range drafts {
		errs = append(errs, w.drafts.Save(kept.Draft(draft)))
	}
	err := errors.Join(errs...)
	if err == nil {
		w.done = revision
	}
	return err
}
