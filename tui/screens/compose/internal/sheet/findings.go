package sheet

import (
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/widgets/form"
)

// CheckItems lists what is wrong, worst first; or that nothing is; and what else there is to say.
func (m *Sheet) CheckItems(more ...string) []checks.Item {
	out := make([]checks.Item, 0, len(m.Problems)+len(m.Differ)+3)
	blocked := slices.ContainsFunc(m.Problems, func(p catalog.Problem) bool { return p.Severity == catalog.Block })
	switch {
	case m.Refusal.Text != "":
		out = append(out, checks.Item{Mark: form.Bad, Text: m.Refusal.Text})
	case blocked:
	case len(m.Problems) > 0: // a warning may say that something is missing
		out = append(out, checks.Item{Text: "nothing blocks"})
	default:
		out = append(out, checks.Item{Text: "nothing is missing"})
	}
	for i := range m.Problems {
		p := &m.Problems[i]
		out = append(out, checks.Item{Mark: grade(p.Severity), Text: p.Message, Zone: ZoneCheck, Number: i})
	}
	for i := range m.Differ {
		d := &m.Differ[i]
		out = append(out, checks.Item{Mark: form.Differs, Text: d.label + " " + wasText(d.Was, 160), Zone: ZoneDiffer, Number: i})
	}
	for _, s := range more {
		if s != "" {
			out = append(out, checks.Item{Mark: form.Info, Text: s})
		}
	}
	return out
}

// sets reports whether the draft has something under a canonical name.
func (m *Sheet) sets(field string) bool {
	switch field {
	case client.FieldModel:
		return m.Draft.Model != ""
	case client.FieldModelName:
		return m.Draft.ModelName != ""
	case client.FieldMode:
		return m.Draft.Mode != ""
	case client.FieldPrompt:
		return m.Draft.Prompt != ""
	}
	_, ok := m.Draft.Values[field]
	return ok
}

// Verdict is the checks in a few cells, for where there is no room to list them.
func (m *Sheet) Verdict() string {
	bad, warn := 0, 0
	for i := range m.Problems {
		switch m.Problems[i].Severity {
		case catalog.Block:
			bad++
		case catalog.Warn:
			warn++
		}
	}
	switch {
	case m.Refusal.Text != "":
		return "✗ refused"
	case bad > 0:
		return "✗ " + human.Plural(bad, "problem")
	case warn > 0:
		return "⚠ " + human.Plural(warn, "warning")
	default:
		return "✓ ready"
	}
}

// graves are the findings to go through.
func (m *Sheet) graves() []*catalog.Problem {
	var out, rest []*catalog.Problem
	for i := range m.Problems {
		if p := &m.Problems[i]; p.Severity != catalog.Info {
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

// LastJump is the finding that was gone to last, nil when it is mended.
func (m *Sheet) LastJump() *catalog.Problem {
	for i := range m.Problems {
		if p := &m.Problems[i]; p.Field+"\x00"+p.Message == m.jumped {
			return p
		}
	}
	return nil
}

// GoTo puts the focus on a field, unfolding what hides it.
func (m *Sheet) GoTo(field string) {
	if m.Form.Focus(field) {
		return
	}
	if slices.ContainsFunc(m.Fields, func(f catalog.Field) bool { return f.Name == field }) {
		m.More = true
		m.Refresh()
		m.Form.Focus(field)
	}
}

// GoToProblem puts the focus where a finding can be mended: its field, else one that would
// do as well, else the format, the mode or the model that leaves no such field.
func (m *Sheet) GoToProblem(p *catalog.Problem) {
	places := append([]string{p.Field}, p.Allowed...)
	if m.Fits.Wide[p.Field] {
		places = append(places, RowFormat)
	}
	for _, place := range append(places, client.FieldMode, client.FieldModel) {
		if m.GoTo(place); m.Form.Focused() == place {
			return
		}
	}
}

// NextProblem goes to the next finding that is more than worth knowing, the worst first, around the
// end; to those that are no more where there are no others. It is the number of the finding, -1 for
// what the gateway refused.
func (m *Sheet) NextProblem() int {
	if m.Refusal.Text != "" && m.Refusal.Field != "" && m.Form.Focused() != m.Refusal.Field {
		m.GoTo(m.Refusal.Field)
		return -1
	}
	list := m.graves()
	at := slices.IndexFunc(list, func(p *catalog.Problem) bool { return p == m.LastJump() })
	for i := range list { // one that leads elsewhere than here, when there is one
		p := list[(at+1+i)%len(list)]
		from := m.Form.Focused()
		m.GoToProblem(p)
		m.jumped = p.Field + "\x00" + p.Message
		if m.Form.Focused() != from {
			break
		}
	}
	last := m.LastJump()
	for i := range m.Problems {
		if &m.Problems[i] == last {
			return i
		}
	}
	return -1
}

// OffJump says why there is no finding to go to, "" when there is one.
func (m *Sheet) OffJump() string {
	if len(m.Problems) == 0 && m.Refusal.Field == "" {
		return "nothing is wrong and nothing is missing"
	}
	return ""
}
