package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// tally is a run in numbers.
type tally struct {
	all, done, failed, open int
	fastest                 string // model of the completed job that took the least
	least, median           time.Duration
}

func (m *Model) tally() tally {
	t := tally{all: len(m.cells)}
	var took []time.Duration
	for i := range m.cells {
		c := &m.cells[i]
		switch {
		case !c.ended():
			t.open++
		case c.job.State == jobs.Completed:
			t.done++
			d, ok := c.took(m.deps.Now())
			if !ok {
				continue
			}
			if took = append(took, d); t.fastest == "" || d < t.least {
				t.fastest, t.least = c.model, d
			}
		default:
			t.failed++
		}
	}
	t.median = median(took)
	return t
}

// median is the middle one, or the mean of the two in the middle; 0 for none.
func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	if n := len(d); n%2 == 0 {
		return (d[n/2-1] + d[n/2]) / 2
	}
	return d[len(d)/2]
}

// summary is the run in a line of at most w cells.
func (m *Model) summary(w int) string {
	st, t := m.st, m.tally()
	parts := []string{widgets.NewInk(st.StateDone).Text(fmt.Sprintf("✓ %d of %d", t.done, t.all))}
	if t.open > 0 {
		parts = append(parts, widgets.NewInk(st.StateRunning).Text(fmt.Sprintf("▶ %d open", t.open)))
	}
	if t.failed > 0 {
		parts = append(parts, widgets.NewInk(st.StateFailed).Text(fmt.Sprintf("✗ %d failed", t.failed)))
	}
	if t.fastest != "" {
		parts = append(parts, "fastest "+client.CleanLine(t.fastest)+" "+format.Dur(tenth(t.least)), "median "+format.Dur(tenth(t.median)))
	}
	return widgets.Truncate(strings.Join(parts, " · "), max(1, w))
}
