package models

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/probe"
)

// probing is the state of a probe of the gateway. It shows in place of the detail.
type probing struct {
	gen     int // what another generation says is dropped
	changes int // how often what shows has changed
	cancel  context.CancelFunc
	shown   bool
	running bool
	rows    []probe.Row
	report  probe.Report
	err     error
}

// probeRowMsg is an answer of a probe; rest has those that follow.
type probeRowMsg struct {
	gen  int
	row  probe.Row
	rest <-chan probe.Row
}

// probeMsg is the end of a probe.
type probeMsg struct {
	gen    int
	report probe.Report
	err    error
}

// startProbe asks the gateway what it has; a probe still running is given up.
func (m *Model) startProbe() tea.Cmd {
	m.probe.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	m.probe = probing{gen: m.probe.gen + 1, changes: m.probe.changes + 1, cancel: cancel, shown: true, running: true}
	m.focus = detailPane
	m.detail.SetTop(0)
	m.layout()
	gen, ask, answers := m.probe.gen, m.deps.Probe, make(chan probe.Row, 16)
	run := func() tea.Msg {
		defer close(answers)
		report, err := ask(ctx, func(r probe.Row) {
			select {
			case answers <- r:
			case <-ctx.Done():
			}
		})
		return probeMsg{gen, report, err}
	}
	return tea.Batch(run, nextRow(gen, answers))
}

// nextRow waits for the next answer.
func nextRow(gen int, answers <-chan probe.Row) tea.Cmd {
	return func() tea.Msg {
		r, more := <-answers
		if !more {
			return nil
		}
		return probeRowMsg{gen, r, answers}
	}
}

func (m *Model) probeRow(msg probeRowMsg) tea.Cmd {
	if msg.gen == m.probe.gen && m.probe.running {
		m.probe.rows = append(m.probe.rows, msg.row)
		m.probe.changes++
		m.layout()
	}
	return nextRow(msg.gen, msg.rest)
}

func (m *Model) probed(msg probeMsg) {
	if msg.gen != m.probe.gen {
		return
	}
	m.probe.cancel()
	m.probe.running, m.probe.report, m.probe.err = false, msg.report, msg.err
	m.probe.rows = msg.report.Rows
	m.probe.changes++
	m.layout()
}

// endProbe goes back to the models; a probe still running is given up.
func (m *Model) endProbe() {
	m.probe.cancel()
	m.probe.shown, m.probe.running = false, false
	m.probe.gen++
	m.focus = tablePane
	m.detail.SetTop(0)
	m.layout()
}

// state is how far the probe is, in two words.
func (p *probing) state() string {
	switch {
	case p.running:
		return "asking …"
	case p.err != nil:
		return "ended early"
	default:
		return "done"
	}
}

// sheet writes down what a probe found.
func (p *probing) sheet(s *sheet) {
	k := s.ink
	s.text(k.muted, 0, "Nothing is created: only lists, and a task that nobody has, are asked for.")
	for _, x := range []struct{ what, title string }{
		{probe.List, "Lists of models"}, {probe.Query, "Looking up tasks"}, {probe.Content, "Fetching results"}, {probe.Create, "Creating"},
	} {
		p.paths(s, x.what, x.title)
	}
	if p.running {
		return
	}
	if p.err != nil {
		s.head("It ended early")
		s.text(k.bad, 2, probeFailure(p.err))
		return
	}
	for _, n := range p.report.Notes {
		s.text(k.warn, 2, "⚠ "+n)
	}
	if p.report.Offered != nil {
		s.head("Models")
		s.item("offered", listed(p.report.Offered), k.good)
		s.item("not offered", listed(p.report.Missing), k.muted)
		s.item("not in the catalog", listed(p.report.Unknown), k.text)
	}
	if p.report.Found == 0 {
		s.head("Dialect")
		s.text(k.text, 2, "None is needed as far as can be told.")
		return
	}
	s.head("Proposed dialect")
	for _, e := range p.report.Proposal.Entries() {
		s.item(e.Part+" "+e.Here, e.There, k.text)
	}
	s.text(k.muted, 2, "`darkroom gateway probe --write NAME` keeps it; `dialect: NAME` in the profile uses it.")
}

// paths are the answers about one kind of path.
func (p *probing) paths(s *sheet, what, title string) {
	headed := false
	for _, r := range p.rows {
		if r.What != what {
			continue
		}
		if !headed {
			s.head(title)
			headed = true
		}
		sign, ink := "?", s.ink.warn
		switch r.Verdict {
		case probe.There:
			sign, ink = "✓", s.ink.good
		case probe.Absent, probe.Refused:
			sign, ink = "✗", s.ink.bad
		case probe.NotAsked:
			sign, ink = "·", s.ink.muted
		}
		text := sign + " " + bound(r.Path, maxName) + "  " + string(r.Verdict)
		if r.HTTP != 0 {
			text += fmt.Sprintf(" (HTTP %d)", r.HTTP)
		}
		if r.Dialect != "" {
			text += ", in the words of " + r.Dialect
		}
		s.text(ink, 2, text)
	}
}

func probeFailure(err error) string {
	if api, ok := errors.AsType[*client.APIError](err); ok && (api.HTTPStatus == 401 || api.HTTPStatus == 403) {
		return fmt.Sprintf("the gateway refused the key (HTTP %d); check it with `darkroom auth status`", api.HTTPStatus)
	}
	return bound(err.Error(), maxTextOfError)
}

// listed is names with their number, as many names as are useful.
func listed(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	const most = 40
	shown := all[:min(len(all), most)]
	text := fmt.Sprintf("%d: ", len(all)) + strings.Join(shown, ", ")
	if len(all) > most {
		text += ", …"
	}
	return text
}
