package sheet

import (
	"maps"

	"darkroom/client"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
)

// Kept are the drafts as they are saved: every modality with all values, including those that its
// model does not accept.
func (m *Sheet) Kept() []screen.ComposeDraft {
	out := make([]screen.ComposeDraft, 0, len(m.Chosen))
	for _, k := range client.Modalities() {
		c, values := m.Chosen[k], m.Values
		if k != m.Modality {
			values = m.kinds.of(k, m.Values)
		}
		d := client.Draft{Modality: k, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode,
			Prompt: m.Form.Text(client.FieldPrompt), Values: values, Extra: m.extra, Parents: m.Parents}
		out = append(out, screen.ComposeDraft{Draft: d.Clone(), Format: c.Format, Job: m.OriginJob(), Expand: string(m.Template.Mode), Vars: m.Template.Vars, Turned: m.kinds.turned[k]})
	}
	return out
}

// Whole is the form as one draft, including what does not apply.
func (m *Sheet) Whole() screen.ComposeDraft {
	c := m.Chosen[m.Modality]
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode,
		Prompt: m.Form.Text(client.FieldPrompt), Values: m.Values, Extra: m.extra, Parents: m.Parents}
	return screen.ComposeDraft{Draft: d.Clone(), Format: c.Format, Expand: string(m.Template.Mode), Vars: m.Template.Vars}
}

// Blank reports whether nothing was written: the form holds only what its kind begins with.
func (m *Sheet) Blank() bool {
	return m.Form.Text(client.FieldPrompt) == "" && len(m.extra) == 0 && m.kinds.blank(m.Modality, m.Values)
}

// Restored puts saved drafts into the form, without touching what was typed meanwhile. With stay,
// the kind does not change.
func (m *Sheet) Restored(drafts map[client.Modality]screen.ComposeDraft, stay bool) {
	for _, k := range client.Modalities() {
		kept, ok := drafts[k]
		if !ok {
			continue
		}
		d := kept.Draft
		if d.Model != "" {
			m.Chosen[k] = Choice{Model: d.Model, ModelName: d.ModelName, Mode: d.Mode, Format: kept.Format}
		}
		if m.Form.Text(client.FieldPrompt) == "" {
			m.Form.SetText(client.FieldPrompt, d.Prompt)
			m.Template.took(kept)
		}
		m.restoreValues(k, d.Values)
		if m.Origin == nil && kept.Job != "" {
			m.Reading = kept.Job
		}
		for _, p := range d.Parents {
			m.Parents = chain.WithParent(m.Parents, p)
		}
		if m.extra == nil {
			m.extra = maps.Clone(d.Extra)
		}
	}
	m.restoreKind(drafts, stay)
}

// restoreValues restores the saved values of a kind: its own for the kind, all others for the form.
func (m *Sheet) restoreValues(k client.Modality, values client.Values) {
	shared := make(client.Values, len(values))
	for name, v := range values {
		if canonical, ok := m.catalog.Canonical(k, name); ok {
			name = canonical
		}
		if k == m.Modality || !m.kinds.restore(k, name, v) {
			shared[name] = v
		}
	}
	if k == m.Modality {
		for name, v := range m.kinds.presets[k] { // what was kept goes over what a kind begins with
			if _, kept := shared[name]; kept && m.Values[name] == v {
				delete(m.Values, name)
			}
		}
	}
	m.adopt(shared)
}
