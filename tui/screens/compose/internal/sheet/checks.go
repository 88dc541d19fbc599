package sheet

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/tui/widgets/form"
)

// check asks the catalog and adds what only this screen knows, worst first.
func (m *Sheet) check(own []catalog.Problem) []catalog.Problem {
	out := own
	for name, what := range m.Bad {
		if _, ok := m.Draft.Values[name]; ok {
			out = append(out, catalog.Problem{Field: name, Severity: catalog.Block, Message: what})
		}
	}
	for name, what := range m.Odd {
		if _, ok := m.Draft.Values[name]; ok {
			out = append(out, catalog.Problem{Field: name, Severity: catalog.Warn, Message: what})
		}
	}
	m.Blocked = nil
	for i := range out {
		if out[i].Severity == catalog.Block {
			m.Blocked = append(m.Blocked, client.CleanLine(out[i].Message))
		}
	}
	out = append(out, m.Heavies()...)
	out = append(out, m.glued()...)
	c := m.Effective()
	if x, ok := m.model(); ok && c.Format == "" {
		out = append(out, catalog.Problem{Field: client.FieldModel, Value: x.ID, Severity: catalog.Block,
			Message: "model is " + x.ID + "; no wire format of this console creates with it", Source: x.Source})
	}
	told := map[string]bool{} // what was said of a file
	for _, p := range m.catalog.CheckTried(m.checkable(), c.Format) {
		if p.Severity == catalog.Block && Has(out, p.Field, catalog.Block) {
			continue
		}
		if path, ok := m.PathOf(p.Field, p.Value); ok {
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
			p.Field = RowFormat
		}
		out = append(out, p)
	}
	out = append(out, m.told(c.Format, out)...)
	out = append(out, m.Template.finding(m.Draft.Prompt, m.Copies(), m.keys.Keys(ActTemplate))...)
	out = append(out, m.unsent()...)
	for i := range out {
		out[i].Message = m.signed(&out[i])
	}
	slices.SortStableFunc(out, func(a, b catalog.Problem) int { return rank(b.Severity) - rank(a.Severity) })
	return out
}

// Has reports whether there is a finding of a severity about a field.
func Has(ps []catalog.Problem, field string, s catalog.Severity) bool {
	return slices.ContainsFunc(ps, func(p catalog.Problem) bool { return p.Field == field && p.Severity == s })
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
func (m *Sheet) mark(r *form.Field) {
	r.Mark, r.Note = form.Fine, ""
	if m.Refusal.Field == r.ID && m.Refusal.Field != "" {
		r.Mark, r.Note = form.Bad, m.Refusal.Text
		return
	}
	for i := range m.Problems {
		p := &m.Problems[i]
		if p.Field != r.ID {
			continue
		}
		if r.ID == client.FieldPrompt && p.Severity == catalog.Block && m.Draft.Prompt == "" && m.Blank() {
			break // an empty form is not full of errors; Checks says what is missing
		}
		if r.ID == client.FieldModel && m.Draft.Model == "" && m.Blank() {
			break
		}
		r.Mark, r.Note = grade(p.Severity), client.CleanLine(p.Message)
		break
	}
	if was, ok := m.Was(r.ID); ok {
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

// FirstBad is the first field of the form, from the top, that blocks a submission.
func (m *Sheet) FirstBad() (catalog.Problem, bool) {
	var first *catalog.Problem
	at := -1
	order := []string{client.FieldModel, client.FieldModelName, client.FieldMode, RowFormat, client.FieldPrompt}
	for i := range m.Fields {
		order = append(order, m.Fields[i].Name)
	}
	for i := range m.Problems {
		p := &m.Problems[i]
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
		return catalog.Problem{}, false
	}
	return *first, true
}

// named is the row that an error means: by its parameter, else by the first word of its
// message that is the name of a field.
func (m *Sheet) named(param, message string) string {
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
		if name, ok := m.catalog.Canonical(m.Modality, w); ok {
			return name
		}
	}
	return ""
}

// SortedKeys are the keys of a map, in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// told is what the request itself says: its notes, and what the format could not carry,
// where the catalog has not said so. A request that was made for another format tells
// nothing about this one.
func (m *Sheet) told(format string, said []catalog.Problem) []catalog.Problem {
	p := m.Made
	if p == nil || p.Format != format {
		return nil
	}
	var out []catalog.Problem
	for _, d := range p.Dropped {
		if m.sets(d.Field) && !slices.ContainsFunc(said, func(s catalog.Problem) bool {
			return s.Field == d.Field && strings.Contains(s.Message, "is not carried by")
		}) {
			out = append(out, catalog.Problem{Field: d.Field, Severity: catalog.Warn,
				Message: d.Field + " is not sent in this format: " + d.Reason})
		}
	}
	for _, note := range p.Notes {
		out = append(out, catalog.Problem{Field: RowFormat, Severity: catalog.Info,
			Message: "format " + format + ": " + note, Source: "Endpoints"})
	}
	return out
}

// Refuse shows what the gateway said no to, at the field that it names.
func (m *Sheet) Refuse(j *jobs.Job) {
	m.Refusal = Refusal{Text: "refused"}
	if j.Error != nil {
		m.Refusal.Text = "refused: " + client.CleanLine(j.Error.Message)
		m.Refusal.Field = m.named(j.Error.Param, j.Error.Message)
	} else if j.Note != "" {
		m.Refusal.Text = "refused: " + client.CleanLine(j.Note)
	}
	m.Form.SetFields(m.Rows())
}

// signed is the message of a finding, with an item of a list of references as the form numbers
// it: what the catalog calls images[0] is images ①, and images where it is the only one.
func (m *Sheet) signed(p *catalog.Problem) string {
	f, ok := m.FieldNamed(p.Field)
	rest, cut := strings.CutPrefix(p.Message, p.Field+"[")
	if !ok || !cut || f.Kind != catalog.Medias {
		return p.Message
	}
	digits, rest, cut := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if !cut || err != nil {
		return p.Message
	}
	if list, ok := m.Draft.Values[p.Field].([]any); ok && len(list) > 1 {
		return p.Field + " " + form.NumberOf(n) + rest
	}
	return p.Field + rest
}
