// Package preview turns pictures and videos into cells or pixels, and shows what media files say of
// themselves. Nothing in it blocks a screen: a [Loader] reads files in commands, and keeps what was
// drawn once.
package preview
