package form

import "darkroom/themes"

// Paper holds the styles of an editor outside of a form. Make it with [NewPaper] once for a theme.
type Paper struct{ ink *inks }

// NewPaper takes the styles of a theme.
func NewPaper(st *themes.Styles) Paper { return Paper{ink: newInks(st)} }

// Field draws a text of one line in w cells, for a field of a screen. The cursor stands on a
// character, on the first one of the hint while there is no text, and takes no cell of its own.
func (e *Editor) Field(p Paper, hint string, focus bool, w int) string {
	if w <= 0 {
		return ""
	}
	return e.render(w, 1, paper{text: p.ink.value, cursor: p.ink.cursor, selection: p.ink.selection, placeholder: p.ink.hint, hint: hint, focus: focus, onHint: true})[0]
}

// Lines draws the text in exactly h lines of w cells, with the cursor's line among them
// while the editor has the focus; hint shows while there is no text.
func (e *Editor) Lines(p Paper, hint string, focus bool, w, h int) []string {
	return e.render(max(2, w), max(1, h), paper{
		text: p.ink.value, cursor: p.ink.cursor, selection: p.ink.selection, placeholder: p.ink.hint,
		hint: hint, focus: focus, bar: p.ink.bar,
	})
}
