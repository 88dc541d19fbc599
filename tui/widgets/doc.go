// Package widgets draws the small things that screens are made of: boxes, buttons,
// tabs, choosers, bars and the cutting and padding of text. Everything here is a
// function of plain values: no services, no clock, no state that is shared.
//
// Sizes are cells. A result is never wider or taller than asked; where a function says
// "exactly", it is not smaller either. Widths are those of x/ansi by grapheme, here and
// everywhere else in the console. Text is expected to be clean (client.Clean): control
// characters in it are not made visible here.
//
// A widget that takes input, in a package of its own below this one, has one shape:
//
//	Update(k tea.KeyMsg) E    does what a key means
//	Click(c zone.Click) E     does what a click means; one on a zone of others is nothing
//	Wheel(delta int)          scrolls by notches of the wheel
//	View(…) string            draws it, in the room that it was given there or by SetSize
//
// E says what that did: an Event of the widget, the id of an answer, or whether it was meant
// for the widget. A widget starts no command: what follows is its owner's business. A dialog
// (tui/dialogs) takes the same as messages, in its one Update, and hands them on.
package widgets
