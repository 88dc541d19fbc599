package sheet

import (
	"fmt"
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/form"
)

// fieldsKey is everything that the list of fields depends on.
type fieldsKey struct {
	Modality            client.Modality
	model, mode, format string
}

// updateFields rebuilds the fields when the model, the mode or the format has changed.
func (m *Sheet) updateFields() {
	c := m.Effective()
	key := fieldsKey{m.Modality, c.Model, c.Mode, c.Format}
	if m.fieldsFor == key {
		return
	}
	m.fieldsFor, m.unlisted = key, nil
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode}
	m.Wide = map[string]bool{}
	for _, f := range m.catalog.Fields(d) {
		m.Wide[f.Name] = true
	}
	m.Fields = m.catalog.Sent(d, c.Format, m.carriage)
	m.Pieces.SetFields(m.catalog, m.Modality, m.Fields)
	m.base = make([]form.Field, len(m.Fields))
	for i, f := range m.Fields {
		m.base[i] = rows.Of(f)
		// A value from a draft of another kind, or from before the field was known.
		if v, ok := m.Values[f.Name]; ok && m.Form.Text(f.Name) == "" {
			m.Form.SetText(f.Name, FieldText(f, m.Data.Shrink(v)))
		}
	}
}

// WideDraft is the draft with the values that only other formats carry, for showing and comparing
// formats side by side.
func (m *Sheet) WideDraft() client.Draft {
	d := m.Draft.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	for name, v := range m.Values {
		if _, set := d.Values[name]; !set && m.Wide[name] {
			d.Values[name] = v
		}
	}
	return d
}

// whyStruck says why a kept value does not apply.
func (m *Sheet) whyStruck(name string) string {
	c := m.Effective()
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName}
	switch {
	case m.Wide[name]:
		return "not carried by format " + c.Format
	case !m.kinds.has(m.Modality, name):
		return "no field of " + string(m.Modality)
	case slices.ContainsFunc(m.catalog.Fields(d), func(f catalog.Field) bool { return f.Name == name }):
		x, _ := m.catalog.ModelFor(m.Modality, c.Model)
		return "not in mode " + client.CleanLine(x.ModeCalled(c.Mode))
	default:
		return "not of this model"
	}
}

// unsent are findings about values that the model accepts but the format does not carry: they are
// kept, and another format sends them.
func (m *Sheet) unsent() []catalog.Problem {
	c := m.Effective()
	var out []catalog.Problem
	for _, name := range m.Struck() {
		if !m.Wide[name] {
			continue
		}
		p := catalog.Problem{Field: RowFormat, Value: c.Format, Severity: catalog.Warn, Source: "Endpoints",
			Message: fmt.Sprintf("%s is kept and not sent: format %s does not carry it", m.Label(name), c.Format)}
		for _, other := range m.Ways {
			if other != c.Format && m.carriage.Carries(other, name) {
				p.Allowed = append(p.Allowed, other)
			}
		}
		if len(p.Allowed) > 0 {
			p.Message += "; " + p.Allowed[0] + " does"
		}
		out = append(out, p)
	}
	return out
}
