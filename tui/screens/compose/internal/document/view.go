package document

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/screens/compose/internal/checks"
	"darkroom/tui/screens/compose/internal/frame"
	"darkroom/tui/screens/compose/internal/pens"
	"darkroom/tui/screens/compose/internal/side"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// SetSize lays out the form and its side.
func (d *Document) SetSize(w, h int) {
	d.Side.SetSize(w, h)
	d.Sheet.Low = d.Side.Room().Low()
	d.layout()
}

// SetStyles changes the styles.
func (d *Document) SetStyles(st *themes.Styles) {
	d.o.Styles, d.pens = st, pens.New(st)
	d.Side.SetStyles(st)
	d.Sheet.Form.SetStyles(st)
	d.layout()
}

func (d *Document) layout() {
	d.Sheet.Form.SetSize(d.Side.Room().FormSize())
	d.Sheet.Form.SetFields(d.Sheet.Rows())
}

// Around is what the document shows about its surroundings.
type Around struct {
	Focus       bool   // the form has the keys
	Hint        string // in the place of the help of a field, "" for that
	Batch, Kept string // what of them stands among the checks, "" for nothing
	Refused     string // why nothing was submitted, "" once the form has changed
	Start       string // what to do with a form in which nothing was written yet
	// Latest is the newest result in a line of at most w cells, "" for none.
	Latest func(w int) string
}

// View draws exactly the size that was set.
func (d *Document) View(a Around) string {
	r := d.Side.Room()
	d.Side.Layout(d.checkItems(a))
	left, right := r.Sizes()
	var form, pane []string
	if left > 0 {
		form = d.formLines(r, a)
	}
	if right > 0 {
		pane = d.Side.Lines(d.o.Styles)
	}
	view := widgets.BesideLines(form, pane)
	if r.W < 28 || r.H < 3 { // below what the parts can draw
		view = widgets.Fit(view, r.W, r.H)
	}
	return view
}

// checkItems are the findings. Of a form in which nothing was written yet nothing is missing.
func (d *Document) checkItems(a Around) []checks.Item {
	items := d.Sheet.CheckItems(a.Batch, a.Kept)
	if !d.Quiet() {
		return items
	}
	items = slices.DeleteFunc(items, func(it checks.Item) bool { return it.Mark == form.Bad || it.Mark == form.Warn || it.Mark == form.Fine })
	return append([]checks.Item{{Mark: form.Info, Text: "what you write is checked as you write it"}}, items...)
}

// formLines is the form, with the help of its focused field.
func (d *Document) formLines(r frame.Room, a Around) []string {
	w, _ := r.Sizes()
	body := d.Sheet.Form.Lines() // which finds what there is above and below
	e := frame.Edge{Title: "Draft", Footer: d.Saver.Note(), Focus: a.Focus}
	if !d.Side.Shows() && a.Latest != nil {
		e.Footer = footer(e.Footer, a.Latest, w-8)
	}
	if t := d.Sheet.OriginTitle(); t != "" && w >= 60 {
		e.Title += " · " + t
	}
	if d.Sheet.Form.Above() > 0 {
		e.Right = "↑"
	}
	if d.Sheet.Form.Below() > 0 {
		e.Right += "↓"
	}
	if r.Narrow() {
		if !d.Quiet() {
			e.Right = strings.TrimSpace(e.Right + " " + d.Sheet.Verdict())
		}
		if key := d.o.Keys.Keys(side.ActJSON); key != "" {
			e.Right = strings.TrimPrefix(e.Right+" · "+key, " · ")
		}
	}
	text, _, mark := d.Sheet.Explain(d.Sheet.Form.Focused()) // Models has the sources
	switch {
	case a.Hint != "":
		text, mark = a.Hint, form.Info
	case a.Refused != "":
		text, mark = a.Refused, form.Bad
	case a.Start != "" && d.Quiet() && d.Sheet.Form.Focused() == client.FieldPrompt:
		text, mark = a.Start, form.Fine
	}
	body = append(body, frame.Help(&d.pens, text, mark, d.Sheet.Form.Paused(), w-4, r.HelpLines())...)
	return d.box.Lines(d.o.Styles, &d.pens, e, body, w, r.H)
}

// footer is what stands on the lower border: whether the draft is saved, where there is room for it,
// and the newest result.
func footer(note string, latest func(w int) string, w int) string {
	room := w
	if note != "" && w >= 60 {
		room -= widgets.Width(note) + 3
	}
	said := latest(room)
	switch {
	case said == "" || note == "draft not saved" && w < 60:
		return note
	case room == w:
		return said
	default:
		return note + " ─ " + said
	}
}
