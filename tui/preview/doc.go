// Package preview turns pictures into cells, and says of media files what can be known
// without playing them. Nothing in it blocks a screen: files are read by a [Loader] in
// commands, and what was drawn once is kept.
package preview
