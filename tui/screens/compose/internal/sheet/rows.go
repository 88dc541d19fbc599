package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/client/media"
	"darkroom/tui/screen"
	"darkroom/tui/screens/compose/internal/rows"
	"darkroom/tui/widgets/form"
)

// Rows of the form besides the catalog's fields, whose rows have the field's name.
const (
	RowKind    = "#kind"
	RowFormat  = "#format"
	RowMore    = "#more"
	RowCopies  = "#copies"
	RowButtons = "#do"
	rowUnused  = "#unused"
	rowExtra   = "#extra"
	RowOld     = "#old." // + the name of a value that does not apply
)

// Actions of the screen whose keys the form names.
const (
	ActModel    = "compose.model"
	ActEditor   = "compose.editor"
	ActItems    = "compose.items"
	ActMore     = "compose.more"
	ActCopies   = "compose.submit-many"
	ActImprove  = "compose.improve"
	ActTemplate = "compose.template"
)

// MaxCopies bounds what one submission sends.
const MaxCopies = 8

// Rows are the fields of the form as it is now.
func (m *Sheet) Rows() []form.Field {
	c := m.Effective()
	out := make([]form.Field, 0, len(m.base)+12)
	out = append(out, m.head(c)...)
	hidden := 0
	for i := range m.base {
		f := &m.Fields[i]
		if f.Basic || m.More || m.Form.Focused() == f.Name || m.Form.Text(f.Name) != "" || m.differs(f.Name) {
			out = append(out, m.fieldRow(f, m.base[i]))
		} else {
			hidden++
		}
	}
	switch {
	case hidden > 0:
		out = append(out, form.Field{ID: RowMore, Kind: form.Fold, Label: "▸ " + human.Plural(hidden, "more field"), Detail: m.keys.Keys(ActMore)})
	case m.More:
		out = append(out, form.Field{ID: RowMore, Kind: form.Fold, Label: "▾ fewer fields", Detail: m.keys.Keys(ActMore)})
	}
	out = append(out, m.tail(c)...)
	for i := range out {
		m.mark(&out[i])
	}
	return out
}

// fieldRow is the row of a field as its value is now.
func (m *Sheet) fieldRow(f *catalog.Field, r form.Field) form.Field {
	value := m.Draft.Values[f.Name]
	if m.Below != nil {
		r.Below = m.Below(f.Name)
	}
	if m.Pieces.Shows(f.Name, value) {
		r.Detail = m.keys.Keys(ActItems)
		return m.Pieces.Row(r, value, m.Data.Shrink, m.Known.Facts())
	}
	if ref, ok := m.Reference(f); ok && ref.Spec == nil {
		r.Detail = m.Known.Detail(&ref, f.Kind == catalog.Media)
	}
	return m.unlisted.Show(r, m.Form.Text(f.Name))
}

// head are the rows that every request has.
func (m *Sheet) head(c Choice) []form.Field {
	kinds := make([]form.Option, 0, 5)
	for _, k := range client.Modalities() {
		kinds = append(kinds, form.Option{Value: string(k)})
	}
	out := []form.Field{{ID: RowKind, Label: "Kind", Kind: form.Choice, Options: kinds}, m.modelRow(), promptRow(m)}
	const model = 1
	x, known := m.model()
	if known {
		out[model].Detail = x.Family
		if len(x.ModelNames) > 0 {
			names := rows.Options(x.ModelNames)
			out = append(out, form.Field{ID: client.FieldModelName, Label: "Model name", Kind: rows.Chooser(names), Options: names})
		}
		if modes := modeOptions(&x); len(modes) > 0 {
			out = append(out, form.Field{ID: client.FieldMode, Label: "Mode", Kind: form.Choice, Options: modes})
		}
	}
	tries := !known && m.catalog.Unlisted(m.Modality, c.Model)
	if tries {
		out[model].Detail = "not in the catalog"
		out = append(out, unknownRows(c, m.Form.Focused())...)
	}
	if len(m.Ways) > 1 || tries && len(m.Ways) > 0 {
		out = append(out, form.Field{ID: RowFormat, Label: "Format", Kind: form.Choice, Options: rows.Options(m.Ways)})
	}
	return out
}

