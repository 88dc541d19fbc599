package models

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// fields are the fields of a model besides model, model_name, mode and prompt: type, values,
// limits, and where they apply.
func (s *sheet) fields(x *catalog.Model) {
	k := s.ink
	c := s.catalog
	d := client.Draft{Modality: x.Modality, Model: x.ID}
	all := c.Fields(d)
	s.head(fmt.Sprintf("Fields, besides model, mode and prompt (%d)", len(all)))
	if slices.ContainsFunc(all, func(f catalog.Field) bool { return strings.Contains(f.Help, "not documented") }) {
		s.text(k.muted, 2, "what is not said of a field is not documented")
	}
	special := special(c, x, all)
	for i := range all {
		f := &all[i]
		s.item(f.Label, typeText(f), k.text)
		s.more(k.strong, limitText(f))
		for _, t := range special[f.Name] {
			s.more(k.strong, t)
		}
		s.more(k.muted, cite(f.Says(), f.Source))
		for _, t := range s.whereTexts(f, x) {
			s.more(k.muted, t)
		}
	}
}

// special are the limits that apply in one mode or one format only, by field.
func special(c *catalog.Catalog, x *catalog.Model, all []catalog.Field) map[string][]string {
	base := map[string]string{}
	for i := range all {
		base[all[i].Name] = limitText(&all[i])
	}
	out := map[string][]string{}
	note := func(where string, fields []catalog.Field) {
		for i := range fields {
			if t := limitText(&fields[i]); t != "" && t != base[fields[i].Name] {
				out[fields[i].Name] = append(out[fields[i].Name], where+": "+t)
			}
		}
	}
	for _, f := range x.Formats {
		note("through "+f, c.FieldsFor(client.Draft{Modality: x.Modality, Model: x.ID}, f))
	}
	for i := range x.Modes {
		if name := x.Modes[i].Name; name != "" && len(x.Modes) > 1 {
			note("in mode "+name, c.Fields(client.Draft{Modality: x.Modality, Model: x.ID, Mode: name}))
		}
	}
	return out
}

// typeText is the shape of a value.
func typeText(f *catalog.Field) string {
	var t string
	switch f.Kind {
	case catalog.Lines:
		t = "text of many lines"
	case catalog.Integer:
		t = "whole number"
	case catalog.Choice:
		t = "text"
	case catalog.Size:
		t = "size, <width>x<height>"
	case catalog.Ratio:
		t = "ratio, <w>:<h>"
	case catalog.Media:
		t = "one reference"
	case catalog.Medias:
		t = "list of references"
	case catalog.Content:
		t = "list of content items"
	default:
		t = string(f.Kind)
	}
	if len(f.MediaKinds) > 0 {
		t += " (" + strings.Join(f.MediaKinds, ", ") + ")"
	}
	if f.Unit != "" {
		t += ", " + f.Unit
	}
	if f.Loose {
		t = "usually " + t
	}
	return t
}

// limitText is what a value may be, and whether others are refused ("hard"), unusual or
// mapped.
func limitText(f *catalog.Field) string {
	var parts []string
	strength := "usual"
	if f.Hard {
		strength = "hard"
	}
	unit := ""
	if f.Unit != "" {
		unit = " " + f.Unit
	}
	switch {
	case len(f.Allowed) == 0:
	case f.Mapped:
		parts = append(parts, "mapped to one of "+strings.Join(f.Allowed, ", ")+unit+"; which one is not documented")
	case len(f.Allowed) == 1:
		parts = append(parts, strength+": "+f.Allowed[0]+unit)
	default:
		parts = append(parts, strength+": one of "+strings.Join(f.Allowed, ", ")+unit)
	}
	if span := spanText(f); span != "" {
		parts = append(parts, strength+": "+span+unit)
	}
	if n := itemsText(f); n != "" {
		parts = append(parts, strength+": "+n)
	}
	if f.Positive && f.Min == nil {
		parts = append(parts, "above 0")
	}
	if len(f.Usual) > 0 {
		parts = append(parts, "usual: "+strings.Join(f.Usual, ", ")+unit)
	}
	if len(f.Suggested) > 0 {
		parts = append(parts, "our suggestions: "+strings.Join(f.Suggested, ", ")+unit)
	}
	if f.Default != "" {
		parts = append(parts, "default "+f.Default)
	}
	return strings.Join(parts, "; ")
}

func spanText(f *catalog.Field) string {
	switch {
	case f.Min != nil && f.Max != nil:
		return fmt.Sprintf("%g to %g", *f.Min, *f.Max)
	case f.Min != nil:
		return fmt.Sprintf("%g or more", *f.Min)
	case f.Max != nil:
		return fmt.Sprintf("%g or less", *f.Max)
	default:
		return ""
	}
}

func itemsText(f *catalog.Field) string {
	switch {
	case f.MinItems > 0 && f.MaxItems > 0:
		return itemSpan(f.MinItems, f.MaxItems)
	case f.MinItems > 0:
		return "at least " + plural(f.MinItems, "item", "items")
	case f.MaxItems > 0:
		return "at most " + plural(f.MaxItems, "item", "items")
	default:
		return ""
	}
}

func itemSpan(least, most int) string {
	if least == most {
		return plural(least, "item", "items")
	}
	return fmt.Sprintf("%d to %d items", least, most)
}

// whereTexts are the further things to know of a field: its other names, where it is
// taken, and what its values mean.
func (s *sheet) whereTexts(f *catalog.Field, x *catalog.Model) []string {
	var out []string
	add := func(lead string, list []string, sep string) {
		if len(list) > 0 {
			out = append(out, lead+strings.Join(list, sep))
		}
	}
	add("named ", append([]string{f.Name}, f.Aliases...), ", also ")
	if in := among(f.Modes, x.ModeNames()); len(in) < len(x.ModeNames()) {
		add("only in mode ", in, ", ")
	}
	if in := among(f.Formats, x.Formats); len(in) < len(x.Formats) {
		add("only through ", in, ", ")
	}
	if w := f.OnlyWith; w != nil {
		out = append(out, "matters with "+s.catalog.LabelOf(x.Modality, w.Field)+" "+strings.Join(w.Values, " or "))
	}
	for i := range f.Needs {
		out = append(out, "with it: "+s.needText(x, &f.Needs[i]))
	}
	add("keys: ", sortedKeys(f.Keys), ", ")
	for _, v := range sortedKeys(f.ValueHelp) {
		out = append(out, v+": "+f.ValueHelp[v])
	}
	var also []string
	for _, v := range sortedKeys(f.ValueAliases) {
		also = append(also, v+" is "+f.ValueAliases[v])
	}
	add("also written: ", also, ", ")
	return out
}

// among are the items of a list that a model has.
func among(list, has []string) []string {
	var out []string
	for _, x := range list {
		if slices.Contains(has, x) {
			out = append(out, x)
		}
	}
	return out
}
