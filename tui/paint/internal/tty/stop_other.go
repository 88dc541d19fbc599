//go:build unix && !linux

package tty

// CatchesStop tells whether SIGTSTP can be caught and later acted upon. Where it cannot, a stop
// from outside leaves the terminal as it is; the next SIGCONT sets the modes anew.
const CatchesStop = false

// DefaultStop does nothing here.
func DefaultStop() (undo func()) { return func() {} }
