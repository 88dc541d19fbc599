package compose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/format"
)

// Rows of the form beside those of the catalog's fields, which have the field's name.
const (
	rowKind    = "#kind"
	rowFormat  = "#format"
	rowMore    = "#more"
	rowCopies  = "#copies"
	rowButtons = "#do"
	rowUnused  = "#unused"
	rowExtra   = "#extra"
	rowOld     = "#old." // + the name of a value that does not apply
)

// Buttons of the form.
const (
	buttonSubmit  = "submit"
	buttonCompare = "compare"
)

// maxCopies bounds what one submission sends.
const maxCopies = 8

// unset is how the choice to leave a field out shows.
const unset = "—"

// fieldsKey is all that the list of fields depends on.
type fieldsKey struct {
	modality            client.Modality
	model, mode, format string
}

// updateFields makes the fields anew when the model, the mode or the format is another.
func (m *sheet) updateFields() {
	c := m.effective()
	key := fieldsKey{m.modality, c.model, c.mode, c.format}
	if m.known == key {
		return
	}
	m.known, m.strays = key, nil
	m.fields = m.fittingFields(c)
	m.base = make([]form.Field, len(m.fields))
	for i, f := range m.fields {
		m.base[i] = row(f)
		// A value from a draft of another kind, or from before the field was known.
		if v, ok := m.values[f.Name]; ok && m.form.Text(f.Name) == "" {
			m.form.SetText(f.Name, fieldText(f, m.data.Shrink(v)))
		}
	}
}

// row is how a field is shown and edited.
func row(f catalog.Field) form.Field {
	r := form.Field{ID: f.Name, Label: f.Label, Unit: f.Unit, Kind: form.Text, Hint: hint(f)}
	r.Paths = holdsMedia(&f)
	switch f.Kind {
	case catalog.Boolean:
		r.Kind = form.Choice
		r.Options = []form.Option{{Value: "", Label: unset}, {Value: "true", Label: "yes"}, {Value: "false", Label: "no"}}
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
			r.Options = slices.Insert(r.Options, 0, form.Option{Value: "", Label: unset})
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
		parts = append(parts, number(*f.Min)+" to "+number(*f.Max))
	case f.Min != nil:
		parts = append(parts, "from "+number(*f.Min))
	case f.Max != nil:
		parts = append(parts, "up to "+number(*f.Max))
	}
	if f.MaxItems > 0 {
		parts = append(parts, fmt.Sprintf("%d to %d", max(1, f.MinItems), f.MaxItems))
	}
	if f.Default != "" {
		parts = append(parts, f.Default+" when left out")
	}
	if len(parts) == 0 {
		return unset
	}
	return strings.Join(parts, ", ")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// rows are the fields of the form as it is now.
func (m *sheet) rows() []form.Field {
	c := m.effective()
	out := make([]form.Field, 0, len(m.base)+12)
	out = append(out, m.head(c)...)
	hidden := 0
	for i := range m.base {
		f := &m.fields[i]
		if f.Basic || m.more || m.form.Focused() == f.Name || m.form.Text(f.Name) != "" || m.differs(f.Name) {
			r := m.base[i]
			if holdsMedia(f) {
				r.Detail = m.detail(f)
			}
			out = append(out, m.entries(m.withStray(r)))
		} else {
			hidden++
		}
	}
	switch {
	case hidden > 0:
		out = append(out, form.Field{ID: rowMore, Kind: form.Fold, Label: "▸ " + format.Plural(hidden, "more field"), Detail: m.keys.Keys("compose.more")})
	case m.more:
		out = append(out, form.Field{ID: rowMore, Kind: form.Fold, Label: "▾ fewer fields", Detail: m.keys.Keys("compose.more")})
	}
	out = append(out, m.tail(c)...)
	for i := range out {
		m.mark(&out[i])
	}
	return out
}

// head are the rows that every request has.
func (m *sheet) head(c choice) []form.Field {
	kinds := make([]form.Option, 0, 5)
	for _, k := range modalities() {
		kinds = append(kinds, form.Option{Value: string(k)})
	}
	out := []form.Field{
		{ID: rowKind, Label: "Kind", Kind: form.Choice, Options: kinds},
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
				modes = slices.Insert(modes, 0, form.Option{Value: "", Label: unset})
			}
			out = append(out, form.Field{ID: client.FieldMode, Label: "Mode", Kind: form.Choice, Options: modes})
		}
	}
	tries := !known && m.triesUnknown()
	if tries {
		out[1].Detail = "not in the catalog"
		out = append(out, m.unknownRows(c)...)
	}
	if len(m.ways) > 1 || tries && len(m.ways) > 0 {
		out = append(out, form.Field{ID: rowFormat, Label: "Format", Kind: form.Choice, Options: options(m.ways)})
	}
	least, most := 3, 8
	if m.low {
		least, most = 2, 4
	}
	return append(out, form.Field{ID: client.FieldPrompt, Label: "Prompt", Kind: form.Lines, Boxed: true,
		MinRows: least, MaxRows: most, Corner: m.promptCorner(), Hint: promptHint(m.modality)})
}

// tail are the rows behind the fields.
func (m *sheet) tail(c choice) []form.Field {
	submit := "Submit"
	if n := m.copies(); n > 1 {
		submit = fmt.Sprintf("Submit ×%d", n)
	}
	out := []form.Field{
		{ID: rowCopies, Label: "Copies", Kind: form.Choice, Options: copies()},
		{ID: rowButtons, Kind: form.Buttons, Options: []form.Option{
			{Value: buttonSubmit, Label: strings.TrimSpace(submit + " " + m.keys.Keys("compose.submit"))},
		}},
	}
	if m.compareOff() == "" {
		do := &out[len(out)-1]
		do.Options = append(do.Options, form.Option{Value: buttonCompare, Label: "To compare"})
	}
	if n := len(m.extra); n > 0 {
		out = slices.Insert(out, 0, form.Field{ID: rowExtra, Kind: form.Struck, Label: "Raw additions",
			Detail: client.CleanLine(strings.Join(sortedKeys(m.extra), ", "))})
	}
	var old []form.Field
	if w := m.chosen[m.modality].mode; w != "" && w != c.mode {
		old = append(old, form.Field{ID: rowOld + client.FieldMode, Label: "Mode", Kind: form.Struck, Hint: w})
	}
	for _, name := range m.struck() {
		label := name
		if f, ok := m.catalog.Field(m.modality, name); ok {
			label = f.Label
		}
		old = append(old, form.Field{ID: rowOld + name, Label: client.CleanLine(label), Kind: form.Struck, Detail: m.whyStruck(name),
			Hint: client.CleanLine(media.Readable(text(m.data.Shrink(m.values[name]))))})
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
	out := make([]form.Option, maxCopies)
	for i := range out {
		out[i] = form.Option{Value: strconv.Itoa(i + 1)}
	}
	return out
}

func (m *sheet) modelOptions() []form.Option {
	models := m.catalog.Models(m.modality)
	out := make([]form.Option, len(models))
	for i := range models {
		out[i] = form.Option{Value: models[i].ID}
	}
	return out
}

// promptCorner is the number of words of the prompt, and the key of the editor.
func (m *sheet) promptCorner() string {
	n, in := 0, false
	for _, r := range m.form.Text(client.FieldPrompt) {
		space := unicode.IsSpace(r)
		if !space && !in {
			n++
		}
		in = !space
	}
	corner := m.keys.Keys("compose.editor")
	if n == 0 {
		return corner
	}
	return m.template.corner() + strings.TrimSuffix(format.Plural(n, "word")+" ─ "+corner, " ─ ")
}
