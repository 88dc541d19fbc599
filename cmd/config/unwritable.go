package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"darkroom/client/disk"
)

// UnwritableError is a file that the system did not let us write or remove.
type UnwritableError struct {
	Path string
	Done string // what could not be done: "written", "removed"
	Err  error
}

// Error names the file, why, and what to do.
func (e *UnwritableError) Error() string {
	return e.Path + " cannot be " + e.Done + ": " + reason(e.Err).Error() + ". " + e.remedy()
}

// Unwrap returns the system's error.
func (e *UnwritableError) Unwrap() error { return e.Err }

func (e *UnwritableError) remedy() string {
	switch {
	case disk.Full(e.Err):
		return "Make room on its disk"
	case errors.Is(e.Err, syscall.EROFS):
		return "Its disk can only be read: have it mounted for writing"
	}
	dir := filepath.Dir(e.Path)
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir) // where it was to be made
	}
	return "Make the folder " + dir + " writable for you"
}

// Unwritable turns the system's refusal to write or remove a file into a sentence. Other errors stay
// as they are.
func Unwritable(path, done string, err error) error {
	if err == nil || errors.As(err, new(*UnwritableError)) {
		return err
	}
	if disk.Full(err) || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return &UnwritableError{path, done, err}
	}
	return err
}

// reason is the system's reason, without the names of its call and of a temporary file.
func reason(err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number
	}
	return err
}
