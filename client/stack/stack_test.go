package stack_test

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"darkroom/client/stack"
)

// A stack that is copied takes its variables along: where one lies tells whether it was.
func TestWhatWasGrownIsNotCopied(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector makes stacks smaller
	moved := func(grow func()) bool {
		answer := make(chan bool)
		go func() {
			grow()
			var here byte
			before := uintptr(unsafe.Pointer(&here))
			deep(14)
			answer <- before != uintptr(unsafe.Pointer(&here))
		}()
		return <-answer
	}
	assert.True(t, moved(func() {}), "without it the stack is copied")
	assert.False(t, moved(stack.Grow))
}

// deep needs a KiB of stack for each of n.
//
//go:noinline
func deep(n int) byte {
	var frame [1 << 10]byte
	if n > 0 {
		frame[n] = deep(n - 1)
	}
	return frame[n/2]
}
