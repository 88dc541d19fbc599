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

// Looks remembers in a file how a person views the jobs in Queue and Compose. Of two
// consoles, the later choice counts.
type Looks struct{ path string }

// OpenLooks are the looks in a file, which need not exist.
func OpenLooks(path string) Looks { return Looks{path} }

const (
	looksVersion = 1 // of the file; a newer version is left alone
	maxLooks     = 64 << 10
)

// looksFile is what the file holds.
type looksFile struct {
	Version int               `json:"version"`
	Queue   *kept.Look        `json:"queue,omitempty"`
	Compose *kept.ComposeLook `json:"compose,omitempty"`
}

// Load implements kept.Looks; false if nothing was saved yet.
func (l Looks) Load() (kept.Look, bool, error) {
	f, err := l.file()
	if err != nil || f.Queue == nil {
		return kept.Look{}, false, err
	}
	return *f.Queue, true, nil
}

// file is what the file holds; nothing if there is none.
func (l Looks) file() (looksFile, error) {
	b, err := l.read()
	if errors.Is(err, fs.ErrNotExist) {
		return looksFile{}, nil
	}
	if err != nil {
		return looksFile{}, err
	}
	var f looksFile
	if err := json.Unmarshal(b, &f); err != nil {
		return looksFile{}, fmt.Errorf("%s cannot be read (%w): mend it, or move it away to begin anew", l.path, err)
	}
	if f.Version > looksVersion {
		return looksFile{}, fmt.Errorf("%s is of version %d, and this program knows %d", l.path, f.Version, looksVersion)
	}
	return f, nil
}

func (l Looks) read() ([]byte, error) {
	f, err := os.Open(l.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxLooks))
}

// Save implements kept.Looks.
func (l Looks) Save(look kept.Look) error {
	return l.change(func(f *looksFile) { f.Queue = &look })
}

// change changes a part of the file. One that it cannot read is left as it is.
func (l Looks) change(do func(*looksFile)) error {
	f, err := l.file()
	if err != nil {
		return err
	}
	f.Version = looksVersion
	do(&f)
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return config.WritePrivate(l.path, append(b, '\n'))
}

// Compose are the looks of Compose in the same file.
func (l Looks) Compose() ComposeLooks { return ComposeLooks{l} }

// ComposeLooks remembers how a person looks at Compose.
type ComposeLooks struct{ in Looks }

// Load is the look that was kept, the zero one for none.
func (c ComposeLooks) Load() (kept.ComposeLook, error) {
	f, err := c.in.file()
	if err != nil || f.Compose == nil {
		return kept.ComposeLook{}, err
	}
	return *f.Compose, nil
}

// Save keeps a look.
func (c ComposeLooks) Save(look kept.ComposeLook) error {
	return c.in.change(func(f *looksFile) { f.Compose = &look })
}
