package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"darkroom/client/disk"
	"darkroom/client/drift"
	"darkroom/cmd/config"
)

// Drift counts in a file what answers about tasks of others had that the interface does not name: they
// have no job whose answers the history keeps. It holds names, types, terms and one id a row, no bodies.
type Drift struct{ path string }

// OpenDrift are the counts in a file, which need not exist.
func OpenDrift(path string) Drift { return Drift{path} }

const (
	driftVersion = 1
	maxDrift     = 8 << 20 // bytes of the file
)

// driftFile is what the file holds.
type driftFile struct {
	Version int         `json:"version"`
	Answers int         `json:"answers"`
	Rows    []drift.Row `json:"rows"`
}

// Load adds what was counted to a counter, as far as it was last seen since a moment.
func (d Drift) Load(into *drift.Counter, since time.Time) error {
	f, err := d.read()
	if err != nil {
		return err
	}
	rows := f.Rows[:0]
	for _, r := range f.Rows {
		if !r.Last.Before(since) {
			rows = append(rows, r)
		}
	}
	into.Merge(f.Answers, rows)
	return nil
}

func (d Drift) read() (driftFile, error) {
	f, err := os.Open(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return driftFile{}, nil
	}
	if err != nil {
		return driftFile{}, err
	}
	defer func() { _ = f.Close() }()
	var out driftFile
	if err := json.NewDecoder(io.LimitReader(f, maxDrift)).Decode(&out); err != nil {
		return out, fmt.Errorf("%s cannot be read (%w): mend it, or move it away to begin anew", d.path, err)
	}
	if out.Version > driftVersion {
		return out, fmt.Errorf("%s is of version %d, and this program knows %d", d.path, out.Version, driftVersion)
	}
	return out, nil
}

// How long one that counts waits for another.
const (
	lockWait = 5 * time.Second
	lockTick = 20 * time.Millisecond
)

func awaitLock(f *os.File) error {
	for end := time.Now().Add(lockWait); ; {
		err := disk.Lock(f, true)
		if err == nil || errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		if !errors.Is(err, disk.ErrLocked) || time.Now().After(end) {
			return err
		}
		<-time.After(lockTick)
	}
}

// Count adds what was counted. Of two programs that do so at once, neither loses anything.
func (d Drift) Count(c *drift.Counter) error {
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(d.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // which frees it
	if err := awaitLock(lock); err != nil {
		return err
	}
	f, err := d.read()
	if err != nil {
		return err
	}
	var all drift.Counter
	all.Merge(f.Answers, f.Rows)
	all.Merge(c.Answers, c.Rows(true))
	b, err := json.Marshal(driftFile{driftVersion, all.Answers, all.Rows(true)})
	if err != nil {
		return err
	}
	return config.WritePrivate(d.path, b)
}
