package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// status runs a status for ten and a half seconds, and returns what was written.
func status(t *testing.T, tty *os.File) (out string) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		var err bytes.Buffer
		s, n := &IO{Err: &err, TtyErr: tty}, 0
		x := s.Status(func() string {
			n++
			if n == 3 {
				return ""
			}
			return string(rune('a'-1+n)) + "\x1b[2J"
		})
		time.Sleep(1500 * time.Millisecond) //nolint:forbidigo // the bubble's clock, not the wall's
		x.Above(func() { s.Notef("a row\n") })
		time.Sleep(9 * time.Second) //nolint:forbidigo // the bubble's clock, not the wall's
		x.Stop()
		out = err.String()
	})
	return out
}

func TestAStatusIsOneLineOnATerminal(t *testing.T) {
	t.Parallel()
	tty, err := os.Create(filepath.Join(t.TempDir(), "tty"))
	require.NoError(t, err)
	defer func() { _ = tty.Close() }()
	got := status(t, tty)
	assert.Contains(t, got, "darkroom: a␛[2J\r\x1b[Ka row\ndarkroom: b␛[2J\r\x1b[Kdarkroom: d")
	assert.True(t, bytes.HasSuffix([]byte(got), []byte("\r\x1b[K")), "nothing is left of it")
	assert.Equal(t, 1, bytes.Count([]byte(got), []byte("\n")))
}

func TestAStatusIsALineNowAndThenElsewhere(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "a row\ndarkroom: a␛[2J\ndarkroom: b␛[2J\n", status(t, nil))
}
