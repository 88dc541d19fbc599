package sheet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/widgets/form"
)

// check asks the catalog and adds the findings that only this screen can make.
func (m *Sheet) check(own []catalog.Problem) []catalog.Problem {
	refs := m.References()
	m.refs = refs
	out := append(own, m.Known.Findings(refs)...)
	m.Blocked = findings.Blocks(m.called(slices.Clone(out)))
	out = append(out, m.Known.Heavy(refs)...)
	out = append(out, references.Glued(refs)...)
	c := m.Effective()
	if x, ok := m.model(); ok && c.Format == "" {
		out = append(out, catalog.Problem{Field: client.FieldModel, Value: x.ID, Severity: catalog.Block,
			Message: "model is " + x.ID + "; no request format can create with it", Source: x.Source})
	}
	at := len(out)
	for _, p := range m.catalog.CheckTried(references.Checkable(m.Draft, refs), c.Format) {
		if p.Severity == catalog.Block && findings.Has(out, p.Field, catalog.Block) {
			continue
		}
		if p.Field == "format" {
			p.Field, p.Message = RowFormat, p.Called(m.Label(RowFormat))
		}
		out = append(out, p)
	}
	m.Known.NameFiles(refs, out[at:])
	out = append(out, findings.OfRequest(m.Made, c.Format, RowFormat, &m.Draft, out)...)
	out = append(out, m.Template.finding(m.Draft.Prompt, m.Copies(), m.keys.Keys(ActTemplate))...)
	out = append(out, m.unsent()...)
	for i := range refs {
		for j := range out {
			if refs[i].Spec == nil && out[j].Field == refs[i].Name {
				findings.Number(&out[j], refs[i].Value)
			}
		}
	}
	return m.called(out)
}

// called has findings begin with the labels of the rows that they are about, and returns them.
func (m *Sheet) called(ps []catalog.Problem) []catalog.Problem {
	for i := range ps {
		ps[i].Message = m.catalog.Worded(m.Modality, &ps[i], m.Label(ps[i].Field))
	}
	return ps
}

// Label is that of a field's row; the name of a field that has none stands for itself.
func (m *Sheet) Label(name string) string {
	switch name {
	case client.FieldModel:
		return "Model"
	case client.FieldModelName:
		return "Model name"
	case client.FieldMode:
		return "Mode"
	case client.FieldPrompt:
		return "Prompt"
	case RowFormat:
		return "Format"
	}
	f, _ := m.catalog.Field(m.Modality, name)
	return cmp.Or(client.CleanLine(f.Label), name)
}

// maxWas bounds the former value shown beside a row, in cells.
const maxWas = 40

// mark marks a row with the worst finding about it.
func (m *Sheet) mark(r *form.Field) {
	r.Mark, r.Note = form.Fine, ""
	if m.Refusal.Field == r.ID && m.Refusal.Field != "" {
		r.Mark, r.Note = form.Bad, m.Refusal.Text
		return
	}
	if p := m.About(r.ID); p != nil {
		// An empty form is not full of errors; Checks says what is missing.
		missing := r.ID == client.FieldPrompt && p.Severity == catalog.Block && m.Draft.Prompt == "" ||
			r.ID == client.FieldModel && m.Draft.Model == ""
		if !missing || !m.Blank() {
			r.Mark, r.Note = findings.Mark(p.Severity), client.CleanLine(p.Message)
		}
	}
	if was, ok := m.Was(r.ID); ok {
		r.Mark = max(r.Mark, form.Differs)
		r.Detail = strings.TrimSuffix(wasText(was, maxWas)+" · "+r.Detail, " · ")
	}
}

// FirstBad returns the blocking finding at the topmost field that has one.
func (m *Sheet) FirstBad() (catalog.Problem, bool) {
	order := []string{client.FieldModel, client.FieldPrompt, client.FieldModelName, client.FieldMode, RowFormat}
	for i := range m.Fields {
		order = append(order, m.Fields[i].Name)
	}
	return m.FirstBlock(order)
}

// Refuse shows the gateway's refusal at the field that it names.
func (m *Sheet) Refuse(j *jobs.Job) {
	m.Refusal = findings.RefusalOf(m.catalog, m.Modality, j)
	m.Form.SetFields(m.Rows())
}

// CheckItems lists the findings, worst first, or says that there are none; more is added at the
// end.
func (m *Sheet) CheckItems(more ...string) []checks.Item {
	out := make([]checks.Item, 0, len(m.Problems)+len(m.Differ)+3)
	if m.Refusal.Text != "" {
		out = append(out, checks.Item{Mark: form.Bad, Text: m.Refusal.Text})
	} else if s := m.Summary(); s != "" {
		out = append(out, checks.Item{Text: s})
	}
	for i := range m.Problems {
		p := &m.Problems[i]
		out = append(out, checks.Item{Mark: findings.Mark(p.Severity), Text: p.Message, Zone: ZoneCheck, Number: i})
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

// GoToProblem puts the focus where a finding can be mended: on its field, else on one that would do
// as well, else on the format, mode or model that lacks such a field.
func (m *Sheet) GoToProblem(p *catalog.Problem) {
	places := append([]string{p.Field}, p.Allowed...)
	if m.Wide[p.Field] {
		places = append(places, RowFormat)
	}
	for _, place := range append(places, client.FieldMode, client.FieldModel) {
		if m.GoTo(place); m.Form.Focused() == place {
			return
		}
	}
}

// NextProblem goes to the next finding that is graver than a note, worst first and wrapping around;
// if there are none, to the next note. It returns the number of the finding, -1 for the gateway's
// refusal.
func (m *Sheet) NextProblem() int {
	if m.Refusal.Text != "" && m.Refusal.Field != "" && m.Form.Focused() != m.Refusal.Field {
		m.GoTo(m.Refusal.Field)
		return -1
	}
	return m.List.NextProblem(func(p *catalog.Problem) bool {
		from := m.Form.Focused()
		m.GoToProblem(p)
		return m.Form.Focused() != from
	})
}

// SortedKeys returns the keys of a map, sorted.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
