// Package stack gives a goroutine its stack at once.
package stack

// room is what there is to be room for, in bytes. The stack becomes 32 KiB, as that of the console's
// loop does.
const room = 16 << 10

// Grow makes the stack of the goroutine that calls it as large as those that go deep become anyway.
// Call it first: a stack that is too small is copied to one of twice the size, and for each function
// on it the runtime looks up where it keeps pointers. From 2 KiB to 32 that is four times, each with
// more on it; in a start it was a tenth of what the processor did.
func Grow() { use(0) }

// use is never inlined: its own frame is what the stack is grown for.
//
//go:noinline
func use(at int) byte {
	var frame [room]byte
	frame[at+1] = 1
	return frame[at]
}
