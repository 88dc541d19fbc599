package compare

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
)

// submitLimit bounds the journalling of a run: a history on a slow disk, no gateway.
const submitLimit = 30 * time.Second

// submit journals all cells at once, as one group. When it fails nothing was sent.
func submit(d jobs.Doer, cells []cell) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), submitLimit)
		defer stop()
		subs := make([]jobs.Submission, len(cells))
		for i, c := range cells {
			subs[i] = jobs.Submission{Draft: c.draft, Format: c.format}
		}
		_, ids, err := jobs.SubmitGroup(ctx, d, subs)
		if err != nil {
			return submittedMsg{err: err}
		}
		msg := submittedMsg{cells: cells}
		for i := range msg.cells {
			msg.cells[i].jobID = ids[i]
		}
		return msg
	}
}
