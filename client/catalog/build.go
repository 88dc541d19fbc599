package catalog

import (
	"cmp"
	"maps"
	"slices"

	"darkroom/client"
)

// build makes a catalog from a valid document. It drops references that lead nowhere instead of
// following them: only [document.validate] may complain.
func build(doc document) *Catalog {
	c := &Catalog{doc: doc, byID: map[string]int{}, fields: map[client.Modality]*fieldSet{}}
	modes := make(map[string]Mode, len(doc.Modes))
	for i := range doc.Modes {
		d := &doc.Modes[i]
		modes[d.ID] = Mode{Name: d.Name, Label: d.Label, Help: d.Help, Source: d.Source, Needs: d.Needs}
	}
	for m, defs := range doc.Fields {
		c.fields[m] = buildFields(defs)
	}
	for i := range doc.Families {
		fd := &doc.Families[i]
		fam := Family{Token: fd.Token, Kind: fd.Kind, Title: fd.Title, Note: fd.Note}
		for j := range fd.Models {
			m := buildModel(fd, &fd.Models[j], modes)
			m.index = len(c.models)
			c.byID[m.ID] = m.index
			c.models = append(c.models, m)
			c.addVariants(m, firstList(fd.Models[j].Traits.Variants, fd.Traits.Variants), modes)
			fam.Models = append(fam.Models, m.ID)
		}
		c.families = append(c.families, fam)
	}
	return c
}

func buildFields(defs []fieldDef) *fieldSet {
	s := &fieldSet{list: make([]Field, 0, len(defs)), names: make(map[string]int, 2*len(defs))}
	for i := range defs {
		f := defs[i].Field
		s.list = append(s.list, f)
		s.names[f.Name] = i
		for _, a := range f.Aliases {
			s.names[a] = i
		}
	}
	return s
}

func buildModel(fd *familyDef, md *modelDef, modes map[string]Mode) Model {
	f, t := &fd.Traits, &md.Traits
	m := Model{
		ID: md.ID, Family: fd.Token, Note: md.Note,
		Modality:      cmp.Or(t.Modality, f.Modality),
		ModelNames:    firstList(t.ModelNames, f.ModelNames),
		ModelNameHard: cmp.Or(t.NameRule, f.NameRule) == ruleRequired, ModelNameListed: cmp.Or(t.NameRule, f.NameRule) == ruleListed,
		ModeRequired: cmp.Or(t.ModeRule, f.ModeRule) == ruleRequired,
		ModeWith:     firstList(t.ModeWith, f.ModeWith),
		Formats:      firstList(t.Formats, f.Formats),
		Routes:       firstList(t.Routes, f.Routes),
		Fixed:        firstMap(t.Fixed, f.Fixed),
		MaxRefs:      firstMap(t.MaxRefs, f.MaxRefs),
		Advice:       firstList(t.Advice, f.Advice),
		Caveats:      firstList(t.Caveats, f.Caveats),
		Source:       cmp.Or(t.Source, f.Source),
		without:      firstList(t.Without, f.Without),
		wireNames:    firstMap(t.WireNames, f.WireNames),
		limits:       f.Limits,
	}
	if len(t.Limits) > 0 {
		m.limits = slices.Concat(f.Limits, t.Limits)
	}
	for _, id := range firstList(t.Modes, f.Modes) {
		if mode, ok := modes[id]; ok {
			m.Modes = append(m.Modes, mode)
		}
	}
	m.perFormat = dependsOnFormat(&m)
	return m
}

// addVariants adds the further modalities of a model.
func (c *Catalog) addVariants(m Model, list []variant, modes map[string]Mode) {
	for _, v := range list {
		x := m
		x.Modality, x.Note, x.Modes, x.limits = v.Modality, cmp.Or(v.Note, m.Note), nil, nil
		for _, id := range v.Modes {
			if mode, ok := modes[id]; ok {
				x.Modes = append(x.Modes, mode)
			}
		}
		x.perFormat = dependsOnFormat(&x)
		c.variants = append(c.variants, x)
	}
}

func firstList[T any](a, b []T) []T {
	if a != nil {
		return a
	}
	return b
}

func firstMap[K comparable, V any](a, b map[K]V) map[K]V {
	if a != nil {
		return a
	}
	return b
}

// merge narrows a field to what a model says about it in a mode. It never writes to anything that f
// shares with the catalog.
func merge(f *Field, m *Model, mode string) {
	if m == nil {
		return
	}
	for i := range m.limits {
		l := &m.limits[i]
		if l.Field == f.Name && len(l.Formats) == 0 && (len(l.Modes) == 0 || slices.Contains(l.Modes, mode)) {
			l.apply(f)
		}
	}
	if v, ok := m.Fixed[f.Name]; ok {
		f.Allowed, f.Usual, f.Suggested, f.Hard, f.Mapped, f.Default = []string{v}, nil, nil, true, false, v
	}
}

func (l *limit) apply(f *Field) {
	if l.Allowed != nil || l.Min != nil || l.Max != nil || l.MaxItems > 0 {
		f.Allowed, f.Min, f.Max, f.Hard, f.Mapped = l.Allowed, l.Min, l.Max, l.Hard, l.Mapped
		f.Usual, f.Suggested = nil, nil
	}
	if l.Usual != nil {
		f.Usual, f.Suggested = l.Usual, nil
	}
	if l.Suggested != nil {
		f.Suggested = l.Suggested
	}
	if l.MinItems > 0 {
		f.MinItems = l.MinItems
	}
	if l.MaxItems > 0 {
		f.MaxItems = l.MaxItems
	}
	if l.Basic != nil {
		f.Basic = *l.Basic
	}
	if len(l.ValueHelp) > 0 {
		help := maps.Clone(l.ValueHelp)
		for k, v := range f.ValueHelp {
			if _, ok := help[k]; !ok {
				help[k] = v
			}
		}
		f.ValueHelp = help
	}
	f.Default = cmp.Or(l.Default, f.Default)
	f.Help = cmp.Or(l.Help, f.Help)
	f.Source = cmp.Or(l.Source, f.Source)
}
