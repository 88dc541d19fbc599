package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"darkroom/cmd/config"
	"darkroom/jobs"
)

// maxInstallation bounds the installation's file, in bytes.
const maxInstallation = 1 << 10

// readInstallation returns this installation of the program, for readers; nil if it was not made yet,
// an error if its file cannot be read or is damaged.
func readInstallation(p config.Paths) (*jobs.Installation, error) {
	f, err := os.Open(p.Identity)
	if errors.Is(err, fs.ErrNotExist) || p.Identity == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, maxInstallation)
	n, err := f.Read(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Identity, err)
	}
	i, err := jobs.ParseInstallation(string(b[:n]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; move it away to have a new one made", p.Identity, err)
	}
	return i, nil
}

// OpenInstallation is readInstallation, but makes the file (0600) if there is none: once, by the
// process that comes first. If the file cannot be kept, it is nil, and the signatures of this
// process are good only as long as it runs.
func OpenInstallation(p config.Paths) (*jobs.Installation, error) {
	if i, err := readInstallation(p); i != nil || err != nil || p.Identity == "" {
		return i, err
	}
	unlock, err := config.Lock(p.Identity + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if i, err := readInstallation(p); i != nil || err != nil { // another process was faster
		return i, err
	}
	i := jobs.NewInstallation()
	if err := config.WritePrivate(p.Identity, []byte(i.String()+"\n")); err != nil {
		return nil, err
	}
	return i, nil
}

// readOnly reports whether the error came from a place that cannot be written, such as a read-only
// home.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)
}
