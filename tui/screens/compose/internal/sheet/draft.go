package sheet

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screens/compose/internal/findings"
)

// wish is everything that the effective choice depends on.
type wish struct {
	modality client.Modality
	Choice
}

// among is want if it is in the list, else the first of the list.
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

// Text is a value as a person edits it: lists of text with one item a line, objects as JSON.
func Text(v any) string {
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

// FieldText is a value of a field as it is edited.
func FieldText(f catalog.Field, v any) string {
	if f.Kind.IsJSON() {
		if _, raw := v.(string); !raw && v != nil {
			return indented(v)
		}
	}
	return Text(v)
}

// collect makes the draft that would be sent from what the form shows, and keeps every value under
// its name. It returns findings of its own: texts that are not valid JSON.
func (m *Sheet) collect() []catalog.Problem {
	c := m.Effective()
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode,
		Prompt: m.Form.Text(client.FieldPrompt), Extra: m.extra, Parents: m.Parents}
	values := make(client.Values, len(m.Values))
	var out []catalog.Problem
	for i := range m.Fields {
		f := &m.Fields[i]
		t := m.Form.Text(f.Name)
		if strings.TrimSpace(t) == "" {
			delete(m.Values, f.Name)
			continue
		}
		v, err := m.Pieces.Parse(f, t)
		v = m.Data.Expand(v)
		if list, ok := v.([]any); ok && len(list) == 0 {
			delete(m.Values, f.Name)
			continue
		}
		if err != nil && f.Kind.IsJSON() {
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Block,
				Message: client.CleanLine(err.Error()), Source: f.Source})
		}
		if s := m.Data.Broken(v); s != "" {
			out = append(out, catalog.Problem{Field: f.Name, Severity: catalog.Block,
				Message: f.Name + ": " + client.CleanLine(s) + " stands for a data URI and was changed: undo that, or paste it again"})
		}
		values[f.Name] = v
		m.Values[f.Name] = v
	}
	d.Values = values
	m.Draft = d
	return out
}

// Struck are the names of the values that the model does not accept now, sorted.
func (m *Sheet) Struck() []string {
	var out []string
	for name := range m.Values {
		if !slices.ContainsFunc(m.Fields, func(f catalog.Field) bool { return f.Name == name }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Fill replaces the contents of the form by a draft; format is the one wished for it.
func (m *Sheet) Fill(d client.Draft, format string) {
	m.Fills++
	d = d.Clone()
	d.Modality = m.kindOf(d)
	if d.Modality != m.Modality {
		m.stow(d.Modality)
	}
	for name := range m.Values {
		m.Form.Forget(name)
	}
	delete(m.kinds.own, m.Modality)
	c := Choice{Model: d.Model, ModelName: d.ModelName, Mode: d.Mode, Format: format}
	if c.Model == "" {
		c = m.Chosen[d.Modality]
	}
	m.Chosen[d.Modality] = c
	m.Values, m.extra, m.Parents = client.Values{}, d.Extra, d.Parents
	m.Reading = ""
	m.Form.SetText(client.FieldPrompt, d.Prompt)
	m.adopt(d.Values)
	m.Refusal = findings.Refusal{}
	m.Known.Clear()
	m.unlisted = nil
	m.Refresh()
}

// adopt takes values that are not set yet.
func (m *Sheet) adopt(values client.Values) {
	for name, v := range values {
		if canonical, ok := m.catalog.Canonical(m.Modality, name); ok {
			name = canonical
		}
		if _, set := m.Values[name]; set || v == nil {
			continue
		}
		m.Values[name] = v
		f, _ := m.catalog.Field(m.Modality, name)
		m.Form.SetText(name, FieldText(f, m.Data.Shrink(v)))
	}
}
