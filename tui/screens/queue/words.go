package queue

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/widgets"
)

// words are the first words of jobs whose results are texts: only the history knows them.
type words struct {
	of     map[string]string // by job; "" for one that says nothing
	failed map[string]string // why one in sight could not be read; asked again when it comes back into sight
	asking bool              // one question is on its way at a time
}

func newWords() words { return words{of: map[string]string{}, failed: map[string]string{}} }

// Bounds of what is kept of texts.
const (
	maxWords    = 400 // bytes of a text
	maxAnswered = 1000
)

// wordsMsg brings the first words of jobs, or why they could not be read.
type wordsMsg struct{ of, failed map[string]string }

// ask reads the missing texts of the jobs in sight.
func (w *words) ask(h *history, first, n int) tea.Cmd {
	seen := make(map[string]bool, len(w.failed))
	var ids []string
	for i := first; i < min(first+n, h.Len()); i++ {
		j := h.At(i)
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
	return firstWords(h.from, ids)
}

// again retries what could not be read.
func (w *words) again() { clear(w.failed) }

func (w *words) take(msg wordsMsg) {
	w.asking = false
	if len(w.of) > maxAnswered {
		clear(w.of)
	}
	maps.Copy(w.of, msg.of)
	maps.Copy(w.failed, msg.failed)
}

// firstWords reads how the texts of some jobs begin.
func firstWords(r jobs.Reader, ids []string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		msg := wordsMsg{of: map[string]string{}, failed: map[string]string{}}
		for _, id := range ids {
			d, err := r.Detail(ctx, id)
			if err != nil {
				msg.failed[id] = client.CleanLine(text.Cap(err.Error(), maxWords))
				continue
			}
			msg.of[id] = widgets.Truncate(client.CleanLine(text.Cap(d.Text, maxWords)), maxWords)
		}
		return msg
	}
}
