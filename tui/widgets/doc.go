// Package widgets draws the small things that screens are made of: boxes, buttons,
// tabs, choosers, bars and the cutting and padding of text. Everything here is a
// function of plain values: no services, no clock, no state that is shared.
//
// Sizes are cells. A result is never wider or taller than asked; where a function says
// "exactly", it is not smaller either. Widths are those of x/ansi by grapheme, here and
// everywhere else in the console. Text is expected to be clean (client.Clean): control
// characters in it are not made visible here.
package widgets
