package form

import tea "github.com/charmbracelet/bubbletea"

// Marked reports that a text has the focus, whether or not it is being edited.
func (f *Form) Marked() bool {
	r := f.current()
	return r != nil && r.field.editable()
}

// begin resumes editing of the focused text, where editing had ended.
func (f *Form) begin(r *row, k tea.KeyMsg) {
	if k.Type == tea.KeyRunes && !k.Alt && r.field.editable() {
		f.capture = true
	}
}

// Blur draws the form without a focus while the keys go elsewhere; the focus itself stays.
func (f *Form) Blur(on bool) { f.blurred = on }
