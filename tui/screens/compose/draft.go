package compose

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// model is the chosen model; ok is false for one that the catalog does not know.
func (m *sheet) model() (catalog.Model, bool) {
	return m.catalog.ModelFor(m.modality, m.chosen[m.modality].model)
}

// effective are the model name, mode and format that go with the model: those that were
// wished for where it has them, else its first. The format is "" when none creates it.
// It is asked for many times on every key, so the last answer is kept.
func (m *sheet) effective() choice {
	asked := wish{m.modality, m.chosen[m.modality]}
	if m.wished != asked {
		m.wished, m.granted = asked, m.grant(asked.choice)
	}
	return m.granted
}

// wish is all that the effective choice depends on.
type wish struct {
	modality client.Modality
	choice
}

func (m *sheet) grant(c choice) choice {
	c.model = strings.TrimSpace(c.model)
	m.updateKind(c.model)
	c.format = among(m.ways, c.format)
	x, ok := m.model()
	if !ok {
		return c
	}
	c.modelName = among(x.ModelNames, c.modelName)
	if modes := x.ModeNames(); c.mode != "" || x.ModeRequired || len(modes) == 0 {
		c.mode = among(modes, c.mode)
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
func (m *sheet) collect() []catalog.Problem {
	c := m.effective()
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode,
		Prompt: m.form.Text(client.FieldPrompt), Extra: m.extra, Parents: m.parents}
	values := make(client.Values, len(m.values))
	var out []catalog.Problem
	for i := range m.fields {
		f := &m.fields[i]
		t := m.form.Text(f.Name)
		if strings.TrimSpace(t) == "" {
			delete(m.values, f.Name)
			continue
		}
		v, err := m.parse(f, t)
		v = m.data.Expand(v)
		if list, ok := v.([]any); ok && len(list) == 0 {
			delete(m.values, f.Name)
			continue
		}
		if err != nil && structured(f.Kind) {
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Block,
				Message: client.CleanLine(err.Error()), Source: f.Source})
		}
		if s := m.data.Broken(v); s != "" {
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Block,
				Message: f.Name + ": " + client.CleanLine(s) + " stands for a data URI and was changed: undo that, or paste it again"})
		}
		values[f.Name] = v
		m.values[f.Name] = v
	}
	d.Values = values
	m.draft = d
	return out
}

// struck are the names of the values that the model does not take now, sorted.
func (m *sheet) struck() []string {
	var out []string
	for name := range m.values {
		if !slices.ContainsFunc(m.fields, func(f catalog.Field) bool { return f.Name == name }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// fill puts a draft into the form in the place of what is there; format is the one that
// is wished for it.
func (m *sheet) fill(d client.Draft, format string) {
	m.fills++
	d = d.Clone()
	d.Modality = m.kindOf(d)
	if d.Modality != m.modality {
		m.stow()
		m.form.Forget(client.FieldModel)
	}
	for name := range m.values {
		m.form.Forget(name)
	}
	m.setKind(d.Modality)
	delete(m.kinds.own, m.modality)
	c := choice{model: d.Model, modelName: d.ModelName, mode: d.Mode, format: format}
	if c.model == "" {
		c = m.chosen[d.Modality]
	}
	m.chosen[d.Modality] = c
	m.values, m.extra, m.parents = client.Values{}, d.Extra, d.Parents
	m.reading = ""
	m.form.SetText(client.FieldPrompt, d.Prompt)
	m.adopt(d.Values)
	m.refusal = refusal{}
	clear(m.bad)
	clear(m.odd)
	m.strays = nil
	m.refresh()
}

// kindOf is the kind of a draft: its own, else that of its model, else the one that shows.
func (m *sheet) kindOf(d client.Draft) client.Modality {
	if slices.Contains(modalities(), d.Modality) {
		return d.Modality
	}
	if x, ok := m.catalog.Model(d.Model); ok && slices.Contains(modalities(), x.Modality) {
		return x.Modality
	}
	return m.modality
}

// adopt takes values that are not set yet.
func (m *sheet) adopt(values client.Values) {
	for name, v := range values {
		if canonical, ok := m.catalog.Canonical(m.modality, name); ok {
			name = canonical
		}
		if _, set := m.values[name]; set || v == nil {
			continue
		}
		m.values[name] = v
		f, _ := m.catalog.Field(m.modality, name)
		m.form.SetText(name, fieldText(f, m.data.Shrink(v)))
	}
}
