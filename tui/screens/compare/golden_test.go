package compare

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	"darkroom/tui/screen"
)

func TestGoldens(t *testing.T) {
	evil := "\x1b[2J\u202eevil\u200b 塩の平原 👩\u200d🚀\r\n"
	cases := []struct {
		name string
		make func(t *testing.T, x *desk)
	}{
		{"empty", func(*testing.T, *desk) {}},
		{"draft", func(t *testing.T, x *desk) {
			x.Send(screen.CompareDraft{Draft: aDraft()})
			x.choose(t, "famK-3.0", "famA3")
			require.NoError(t, planOf(x).SetAxis("duration = 4,6"))
			x.Key("n")
		}},
		{"confirm", func(t *testing.T, x *desk) {
			x.Send(screen.CompareDraft{Draft: aDraft()})
			x.choose(t, "famA3")
			x.Key("n", "n", "ctrl+s")
		}},
		{"suite", func(_ *testing.T, x *desk) {
			x.Key("tab", "O")
			x.Type("testdata/kites.yaml")
			x.Key("enter")
		}},
		{"no-run", func(_ *testing.T, x *desk) { x.Send(screen.ClickMsg{Zone: "tab:results"}) }},
		{"loading", func(_ *testing.T, x *desk) {
			x.m.at = resultsPage
			_ = x.m.results.Show(aRun("").ID)
			x.Send(screen.TickMsg{})
		}},
		{"broken", func(_ *testing.T, x *desk) {
			x.b.err = errors.New("disk\x1b[2J gone")
			x.Send(screen.ClickMsg{Zone: "tab:results"})
		}},
		{"run", func(_ *testing.T, x *desk) { x.shows(aRun("")); x.Key("l") }},
		{"verdicts", func(_ *testing.T, x *desk) { x.shows(aRun("")); x.Key("tab") }},
		{"filter", func(_ *testing.T, x *desk) { x.shows(aRun("")); x.Key("F", "/"); x.Type("content") }},
		{"runs", func(_ *testing.T, x *desk) {
			x.shows(aRun(""))
			open := *aRun("")
			open.ID, open.Status, open.Name = "019515a0-0000-7000-8000-000000000002", compare.Open, "left open"
			x.b.runs[open.ID] = &open
			x.Key("R")
		}},
		{"zoom", func(_ *testing.T, x *desk) {
			x.shows(aRun("testdata/kite.png"))
			x.Key("l", "enter")
			x.Settle(5*time.Second, "the picture", func() bool { return x.m.results.Loaded() })
		}},
		{"beside", func(_ *testing.T, x *desk) {
			x.shows(aRun("/nowhere/a.png"))
			x.Key(" ", "l", "b")
		}},
		{"hostile", func(_ *testing.T, x *desk) {
			r := aRun("")
			r.Name = evil
			for i := range r.Cells {
				r.Cells[i].Prompt.Text, r.Cells[i].Model, r.Cells[i].Notes = evil, evil+fmt.Sprint(i%3), []string{evil}
			}
			for i := range r.Trials {
				r.Trials[i].Code, r.Trials[i].Message, r.Trials[i].Seed, r.Trials[i].TaskID = evil, evil, evil, evil
			}
			x.shows(r)
		}},
	}
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		for _, c := range cases {
			name := fmt.Sprintf("%s-%dx%d", c.name, s[0], s[1])
			t.Run(name, func(t *testing.T) {
				x := start(t, s[0], s[1])
				c.make(t, x)
				x.Golden(name)
			})
		}
	}
}
