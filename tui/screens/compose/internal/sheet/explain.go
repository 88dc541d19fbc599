package sheet

import (
	"slices"
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
		return "choose what to make; values are kept when it changes", "What the service does"
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
		return withCaveat("how the request is written down for the gateway", &x, catalog.CaveatFormat), "Endpoints"
	case client.FieldPrompt:
		return m.describePrompt(x)
	case RowMore:
		return "enter shows or hides the fields that are seldom used", ""
	case RowCopies:
		return strings.TrimSpace("how many jobs one submission makes; a whole-number seed counts up; "+m.keys.Keys(ActCopies)) +
			" asks for more, and for their seeds", ""
	case RowButtons:
		if m.Form.Button() == screen.ToCompare {
			return "takes the draft to Compare, to be sent with several models; nothing is sent yet", ""
		}
		return "a submission is written down first, then sent; the form keeps every value", ""
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
	written := strings.TrimSpace(m.Form.Text(client.FieldPrompt)) != ""
	if mode, ok := x.Mode(m.Effective().Mode); ok && mode.Help != "" && (!written || !promptAlone(&mode)) {
		return "needs " + mode.Help, mode.Source
	}
	if written && m.Modality != client.Chat {
		return promptTips(m.keys.Keys(ActImprove)), ""
	}
	if m.Modality == client.Chat {
		return "the message of the user; System and Messages go before it", "Endpoints"
	}
	return "what the result is to be like", ""
}

// promptAlone reports whether a mode needs nothing but a prompt.
func promptAlone(mode *catalog.Mode) bool {
	return !slices.ContainsFunc(mode.Needs, func(n catalog.Need) bool { return !slices.Contains(n.AnyOf, client.FieldPrompt) })
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
