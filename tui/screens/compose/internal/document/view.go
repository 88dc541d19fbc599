package document

import (
	"strings"

	"darkroom/themes"
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
}

// View draws exactly the size that was set.
func (d *Document) View(a Around) string {
	r := d.Side.Room()
	d.Side.Layout(d.Sheet.CheckItems(a.Batch, a.Kept))
	left, right := r.Sizes()
	var lines []string
	if left > 0 {
		lines = d.formLines(r, a)
	}
	if right > 0 {
		pane := d.Side.Lines(d.o.Styles)
		if left == 0 {
			lines = pane
		} else {
			for i := range lines {
				lines[i] += pane[i]
			}
		}
	}
	view := strings.Join(lines, "\n")
	if r.W < 28 || r.H < 3 { // below what the parts can draw
		view = widgets.Fit(view, r.W, r.H)
	}
	return view
}

// formLines is the form, with the help of its focused field.
func (d *Document) formLines(r frame.Room, a Around) []string {
	w, _ := r.Sizes()
	body := d.Sheet.Form.Lines() // which finds what there is above and below
	e := frame.Edge{Title: "Draft", Footer: d.Saver.Note(), Focus: a.Focus}
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
		e.Right = strings.TrimSpace(e.Right + " " + d.Sheet.Verdict())
		if key := d.o.Keys.Keys(side.ActJSON); key != "" {
			e.Right += " · " + key
		}
	}
	text, source, mark := d.Sheet.Explain(d.Sheet.Form.Focused())
	if a.Hint != "" {
		text, source, mark = a.Hint, "", form.Info
	}
	body = append(body, frame.Help(&d.pens, text, source, mark, d.Sheet.Form.Paused(), w-4, r.HelpLines())...)
	return d.box.Lines(d.o.Styles, &d.pens, e, body, w, r.H)
}
