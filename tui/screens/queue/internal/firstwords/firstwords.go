// Package firstwords keeps how the results of jobs begin that are texts: only the history knows them.
package firstwords

import (
	"context"
	"maps"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/widgets"
)

// Bounds of what is kept of texts, and how long the history may take.
const (
	maxWords    = 400 // bytes of a text
	maxAnswered = 1000
	askLimit    = 30 * time.Second
)

// Kept are the first words of jobs. Make it with [New].
type Kept struct {
	of     map[string]string // by job; "" for one that says nothing
	failed map[string]string // why one in sight could not be read; asked again when it comes back into sight
	asking bool              // one question is on its way at a time
}

// New keeps none yet.
func New() Kept { return Kept{of: map[string]string{}, failed: map[string]string{}} }

// Answer brings the first words of jobs, or why they could not be read.
type Answer struct{ of, failed map[string]string }

// Of is how the text of a job begins, "" for one that says nothing or was not read yet; or why it
// could not be read. Both are clean lines.
func (w *Kept) Of(id string) (words, failed string) { return w.of[id], w.failed[id] }

// Asking reports whether a question is on its way.
func (w *Kept) Asking() bool { return w.asking }

// Ask reads what is missing of the jobs in sight.
func (w *Kept) Ask(r jobs.Reader, sight []*jobs.Job) tea.Cmd {
	seen := make(map[string]bool, len(w.failed))
	var ids []string
	for _, j := range sight {
		if _, failed := w.failed[j.ID]; failed {
			seen[j.ID] = true
		} else if _, known := w.of[j.ID]; !known && j.Wordy() {
			ids = append(ids, j.ID)
		}
	}
	maps.DeleteFunc(w.failed, func(id, _ string) bool { return !seen[id] })
	if len(ids) == 0 || w.asking {
		return nil
	}
	w.asking = true
	return read(r, ids)
}

// Again has what could not be read be asked for once more.
func (w *Kept) Again() { clear(w.failed) }

// Take takes an answer.
func (w *Kept) Take(a Answer) {
	w.asking = false
	if len(w.of) > maxAnswered {
		clear(w.of)
	}
	maps.Copy(w.of, a.of)
	maps.Copy(w.failed, a.failed)
}

// read reads how the texts of some jobs begin.
func read(r jobs.Reader, ids []string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		a := Answer{of: map[string]string{}, failed: map[string]string{}}
		for _, id := range ids {
			d, err := r.Detail(ctx, id)
			if err != nil {
				a.failed[id] = client.CleanLine(text.Cap(err.Error(), maxWords))
				continue
			}
			a.of[id] = widgets.Truncate(client.CleanLine(text.Cap(d.Text, maxWords)), maxWords)
		}
		return a
	}
}
