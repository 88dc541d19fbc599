package app

import (
	"errors"
	"io/fs"
	"os"

	"darkroom/cmd/config"
)

// endTour remembers that the tour of the first start is over; nil where it is: it was closed once, or
// there is a history already.
func endTour(p config.Paths) func() error {
	for _, path := range []string{p.Tour, p.History} {
		if _, err := os.Stat(path); path == "" || !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return func() error { return config.WritePrivate(p.Tour, []byte("over\n")) }
}
