package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/config"
)

// Shelf holds the console's presets and wildcard files: the same as the command line's.
type Shelf struct {
	folders config.Folders
	catalog *catalog.Catalog
	secrets config.Secrets
	profile config.Profile
}

// OpenShelf is the content of the folders. The catalog says what a preset may hold; the profile's
// key must be in none.
func OpenShelf(f config.Folders, cat *catalog.Catalog, keys config.Secrets, p config.Profile) Shelf {
	return Shelf{f, cat, keys, p}
}

// Wildcards implements compose.Shelf.
func (s Shelf) Wildcards() (fs.FS, func(), error) {
	w, err := s.folders.Wildcards()
	if err != nil {
		return nil, nil, fmt.Errorf("the wildcard files cannot be read: %w", err)
	}
	return w, func() { _ = w.Close() }, nil
}

// Presets implements presets.Shelf.
func (s Shelf) Presets(ctx context.Context) ([]expand.PresetFile, error) {
	return s.folders.Presets(ctx, s.catalog)
}

// Draft implements presets.Shelf.
func (s Shelf) Draft(p expand.PresetFile, m client.Modality) (client.Draft, error) {
	return s.folders.Draft(p, m, s.catalog)
}

// Save implements presets.Shelf. The profile's key must not be in the preset: if the key cannot be
// known, nothing is written.
func (s Shelf) Save(p expand.Preset, project, replace bool) (string, error) {
	key, err := s.secrets.Known(s.profile)
	if err != nil {
		return "", fmt.Errorf("the key could not be compared with the preset: %w", err)
	}
	path, err := s.folders.SavePreset(p, project, replace, s.catalog, key)
	if errors.Is(err, expand.ErrPresetExists) {
		err = fmt.Errorf("%w: %s", expand.ErrPresetExists, filepath.Join(s.Folder(project), p.Name+".yaml"))
	}
	return path, err
}

// Remove implements presets.Shelf.
func (s Shelf) Remove(name string, project bool) (string, error) {
	return s.folders.RemovePreset(name, project)
}

// Folder implements presets.Shelf.
func (s Shelf) Folder(project bool) string { return s.folders.Path("presets", project) }
