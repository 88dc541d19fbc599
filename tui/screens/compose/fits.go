package compose

import (
	"fmt"
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
)

// fits is what decides which fields there are.
type fits struct {
	// carry are the fields that a format can carry, by its name.
	carry map[string]map[string]bool
	// some are the fields that any format carries.
	some map[string]bool
	// wide are the names of the fields that the model takes in its mode, whatever the
	// format carries of them.
	wide map[string]bool
}

func newFits(g formatter) fits {
	f := fits{carry: map[string]map[string]bool{}, some: map[string]bool{}}
	for _, x := range g.Formats() {
		names := map[string]bool{}
		for _, w := range x.Fields() {
			names[w.Canonical], f.some[w.Canonical] = true, true
		}
		f.carry[x.Name()] = names
	}
	return f
}

// carries reports whether a format can carry a field. Nothing is said against a format that
// nobody knows, nor a field that none carries: that is a person's own, and the request tells.
func (f *fits) carries(format, name string) bool {
	names, known := f.carry[format]
	return !known || names[name] || !f.some[name]
}

// fittingFields are the fields that the model takes in its mode and the format carries,
// the usual ones first.
func (m *sheet) fittingFields(c choice) []catalog.Field {
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName, Mode: c.mode}
	m.fits.wide = map[string]bool{}
	for _, f := range m.catalog.Fields(d) {
		m.fits.wide[f.Name] = true
	}
	all := slices.DeleteFunc(m.catalog.FieldsFor(d, c.format), func(f catalog.Field) bool {
		return !m.fits.carries(c.format, f.Name)
	})
	slices.SortStableFunc(all, func(a, b catalog.Field) int { // a limit of the format may make one usual
		switch {
		case a.Basic == b.Basic:
			return 0
		case a.Basic:
			return -1
		default:
			return 1
		}
	})
	return all
}

// wideDraft is the draft with the values that only other formats carry: what the formats
// are shown side by side with, and compared by.
func (m *sheet) wideDraft() client.Draft {
	d := m.draft.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	for name, v := range m.values {
		if _, set := d.Values[name]; !set && m.fits.wide[name] {
			d.Values[name] = v
		}
	}
	return d
}

// whyStruck says why a value that is kept does not apply.
func (m *sheet) whyStruck(name string) string {
	c := m.effective()
	d := client.Draft{Modality: m.modality, Model: c.model, ModelName: c.modelName}
	switch {
	case m.fits.wide[name]:
		return "not carried by format " + c.format
	case !m.has(m.modality, name):
		return "no field of " + string(m.modality)
	case slices.ContainsFunc(m.catalog.Fields(d), func(f catalog.Field) bool { return f.Name == name }):
		return "not in mode " + c.mode
	default:
		return "not of this model"
	}
}

// unsent are findings about values that the model takes and the format does not carry:
// they are kept, and another format sends them.
func (m *sheet) unsent() []catalog.Problem {
	c := m.effective()
	var out []catalog.Problem
	for _, name := range m.struck() {
		if !m.fits.wide[name] {
			continue
		}
		p := catalog.Problem{Field: rowFormat, Value: c.format, Severity: catalog.Warn, Source: "Endpoints",
			Message: fmt.Sprintf("%s is kept and not sent: format %s does not carry it", name, c.format)}
		for _, other := range m.ways {
			if other != c.format && m.fits.carries(other, name) {
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
