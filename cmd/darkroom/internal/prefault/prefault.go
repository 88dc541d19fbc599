// Package prefault has the system hand out the memory of a start at once.
//
// A start takes its heap page by page, and each page is a fault, which costs more than the work that
// is done in it where the machine is a virtual one: on such a machine 500 pages were a seventh of
// `darkroom version`, and of the time to the first frame. In one call they cost a twentieth of that.
// Nothing is held that would not be used soon: the console fills 4 MiB before the collector first runs.
//
// It begins before the initialisers of other packages. Go initialises packages that are ready in the
// order of their import paths, and this one is ready early since it imports as little as it can.
package prefault

const (
	// ahead is how much of the heap is handed out at a time, in bytes.
	ahead = 5 << 19
	// piece is what the heap grows by, and is aligned to: beyond its end nothing is mapped yet.
	piece = 4 << 20
	// window is what a processor takes of the heap at a time, and is aligned to: what comes next lies in it.
	window = 512 << 10
)

// after is the range of the heap that fills up next, when something was just put at an address.
func after(at uintptr) (from, size uintptr) {
	from = at &^ (window - 1)
	return from, min(ahead, piece-from%piece)
}
