package compose

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"darkroom/client"
	"darkroom/client/expand"
)

// Shelf is where presets and wildcard files are kept. Its methods touch the disk.
type Shelf interface {
	// Wildcards opens the wildcard files; they are closed after use.
	Wildcards() (Wildcards, error)
	// Presets are all presets by name; those that can not be used, or that were not read when
	// ctx ended, have Err.
	Presets(ctx context.Context) ([]Preset, error)
	// Draft is a preset's draft for a modality, its references as they are sent.
	Draft(p Preset, m client.Modality) (client.Draft, error)
	// Save writes a preset and returns its path. Where there is one of its name and replace
	// is false, the error wraps [ErrPresetExists].
	Save(p expand.Preset, project, replace bool) (string, error)
	// Remove deletes a preset and returns its path.
	Remove(name string, project bool) (string, error)
	// Folder is where presets are.
	Folder(project bool) string
}

// Wildcards are wildcard files that were opened.
type Wildcards interface {
	fs.FS
	io.Closer
}

// Preset is a preset and where it is from.
type Preset struct {
	expand.Preset
	Path    string
	Project bool
	// Hides is the file of the person's own that the project's stands before, "" for none.
	Hides string
	// Err says why it can not be used.
	Err error
}

// ErrPresetExists is told by [Shelf.Save], which replaces only when asked.
var ErrPresetExists = errors.New("there is a preset of that name")

// wildcards opens the wildcard files.
func (d *Deps) wildcards() (fs.FS, func(), error) {
	if d.Shelf == nil {
		return nil, func() {}, nil
	}
	w, err := d.Shelf.Wildcards()
	if err != nil {
		return nil, nil, err
	}
	return w, func() { _ = w.Close() }, nil
}
