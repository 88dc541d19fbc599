package compose

import (
	"io/fs"

	"darkroom/tui/dialogs/presets"
)

// Shelf is where presets and wildcard files are kept. Its methods touch the disk.
type Shelf interface {
	presets.Shelf
	// Wildcards opens the wildcard files, and returns what closes them.
	Wildcards() (fs.FS, func(), error)
}

// wildcards opens the wildcard files, where there are any.
func (d *Deps) wildcards() (fs.FS, func(), error) {
	if d.Shelf == nil {
		return nil, func() {}, nil
	}
	return d.Shelf.Wildcards()
}
