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

// maxInstallation bounds the file of the installation, in bytes.
const maxInstallation = 1 << 10

// ReadInstallation is this installation of the program, for what only reads; nil where it was
// not made yet, and an error where its file cannot be read or is damaged.
func ReadInstallation(p config.Paths) (*jobs.Installation, error) {
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

// OpenInstallation is ReadInstallation, and makes the file (0600) where there is none: once,
// whoever comes first. Where it cannot be kept it is nil, and what this process signs holds as
// long as the process.
func OpenInstallation(p config.Paths) (*jobs.Installation, error) {
	if i, err := ReadInstallation(p); i != nil || err != nil || p.Identity == "" {
		return i, err
	}
	unlock, err := config.Lock(p.Identity + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if i, err := ReadInstallation(p); i != nil || err != nil { // another process was faster
		return i, err
	}
	i := jobs.NewInstallation()
	if err := config.WritePrivate(p.Identity, []byte(i.String()+"\n")); err != nil {
		return nil, err
	}
	return i, nil
}

// readOnly reports whether nothing can be written where the error arose, as in a home that is
// only read.
func readOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)
}
