package chat

import (
	"darkroom/client/kept"
	"darkroom/tui/widgets/form"
)

// fields are the fields to type into, and which pane of the screen has the focus.
type fields struct {
	input, system, model *form.Editor
	focus                pane
	past                 past
}

// field is the field with the focus; for the conversation, the input.
func (f *fields) field() *form.Editor {
	switch f.focus {
	case modelPane:
		return f.model
	case systemPane:
		return f.system
	default:
		return f.input
	}
}

func (f *fields) setFocus(p pane) {
	if p != f.focus && p == modelPane {
		f.model.SetCursor(f.model.Len())
	}
	f.focus = p
}

// turn goes to the next pane, or back to the one before.
func (f *fields) turn(by pane) { f.setFocus((f.focus + panes + by) % panes) }

// recall puts an earlier message of the person into the input.
func (f *fields) recall(name string) bool {
	by := 1
	if name == "up" {
		by = -1
	}
	text, ok := f.past.step(by, f.input.Value())
	if ok {
		f.input.SetValue(text)
	}
	return ok
}

// show fills the fields from a conversation, and returns it with what they hold now: a field may
// hold a text more tidily than the file.
func (f *fields) show(c kept.Conversation) kept.Conversation {
	f.input.SetValue(c.Draft)
	f.system.SetValue(c.System)
	f.model.SetValue(c.Model)
	f.past.reset(c.Messages)
	f.setFocus(inputPane)
	return f.texts(c)
}

// texts is a conversation with what the fields hold.
func (f *fields) texts(c kept.Conversation) kept.Conversation {
	c.Draft, c.System, c.Model = f.input.Value(), f.system.Value(), f.model.Value()
	return c
}
