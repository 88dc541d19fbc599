package latest

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
)

// maxWords bounds how much of an answer in words is kept, in bytes.
const maxWords = 8000

// words are the answers of jobs that make no file, as those of chat models, by job.
type words struct {
	text  map[string]string
	asked string // the job whose answer is awaited, or was read last
}

// wordsMsg is what a job answered in words.
type wordsMsg struct{ id, text string }

// load reads the answer of a job in words that is not known yet.
func (w *words) load(h History, j *jobs.Job) tea.Cmd {
	answers, ok := h.(Answers)
	if _, known := w.text[j.ID]; !ok || known || w.asked == j.ID || !j.Wordy() {
		return nil
	}
	w.asked = j.ID
	id := j.ID
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), actWait)
		defer stop()
		d, err := answers.Detail(ctx, id)
		if err != nil {
			return nil // Queue says why
		}
		return wordsMsg{id, client.Clean(text.Cap(d.Text, maxWords))}
	}
}
