package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"darkroom/client/kept"
	"darkroom/cmd/config"
)

// Looks remembers in a file how a person views the jobs in Queue. Of two consoles, the later choice
// counts.
type Looks struct{ path string }

// OpenLooks are the looks in a file, which need not exist.
func OpenLooks(path string) Looks { return Looks{path} }

const (
	looksVersion = 1 // of the file; a newer version is left alone
	maxLooks     = 64 << 10
)

// looksFile is what the file holds.
type looksFile struct {
	Version int       `json:"version"`
	Queue   kept.Look `json:"queue"`
}

// Load implements kept.Looks; false if nothing was saved yet.
func (l Looks) Load() (kept.Look, bool, error) {
	b, err := l.read()
	if errors.Is(err, fs.ErrNotExist) {
		return kept.Look{}, false, nil
	}
	if err != nil {
		return kept.Look{}, false, err
	}
	var f looksFile
	if err := json.Unmarshal(b, &f); err != nil {
		return kept.Look{}, false, fmt.Errorf("%s cannot be read (%w): mend it, or move it away to begin anew", l.path, err)
	}
	if f.Version > looksVersion {
		return kept.Look{}, false, fmt.Errorf("%s is of version %d, and this program knows %d", l.path, f.Version, looksVersion)
	}
	return f.Queue, true, nil
}

func (l Looks) read() ([]byte, error) {
	f, err := os.Open(l.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxLooks))
}

// Save implements kept.Looks. A file that it cannot read is left as it is.
func (l Looks) Save(look kept.Look) error {
	if _, _, err := l.Load(); err != nil {
		return err
	}
	b, err := json.MarshalIndent(looksFile{looksVersion, look}, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(l.path, append(b, '\n'))
}
