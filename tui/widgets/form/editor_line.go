package form

import "darkroom/themes"

// Line draws a text of one line with its cursor, in exactly w cells: for an input outside of
// a form. The hint shows while there is no text.
func (e *Editor) Line(st *themes.Styles, hint string, w int) string {
	if w <= 0 {
		return ""
	}
	k := newInks(st)
	return e.render(w, 1, paper{text: k.value, cursor: k.cursor, selection: k.selection, placeholder: k.hint, hint: hint, focus: true, bar: k.bar})[0]
}
