package compose

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// model is the chosen model; ok is false for one that the catalog does not know.
func (m *Model) model() (catalog.Model, bool) {
	return m.deps.Catalog.Model(m.chosen[m.modality].model)
}

// effective are the model name, mode and format that go with the model: those that were
// wished for where it has them, else its first.
func (m *Model) effective() choice {
	c := m.chosen[m.modality]
	x, ok := m.model()
	if !ok {
		return c
	}
	c.modelName = among(x.ModelNames, c.modelName)
	if modes := x.ModeNames(); c.mode != "" || x.ModeRequired || len(modes) == 0 {
		c.mode = among(modes, c.mode)
	}
	c.format = ""
	for _, f := range m.formats(x) {
		if f.Value == m.chosen[m.modality].format {
			c.format = f.Value
		}
	}
	return c
}

// among is want if the list has it, else the first of the list.
func among(list []string, want string) string {
	switch {
	case slices.Contains(list, want):
		return want
	case len(list) > 0:
		return list[0]
	default:
		return ""
	}
}

// text is a value as a person edits it: lists of text one item a line, objects as JSON.
func text(v any) string {
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		return t
	case bool:
		return strconv.FormatBool(t)
	case json.Number:
		return t.String()
	case []any:
		lines := make([]string, 0, len(t))
		for _, x := range t {
			s, ok := x.(string)
			if !ok || strings.ContainsAny(s, "\r\n") {
				return indented(v)
			}
			lines = append(lines, s)
		}
		return strings.Join(lines, "\n")
	default:
		return indented(v)
	}
}

func indented(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return ""
	}
	return string(b)
}

// structured reports whether a field is edited as JSON.
func structured(k catalog.Kind) bool {
	return k == catalog.List || k == catalog.Object || k == catalog.Content
}

// fieldText is a value of a field as it is edited.
func fieldText(f catalog.Field, v any) string {
	if structured(f.Kind) {
		if _, raw := v.(string); !raw && v != nil {
			return indented(v)
		}
	}
	return text(v)
}

// collect makes the draft that would be sent from what the form shows, and keeps every
// value under its name. It returns findings of its own: texts that are no JSON.
func (m *Model) collect() []problem {
	c := m.effective()
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode,
		Prompt: m.form.Text(client.FieldPrompt), Extra: m.extra}
	values := make(client.Values, len(m.values))
	var out []problem
	for i := range m.fields {
		f := &m.fields[i]
		t := m.form.Text(f.Name)
		if strings.TrimSpace(t) == "" {
			delete(m.values, f.Name)
			continue
		}
		v, err := f.Parse(t)
		if list, ok := v.([]any); ok && len(list) == 0 {
			delete(m.values, f.Name)
			continue
		}
		if err != nil && structured(f.Kind) {
			out = append(out, problem{Problem: catalog.Problem{Field: f.Name, Severity: catalog.Block,
				Message: client.CleanLine(err.Error()), Source: f.Source}})
		}
		values[f.Name] = v
		m.values[f.Name] = v
	}
	d.Values = values
	m.draft = d
	return out
}

// struck are the names of the values that the model does not take now, sorted.
func (m *Model) struck() []string {
	var out []string
	for name := range m.values {
		if !slices.ContainsFunc(m.fields, func(f catalog.Field) bool { return f.Name == name }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// kept are the drafts as they go to the disk: every modality with all values, also
// those that its model does not take.
func (m *Model) kept() []client.Draft {
	all := client.Draft{Prompt: m.form.Text(client.FieldPrompt), Values: m.values, Extra: m.extra}
	out := make([]client.Draft, 0, len(m.chosen))
	for _, k := range modalities() {
		c := m.chosen[k]
		d := all.Clone()
		d.Modality, d.Model, d.ModelName, d.Mode = k, c.model, c.modelName, c.mode
		out = append(out, d)
	}
	return out
}

// whole is the form as one draft, with what does not apply.
func (m *Model) whole() client.Draft {
	c := m.chosen[m.modality]
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode,
		Prompt: m.form.Text(client.FieldPrompt), Values: m.values, Extra: m.extra}
	return d.Clone()
}

// blank reports whether nothing was written.
func (m *Model) blank() bool {
	return m.form.Text(client.FieldPrompt) == "" && len(m.values) == 0 && len(m.extra) == 0
}

// fill puts a draft into the form in the place of what is there.
func (m *Model) fill(d client.Draft) {
	d = d.Clone()
	if !slices.Contains(modalities(), d.Modality) {
		if x, ok := m.deps.Catalog.Model(d.Model); ok && slices.Contains(modalities(), x.Modality) {
			d.Modality = x.Modality
		} else {
			d.Modality = m.modality
		}
	}
	for name := range m.values {
		m.form.Forget(name)
	}
	m.modality = d.Modality
	c := choice{model: d.Model, modelName: d.ModelName, mode: d.Mode}
	if c.model == "" {
		c = m.chosen[d.Modality]
	}
	m.chosen[d.Modality] = c
	m.values, m.extra = client.Values{}, d.Extra
	m.form.SetText(client.FieldPrompt, d.Prompt)
	m.adopt(d.Values)
	m.refusal = refusal{}
	clear(m.bad)
	clear(m.odd)
	m.refresh()
}

// adopt takes values that are not set yet.
func (m *Model) adopt(values client.Values) {
	for name, v := range values {
		if canonical, ok := m.deps.Catalog.Canonical(m.modality, name); ok {
			name = canonical
		}
		if _, set := m.values[name]; set || v == nil {
			continue
		}
		m.values[name] = v
		f, _ := m.deps.Catalog.Field(m.modality, name)
		m.form.SetText(name, fieldText(f, v))
	}
}

// restored puts kept drafts into the form, without touching what was typed meanwhile.
func (m *Model) restored(drafts map[client.Modality]client.Draft) {
	for _, k := range modalities() {
		d, ok := drafts[k]
		if !ok {
			continue
		}
		if d.Model != "" {
			m.chosen[k] = choice{model: d.Model, modelName: d.ModelName, mode: d.Mode}
		}
		if m.form.Text(client.FieldPrompt) == "" {
			m.form.SetText(client.FieldPrompt, d.Prompt)
		}
		m.adopt(d.Values)
		if m.extra == nil {
			m.extra = maps.Clone(d.Extra)
		}
	}
}
