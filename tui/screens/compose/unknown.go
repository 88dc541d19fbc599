package compose

import (
	"darkroom/client"
	"darkroom/tui/widgets/form"
)

// triesUnknown reports whether the model of the form is one that nothing is known of.
func (m *sheet) triesUnknown() bool {
	return m.catalog.Unlisted(m.modality, m.effective().model)
}

// unknownRows are the rows of what a model that is not known may have been given elsewhere.
func (m *sheet) unknownRows(c choice) []form.Field {
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
