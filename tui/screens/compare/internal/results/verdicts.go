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

// verdictLines say what the run shows, in w cells.
func (m *Model) verdictLines(w int) []string {
	p := &paragraphs{w: w}
	text, strong, muted, bad := widgets.NewInk(m.st.Text), widgets.NewInk(m.st.Strong), widgets.NewInk(m.st.Muted), widgets.NewInk(m.st.Bad)
	r := m.run
	p.add(muted, fmt.Sprintf("begun %s ago · %s · order and seeds by %d", human.Age(m.o.Now().Sub(r.CreatedAt)), human.Plural(r.Repeats, "repeat"), r.Seed))
	for _, c := range r.Checks {
		k := text
		if c.Verdict == compare.Fail {
			k = bad
		}
		p.add(k, say.Verdict(c.Verdict)+" "+client.CleanLine(c.Name+" "+c.Text))
	}
	n := &m.panel.numbers
	if !n.have || n.of != r.ID {
		p.add(muted, "working it out …")
		return p.out
	}
	p.out = append(p.out, "")
	for _, g := range n.result.Groups {
		p.add(strong, client.CleanLine(g.Name))
		line := "  " + g.Success.String()
		for _, t := range g.Times {
			if t.Metric == stat.Total {
				line += " · median " + t.Median.String() + sourceOf(t.Source)
			}
		}
		p.add(text, line)
	}
	p.pairs(n.result.Pairs, strong, text, muted)
	for _, note := range n.result.Notes {
		p.out = append(p.out, "")
		p.add(muted, client.CleanLine(note))
	}
	return p.out
}

func sourceOf(s compare.Source) string {
	if s == compare.Stamped {
		return ", by the gateway's stamps"
	}
	return ", by polls"
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

// pairs writes the differences first, then how many pairs show none; of a few pairs, all sentences.
func (p *paragraphs) pairs(all []stat.Comparison, strong, text, muted widgets.Ink) {
	none, few := 0, 0
	var shown, others []string
	for i := range all {
		c := &all[i]
		if c.Metric != stat.Success && c.Metric != stat.Total {
			if c.Verdict == stat.Better || c.Verdict == stat.Worse {
				shown = append(shown, c.Sentence)
			}
			continue
		}
		switch c.Verdict {
		case stat.Better, stat.Worse:
			shown = append(shown, c.Sentence)
		case stat.TooFew:
			few++
			others = append(others, c.Sentence)
		default:
			none++
			others = append(others, c.Sentence)
		}
	}
	for _, s := range shown {
		p.out = append(p.out, "")
		p.add(strong, client.CleanLine(s))
	}
	if len(others) <= allPairs {
		for _, s := range others {
			p.out = append(p.out, "")
			p.add(text, client.CleanLine(s))
		}
		return
	}
	p.out = append(p.out, "")
	p.add(muted, fmt.Sprintf("Of %d comparisons of success and total time, %d show no difference and %d have too few trials.", len(all), none, few))
}
