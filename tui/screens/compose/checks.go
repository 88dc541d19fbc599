package compose

import (
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	pieces "darkroom/tui/dialogs/items"
	"darkroom/tui/widgets/form"
)

// refresh brings everything in line after a change: the form, and the dialogs that show a part
// of it.
func (m *Model) refresh() {
	m.sheet.refresh()
	m.over.Update(pieces.ChangedMsg{})
}

// check asks the catalog and adds what only this screen knows, worst first.
func (m *sheet) check(own []problem) []problem {
	out := own
	for name, what := range m.bad {
		if _, ok := m.draft.Values[name]; ok {
			out = append(out, problem{Problem: catalog.Problem{Field: name, Severity: catalog.Block, Message: what}})
		}
	}
	for name, what := range m.odd {
		if _, ok := m.draft.Values[name]; ok {
			out = append(out, problem{Problem: catalog.Problem{Field: name, Severity: catalog.Warn, Message: what}})
		}
	}
	m.blocked = nil
	for i := range out {
		if out[i].Severity == catalog.Block {
			m.blocked = append(m.blocked, client.CleanLine(out[i].Message))
		}
	}
	out = append(out, m.heavies()...)
	out = append(out, m.glued()...)
	c := m.effective()
	if x, ok := m.model(); ok && c.format == "" {
		out = append(out, problem{Problem: catalog.Problem{Field: client.FieldModel, Value: x.ID, Severity: catalog.Block,
			Message: "model is " + x.ID + "; no wire format of this console creates with it", Source: x.Source}})
	}
	told := map[string]bool{} // what was said of a file
	for _, p := range m.catalog.CheckTried(m.checkable(), c.format) {
		if p.Severity == catalog.Block && has(out, p.Field, catalog.Block) {
			continue
		}
		if path, ok := m.pathOf(p.Field, p.Value); ok {
			said := strings.Replace(p.Message, p.Value, path, 1)
			_, what, _ := strings.Cut(said, path)
			if p.Severity == catalog.Info && told[what] {
				p.Message = m.briefly(&p, path)
			} else {
				p.Message = m.weighed(p.Field, p.Value, said)
			}
			told[what] = true
		}
		if p.Field == "format" {
			p.Field = rowFormat
		}
		out = append(out, problem{Problem: p})
	}
	out = append(out, m.told(c.format, out)...)
	out = append(out, m.template.finding(m.draft.Prompt, m.copies(), m.keys.Keys("compose.template"))...)
	out = append(out, m.unsent()...)
	for i := range out {
		out[i].Message = m.signed(&out[i])
	}
	slices.SortStableFunc(out, func(a, b problem) int { return rank(b.Severity) - rank(a.Severity) })
	return out
}

func has(ps []problem, field string, s catalog.Severity) bool {
	return slices.ContainsFunc(ps, func(p problem) bool { return p.Field == field && p.Severity == s })
}

func rank(s catalog.Severity) int {
	switch s {
	case catalog.Block:
		return 2
	case catalog.Warn:
		return 1
	default:
		return 0
	}
}

// maxWas is how much of what a row was shows beside it, in cells.
const maxWas = 40

// mark puts the worst finding about a row into it.
func (m *sheet) mark(r *form.Field) {
	r.Mark, r.Note = form.Fine, ""
	if m.refusal.field == r.ID && m.refusal.field != "" {
		r.Mark, r.Note = form.Bad, m.refusal.text
		return
	}
	for i := range m.problems {
		p := &m.problems[i]
		if p.Field != r.ID {
			continue
		}
		if r.ID == client.FieldPrompt && p.Severity == catalog.Block && m.draft.Prompt == "" && m.blank() {
			break // an empty form is not full of errors; Checks says what is missing
		}
		if r.ID == client.FieldModel && m.draft.Model == "" && m.blank() {
			break
		}
		r.Mark, r.Note = grade(p.Severity), client.CleanLine(p.Message)
		break
	}
	if was, ok := m.was(r.ID); ok {
		r.Mark = max(r.Mark, form.Differs)
		r.Detail = strings.TrimSuffix(wasText(was, maxWas)+" · "+r.Detail, " · ")
	}
}

func grade(s catalog.Severity) form.Mark {
	switch s {
	case catalog.Block:
		return form.Bad
	case catalog.Warn:
		return form.Warn
	default:
		return form.Info
	}
}

// firstBad is the first field of the form, from the top, that blocks a submission.
func (m *sheet) firstBad() (problem, bool) {
	var first *problem
	at := -1
	order := []string{client.FieldModel, client.FieldModelName, client.FieldMode, rowFormat, client.FieldPrompt}
	for i := range m.fields {
		order = append(order, m.fields[i].Name)
	}
	for i := range m.problems {
		p := &m.problems[i]
		if p.Severity != catalog.Block {
			continue
		}
		n := slices.Index(order, p.Field)
		if n < 0 {
			n = len(order)
		}
		if first == nil || n < at {
			first, at = p, n
		}
	}
	if first == nil {
		return problem{}, false
	}
	return *first, true
}

// named is the row that an error means: by its parameter, else by the first word of its
// message that is the name of a field.
func (m *sheet) named(param, message string) string {
	words := []string{param}
	words = append(words, strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})...)
	for _, w := range words {
		if i := strings.LastIndexByte(w, '.'); i >= 0 {
			w = w[i+1:]
		}
		switch w {
		case client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt:
			return w
		}
		if name, ok := m.catalog.Canonical(m.modality, w); ok {
			return name
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// told is what the request itself says: its notes, and what the format could not carry,
// where the catalog has not said so. A request that was made for another format tells
// nothing about this one.
func (m *sheet) told(format string, said []problem) []problem {
	p := m.made
	if p == nil || p.Format != format {
		return nil
	}
	var out []problem
	for _, d := range p.Dropped {
		if m.sets(d.Field) && !slices.ContainsFunc(said, func(s problem) bool {
			return s.Field == d.Field && strings.Contains(s.Message, "is not carried by")
		}) {
			out = append(out, problem{remark: true, Problem: catalog.Problem{Field: d.Field, Severity: catalog.Warn,
				Message: d.Field + " is not sent in this format: " + d.Reason}})
		}
	}
	for _, note := range p.Notes {
		out = append(out, problem{remark: true, Problem: catalog.Problem{Field: rowFormat, Severity: catalog.Info,
			Message: "format " + format + ": " + note, Source: "Endpoints"}})
	}
	return out
}

// refuse shows what the gateway said no to, at the field that it names.
func (m *sheet) refuse(j *jobs.Job) {
	m.refusal = refusal{text: "refused"}
	if j.Error != nil {
		m.refusal.text = "refused: " + client.CleanLine(j.Error.Message)
		m.refusal.field = m.named(j.Error.Param, j.Error.Message)
	} else if j.Note != "" {
		m.refusal.text = "refused: " + client.CleanLine(j.Note)
	}
	m.form.SetFields(m.rows())
}
