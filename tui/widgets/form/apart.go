package form

import "strings"

// Apart is a text prepared for pasting into the focused list as items of its own: with a line end
// between it and the item at whose beginning or end the cursor stands. Within an item the text
// becomes part of it, and is unchanged.
func (f *Form) Apart(text string) string {
	r := f.current()
	if r == nil || r.field.Kind != List {
		return text
	}
	e := f.editor(&r.field)
	from, to := e.lineStart(), e.lineEnd()
	item := strings.TrimSpace(strings.Join(e.cells[from:to], ""))
	switch {
	case e.all || item == "":
		return text
	case strings.TrimSpace(strings.Join(e.cells[e.cur:to], "")) == "":
		return "\n" + text
	case strings.TrimSpace(strings.Join(e.cells[from:e.cur], "")) == "":
		return text + "\n"
	}
	return text
}
