package sheet

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
)

// Choices are the choices made for each kind (model, model name, mode and format), and those that
// apply. A model that lacks what was wished for has its own.
type Choices struct {
	catalog    *catalog.Catalog
	formatsFor func(client.Draft) []string // that can create a draft, preferred first

	Modality client.Modality
	Chosen   map[client.Modality]Choice
	Free     bool // any model will do, since the interface shows none of this kind

	wished  wish          // what granted was made for
	granted Choice        // see Effective
	waysFor fieldsKey     // what Ways was made for; without a mode
	Ways    []string      // formats that can create the draft, preferred first
	options []form.Option // the models of the kind, for their row
}

// newChoices are those of the catalog, for the first kind.
func newChoices(c *catalog.Catalog, formatsFor func(client.Draft) []string) Choices {
	out := Choices{catalog: c, formatsFor: formatsFor, Modality: client.Video, Chosen: make(map[client.Modality]Choice)}
	for _, k := range client.Modalities() {
		def := c.Default(k)
		out.Chosen[k] = Choice{Model: def.Model, ModelName: def.ModelName, Mode: def.Mode}
	}
	return out
}

// model is the chosen model; ok is false for one that the catalog does not know.
func (m *Choices) model() (catalog.Model, bool) {
	return m.catalog.ModelFor(m.Modality, m.Chosen[m.Modality].Model)
}

// Effective are the model name, mode and format that apply to the model: the ones wished for where
// it has them, else its first. The format is "" when none can create. It is called many times on
// every key, so the last answer is cached.
func (m *Choices) Effective() Choice {
	asked := wish{m.Modality, m.Chosen[m.Modality]}
	if m.wished != asked {
		m.wished, m.granted = asked, m.grant(asked.Choice)
	}
	return m.granted
}

func (m *Choices) grant(c Choice) Choice {
	c.Model = strings.TrimSpace(c.Model)
	m.updateKind(c.Model)
	c.Format = among(m.Ways, c.Format)
	x, ok := m.model()
	if !ok {
		return c
	}
	c.ModelName = among(x.ModelNames, c.ModelName)
	if modes := x.ModeNames(); c.Mode != "" || x.ModeRequired || len(modes) == 0 {
		c.Mode = among(modes, c.Mode)
	}
	return c
}

// kindOf is the kind of a draft: its own, else that of its model, else the one that shows.
func (m *Choices) kindOf(d client.Draft) client.Modality {
	if slices.Contains(client.Modalities(), d.Modality) {
		return d.Modality
	}
	if x, ok := m.catalog.Model(d.Model); ok && slices.Contains(client.Modalities(), x.Modality) {
		return x.Modality
	}
	return m.Modality
}

// updateKind updates what depends on the kind and the model alone.
func (m *Choices) updateKind(model string) {
	key := fieldsKey{Modality: m.Modality, model: model}
	if m.waysFor == key {
		return
	}
	if m.waysFor.Modality != m.Modality {
		m.options = m.modelOptions()
		m.Free = m.catalog.DraftFormat(client.Draft{Modality: m.Modality}) != ""
	}
	m.waysFor = key
	m.Ways = m.catalog.Ways(client.Draft{Modality: m.Modality, Model: model}, m.formatsFor)
}

func (m *Choices) modelOptions() []form.Option {
	models := m.catalog.Models(m.Modality)
	out := make([]form.Option, len(models))
	for i := range models {
		out[i] = form.Option{Value: models[i].ID}
	}
	return out
}

// modelRow is the row of the model: a choice, or a text where any model will do.
func (m *Choices) modelRow() form.Field {
	if m.Free {
		return form.Field{ID: client.FieldModel, Label: "Model", Kind: form.Text, Options: m.options,
			Hint: "name of a " + string(m.Modality) + " model (any; none is shown)"}
	}
	return form.Field{ID: client.FieldModel, Label: "Model", Kind: form.Pick, Hint: "choose a model", Options: m.options}
}

// CompareOff says why a draft of this kind cannot be compared, "" when it can.
func (m *Choices) CompareOff() string {
	if m.Free && len(m.options) == 0 {
		return "nothing to compare: the models of " + string(m.Modality) + " are not documented, so there is no other to choose"
	}
	return ""
}

// ChosenFormat is the format that was wished for, if it applies, else "".
func (m *Choices) ChosenFormat() string {
	if c := m.Chosen[m.Modality]; c.Format == m.Effective().Format {
		return c.Format
	}
	return ""
}

// Reaching are the formats that reach the model: first those that can create here, preferred ones
// first, then those that cannot with this gateway's configuration.
func (m *Choices) Reaching() []string {
	out := slices.Clone(m.Ways)
	if x, ok := m.model(); ok {
		for _, f := range x.Formats {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}
