package results

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
	"darkroom/tui/dialogs/runs"
	"darkroom/tui/screen"
)

// subject is the run that shows, or is on its way.
type subject struct {
	id      string // of the one that is wanted
	run     *compare.Run
	index   map[attempt]int // into its trials
	tally   compare.Tally
	formats bool
	seq     uint64 // of the news taken
	live    bool
	trouble string // why nothing is sent just now
	loading bool
	judge   bool // the vote begins once the run has been read
	seeking bool // the newest run is looked for
	sought  bool
	err     error
}

// attempt is one at a slot.
type attempt struct {
	slot compare.Slot
	n    int
}

// Show shows a run by its id.
func (m *Model) Show(id string) tea.Cmd {
	if m.o.Bench == nil || id == "" {
		return nil
	}
	m.zoom.Forget()
	m.marked = place{}
	m.id, m.loading, m.judge, m.err, m.sought = id, true, false, nil, true
	return load(m.o.Bench, id)
}

// Judge shows a run and begins the blind vote on it.
func (m *Model) Judge(id string) tea.Cmd {
	cmd := m.Show(id)
	m.judge = true
	return cmd
}

// newest looks for the newest run when none shows.
func (m *Model) newest() tea.Cmd {
	if m.o.Bench == nil || m.id != "" || m.sought || m.seeking {
		return nil
	}
	m.seeking = true
	return findNewest(m.o.Bench)
}

func (m *Model) found(msg newestMsg) tea.Cmd {
	m.seeking, m.sought = false, true
	if m.id != "" {
		return nil
	}
	m.err = msg.err
	return m.Show(msg.id)
}

// loaded takes over a run that was read, and what has happened to it since.
func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	if msg.id != m.id {
		return nil
	}
	m.loading, m.err = false, msg.err
	if msg.err != nil {
		return nil
	}
	r := msg.run
	m.run, m.live, m.trouble, m.seq = &r, false, "", 0
	m.index = make(map[attempt]int, len(r.Trials))
	for i := range r.Trials {
		m.index[attempt{r.Trials[i].Slot, r.Trials[i].Attempt}] = i
	}
	m.formats = r.Formats()
	m.news()
	m.show()
	if !m.judge {
		return nil
	}
	m.judge = false
	if off := offVote(m); off != "" {
		return screen.Toast(screen.Warn, off)
	}
	return vote(m)
}

// show has all see the run as it is now.
func (m *Model) show() {
	m.tally = m.run.Tally()
	m.grid.Show(m.run)
	m.panel.stale, m.panel.numbers.asked = true, false
}

// news takes what changed in the run.
func (m *Model) news() {
	if m.o.Bench == nil || m.run == nil {
		return
	}
	all, seq := m.o.Bench.News(m.seq)
	m.seq = seq
	i := slices.IndexFunc(all, func(n run.News) bool { return n.Run == m.run.ID })
	if i < 0 {
		return
	}
	n := &all[i]
	m.live, m.trouble = n.Live, n.Trouble
	r := m.run
	r.Status, r.EndedAt = n.Status, n.EndedAt
	r.Checks, r.CellChecks = n.Checks, n.CellChecks
	for _, t := range n.Trials {
		at := attempt{t.Slot, t.Attempt}
		if k, ok := m.index[at]; ok {
			r.Trials[k] = t
			continue
		}
		m.index[at] = len(r.Trials)
		r.Trials = append(r.Trials, t)
	}
	m.show()
}

// Answer takes the answer of a dialog; false for one that is not the page's.
func (m *Model) Answer(a any) (tea.Cmd, bool) {
	switch a := a.(type) {
	case runs.Opened:
		return m.Show(a.ID), true
	case runs.Removed:
		if a.ID == m.id {
			m.grid.Show(nil)
			m.zoom.Forget()
			m.subject = subject{sought: true}
		}
		return nil, true
	}
	return m.decided(a)
}
