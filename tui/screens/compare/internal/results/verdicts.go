package results

import (
	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/tui/screens/compare/internal/say"
	"darkroom/tui/widgets"
)

// verdictLines say what the run shows, in w cells.
func (m *Model) verdictLines(w int) []string {
	var out []string
	add := func(k widgets.Ink, text string) {
		for _, l := range widgets.WrapLines(text, max(4, w), 6) {
			out = append(out, k.Text(l))
		}
	}
	text, muted := widgets.NewInk(m.st.Text), widgets.NewInk(m.st.Muted)
	r := m.run
	add(muted, "begun "+human.Ago(m.o.Now().Sub(r.CreatedAt))+" · seed "+human.Count(int(r.Seed%1_000_000)))
	for _, c := range r.Checks {
		k := text
		if c.Verdict == compare.Fail {
			k = widgets.NewInk(m.st.Bad)
		}
		add(k, say.Verdict(c.Verdict)+" "+client.CleanLine(c.Name+" "+c.Text))
	}
	return out
}
