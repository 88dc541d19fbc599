package compose

import (
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
)

// describes says where a model that the catalog does not know is described.
const describes = "catalog.yaml, which 'darkroom config path' names, can describe it"

// unknown reports whether a kind's models are known and the catalog does not know this one, of
// any kind: it is a person's, or the gateway's, and can be tried.
func unknown(c *catalog.Catalog, kind client.Modality, model string) bool {
	if model == "" || c.DraftFormat(client.Draft{Modality: kind}) != "" {
		return false
	}
	_, known := c.Model(model)
	return !known
}

// triesUnknown reports whether the model of the form is one that nothing is known of.
func (m *Model) triesUnknown() bool {
	return unknown(m.deps.Catalog, m.modality, m.effective().model)
}

// waysOfKind are the formats that create with any model of a kind, in the catalog's order:
// what can be tried with a model that is not known.
func (m *Model) waysOfKind(kind client.Modality) []string {
	var out []string
	for _, x := range m.deps.Catalog.Models(kind) {
		for _, f := range m.deps.Gateway.FormatsFor(client.Draft{Modality: kind, Model: x.ID}) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// checked are the catalog's findings about a draft. That it does not know a model is no reason
// not to send it: it is said that nothing is checked.
func checked(c *catalog.Catalog, d client.Draft, format string) []catalog.Problem {
	out := c.CheckFor(d, format)
	if format == "" || !unknown(c, d.Modality, d.Model) {
		return out
	}
	for i := range out {
		if p := &out[i]; p.Field == client.FieldModel && p.Severity == catalog.Block {
			p.Severity = catalog.Warn
			p.Message += ": nothing is known of it, its values are sent as they are; " + describes
		}
	}
	return out
}

// unknownRows are the rows of what a model that is not known may have been given elsewhere.
func (m *Model) unknownRows(c choice) []form.Field {
	var out []form.Field
	for _, r := range []struct{ id, label, value string }{
		{client.FieldModelName, "Model name", c.modelName}, {client.FieldMode, "Mode", c.mode},
	} {
		if r.value != "" || m.form.Focused() == r.id {
			out = append(out, form.Field{ID: r.id, Label: r.label, Kind: form.Text, Hint: unset, Detail: "sent as it is"})
		}
	}
	return out
}
