// Package prefault has the system hand out the memory of a start at once.
//
// A start takes its heap and its code page by page, and each page is a fault, which costs more than
// the work that is done in it where the machine is a virtual one: there 1,100 faults were a fourth of
// what the processor did until the first frame. In a few calls they cost a tenth of that. Nothing of
// the heap is held that would not be used soon: the console fills 4 MiB before the collector first
// runs. The code is the system's copy of the program's file, which all processes share.
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

// span is a range of addresses.
type span struct{ from, size uintptr }

// after is the range of the heap that fills up next, when something was just put at an address.
func after(at uintptr) span {
	from := at &^ (window - 1)
	return span{from, min(ahead, piece-from%piece)}
}

// around is the piece of the heap in which an address lies.
func around(at uintptr) span { return span{at &^ (piece - 1), piece} }

// mapping is the range in which an address lies, by the beginning of /proc/self/maps: lines of
// "FROM-TO MODE …", in hexadecimal digits and by rising addresses.
func mapping(maps []byte, at uintptr) (found span, ok bool) {
	for i := 0; i < len(maps); {
		from, n := hex(maps[i:])
		i += n + 1
		if n == 0 || i >= len(maps) || maps[i-1] != '-' {
			return span{}, false
		}
		to, n := hex(maps[i:])
		i += n
		if n == 0 || i >= len(maps) { // it may have been cut off
			return span{}, false
		}
		if from <= at && at < to {
			return span{from, to - from}, true
		}
		for i < len(maps) && maps[i] != '\n' {
			i++
		}
		i++
	}
	return span{}, false
}

// hex reads digits as far as they go, and says how many there were.
func hex(text []byte) (v uintptr, n int) {
	for ; n < len(text); n++ {
		c := text[n]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		default:
			return v, n
		}
		v = v<<4 | uintptr(c)
	}
	return v, n
}
