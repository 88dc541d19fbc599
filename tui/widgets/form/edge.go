package form

// edge moves the focus to the first or the last field, and scrolls to the end beyond it.
func (f *Form) edge(last bool) Event {
	to, by := 0, 1
	if last {
		to, by = len(f.rows)-1, -1
	}
	for to >= 0 && to < len(f.rows) && !f.rows[to].field.takesFocus() {
		to += by
	}
	if to < 0 || to >= len(f.rows) {
		return Event{Kind: Moved, ID: f.focus}
	}
	ev := f.moveTo(f.rows[to].field.ID)
	if f.Release(); last {
		f.bottom()
	}
	return ev
}

// bottom shows the last lines, wherever the focus is, until a key is pressed.
func (f *Form) bottom() {
	n := 0
	for _, r := range f.rows {
		n += len(f.draw(r))
	}
	f.free, f.top = true, max(0, n-f.h)
}
