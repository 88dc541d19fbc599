package compose

// TakesLetters implements screen.TakesLetters: after esc, letters go on in the text that is
// marked, and in the dialog that is open.
func (m *Model) TakesLetters() bool {
	return m.over.TakesLetters() || !m.room().Alone() && m.sheet.Form.Marked()
}
