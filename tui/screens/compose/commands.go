package compose

import (
	"errors"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/screen"
)

// saveAfter is how long a change may stay unsaved, from the first one on.
const saveAfter = 400 * time.Millisecond

// submitWait bounds the journalling of a submission, and submitEach what each of its jobs
// adds to that.
const (
	submitWait = 10 * time.Second
	submitEach = 50 * time.Millisecond
)

// load reads the drafts of all modalities.
func load(d Drafts) tea.Cmd {
	return func() tea.Msg {
		out := loadedMsg{drafts: make(map[client.Modality]screen.ComposeDraft)}
		for _, k := range modalities() {
			draft, ok, err := d.Load(k)
			if err != nil {
				out.err = errors.Join(out.err, err)
			} else if ok {
				out.drafts[k] = draft
			}
		}
		return out
	}
}

// writer writes drafts one revision after another: an older one that comes late, from a
// command that was slow, does not overwrite a newer one.
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
		errs = append(errs, w.drafts.Save(draft))
	}
	err := errors.Join(errs...)
	if err == nil {
		w.done = revision
	}
	return err
}

// store writes the drafts of a revision.
func store(w *writer, drafts []screen.ComposeDraft, revision uint64) tea.Cmd {
	return func() tea.Msg {
		return savedMsg{revision: revision, err: w.write(drafts, revision)}
	}
}

// saveLater wakes up once, to write what has changed until then.
func saveLater() tea.Cmd { return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveTick{} }) }
