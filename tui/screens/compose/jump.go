package compose

import (
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
)

// graves are the findings to go through.
func (m *sheet) graves() []*catalog.Problem {
	var out, rest []*catalog.Problem
	for i := range m.problems {
		if p := &m.problems[i]; p.Severity != catalog.Info {
			out = append(out, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(out) == 0 {
		return rest
	}
	return out
}

// lastJump is the finding that was gone to last, nil when it is mended.
func (m *sheet) lastJump() *catalog.Problem {
	for i := range m.problems {
		if p := &m.problems[i]; p.Field+"\x00"+p.Message == m.jumped {
			return p
		}
	}
	return nil
}

// goTo puts the focus on a field, unfolding what hides it.
func (m *sheet) goTo(field string) {
	if m.form.Focus(field) {
		return
	}
	if slices.ContainsFunc(m.fields, func(f catalog.Field) bool { return f.Name == field }) {
		m.more = true
		m.refresh()
		m.form.Focus(field)
	}
}

// goToProblem puts the focus where a finding can be mended: its field, else one that would
// do as well, else the format, the mode or the model that leaves no such field.
func (m *sheet) goToProblem(p *catalog.Problem) {
	places := append([]string{p.Field}, p.Allowed...)
	if m.fits.wide[p.Field] {
		places = append(places, rowFormat)
	}
	for _, place := range append(places, client.FieldMode, client.FieldModel) {
		if m.goTo(place); m.form.Focused() == place {
			return
		}
	}
}

// nextProblem goes to the next finding that is more than worth knowing, the worst first, around the
// end; to those that are no more where there are no others. It is the number of the finding, -1 for
// what the gateway refused.
func (m *sheet) nextProblem() int {
	if m.refusal.text != "" && m.refusal.field != "" && m.form.Focused() != m.refusal.field {
		m.goTo(m.refusal.field)
		return -1
	}
	list := m.graves()
	at := slices.IndexFunc(list, func(p *catalog.Problem) bool { return p == m.lastJump() })
	for i := range list { // one that leads elsewhere than here, when there is one
		p := list[(at+1+i)%len(list)]
		from := m.form.Focused()
		m.goToProblem(p)
		m.jumped = p.Field + "\x00" + p.Message
		if m.form.Focused() != from {
			break
		}
	}
	last := m.lastJump()
	for i := range m.problems {
		if &m.problems[i] == last {
			return i
		}
	}
	return -1
}

// offJump says why there is no finding to go to, "" when there is one.
func (m *sheet) offJump() string {
	if len(m.problems) == 0 && m.refusal.field == "" {
		return "nothing is wrong and nothing is missing"
	}
	return ""
}
