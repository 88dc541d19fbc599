package queue

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/pulse"
	"darkroom/tui/screens/queue/internal/panel"
)

// togglePulse shows how the work stands in place of the detail, or the detail again.
func togglePulse(m *Model) tea.Cmd {
	m.pulse = !m.pulse
	m.setFocus(tablePane)
	if m.pulse {
		m.heart.Again()
	}
	return nil
}

// newHeart is the panel of a screen.
func newHeart(d Deps) panel.Panel {
	return panel.New(func(ctx context.Context) ([]panel.Section, error) {
		pace := pulse.Pace{}
		if d.Pace != nil {
			pace.Rate, pace.Top = d.Pace()
		}
		in, err := pulse.Read(ctx, d.Jobs, d.Profile, d.Now(), pace)
		if err != nil {
			return nil, err
		}
		return pulseSections(pulse.Of(in)), nil
	})
}

// pulseSections are a summary for people.
func pulseSections(s pulse.Summary) []panel.Section {
	flight := panel.Section{Title: "In flight", None: "Nothing is in flight."}
	for _, c := range s.InFlight {
		r := panel.Row{Label: c.Of, Value: human.Count(c.Jobs)}
		if c.Of == string(jobs.Ambiguous) {
			r.Level = panel.Warn
		}
		flight.Rows = append(flight.Rows, r)
	}
	failures := panel.Section{Title: "Failures of the last 24 h, by code", None: "Nothing failed."}
	for _, c := range s.Failures {
		failures.Rows = append(failures.Rows, panel.Row{Label: c.Of, Value: human.Count(c.Jobs), Level: panel.Bad})
	}
	models := panel.Section{Title: "p50 / p95 of the last 24 h, by model", None: "No task has completed."}
	for _, t := range s.Models {
		models.Rows = append(models.Rows, panel.Row{Label: t.Model, Value: fmt.Sprintf("%s / %s of %s", human.Dur(t.P50), human.Dur(t.P95), human.Count(t.Jobs))})
	}
	out := []panel.Section{flight, failures, models, holdSection(&s), pollSection(&s)}
	if s.Cut {
		out = append(out, panel.Section{Title: "Not all", None: "Only the newest " + human.Count(pulse.Most) + " jobs of each kind were looked at."})
	}
	return out
}

func holdSection(s *pulse.Summary) panel.Section {
	holds := panel.Section{Title: "What holds it up", None: "Nothing."}
	add := func(on bool, label, value string) {
		if on {
			holds.Rows = append(holds.Rows, panel.Row{Label: label, Value: value, Level: panel.Warn})
		}
	}
	add(s.Holds.Paused, "everything", "paused")
	for _, host := range strings.Fields(s.Holds.Hosts) {
		add(true, host, "paused")
	}
	add(s.Holds.Jobs > 0, "paused by hand", human.Plural(s.Holds.Jobs, "job"))
	add(!s.Holds.Until.IsZero(), "the gateway", "asked for a pause of "+human.Left(s.Holds.Until.Sub(s.At)))
	add(s.Holds.Away, "the history", "is away")
	return holds
}

func pollSection(s *pulse.Summary) panel.Section {
	rate := panel.Row{Label: "polls due", Value: fmt.Sprintf("%s in %d s, %.1f a second", human.Count(s.Due), int(pulse.Window/time.Second), s.Rate)}
	budget := panel.Row{Label: "budget", Value: "no bound"}
	if s.Pace.Rate > 0 {
		budget.Value = fmt.Sprintf("%g requests a second", s.Pace.Rate)
		if s.Rate > s.Pace.Rate {
			rate.Level = panel.Bad
		}
	}
	if s.Pace.Rate > 0 && s.Pace.Top > s.Pace.Rate {
		budget.Value += fmt.Sprintf(", slowed from %g", s.Pace.Top)
		budget.Level = panel.Warn
	}
	return panel.Section{Title: "Poll rate", Rows: []panel.Row{rate, budget}}
}

// pulseView draws the panel, beside the list or in its place.
func (m *Model) pulseView() string {
	return m.heart.View(m.st, &m.ink, m.clock(), m.detailWidth(), m.h)
}

// pulseKey scrolls the panel where it stands in place of the list, and reports whether it did.
func (m *Model) pulseKey(k tea.KeyMsg) bool {
	return m.pulse && m.beside() == 0 && m.heart.Move(k)
}
