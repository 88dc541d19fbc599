package compose

// TakesLetters implements screen.TakesLetters: after esc, letters go on in the text that is
// marked, and in the dialog that is open.
func (m *Model) TakesLetters() bool {
	return m.items.dialog != nil || !m.room().Alone() && m.sheet.Form.Marked()
}
