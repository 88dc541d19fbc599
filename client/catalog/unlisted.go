package catalog

import (
	"slices"

	"darkroom/client"
)

// Describes says where a model that the catalog does not know is described.
const Describes = "catalog.yaml, which 'darkroom config path' names, can describe it"

// Unlisted reports whether the models of a kind are known and this one is not, of any kind: it is
// a person's or the gateway's own, and can be tried.
func (c *Catalog) Unlisted(kind client.Modality, model string) bool {
	if model == "" || c.DraftFormat(client.Draft{Modality: kind}) != "" {
		return false
	}
	_, known := c.Model(model)
	return !known
}

// CheckTried is [Catalog.CheckFor], but that the catalog does not know a model is no reason not to
// send it through a format: it is a warning that nothing is checked.
func (c *Catalog) CheckTried(d client.Draft, format string) []Problem {
	out := c.CheckFor(d, format)
	if format == "" || !c.Unlisted(d.Modality, d.Model) {
		return out
	}
	for i := range out {
		if p := &out[i]; p.Field == client.FieldModel && p.Severity == Block {
			p.Severity = Warn
			p.Message += ": nothing is known of it, its values are sent as they are; " + Describes
		}
	}
	return out
}

// WaysOfKind are the formats that create with any model of a kind, in the catalog's order: what can
// be tried with a model that is not known. formatsFor tells those of a draft.
func (c *Catalog) WaysOfKind(kind client.Modality, formatsFor func(client.Draft) []string) []string {
	var out []string
	for _, m := range c.Models(kind) {
		for _, f := range formatsFor(client.Draft{Modality: kind, Model: m.ID}) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Nearest orders names that resemble a model's by how near they are, at most n of them.
func Nearest(model string, names []string, n int) []string { return nearest(model, names, n) }
