//go:build !linux && !darwin && !freebsd

package disk

import (
	"errors"
	"os"
	"strings"
)

// Locks says that this system has locks of files.
const Locks = false

// PlainOnly are flags of opening that keep a link or a named pipe from being followed or waited for.
const PlainOnly = 0

// Lock has no locks here.
func Lock(*os.File, bool) error { return errors.ErrUnsupported }

// Full reports whether an error says that there is no room left.
func Full(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "not enough space") || strings.Contains(err.Error(), "no space"))
}

// Writable cannot tell here.
func Writable(string) error { return nil }

// Free is not known here.
func Free(string) int64 { return -1 }
