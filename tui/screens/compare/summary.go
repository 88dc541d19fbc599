package compare

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare/pick"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// summary is the run in a line of at most w cells.
func summary(st *themes.Styles, t pick.Tally, w int) string {
	parts := []string{widgets.NewInk(st.StateDone).Text(fmt.Sprintf("✓ %d of %d", t.Done, t.All))}
	if t.Open > 0 {
		parts = append(parts, widgets.NewInk(st.StateRunning).Text(fmt.Sprintf("▶ %d open", t.Open)))
	}
	if t.Failed > 0 {
		parts = append(parts, widgets.NewInk(st.StateFailed).Text(fmt.Sprintf("✗ %d failed", t.Failed)))
	}
	if t.Fastest != "" {
		parts = append(parts, "fastest "+client.CleanLine(t.Fastest)+" "+human.Dur(tenth(t.Least)), "median "+human.Dur(tenth(t.Median)))
	}
	return widgets.Truncate(strings.Join(parts, " · "), max(1, w))
}
