//go:build !unix

package spool

import (
	"errors"
	"os"
)

var errHeld = errors.New("another process holds it")

const openFlags = 0

// lock has no locks here.
func lock(*os.File) error { return errors.ErrUnsupported }
