// Package form is a scrolling form of labelled fields: text of one or many lines,
// choices, lists, folds and buttons. Plain values go in, events come out; it does no I/O
// and knows neither drafts nor the catalog.
//
// Text is edited by grapheme clusters with a steady cursor that is drawn as a cell, so
// that nothing wakes up to make it blink and no cluster is ever cut in two. Every line
// that the form gives is exactly as wide as asked for.
package form
