package form

import (
	"slices"

	"darkroom/themes"
)

// Form is a list of fields, one of which has the focus. It belongs to one goroutine.
type Form struct {
	panel
	rows []*row

	focus   string // ID
	top     int    // first line that shows
	free    bool   // the view was scrolled by hand: do not follow the focus
	blurred bool   // see Blur
}

// panel is the drawing context of the fields: the room, the styles, and the typed texts and
// choices.
type panel struct {
	prefix string // of the ids of its zones
	styles *themes.Styles
	ink    *inks
	w, h   int
	labelW int

	texts map[string]*Editor // of every field ever shown, by ID
	picks map[string]string  // chosen values, by ID

	button  int  // the button with the focus
	capture bool // typing goes into the focused text
}

// row is a field with its last drawing.
type row struct {
	field Field
	lines []string
	key   rowKey
}

// rowKey is everything that a drawn row depends on besides its field.
type rowKey struct {
	drawn, focus, capture bool
	boxed                 bool
	w, labelW             int
	button, least         int
	version               uint64
	value                 string
	ink                   *inks
}

// New is an empty form. Its zones begin with prefix.
func New(prefix string, st *themes.Styles) *Form {
	return &Form{panel: panel{prefix: prefix, styles: st, ink: newInks(st), w: 40, h: 10,
		texts: make(map[string]*Editor), picks: make(map[string]string)}}
}

// SetStyles changes what the form is drawn with.
func (f *Form) SetStyles(st *themes.Styles) { f.styles, f.ink = st, newInks(st) }

// SetSize sets the cells that Lines fills, at least 24 wide.
func (f *Form) SetSize(w, h int) { f.w, f.h, f.free = max(w, 24), max(h, 1), false }

// SetFields sets the fields, in order. Texts and choices are kept by ID, also of fields that are
// gone for now; the focus stays where it can.
func (f *Form) SetFields(fields []Field) {
	old := make(map[string]*row, len(f.rows))
	for _, r := range f.rows {
		old[r.field.ID] = r
	}
	at := f.index(f.focus)
	rows := make([]*row, len(fields))
	longest := 0
	for i := range fields {
		r := old[fields[i].ID]
		switch {
		case r == nil:
			r = &row{field: fields[i]}
		case !r.field.same(&fields[i]):
			r.field, r.key = fields[i], rowKey{}
		}
		rows[i] = r
		if r.field.editable() {
			f.editor(&r.field)
		}
		if _, n := show(r.field.Label); r.field.Kind != Fold && r.field.Kind != Heading {
			longest = max(longest, n)
		}
	}
	f.rows = rows
	f.labelW = longest
	if f.index(f.focus) < 0 {
		f.refocus(at)
	}
}

// refocus moves the focus to a field near a row when the focused one is gone.
func (f *Form) refocus(near int) {
	f.focus, f.capture = "", false
	for i := max(0, min(near, len(f.rows)-1)); i < len(f.rows); i++ {
		if f.rows[i].field.takesFocus() {
			f.focus = f.rows[i].field.ID
			return
		}
	}
	for i := len(f.rows) - 1; i >= 0; i-- {
		if f.rows[i].field.takesFocus() {
			f.focus = f.rows[i].field.ID
			return
		}
	}
}

func (f *Form) index(id string) int {
	return slices.IndexFunc(f.rows, func(r *row) bool { return r.field.ID == id })
}

func (f *Form) current() *row {
	if i := f.index(f.focus); i >= 0 {
		return f.rows[i]
	}
	return nil
}

// editor is the text of an editable field, in an editor of the right kind.
func (p *panel) editor(d *Field) *Editor {
	multi := d.Kind != Text
	e := p.texts[d.ID]
	if e == nil || e.multi != multi {
		// The kind of a field may change with the model: what it holds stays.
		fresh := NewEditor(multi)
		fresh.SetValue(p.Text(d.ID))
		fresh.undo = nil
		delete(p.picks, d.ID)
		p.texts[d.ID] = fresh
		return fresh
	}
	return e
}

// Text is the text or the choice of a field, "" for none.
func (p *panel) Text(id string) string {
	if e := p.texts[id]; e != nil {
		return e.Value()
	}
	return p.picks[id]
}

// Len is the number of characters in a field's text.
func (p *panel) Len(id string) int {
	if e := p.texts[id]; e != nil {
		return e.Len()
	}
	return 0
}

// SetText sets the text or the choice of a field, which may not be shown yet.
func (f *Form) SetText(id, text string) {
	if e := f.texts[id]; e != nil {
		e.SetValue(text)
		return
	}
	if i := f.index(id); i >= 0 && f.rows[i].field.editable() {
		f.editor(&f.rows[i].field).SetValue(text)
		return
	}
	f.picks[id] = text
}

// Forget drops the text of a field and its undo steps.
func (f *Form) Forget(id string) {
	delete(f.texts, id)
	delete(f.picks, id)
	if i := f.index(id); i >= 0 && f.rows[i].field.editable() {
		f.editor(&f.rows[i].field)
		f.rows[i].key = rowKey{}
	}
}

// Focused is the ID of the field with the focus.
func (f *Form) Focused() string { return f.focus }

// Button is the value of the button with the focus, "" where none has it.
func (f *Form) Button() string {
	r := f.current()
	if r == nil || r.field.Kind != Buttons || f.button >= len(r.field.Options) {
		return ""
	}
	return r.field.Options[f.button].Value
}

// Capturing reports that typed text goes into a field.
func (f *Form) Capturing() bool {
	r := f.current()
	return r != nil && f.capture && r.field.editable()
}

// Paused reports that the focused field takes text but typing does not go into it: enter resumes
// it.
func (f *Form) Paused() bool {
	r := f.current()
	return r != nil && !f.capture && r.field.editable()
}

// Release ends text capture and leaves the focus where it is.
func (f *Form) Release() { f.capture = false }

// Focus moves the focus to a field; false when no field of that ID takes it.
func (f *Form) Focus(id string) bool {
	i := f.index(id)
	if i < 0 || !f.rows[i].field.takesFocus() {
		return false
	}
	f.free = false
	d := &f.rows[i].field
	f.capture = d.editable()
	if f.focus != id {
		f.focus, f.button = id, 0
		if d.Kind == Text {
			f.editor(d).SetCursor(1 << 30)
			if len(d.Options) > 0 {
				f.editor(d).selectAll()
			}
		}
	}
	return true
}
