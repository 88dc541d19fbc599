package compare

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/jobs"
)

// submitLimit bounds the journalling of a run: a history on a slow disk, no gateway.
const submitLimit = 30 * time.Second

// submit journals all cells at once, as one group. When it fails nothing was sent.
func submit(d jobs.Doer, cells []cell) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), submitLimit)
		defer stop()
		id, err := uuid.NewV7()
		if err != nil {
			return submittedMsg{err: err}
		}
		msg := submittedMsg{group: id.String(), cells: cells}
		subs := make([]jobs.Submission, len(cells))
		for i, c := range cells {
			subs[i] = jobs.Submission{Draft: c.draft, Format: c.format, Group: msg.group}
		}
		ids, err := d.Submit(ctx, subs)
		if err == nil && len(ids) != len(cells) {
			err = fmt.Errorf("%d jobs were asked for, %d came back", len(cells), len(ids))
		}
		if err != nil {
			return submittedMsg{err: err}
		}
		for i := range msg.cells {
			msg.cells[i].jobID = ids[i]
		}
		return msg
	}
}
