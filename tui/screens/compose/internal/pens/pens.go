// Package pens has the colours and signs of lines that are drawn on every key.
package pens

import (
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
)

// Signs say by shape what colours say as well.
var Signs = [form.Bad + 1]string{form.Fine: "✓", form.Differs: "≠", form.Info: "i", form.Warn: "⚠", form.Bad: "✗"}

// Pens are styles reduced to what colours a piece of a line.
type Pens struct {
	Border, BorderFocus, Text, Muted, Faint, Code, Accent, Title widgets.Ink

	Marks [form.Bad + 1]widgets.Ink
}

// New makes the pens of styles.
func New(st *themes.Styles) Pens {
	p := Pens{
		Border: widgets.NewInk(st.Border), BorderFocus: widgets.NewInk(st.BorderFocus), Text: widgets.NewInk(st.Text),
		Muted: widgets.NewInk(st.Muted), Faint: widgets.NewInk(st.Faint), Code: widgets.NewInk(st.Code),
		Accent: widgets.NewInk(st.Accent), Title: widgets.NewInk(st.BoxTitleFocus),
	}
	p.Marks[form.Fine] = widgets.NewInk(st.Good)
	p.Marks[form.Differs] = widgets.NewInk(st.Accent)
	p.Marks[form.Info] = widgets.NewInk(st.Info)
	p.Marks[form.Warn] = widgets.NewInk(st.Warn)
	p.Marks[form.Bad] = widgets.NewInk(st.Bad)
	return p
}
