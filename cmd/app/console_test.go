package app

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFlushOfAConsoleThatHangs: what can be saved is; what hangs as well, or breaks, ends nothing.
func TestFlushOfAConsoleThatHangs(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	require.NoError(t, flushHung(func() error { return nil }, time.Hour))
	require.Equal(t, full, flushHung(func() error { return full }, time.Hour))
	require.Equal(t, errHungFlush, flushHung(func() error { panic("in the middle of a change") }, time.Hour))
	never := make(chan struct{})
	defer close(never)
	require.Equal(t, errHungFlush, flushHung(func() error { <-never; return nil }, time.Millisecond))
}
