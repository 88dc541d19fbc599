package text

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled when it is first asked for, once: all those
// of the program would be a sixth of what a short command takes. An expression that cannot be
// compiled panics then. It is safe for concurrent use.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
