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
	"darkroom/client/text"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/form"
)

// Rows of the form beside those of the catalog's fields, which have the field's name.
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
	ActTemplate = "compose.template"
)

// MaxCopies bounds what one submission sends.
const MaxCopies = 8

// Unset is how the choice to leave a field out shows.
const Unset = "—"

// fieldsKey is all that the list of fields depends on.
type fieldsKey struct {
	Modality            client.Modality
	model, mode, format string
}

// updateFields makes the fields anew when the model, the mode or the format is another.
func (m *Sheet) updateFields() {
	c := m.Effective()
	key := fieldsKey{m.Modality, c.Model, c.Mode, c.Format}
	if m.Known == key {
		return
	}
	m.Known, m.strays = key, nil
	m.Fields = m.fittingFields(c)
	m.base = make([]form.Field, len(m.Fields))
	for i, f := range m.Fields {
		m.base[i] = row(f)
		// A value from a draft of another kind, or from before the field was known.
		if v, ok := m.Values[f.Name]; ok && m.Form.Text(f.Name) == "" {
			m.Form.SetText(f.Name, FieldText(f, m.Data.Shrink(v)))
		}
	}
}

// row is how a field is shown and edited.
func row(f catalog.Field) form.Field {
	r := form.Field{ID: f.Name, Label: f.Label, Unit: f.Unit, Kind: form.Text, Hint: hint(f)}
	r.Paths = HoldsMedia(&f)
	switch f.Kind {
	case catalog.Boolean:
		r.Kind = form.Choice
		r.Options = []form.Option{{Value: "", Label: Unset}, {Value: "true", Label: "yes"}, {Value: "false", Label: "no"}}
	case catalog.Lines:
		r.Kind = form.Lines
	case catalog.Medias:
		r.Kind, r.Numbered = form.List, true
	case catalog.List, catalog.Object, catalog.Content:
		r.Kind, r.MaxRows = form.Lines, 12
	default:
		for _, v := range f.Offered() {
			r.Options = append(r.Options, form.Option{Value: v})
			if f.IsSuggestion(v) {
				r.Lead = "e.g."
			}
		}
		if f.Kind == catalog.Choice && len(f.Allowed) > 0 && f.Hard && !f.Mapped {
			r.Options = slices.Insert(r.Options, 0, form.Option{Value: "", Label: Unset})
			r.Kind = chooser(r.Options)
		}
	}
	return r
}

// chooser shows all options at once as long as they are few.
func chooser(options []form.Option) form.Kind {
	n := 0
	for _, o := range options {
		n += max(len(o.Label), len(o.Value)) + 2
	}
	if n > 80 {
		return form.Pick
	}
	return form.Choice
}

// hint says what an empty field takes.
func hint(f catalog.Field) string {
	var parts []string
	shape := ""
	switch f.Kind {
	case catalog.Media:
		parts = append(parts, "path or URL")
	case catalog.Medias:
		parts = append(parts, "paths or URLs, one a line")
	case catalog.List, catalog.Content:
		parts = append(parts, "JSON list")
	case catalog.Object:
		parts = append(parts, "JSON object")
	case catalog.Size:
		shape = "<width>x<height>"
	case catalog.Ratio:
		shape = "<w>:<h>"
	}
	if shape != "" && len(f.Offered()) == 0 { // else the values show it
		parts = append(parts, shape)
	}
	switch {
	case f.Min != nil && f.Max != nil:
		parts = append(parts, Number(*f.Min)+" to "+Number(*f.Max))
	case f.Min != nil:
		parts = append(parts, "from "+Number(*f.Min))
	case f.Max != nil:
		parts = append(parts, "up to "+Number(*f.Max))
	}
	if f.MaxItems > 0 {
		parts = append(parts, fmt.Sprintf("%d to %d", max(1, f.MinItems), f.MaxItems))
	}
	if f.Default != "" {
		parts = append(parts, f.Default+" when left out")
	}
	if len(parts) == 0 {
		return Unset
	}
	return strings.Join(parts, ", ")
}

