package compare

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/jobs/compare/pick"
)

// submitLimit bounds journalling a run: on a slow disk, without the gateway.
const submitLimit = 30 * time.Second

// submit journals a run. If that fails, nothing was sent.
func submit(d jobs.Doer, trials []pick.Trial) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), submitLimit)
		defer stop()
		trials, err := pick.Submit(ctx, d, trials)
		return submittedMsg{trials, err}
	}
}
