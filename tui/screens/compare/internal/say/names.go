package say

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs/compare"
)

// Names are what the form calls fields and modes. Without a catalog they are called as requests call
// them, with blanks.
type Names struct{ Catalog *catalog.Catalog }

// Field is what a field is called.
func (n Names) Field(kind client.Modality, name string) string {
	if n.Catalog != nil {
		name = n.Catalog.LabelOf(kind, name)
	}
	return strings.ReplaceAll(client.CleanLine(name), "_", " ")
}

// Mode is what a mode of a model is called; "" for none.
func (n Names) Mode(kind client.Modality, model, mode string) string {
	if n.Catalog != nil {
		if x, ok := n.Catalog.ModelFor(kind, model); ok {
			if m, ok := x.Mode(mode); ok && m.Label != "" {
				return client.CleanLine(m.Label)
			}
		}
	}
	return client.CleanLine(mode)
}

// Property is the name of a property with its unit, as people write it: "Sample rate, Hz".
func (n Names) Property(kind client.Modality, p *compare.Property) string {
	name := n.Field(kind, p.Field)
	switch {
	case p.Field == "n":
		name = "Results"
	case p.Field == "fps" && name == p.Field:
		name = "Frame rate"
	case name != "":
		first, size := utf8.DecodeRuneInString(name)
		name = string(unicode.ToUpper(first)) + name[size:]
	}
	if p.Unit == "" {
		return name
	}
	return name + ", " + client.CleanLine(p.Unit)
}

// Settings are the axes' values of a cell, "" for none.
func (n Names) Settings(c *compare.Cell) string {
	parts := make([]string, len(c.Settings))
	for i, s := range c.Settings {
		value := client.CleanLine(s.Value)
		if value == "" {
			value = "auto"
		}
		parts[i] = n.Field(c.Draft.Modality, s.Field) + " " + value
	}
	return strings.Join(parts, " · ")
}
