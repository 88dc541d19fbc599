package sheet

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
	Wide map[string]bool
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
func (m *Sheet) fittingFields(c Choice) []catalog.Field {
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName, Mode: c.Mode}
	m.Fits.Wide = map[string]bool{}
	for _, f := range m.catalog.Fields(d) {
		m.Fits.Wide[f.Name] = true
	}
	all := slices.DeleteFunc(m.catalog.FieldsFor(d, c.Format), func(f catalog.Field) bool {
		return !m.Fits.carries(c.Format, f.Name)
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

// WideDraft is the draft with the values that only other formats carry: what the formats
// are shown side by side with, and compared by.
func (m *Sheet) WideDraft() client.Draft {
	d := m.Draft.Clone()
	if d.Values == nil {
		d.Values = client.Values{}
	}
	for name, v := range m.Values {
		if _, set := d.Values[name]; !set && m.Fits.Wide[name] {
			d.Values[name] = v
		}
	}
	return d
}

// whyStruck says why a value that is kept does not apply.
func (m *Sheet) whyStruck(name string) string {
	c := m.Effective()
	d := client.Draft{Modality: m.Modality, Model: c.Model, ModelName: c.ModelName}
	switch {
	case m.Fits.Wide[name]:
		return "not carried by format " + c.Format
	case !m.Has(m.Modality, name):
		return "no field of " + string(m.Modality)
	case slices.ContainsFunc(m.catalog.Fields(d), func(f catalog.Field) bool { return f.Name == name }):
		return "not in mode " + c.Mode
	default:
		return "not of this model"
	}
}

// unsent are findings about values that the model takes and the format does not carry:
// they are kept, and another format sends them.
func (m *Sheet) unsent() []catalog.Problem {
	c := m.Effective()
	var out []catalog.Problem
	for _, name := range m.Struck() {
		if !m.Fits.Wide[name] {
			continue
		}
		p := catalog.Problem{Field: RowFormat, Value: c.Format, Severity: catalog.Warn, Source: "Endpoints",
			Message: fmt.Sprintf("%s is kept and not sent: format %s does not carry it", name, c.Format)}
		for _, other := range m.Ways {
			if other != c.Format && m.Fits.carries(other, name) {
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
