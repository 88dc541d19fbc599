// Package prefault has the system hand out the memory of a start at once. Import it, for its effect,
// in package main.
//
// A start takes its heap page by page, and each page is a fault, which costs more than the work that
// is done in it where the machine is a virtual one: on such a machine 500 pages were a seventh of
// `darkroom version`, and of the time to the first frame. In one call they cost a twentieth of that.
// Nothing is held that would not be used: the console fills these 4 MiB before the collector first runs.
//
// It is to run before the initialisers of other packages. Go initialises packages that are ready in the
// order of their import paths, and this one is ready early since it imports as little as it can.
package prefault

// start is the heap of a start, in bytes: what the collector lets a program have before it first runs.
const start = 4 << 20
