//go:build unix && !linux

package paint

// catchesStop says whether SIGTSTP can be caught and later acted upon. Where it
// cannot, a stop from outside leaves the terminal as it is; the next SIGCONT
// sets the modes anew.
const catchesStop = false

func defaultStop() (undo func()) { return func() {} }
