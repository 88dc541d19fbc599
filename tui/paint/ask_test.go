package paint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// playPictures starts the program that asks about pictures, with some environment.
func playPictures(t *testing.T, env string) *stage {
	return play(t, "/bin/sh", "-c", env+" "+picturesEnv+"=1 exec $PROGRAM")
}

const askedAll = "\x1b[>q\x1b[16t\x1b[?1;1;0S" + kittyQuery + "\x1b[c"

func TestPicturesAreAskedForAfterTheFirstPaint(t *testing.T) {
	t.Parallel()
	s := playPictures(t, "")
	at := s.await(0, "80x24")
	assert.NotContains(t, s.output()[:at], "\x1b_G")
	at = s.await(at, askedAll)
	// The answers come in pieces, with keys between them.
	for _, piece := range []string{"j\x1b", "P>|kit", "ty(0.41.1)\x1b", "\\", "\x1b[6;18", ";9t\x1b", "_Gi=31", ";OK\x1b", "\\k\x1b[?6", "2;c", "l"} {
		s.press(piece)
	}
	at = s.await(at, "pictures:2,9x18")
	s.press("P")
	at = s.await(at, "put:<nil>")
	at = s.await(at, "a=T,U=1,i=")
	at = s.await(at, "\x1b\\")
	s.press("e")
	at = s.await(at, "\x1b_Ga=d,d=I")
	at = s.await(at, left)
	s.await(at, "EDITOR ")
	s.press("x\n")
	at = s.await(at, "\x1b[?1049h")
	at = s.await(at, "a=T,U=1,i=")
	s.press("q")
	assert.Equal(t, 0, s.status())
	s.await(at, "\x1b_Ga=d,d=I")
	assert.Contains(t, s.restored(), "keys: jklPeq", "no answer was taken for keys")
}

func TestTheGuardianFreesPictures(t *testing.T) {
	t.Parallel()
	s := playPictures(t, "")
	at := s.await(0, askedAll)
	s.press("\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c")
	at = s.await(at, "pictures:2")
	s.guarded()
	s.press("K")
	assert.Equal(t, -9, s.status())
	s.await(at, "\x1b_Ga=d,d=R,q=2,x=")
	s.await(at, left)
}

func TestAnswersThatNeverComeCostNothing(t *testing.T) {
	t.Parallel()
	s := playPictures(t, "")
	s.await(0, askedAll)
	s.press("jP")
	s.await(0, "put:"+ErrNoPictures.Error())
	s.press("q")
	assert.Equal(t, 0, s.status())
	assert.Contains(t, s.restored(), "keys: jPq")
}

func TestTmuxsEnvironmentAloneIsNoTmux(t *testing.T) {
	t.Parallel()
	s := playPictures(t, "TMUX=/run/tmux,1,0 TERM=xterm-kitty")
	at := s.await(0, askedAll)
	s.press("\x1bP>|kitty(0.41.1)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c")
	at = s.await(at, "pictures:2")
	s.press("P")
	at = s.await(at, "\x1b_Ga=T,U=1")
	assert.NotContains(t, s.output(), "\x1bPtmux")
	s.press("q")
	assert.Equal(t, 0, s.status())
	s.await(at, "\x1b_Ga=d,d=I")
}

// TestTmuxGetsNoQueryAsTheTitleOfItsPane: it takes whatever stands in an APC for one.
func TestTmuxGetsNoQueryAsTheTitleOfItsPane(t *testing.T) {
	for term, takes := range map[string]bool{"tmux-256color": false, "screen-256color": false, "xterm-256color": false, "xterm-kitty": true, "xterm-ghostty": true} {
		env := environ(func(key string) string { return map[string]string{"TMUX": "/run/tmux,1,0", "TERM": term}[key] })
		assert.Equal(t, takes, env.takesAPC(), term)
	}
	assert.False(t, environ(func(key string) string { return map[string]string{"TERM": "tmux-256color"}[key] }).takesAPC(), "as over ssh")
	assert.True(t, environ(func(key string) string { return map[string]string{"TERM": "xterm-256color"}[key] }).takesAPC())
}

func TestTheTerminalBehindTmuxIsAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\necho 'kitty(0.41.1) xterm-kitty'\n"), 0o700)) //nolint:gosec // a program
	s := playPictures(t, "TMUX=/run/tmux,1,0 TERM=screen-256color PATH="+dir+":$PATH")
	at := s.await(0, "\x1b[?1;1;0S\x1b[c")
	assert.NotContains(t, s.output(), "\x1b_G", "tmux would make it the title of the pane")
	s.press("\x1bP>|tmux 3.4\x1b\\\x1b[?1;2c")
	at = s.await(at, passthrough(kittyQuery))
	s.press("\x1b")
	s.press("_Gi=31;OK\x1b\\")
	at = s.await(at, "pictures:2,10x20")
	s.press("P")
	s.await(at, "\x1bPtmux;\x1b\x1b_Ga=T,U=1")
	s.press("q")
	assert.Equal(t, 0, s.status())
	assert.True(t, strings.Contains(s.restored(), "keys: Pq"))
}
