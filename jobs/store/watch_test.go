//go:build linux

package store

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"darkroom/jobs"
)

// comes waits for a value; false when the channel was closed.
func comes(t *testing.T, c <-chan struct{}) bool {
	t.Helper()
	select {
	case _, ok := <-c:
		return ok
	case <-time.After(time.Minute):
		require.FailNow(t, "nothing came")
		return false
	}
}

// TestWatchTellsOfWrites: what another connection commits is told, to a watcher that does
// nothing meanwhile; reading tells nothing.
func TestWatchTellsOfWrites(t *testing.T) {
	t.Parallel()
	a := openTest(t)
	b, err := Open(t.Context(), a.Path())
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	written, err := a.Watch(ctx)
	require.NoError(t, err)

	_, err = b.List(t.Context(), jobs.Query{})
	require.NoError(t, err)
	_, err = b.Look(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(a.Path()), "other"), []byte("x"), 0o600))
	assert.Empty(t, written, "reading, and other files")

	for i := range 3 { // a row that stays the same is not written
		require.NoError(t, b.Beat(t.Context(), "you", time.Unix(int64(i), 0)))
		assert.True(t, comes(t, written))
	}
	cancel()
	for comes(t, written) { // closed at the end
	}
}

func TestWatchEndsWithItsFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(dir, 0o700))
	s := &SQLite{path: filepath.Join(dir, "history.db")}
	written, err := s.Watch(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.Rename(dir, dir+"2"))
	assert.False(t, comes(t, written), "closed")

	_, err = s.Watch(t.Context())
	require.Error(t, err)
}

func event(mask uint32, name string) []byte {
	b := make([]byte, unix.SizeofInotifyEvent, 64)
	binary.NativeEndian.PutUint32(b[4:], mask)
	if name != "" {
		padded := make([]byte, (len(name)/16+1)*16)
		copy(padded, name)
		binary.NativeEndian.PutUint32(b[12:], uint32(len(padded)))
		b = append(b, padded...)
	}
	return b
}

func FuzzReadEvents(f *testing.F) {
	f.Add([]byte{})
	f.Add(append(event(unix.IN_MODIFY, "other"), event(unix.IN_MODIFY, "h.db-wal")...))
	f.Add(event(unix.IN_Q_OVERFLOW, ""))
	f.Add(event(unix.IN_MODIFY, "h.db-wal")[:20])
	f.Fuzz(func(_ *testing.T, b []byte) { readEvents(b, []byte("h.db-wal")) })
}

func TestReadEvents(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		b         []byte
		hit, lost bool
	}{
		"ours second": {b: append(event(unix.IN_MODIFY, "other"), event(unix.IN_MODIFY, "h.db-wal")...), hit: true},
		"the base":    {b: event(unix.IN_MODIFY, "h.db")},
		"longer":      {b: event(unix.IN_MODIFY, "h.db-wal2")},
		"overflow":    {b: event(unix.IN_Q_OVERFLOW, ""), hit: true},
		"gone":        {b: event(unix.IN_IGNORED, ""), lost: true},
		"cut off":     {b: event(unix.IN_MODIFY, "h.db-wal")[:20], hit: true},
	} {
		hit, lost := readEvents(k.b, []byte("h.db-wal"))
		assert.Equal(t, k.hit, hit, name)
		assert.Equal(t, k.lost, lost, name)
	}
}
