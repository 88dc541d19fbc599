//go:build unix

package paint

import (
	"sync"
	"syscall"
	"time"
)

// hangWait is how long the loop has to deal with a repeated ctrl+c before it counts as hanging.
const hangWait = 2 * time.Second

// interrupts follows each ctrl+c from the reader to the loop, so that a second one ends a loop
// that does not come back. It is safe for use by several goroutines.
type interrupts struct {
	mu    sync.Mutex
	read  int  // so many were read
	dealt int  // so many the loop has dealt with, the paint after them included
	asked bool // the last key that the loop has dealt with was one
}

// pressed notes a ctrl+c that was read. It reports whether it follows another, and how many the
// loop has dealt with.
func (i *interrupts) pressed() (again bool, dealt int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	again = i.asked || i.read > i.dealt
	i.read++
	return again, i.dealt
}

// key notes a key that the loop has dealt with.
func (i *interrupts) key(interrupt bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = interrupt
	if interrupt {
		i.dealt++
	}
}

// stuck reports whether the loop has dealt with no ctrl+c since it had dealt with so many.
func (i *interrupts) stuck(dealt int) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.dealt == dealt
}

// interrupted is told of each ctrl+c as it is read. The loop deals with it; if it is the second one
// and the loop does not come back, the loop is left behind.
func (t *Terminal) interrupted() {
	again, dealt := t.insists.pressed()
	if !again {
		return
	}
	time.AfterFunc(hangWait, func() {
		if !t.outside.Load() && t.insists.stuck(dealt) {
			t.failWithin(&SignalError{syscall.SIGINT}, 0)
		}
	})
}
