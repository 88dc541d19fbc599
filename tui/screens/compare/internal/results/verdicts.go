package results

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/stat"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

// numbers are what a run shows, worked out in a command: many groups make many pairs.
type numbers struct {
	asked  bool // of the run as it is now
	busy   bool
	have   bool
	of     string
	result stat.Summary
	next   time.Time // of a run that is being sent they are worked out now and then
}

// numbersEvery is how often the numbers of a run that is being sent are worked out, at most.
const numbersEvery = 2 * time.Second

// statMsg brings the numbers of a run.
type statMsg struct {
	id     string
	result stat.Summary
}

// askNumbers works out what the run shows, if that is looked at and has changed.
func (m *Model) askNumbers() tea.Cmd {
	n := &m.panel.numbers
	if m.run == nil || !m.panel.verdicts || n.asked || n.busy {
		return nil
	}
	now := m.o.Now()
	if m.live && now.Before(n.next) {
		return nil
	}
	n.next = now.Add(numbersEvery)
	n.asked, n.busy = true, true
	r := *m.run
	r.Trials = append([]compare.Trial(nil), r.Trials...) // the page goes on taking news
	return func() tea.Msg { return statMsg{r.ID, stat.Of(&r, stat.Options{})} }
}

func (m *Model) takeNumbers(msg statMsg) {
	n := &m.panel.numbers
	n.busy = false
	if m.run == nil || msg.id != m.run.ID {
		n.asked = false
		return
	}
	n.have, n.of, n.result = true, msg.id, msg.result
	m.panel.stale = true
}

// allPairs is up to how many sentences all are written, and not those alone that show a difference.
const allPairs = 8

// verdictLines say what the run shows, in w cells: what differs, what was expected, then the numbers.
func (m *Model) verdictLines(w int) []string {
	p := &paragraphs{w: w}
	text, strong, muted, bad := widgets.NewInk(m.st.Text), widgets.NewInk(m.st.Strong), widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Bad)
	r := m.run
	n := &m.panel.numbers
	known := n.have && n.of == r.ID
	var others []string
	if known {
		others = p.pairs(n.result.Pairs, strong, muted)
	} else {
		p.add(muted, "working it out …")
	}
	if len(r.Checks) > 0 {
		p.gap()
	}
	for _, c := range r.Checks {
		k := text
		if c.Verdict == compare.Fail {
			k = bad
		}
		p.add(k, say.Verdict(c.Verdict)+" "+client.CleanLine(c.Name+" "+c.Text))
	}
	if known {
		p.groups(n.result.Groups, strong, text)
	}
	for _, s := range others {
		p.gap()
		p.add(text, client.CleanLine(s))
	}
	for _, note := range n.result.Notes {
		p.gap()
		p.add(muted, client.CleanLine(note))
	}
	p.gap()
	p.add(muted, fmt.Sprintf("begun %s ago · %s · order and seeds by %d", human.Age(m.o.Now().Sub(r.CreatedAt)), human.Plural(r.Repeats, "repeat"), r.Seed))
	return p.out
}

// groups are the numbers of each group.
func (p *paragraphs) groups(all []stat.Group, strong, text widgets.Ink) {
	for _, g := range all {
		p.gap()
		p.add(strong, client.CleanLine(g.Name))
		p.add(text, g.Success.String())
		for _, t := range g.Times {
			if t.Metric == stat.Total {
				p.add(text, "median "+t.Median.String()+sourceOf(t.Source))
			}
		}
	}
}

func sourceOf(s compare.Source) string {
	switch s {
	case compare.Stamped:
		return ", by the gateway's stamps"
	case compare.Polled:
		return ", by polls"
	default: // measured here: as closely as can be
		return ""
	}
}

// paragraphs are texts in w cells.
type paragraphs struct {
	w   int
	out []string
}

func (p *paragraphs) add(k widgets.Ink, text string) {
	for _, l := range widgets.WrapLines(text, max(4, p.w), 8) {
		p.out = append(p.out, k.Text(l))
	}
}

// gap is an empty line between two paragraphs.
func (p *paragraphs) gap() {
	if len(p.out) > 0 {
		p.out = append(p.out, "")
	}
}

// pairs writes the differences, and counts the comparisons that show none. The sentences of these are
// returned where they are few. Parts of the total time are told only where they differ.
func (p *paragraphs) pairs(all []stat.Comparison, strong, muted widgets.Ink) (others []string) {
	none, few := 0, 0
	for i := range all {
		c := &all[i]
		switch {
		case c.Verdict == stat.Better || c.Verdict == stat.Worse:
			p.gap()
			p.add(strong, client.CleanLine(c.Sentence))
			continue
		case c.Metric != stat.Success && c.Metric != stat.Total:
			continue
		case c.Verdict == stat.TooFew:
			few++
		default:
			none++
		}
		others = append(others, c.Sentence)
	}
	if none+few == 0 {
		return nil
	}
	p.gap()
	var parts []string
	if none > 0 {
		parts = append(parts, fmt.Sprintf("no difference shown: %s of success or total time", human.Plural(none, "comparison")))
	}
	if few > 0 {
		parts = append(parts, fmt.Sprintf("too few trials: %s of success or total time", human.Plural(few, "comparison")))
	}
	for _, text := range parts {
		p.add(muted, text)
	}
	if len(others) > allPairs {
		return nil
	}
	return others
}
