//go:build unix && !linux

package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// unnamedFile returns a temporary file whose name is gone already.
func unnamedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "output")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// replace makes descriptor fd mean what from means. Children inherit it.
func replace(from, fd int) error { return unix.Dup2(from, fd) }
