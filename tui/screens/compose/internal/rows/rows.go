// Package rows decides how a field of the catalog shows in the form: what kind of row it has, what
// can be chosen, and what an empty one says.
package rows

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/media"
	"darkroom/client/text"
	"darkroom/tui/widgets/form"
)

// OpenList says that a field also takes what is none of its choices.
const OpenList = "or type"

// Of is how a field is shown and edited.
func Of(f catalog.Field) form.Field {
	r := form.Field{ID: f.Name, Label: f.Label, Unit: f.Unit, Kind: form.Text, Hint: Hint(f)}
	r.Paths = f.Kind.Refers()
	switch f.Kind {
	case catalog.Boolean:
		r.Kind = form.Choice
		r.Options = []form.Option{{Value: "true", Label: "yes", Usual: f.Default == "true"}, {Value: "false", Label: "no", Usual: f.Default == "false"}}
		r.Options = WithAuto(f.Default, r.Options)
	case catalog.Lines:
		r.Kind = form.Lines
	case catalog.Medias:
		r.Kind, r.Numbered = form.List, true
	case catalog.List, catalog.Object, catalog.Content:
		r.Kind, r.MaxRows = form.Lines, 12
	default:
		for _, v := range f.Offered() {
			r.Options = append(r.Options, form.Option{Value: v, Usual: v == f.Default})
		}
		if len(r.Options) == 0 {
			break
		}
		r.Options, r.Open = WithAuto(f.Default, r.Options), OpenList
		if f.Kind == catalog.Choice && len(f.Allowed) > 0 && f.Hard && !f.Mapped {
			r.Kind, r.Open = Chooser(r.Options), ""
		}
	}
	return r
}

// WithAuto puts the choice to leave a field out before its other options, with what is taken then
// where that is known and none of them.
func WithAuto(def string, options []form.Option) []form.Option {
	auto := form.Option{Label: form.Auto}
	if def != "" && !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == def }) {
		auto.Label += " ·" + def + "·"
	}
	return slices.Insert(options, 0, auto)
}

// Chooser shows all options at once as long as they are few.
func Chooser(options []form.Option) form.Kind {
	n := 0
	for _, o := range options {
		n += max(len(o.Label), len(o.Value)) + 2
	}
	if n > 80 {
		return form.Pick
	}
	return form.Choice
}

// Empty is what a field was to which nothing was added.
const Empty = "empty"

// Nothing is what a field was that had no value: one that a person adds something to was empty.
func Nothing(f catalog.Field) string {
	if f.Kind.Refers() || f.Kind.IsJSON() || f.Kind == catalog.Lines {
		return Empty
	}
	return form.Auto
}

// Hint says what an empty field takes.
func Hint(f catalog.Field) string {
	var parts []string
	shape := ""
	switch f.Kind {
	case catalog.Media:
		parts = append(parts, "+ path or URL")
	case catalog.Medias:
		parts = append(parts, "+ paths or URLs, one per line")
	case catalog.List, catalog.Content:
		parts = append(parts, "+ JSON list")
	case catalog.Object:
		parts = append(parts, "+ JSON object")
	case catalog.Lines:
		parts = append(parts, "+ text")
	case catalog.Size:
		shape = "width x height"
	case catalog.Ratio:
		shape = "width:height"
	}
	added := len(parts) > 0                   // by a person; else the model has a value of its own
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
	if added {
		return strings.Join(parts, ", ")
	}
	auto := form.Auto
	if f.Default != "" {
		auto += " ·" + f.Default + "·"
	}
	if len(parts) == 0 {
		return auto
	}
	return strings.TrimSpace(auto + "  " + strings.Join(parts, ", ") + " " + f.Unit)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Options are the options of a row, by their values.
func Options(values []string) []form.Option {
	out := make([]form.Option, len(values))
	for i, v := range values {
		out[i] = form.Option{Value: v}
	}
	return out
}

// Unlisted are values that are not among the choices of their rows; they came with a draft or from
// another model. Each is sent, so it shows and can be chosen again, as long as the form has these
// fields. A nil map holds none.
type Unlisted map[string]string

// Show is a row whose text is now, with the value that is not among its choices.
func (s *Unlisted) Show(r form.Field, now string) form.Field {
	if r.Kind != form.Choice && r.Kind != form.Pick {
		return r
	}
	if now != "" && !slices.ContainsFunc(r.Options, func(o form.Option) bool { return o.Value == now }) {
		if *s == nil {
			*s = Unlisted{}
		}
		(*s)[r.ID] = now
	}
	stray, ok := (*s)[r.ID]
	if !ok {
		return r
	}
	at := 0
	if len(r.Options) > 0 && r.Options[0].Value == "" {
		at = 1 // behind that which leaves the field out
	}
	shown := client.CleanLine(text.Clip(media.Readable(stray), maxStray))
	r.Options = slices.Concat(r.Options[:at], []form.Option{{Value: stray, Label: shown}}, r.Options[at:])
	if now == stray {
		r.Detail = "not among the choices"
	} else {
		r.Detail = shown + " is none of them"
	}
	return r
}

// maxStray is how much of an unlisted value shows, in characters.
const maxStray = 40
