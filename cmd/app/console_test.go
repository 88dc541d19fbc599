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
	require.NoError(t, within(time.Hour, func() error { return nil }, errHungFlush))
	require.Equal(t, full, within(time.Hour, func() error { return full }, errHungFlush))
	require.Equal(t, errHungFlush, within(time.Hour, func() error { panic("in the middle of a change") }, errHungFlush))
	never := make(chan struct{})
	defer close(never)
	require.Equal(t, errHungFlush, within(time.Millisecond, func() error { <-never; return nil }, errHungFlush))
}
