package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/tui/player"
)

// TestThePlayerHasNoKey: what plays gets the environment, and not what is secret in it.
func TestThePlayerHasNoKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, note := filepath.Join(dir, "player"), filepath.Join(dir, "note")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nenv >"+note+"\n"), 0o700)) //nolint:gosec // a program
	p := Player([]string{"/bin/sh", script}, []string{"PATH=" + os.Getenv("PATH"), "DISPLAY=:7", "DARKROOM_API_KEY=sk-secret", "DARKROOM_SANDBOX_KEY=sk-other",
		"DARKROOM_HISTORY=postgres://me:sk-password@db.invalid/jobs"})
	defer p.Close()
	require.NoError(t, p.Play(player.Target{Path: "/a.mp4"}))
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

// An environment of secrets alone is an empty one: none at all would be ours, with all of them.
func TestAnEnvironmentOfSecretsIsEmpty(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{}, withoutSecrets([]string{"DARKROOM_API_KEY=sk-secret"}))
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
	require.NoError(t, openFile(filepath.Join(dir, "a.png")))
	require.Eventually(t, func() bool { _, err := os.Stat(note); return err == nil }, time.Minute, time.Millisecond)
	env, err := os.ReadFile(note)
	require.NoError(t, err)
	require.Contains(t, string(env), "DISPLAY=:7")
	require.NotContains(t, string(env), "sk-")
}
