package items

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets/form"
)

// text is the editable text of a part of an item.
func (p *Part) text(item map[string]any) string {
	v, _, _ := get(item, p.Path)
	if p.json(v) {
		if v == nil {
			return ""
		}
		return Format(v)
	}
	s, _ := scalar(v)
	return s
}

// json reports whether a value of the part is edited as JSON.
func (p *Part) json(v any) bool {
	_, plain := scalar(v)
	return !plain || p.Kind == JSON
}

// value is the value that a text stands for in place of the old one. Text that is not JSON where
// JSON is required leaves the old value: see [Model.write].
func (p *Part) value(text string, old any, wasText bool) any {
	if !p.json(old) {
		return p.typed(text, wasText)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	v, err := client.ParseJSON(text)
	if err != nil {
		return old
	}
	return v
}

// dress sets the rows of the form.
func (m *Model) dress() {
	e := m.edit
	item, ok := m.list[e.at].(map[string]any)
	if !ok {
		rows := []form.Field{{ID: rowValue, Label: m.spec.noun(), Kind: form.Struck, Hint: plain(m.list[e.at])}}
		e.form.SetFields(append(rows, m.buttons()))
		return
	}
	var rows []form.Field
	if m.spec.Tag != "" {
		e.form.SetText(rowTag, plainTag(item[m.spec.Tag]))
		rows = append(rows, form.Field{ID: rowTag, Label: m.spec.Tag, Kind: form.Choice, Options: options(m.spec.Tags)})
	}
	for _, i := range m.spec.parts(item) {
		rows = append(rows, m.row(i, item))
	}
	for _, k := range m.spec.others(item) {
		rows = append(rows, form.Field{ID: rowOther + k, Label: client.CleanLine(k), Kind: form.Struck, Hint: plain(item[k]), Detail: "kept"})
	}
	if _, fix := m.spec.repair(item, m.facts); fix {
		rows = append(rows, m.buttons())
	}
	e.form.SetFields(rows)
}

func plainTag(v any) string { s, _ := scalar(v); return s }

func (m *Model) buttons() form.Field {
	f := form.Field{ID: rowButton, Kind: form.Buttons, Options: []form.Option{{Value: Raw, Label: "As JSON"}}}
	if _, fix := m.spec.repair(m.list[m.edit.at], m.facts); fix {
		f.Options = slices.Insert(f.Options, 0, form.Option{Value: Repair, Label: "Repair"})
	}
	return f
}

// row is the form field that edits a part.
func (m *Model) row(i int, item map[string]any) form.Field {
	p := &m.spec.Parts[i]
	r := form.Field{ID: "p" + strconv.Itoa(i), Label: p.Name(), Kind: form.Text, Unit: p.Unit, Hint: p.Hint}
	v, _, _ := get(item, p.Path)
	switch {
	case p.json(v):
		r.Kind, r.MaxRows = form.Lines, 8
	case p.Kind == Lines:
		r.Kind, r.Boxed, r.MinRows, r.MaxRows = form.Lines, true, 2, 8
	case p.Kind == Boolean:
		r.Kind = form.Choice
		r.Options = []form.Option{{Value: "", Label: form.Auto}, {Value: "true", Label: "yes"}, {Value: "false", Label: "no"}}
	default:
		r.Options = options(p.Options)
		r.Paths = p.Kind == Media
	}
	if p.Kind == Media {
		if s, ok := v.(string); ok && m.facts[s].Size > 0 {
			r.Unit = strings.TrimPrefix(refText(v, m.facts), base(s)+" ")
		}
	}
	if text, bad := m.edit.bad[r.ID]; bad {
		r.Mark, r.Note = form.Bad, text
		return r
	}
	j := judge{spec: &m.spec, facts: m.facts}
	if j.part(p, item); len(j.found) > 0 {
		f := worst(j.found)
		r.Mark, r.Note = f.Mark, f.Text
	}
	return r
}

func options(values []string) []form.Option {
	out := make([]form.Option, len(values))
	for i, v := range values {
		out[i] = form.Option{Value: v}
	}
	return out
}
