package form

import "slices"

// Kind says how a field is shown and edited.
type Kind int

// The kinds of fields.
const (
	Text    Kind = iota // one line; Options are suggestions to step through
	Lines               // many lines
	List                // one item a line, which can be added and removed
	Choice              // one of Options, all in sight
	Pick                // one of Options, or opened to pick from elsewhere
	Fold                // a line that opens and closes a part of the form
	Buttons             // Options in a row, to be pressed
	Heading             // a line to read
	Struck              // a value that does not apply now
	Items               // Entries to look at, opened to be edited elsewhere
)

// Auto is how a field shows that it is not set: whoever gets the values decides. It is the label of
// the option with the empty value, where there are options, else the hint.
const Auto = "auto"

// Option is one value to choose from. Label is what shows, Value when empty. Usual marks what a
// field stands for that is not set.
type Option struct {
	Value, Label string
	Usual        bool
}

func (o Option) label() string {
	if o.Label != "" {
		return o.Label
	}
	return o.Value
}

// Entry is a line of an [Items] field, clean and without a line end.
type Entry struct {
	Text string
	Mark Mark
}

// Mark grades the finding about a field.
type Mark int

// The marks, from none to worst.
const (
	Fine    Mark = iota
	Differs      // it differs from the former value: no finding
	Info
	Warn
	Bad
)

// Field describes one field; its text is kept by the form under ID. Two fields with the
// same content are the same field: the form draws anew only what has changed.
type Field struct {
	ID    string // printable; unique within a form
	Label string
	Kind  Kind
	// Options of a choice, suggestions of a text, or buttons.
	Options []Option
	// Open says, while the field has the focus, that a text may be none of its options.
	Open string
	// Unit stands behind the value.
	Unit string
	// Hint shows while there is no text.
	Hint string
	// Detail is shown faintly behind the value.
	Detail string
	// Corner is shown in the lower edge of a boxed field.
	Corner string
	// Rows bound the height of a text of many lines; 0 means 1 and 6.
	MinRows, MaxRows int
	// Boxed draws a frame around a text of many lines; Grows gives it more lines in a taller form.
	Boxed, Grows bool
	// Paths shows file:// URLs as the paths that they stand for, cut on the left where
	// there is no room, as long as the text is not edited.
	Paths bool
	// Numbered numbers the items of a list when there are at least two.
	Numbered bool
	// Entries of an [Items] field, of which MaxRows show; Add is the line that adds one,
	// "" for none.
	Entries []Entry
	Add     string
	// Below are lines below the value, such as small pictures, drawn already.
	Below []string
	// Mark and Note say what is wrong with the value.
	Mark Mark
	Note string
}

// takesFocus reports whether the field can be moved to.
func (f *Field) takesFocus() bool { return f.Kind != Heading && f.Kind != Struck }

// editable reports whether the field holds text that is typed.
func (f *Field) editable() bool { return f.Kind == Text || f.Kind == Lines || f.Kind == List }

func (f *Field) same(g *Field) bool {
	return f.sameShape(g) && f.sameWords(g) && slices.Equal(f.Options, g.Options) && slices.Equal(f.Entries, g.Entries) && slices.Equal(f.Below, g.Below)
}

func (f *Field) sameShape(g *Field) bool {
	return f.Kind == g.Kind && f.Mark == g.Mark && f.MinRows == g.MinRows && f.MaxRows == g.MaxRows &&
		f.Boxed == g.Boxed && f.Grows == g.Grows && f.Paths == g.Paths && f.Numbered == g.Numbered
}

func (f *Field) sameWords(g *Field) bool {
	return f.ID == g.ID && f.Label == g.Label && f.Unit == g.Unit && f.Hint == g.Hint && f.Detail == g.Detail &&
		f.Corner == g.Corner && f.Note == g.Note && f.Open == g.Open && f.Add == g.Add
}

// EventKind says what a key or a click did to a form.
type EventKind int

// The kinds of events.
const (
	Ignored EventKind = iota // it means nothing here
	Moved                    // the focus, a cursor or the view moved
	Changed                  // the text or the choice of ID has changed
	Opened                   // ID is to be picked from elsewhere; of an Items field, Value is the entry's index, or "+"
	Pressed                  // the fold ID, or the button Value of ID
)

// Event is the effect of a key or a click. Left is the field that lost the focus, "" when the
// focus stayed.
type Event struct {
	Kind      EventKind
	ID, Value string
	Left      string
}
