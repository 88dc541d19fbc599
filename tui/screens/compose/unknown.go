package compose

import (
	"slices"

	"darkroom/client"
	"darkroom/tui/widgets/form"
)

// triesUnknown reports whether the model of the form is one that nothing is known of.
func (m *Model) triesUnknown() bool {
	return m.deps.Catalog.Unlisted(m.modality, m.effective().model)
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
