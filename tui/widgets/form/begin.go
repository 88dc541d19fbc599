package form

import tea "github.com/charmbracelet/bubbletea"

// Marked reports that a text has the focus, whether or not it is being written in.
func (f *Form) Marked() bool {
	r := f.current()
	return r != nil && r.field.editable()
}

// begin has what is typed go into the marked text, where writing had ended there.
func (f *Form) begin(r *row, k tea.KeyMsg) {
	if k.Type == tea.KeyRunes && !k.Alt && r.field.editable() {
		f.capture = true
	}
}

// Blur draws the form without a focus, as long as the keys go elsewhere; the focus stays.
func (f *Form) Blur(on bool) { f.blurred = on }
