// Package library holds a person's own files: drafts, conversations, presets, marks on models,
// looks, and the folders that files were taken from. It knows no console and no screen.
package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"darkroom/cmd/config"
)

// maxKept bounds a file of remembered things, in bytes.
const maxKept = 1 << 20

// readKept reads a JSON file of remembered things. A missing file leaves into unchanged; a file
// that is something else is left as it is.
func readKept(path, what string, into any) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() > maxKept:
		return fmt.Errorf("%s has %d bytes, at most %d are read: move it away to begin anew", path, info.Size(), maxKept)
	}
	b, err := os.ReadFile(path) //nolint:gosec // a file of our own
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s in %s cannot be read (%w): mend it, or move it away to begin anew", what, path, err)
	}
	return nil
}

// writeKept writes a file of remembered things.
func writeKept(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(path, append(b, '\n'))
}
