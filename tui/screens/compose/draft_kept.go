package compose

import (
	"maps"

	"darkroom/client"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
)

// kept are the drafts as they go to the disk: every modality with all values, also
// those that its model does not take.
func (m *sheet) kept() []screen.ComposeDraft {
	out := make([]screen.ComposeDraft, 0, len(m.chosen))
	for _, k := range modalities() {
		c := m.chosen[k]
		d := client.Draft{Modality: k, Model: c.model, ModelName: c.modelName, Mode: c.mode,
			Prompt: m.form.Text(client.FieldPrompt), Values: m.valuesOf(k), Extra: m.extra, Parents: m.parents}
		out = append(out, screen.ComposeDraft{Draft: d.Clone(), Format: c.format, Job: m.originJob(), Expand: string(m.template.mode), Vars: m.template.vars, Turned: m.kinds.turned[k]})
	}
	return out
}

// whole is the form as one draft, with what does not apply.
func (m *sheet) whole() screen.ComposeDraft {
	c := m.chosen[m.modality]
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode,
		Prompt: m.form.Text(client.FieldPrompt), Values: m.values, Extra: m.extra, Parents: m.parents}
	return screen.ComposeDraft{Draft: d.Clone(), Format: c.format, Expand: string(m.template.mode), Vars: m.template.vars}
}

// blank reports whether nothing was written: only what the kind begins with is there.
func (m *sheet) blank() bool {
	if m.form.Text(client.FieldPrompt) != "" || len(m.extra) > 0 || len(m.values) > len(m.kinds.presets[m.modality]) {
		return false
	}
	for name, v := range m.values {
		preset, ok := m.kinds.presets[m.modality][name].(string)
		if !ok || v != any(preset) {
			return false
		}
	}
	return true
}

// restored puts kept drafts into the form, without touching what was typed meanwhile; the kind
// stays if it is to.
func (m *sheet) restored(drafts map[client.Modality]screen.ComposeDraft, stay bool) {
	for _, k := range modalities() {
		kept, ok := drafts[k]
		if !ok {
			continue
		}
		d := kept.Draft
		if d.Model != "" {
			m.chosen[k] = choice{model: d.Model, modelName: d.ModelName, mode: d.Mode, format: kept.Format}
		}
		if m.form.Text(client.FieldPrompt) == "" {
			m.form.SetText(client.FieldPrompt, d.Prompt)
			m.template.took(kept)
		}
		m.restoreValues(k, d.Values)
		if m.origin == nil && kept.Job != "" {
			m.reading = kept.Job
		}
		for _, p := range d.Parents {
			m.parents = chain.WithParent(m.parents, p)
		}
		if m.extra == nil {
			m.extra = maps.Clone(d.Extra)
		}
	}
	m.restoreKind(drafts, stay)
}

// restoreValues takes over the kept values of a kind: its own for itself, all others for
// the form.
func (m *sheet) restoreValues(k client.Modality, values client.Values) {
	shared := make(client.Values, len(values))
	for name, v := range values {
		if canonical, ok := m.catalog.Canonical(k, name); ok {
			name = canonical
		}
		if k == m.modality || !m.apart(name) || !m.has(k, name) {
			shared[name] = v
			continue
		}
		if now, set := m.kinds.own[k][name]; !set || now == m.kinds.presets[k][name] {
			if m.kinds.own[k] == nil {
				m.kinds.own[k] = client.Values{}
			}
			m.kinds.own[k][name] = v
		}
	}
	if k == m.modality {
		for name, v := range m.kinds.presets[k] { // what was kept goes over what a kind begins with
			if _, kept := shared[name]; kept && m.values[name] == v {
				delete(m.values, name)
			}
		}
	}
	m.adopt(shared)
}