// promptRow stands above what comes and goes with the model, so that it keeps its place.
func promptRow(m *Sheet) form.Field {
	least, most := 3, 8
	if m.Low {
		least, most = 2, 4
	}
	return form.Field{ID: client.FieldPrompt, Label: "Prompt", Kind: form.Lines, Boxed: true, Grows: !m.Low,
		MinRows: least, MaxRows: most, Corner: corner(m.Form.Text(client.FieldPrompt), &m.Template, m.keys.Keys(ActEditor)), Hint: promptHint(m.Modality)}
}

// modeOptions are the modes of a model by what they do.
func modeOptions(x *catalog.Model) []form.Option {
	var out []form.Option
	for _, name := range x.ModeNames() {
		out = append(out, form.Option{Value: name, Label: client.CleanLine(x.ModeCalled(name))})
	}
	if len(out) > 0 && !x.ModeRequired {
		out = rows.WithAuto("", out)
	}
	return out
}

// tail are the rows behind the fields.
func (m *Sheet) tail(c Choice) []form.Field {
	submit := "Submit"
	if n := m.Copies(); n > 1 {
		submit = fmt.Sprintf("Submit ×%d", n)
	}
	if m.ReadOnly {
		submit = "Read-only: no " + submit
	}
	out := []form.Field{
		{ID: RowCopies, Label: "Copies", Kind: form.Choice, Options: copies()},
		{ID: RowButtons, Kind: form.Buttons, Options: []form.Option{
			{Value: screen.SubmitDraft, Label: strings.TrimSpace(submit + " " + m.keys.Keys(screen.SubmitDraft))},
		}},
	}
	if m.CompareOff() == "" {
		do := &out[len(out)-1]
		do.Options = append(do.Options, form.Option{Value: screen.ToCompare, Label: "To compare"})
	}
	if n := len(m.extra); n > 0 {
		out = slices.Insert(out, 0, form.Field{ID: rowExtra, Kind: form.Struck, Label: "Raw additions",
			Detail: client.CleanLine(strings.Join(SortedKeys(m.extra), ", "))})
	}
	var old []form.Field
	if w := m.Chosen[m.Modality].Mode; w != "" && w != c.Mode {
		old = append(old, form.Field{ID: RowOld + client.FieldMode, Label: "Mode", Kind: form.Struck, Hint: w})
	}
	for _, name := range m.Struck() {
		old = append(old, form.Field{ID: RowOld + name, Label: m.Label(name), Kind: form.Struck, Detail: m.whyStruck(name),
			Hint: client.CleanLine(media.Readable(Text(m.Data.Shrink(m.Values[name]))))})
	}
	if len(old) > 0 {
		out = append(out, form.Field{ID: rowUnused, Kind: form.Heading, Label: "not used now, kept:"})
	}
	return append(out, old...)
}

func copies() []form.Option {
	out := make([]form.Option, MaxCopies)
	for i := range out {
		out[i] = form.Option{Value: strconv.Itoa(i + 1)}
	}
	return out
}

// corner is the text in the prompt's corner: its number of words, and the editor's key.
func corner(prompt string, t *template, key string) string {
	n, in := 0, false
	for _, r := range prompt {
		space := unicode.IsSpace(r)
		if !space && !in {
			n++
		}
		in = !space
	}
	if n == 0 {
		return key
	}
	return t.corner() + strings.TrimSuffix(human.Plural(n, "word")+" ─ "+key, " ─ ")
}

func promptHint(k client.Modality) string {
	switch k {
	case client.Music:
		return "style, mood, scene"
	case client.Speech:
		return "the text to speak"
	case client.Chat:
		return "the message"
	default:
		return "what it shows"
	}
}

// unknownRows are the rows for an unknown model: the values that it may have been given elsewhere.
func unknownRows(c Choice, focused string) []form.Field {
	var out []form.Field
	for _, r := range []struct{ id, label, value string }{
		{client.FieldModelName, "Model name", c.ModelName}, {client.FieldMode, "Mode", c.Mode},
	} {
		if r.value != "" || focused == r.id {
			out = append(out, form.Field{ID: r.id, Label: r.label, Kind: form.Text, Hint: form.Auto, Detail: "sent as it is"})
		}
	}
	return out
}
