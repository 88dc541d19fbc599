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
	p := Player([]string{"/bin/sh", script}, []string{"PATH=" + os.Getenv("PATH"), "DISPLAY=:7", "DARKROOM_API_KEY=sk-secret", "DARKROOM_SANDBOX_KEY=sk-other"})
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
