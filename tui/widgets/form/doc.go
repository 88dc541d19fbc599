// Package form is a scrolling form of labelled fields: text of one or many lines,
// choices, lists, folds and buttons. Plain values go in, events come out; it does no I/O
// and knows neither drafts nor the catalog.
//
// Text is edited by grapheme clusters, so that none is ever cut in two. The cursor is a drawn cell
// that does not blink, so that nothing has to wake up for it. Every line that the form returns is
// exactly as wide as asked for.
package form
