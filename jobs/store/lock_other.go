//go:build !unix

package store

import "os"

// flock has no locks here: nothing may be taken for one's own alone.
func flock(_ *os.File, exclusive bool) bool { return !exclusive }

// locksWork says that this system has such locks.
const locksWork = false
