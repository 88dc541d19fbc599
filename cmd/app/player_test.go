package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs/player"
)

// TestThePlayerHasNoKey: what plays gets the environment, and not what is secret in it.
func TestThePlayerHasNoKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, note := filepath.Join(dir, "player"), filepath.Join(dir, "note")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nenv >"+note+"\n"), 0o700)) //nolint:gosec // a program
	p := Player([]string{"/bin/sh", script}, []string{"PATH=" + os.Getenv("PATH"), "DISPLAY=:7", "DARKROOM_API_KEY=sk-secret", "DARKROOM_SANDBOX_KEY=sk-other",
		"DARKROOM_HISTORY=postgres://me:sk-password@db.invalid/jobs", "PGPASSWORD=sk-3"})
	defer p.Close()
	video := filepath.Join(dir, "a.mp4")
	require.NoError(t, os.WriteFile(video, []byte("\x00\x00\x00\x18ftypisom"), 0o600))
	require.NoError(t, p.Play(player.Target{Path: video}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for s := p.State(); s.Running; s = p.Wait(ctx, s.Seq) {
		require.NoError(t, ctx.Err())
	}
	env, err := os.ReadFile(note)
	require.NoError(t, err)
	require.Contains(t, string(env), "DISPLAY=:7")
	require.NotContains(t, string(env), "sk-")
}

// TestTheDesktopsProgramHasNoKey: it starts what it likes with what it is given.
func TestTheDesktopsProgramHasNoKey(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "note")
	for _, name := range []string{"xdg-open", "open"} {
		script := "#!/bin/sh\n/usr/bin/env >" + note + ".part\n/bin/mv " + note + ".part " + note + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700)) //nolint:gosec // a program
	}
	t.Setenv("PATH", dir)
	t.Setenv("DISPLAY", ":7")
	t.Setenv("DARKROOM_API_KEY", "sk-secret")
	t.Setenv("PGPASSWORD", "sk-password")
	picture := filepath.Join(dir, "a.png")
	require.NoError(t, os.WriteFile(picture, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	require.NoError(t, openFile(picture))
	require.Eventually(t, func() bool { _, err := os.Stat(note); return err == nil }, time.Minute, time.Millisecond)
	env, err := os.ReadFile(note)
	require.NoError(t, err)
	require.Contains(t, string(env), "DISPLAY=:7")
	require.NotContains(t, string(env), "sk-")
}

// TestNothingIsStartedByOpening: a file that starts programs goes to no player and to no
// desktop's program, whatever a row of the history calls it.
func TestNothingIsStartedByOpening(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.desktop")
	require.NoError(t, os.WriteFile(path, []byte("[Desktop Entry]\nExec=sh\n"), 0o600))
	require.ErrorContains(t, openFile(path), "not opened")
	p := Player([]string{"true"}, nil)
	defer p.Close()
	require.ErrorContains(t, p.Play(player.Target{Path: path}), "not opened")
	require.ErrorContains(t, p.Play(player.Target{Path: path, Still: true}), "not opened")
}
