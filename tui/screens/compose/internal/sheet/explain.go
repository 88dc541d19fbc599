package sheet

import (
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/findings"
	"darkroom/tui/screens/compose/internal/references"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/picker"
)

// Explain is what is wrong with a row, else what it is for, with the section of the gateway's
// interface that says so.
func (m *Sheet) Explain(id string) (text, source string, mark form.Mark) {
	if m.Refusal.Field == id && id != "" {
		return m.Refusal.Text, "", form.Bad
	}
	f, ok := m.FieldNamed(id)
	mapped := ok && f.Mapped // what the gateway maps is said in the place of the help
	if p := m.About(id); p != nil && id != "" && (p.Severity != catalog.Info || mapped) && (id != client.FieldPrompt || !m.Blank()) {
		return p.Message, p.Source, findings.Mark(p.Severity)
	}
	text, source = m.Describe(id)
	if was, ok := m.Was(id); ok && id != "" {
		return wasText(was, 4000) + " · " + text, source, form.Differs
	}
	return text, source, form.Fine
}

// Describe is what a row is for, with the section of the gateway's interface that says so.
func (m *Sheet) Describe(id string) (text, source string) {
	c := m.Effective()
	x, _ := m.model()
	switch id {
	case RowKind:
		return "what to make; your values are kept when you switch", "What the service does"
	case client.FieldModel:
		if x.Note != "" {
			return x.Note, x.Source
		}
		if m.Free {
			return strings.TrimSpace("type any name; "+m.keys.Keys(ActModel)) +
				" asks the gateway's model list", "Endpoints"
		}
		return "enter finds a model by a few letters, ←→ steps", "Model identifiers"
	case client.FieldModelName:
		return "the version of " + x.ID + " that is asked for", "Model identifiers"
	case client.FieldMode:
		if mode, ok := x.Mode(c.Mode); ok && c.Mode != "" {
			return withCaveat(mode.Label+": "+mode.Help, &x, catalog.CaveatMode), mode.Source
		}
		return form.Auto + ": no mode is sent, the gateway decides", "Mode and model rules"
	case RowFormat:
		return withCaveat("the format in which the request is sent", &x, catalog.CaveatFormat), "Endpoints"
	case client.FieldPrompt:
		return m.describePrompt(x)
	case RowMore:
		return "enter shows or hides rarely used fields", ""
	case RowCopies:
		return strings.TrimSpace("how many jobs to make; a seed counts up; "+m.keys.Keys(ActCopies)) +
			" asks for more, and for their seeds", ""
	case RowButtons:
		if m.Form.Button() == screen.ToCompare {
			return "takes the draft to Compare, to try several models; nothing is sent yet", ""
		}
		return "each job is saved first, then sent; the form keeps its values", ""
	}
	if f, ok := m.FieldNamed(id); ok {
		return m.describeField(&f, &x), f.Source
	}
	return "", ""
}

// describeField is what a field of a model is for, how much its references weigh, and what its
// value means.
func (m *Sheet) describeField(f *catalog.Field, x *catalog.Model) string {
	text := f.Says()
	if len(f.Suggested) > 0 && len(f.Allowed) == 0 {
		text += "; our suggestions: " + strings.Join(f.Suggested, ", ")
	}
	text = withCaveat(text, x, f.Name)
	if ref, ok := m.Reference(f); ok {
		if t := m.Known.Weight(&ref); t != "" {
			text = t + "; data URIs are " + references.NotShown + " · " + text
		}
	}
	if v, ok := f.ValueHelp[m.Form.Text(f.Name)]; ok {
		text = v + " · " + text
	}
	return text
}

// withCaveat adds what the catalog assumes about a part of a model without proof.
func withCaveat(text string, x *catalog.Model, about string) string {
	for _, c := range x.Caveats {
		if c.About == about {
			text += " · " + c.Text
		}
	}
	return text
}

func (m *Sheet) describePrompt(x catalog.Model) (text, source string) {
	for i := range m.Problems { // advice that is not followed yet
		if p := &m.Problems[i]; p.Field == client.FieldModel && p.Severity == catalog.Info {
			return p.Message, p.Source
		}
	}
	if mode, ok := x.Mode(m.Effective().Mode); ok && mode.Help != "" && mode.Help != "a prompt" {
		return "this mode needs " + mode.Help, mode.Source
	}
	if m.Modality != client.Chat && strings.TrimSpace(m.Form.Text(client.FieldPrompt)) != "" {
		return promptTips(m.keys.Keys(ActImprove)), ""
	}
	if m.Modality == client.Chat {
		return "your message; System and Messages go before it", "Endpoints"
	}
	return "describe the result in your own words", ""
}

// promptTips say what else can be done with a prompt that is written.
func promptTips(improve string) string {
	tips := "{red|blue} makes one of each"
	if improve != "" {
		return improve + " improves it · " + tips
	}
	return tips
}

// OptionItems are the options of a row, as items of a picker.
func (m *Sheet) OptionItems(id string) []picker.Item {
	var opts []form.Option
	help := map[string]string{}
	switch id {
	case client.FieldModelName:
		x, _ := m.model()
		opts = rows.Options(x.ModelNames)
	default:
		for i := range m.base {
			if m.base[i].ID == id {
				opts, help = m.base[i].Options, m.Fields[i].ValueHelp
			}
		}
	}
	out := make([]picker.Item, 0, len(opts))
	for _, o := range opts {
		title := o.Label
		if title == "" {
			title = o.Value
		}
		out = append(out, picker.Item{ID: o.Value, Title: title, Detail: help[o.Value]})
	}
	return out
}