// Number is a number as people write it.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Rows are the fields of the form as it is now.
func (m *Sheet) Rows() []form.Field {
	c := m.Effective()
	out := make([]form.Field, 0, len(m.base)+12)
	out = append(out, m.head(c)...)
	hidden := 0
	for i := range m.base {
		f := &m.Fields[i]
		if f.Basic || m.More || m.Form.Focused() == f.Name || m.Form.Text(f.Name) != "" || m.differs(f.Name) {
			r := m.base[i]
			if HoldsMedia(f) {
				r.Detail = m.Detail(f)
			}
			out = append(out, m.entries(m.withStray(r)))
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

// head are the rows that every request has.
func (m *Sheet) head(c Choice) []form.Field {
	kinds := make([]form.Option, 0, 5)
	for _, k := range Modalities() {
		kinds = append(kinds, form.Option{Value: string(k)})
	}
	out := []form.Field{
		{ID: RowKind, Label: "Kind", Kind: form.Choice, Options: kinds},
		m.modelRow(),
	}
	x, known := m.model()
	if known {
		out[1].Detail = x.Family
		if len(x.ModelNames) > 0 {
			names := options(x.ModelNames)
			out = append(out, form.Field{ID: client.FieldModelName, Label: "Model name", Kind: chooser(names), Options: names})
		}
		if modes := options(x.ModeNames()); len(modes) > 0 {
			if !x.ModeRequired {
				modes = slices.Insert(modes, 0, form.Option{Value: "", Label: Unset})
			}
			out = append(out, form.Field{ID: client.FieldMode, Label: "Mode", Kind: form.Choice, Options: modes})
		}
	}
	tries := !known && m.triesUnknown()
	if tries {
		out[1].Detail = "not in the catalog"
		out = append(out, m.unknownRows(c)...)
	}
	if len(m.Ways) > 1 || tries && len(m.Ways) > 0 {
		out = append(out, form.Field{ID: RowFormat, Label: "Format", Kind: form.Choice, Options: options(m.Ways)})
	}
	least, most := 3, 8
	if m.Low {
		least, most = 2, 4
	}
	return append(out, form.Field{ID: client.FieldPrompt, Label: "Prompt", Kind: form.Lines, Boxed: true,
		MinRows: least, MaxRows: most, Corner: m.promptCorner(), Hint: promptHint(m.Modality)})
}

// tail are the rows behind the fields.
func (m *Sheet) tail(c Choice) []form.Field {
	submit := "Submit"
	if n := m.Copies(); n > 1 {
		submit = fmt.Sprintf("Submit ×%d", n)
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
		label := name
		if f, ok := m.catalog.Field(m.Modality, name); ok {
			label = f.Label
		}
		old = append(old, form.Field{ID: RowOld + name, Label: client.CleanLine(label), Kind: form.Struck, Detail: m.whyStruck(name),
			Hint: client.CleanLine(media.Readable(Text(m.Data.Shrink(m.Values[name]))))})
	}
	if len(old) > 0 {
		out = append(out, form.Field{ID: rowUnused, Kind: form.Heading, Label: "not used now, kept:"})
	}
	return append(out, old...)
}

func options(values []string) []form.Option {
	out := make([]form.Option, len(values))
	for i, v := range values {
		out[i] = form.Option{Value: v}
	}
	return out
}

func copies() []form.Option {
	out := make([]form.Option, MaxCopies)
	for i := range out {
		out[i] = form.Option{Value: strconv.Itoa(i + 1)}
	}
	return out
}

// promptCorner is the number of words of the prompt, and the key of the editor.
func (m *Sheet) promptCorner() string {
	n, in := 0, false
	for _, r := range m.Form.Text(client.FieldPrompt) {
		space := unicode.IsSpace(r)
		if !space && !in {
			n++
		}
		in = !space
	}
	corner := m.keys.Keys(ActEditor)
	if n == 0 {
		return corner
	}
	return m.Template.corner() + strings.TrimSuffix(human.Plural(n, "word")+" ─ "+corner, " ─ ")
}

// withStray is a row of choices with the value that is none of them, as it came with a draft or
// from another model: it is sent, so it shows and can be chosen again, as long as the fields are
// those of this form.
func (m *Sheet) withStray(r form.Field) form.Field {
	if r.Kind != form.Choice && r.Kind != form.Pick {
		return r
	}
	now := m.Form.Text(r.ID)
	if now != "" && !slices.ContainsFunc(r.Options, func(o form.Option) bool { return o.Value == now }) {
		if m.strays == nil {
			m.strays = map[string]string{}
		}
		m.strays[r.ID] = now
	}
	stray, ok := m.strays[r.ID]
	if !ok {
		return r
	}
	at := 0
	if len(r.Options) > 0 && r.Options[0].Value == "" {
		at = 1 // behind that which leaves the field out
	}
	shown := client.CleanLine(text.Clip(media.Readable(stray), maxWas))
	r.Options = slices.Concat(r.Options[:at], []form.Option{{Value: stray, Label: shown}}, r.Options[at:])
	if now == stray {
		r.Detail = shown + " is not among the choices"
	} else {
		r.Detail = shown + " was not among the choices"
	}
	return r
}

// unknownRows are the rows of what a model that is not known may have been given elsewhere.
func (m *Sheet) unknownRows(c Choice) []form.Field {
	var out []form.Field
	for _, r := range []struct{ id, label, value string }{
		{client.FieldModelName, "Model name", c.ModelName}, {client.FieldMode, "Mode", c.Mode},
	} {
		if r.value != "" || m.Form.Focused() == r.id {
			out = append(out, form.Field{ID: r.id, Label: r.label, Kind: form.Text, Hint: Unset, Detail: "sent as it is"})
		}
	}
	return out
}
