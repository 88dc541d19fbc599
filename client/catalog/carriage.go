package catalog

import (
	"slices"

	"darkroom/client"
)

// Carriage knows which fields the wire formats can carry, as their codecs declare it.
type Carriage struct {
	formats map[string]map[string]bool // by format, then by field
	some    map[string]bool            // that any format carries
}

// NewCarriage collects the fields that the given codecs can carry.
func NewCarriage(formats []client.Format) Carriage {
	x := Carriage{map[string]map[string]bool{}, map[string]bool{}}
	for _, f := range formats {
		names := map[string]bool{}
		for _, w := range f.Fields() {
			names[w.Canonical], x.some[w.Canonical] = true, true
		}
		x.formats[f.Name()] = names
	}
	return x
}

// knows reports whether the format is among the codecs given.
func (x Carriage) knows(format string) bool { return x.formats[format] != nil }

// Carries reports whether a format can carry a field. It gives an unknown format the benefit of the
// doubt, and likewise a field that no format carries: that is a person's own, and the request will
// tell.
func (x Carriage) Carries(format, field string) bool {
	names, known := x.formats[format]
	return !known || names[field] || !x.some[field]
}

// Sent returns the fields that the draft's model takes in its mode and that the format carries,
// basic ones first.
func (c *Catalog) Sent(d client.Draft, format string, by Carriage) []Field {
	all := slices.DeleteFunc(c.FieldsFor(d, format), func(f Field) bool { return !by.Carries(format, f.Name) })
	rest := func(f Field) int { // a limit of the format may make a field basic
		if f.Basic {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b Field) int { return rest(a) - rest(b) })
	return all
}

// Apart reports whether a field takes different values in different modalities, as the engine of
// music and of speech does: its value is not carried over from one to the other.
func (c *Catalog) Apart(field string) bool {
	var first *Field
	for _, m := range c.kinds() {
		f, ok := c.Field(m, field)
		switch {
		case !ok:
		case first == nil:
			first = &f
		case !slices.Equal(first.Allowed, f.Allowed):
			return true
		}
	}
	return false
}

// Refers reports whether a value of the kind is a reference or a list of them.
func (k Kind) Refers() bool { return k == Media || k == Medias }

// IsJSON reports whether a value of the kind is written as JSON.
func (k Kind) IsJSON() bool { return k == List || k == Object || k == Content }
