package cli

import (
	"bytes"
	"context"
	"io"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestSandboxOwners have a key each, which is printed where it was made; a task of one is not found
// with the key of another.
func TestSandboxOwners(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_SANDBOX_KEY_BO_2"] = "sk-of-bo"
	ctx, cancel := context.WithCancelCause(t.Context())
	r, pw := io.Pipe()
	code := make(chan int, 1)
	var told bytes.Buffer // read once the command has ended
	go func() {
		code <- run(ctx, w.stdio(pw, &told), []string{"sandbox", "--addr", "127.0.0.1:0", "-o", "ndjson", "--timing", "instant", "--owners", "ana,bo-2",
			"--fault", "slow model=famA3; slow model=famZ*"})
		_ = pw.Close()
	}()
	line := make([]byte, 4096)
	n, err := r.Read(line)
	require.NoError(t, err)
	at := result{out: string(line[:n])}.object(t)
	owners := at["owners"].(map[string]any)
	require.Len(t, owners, 1, "the key that was given is not printed: %s", line[:n])
	as := func(key string) *world {
		o := newWorld(t)
		o.env["DARKROOM_BASE_URL"], o.env["DARKROOM_API_KEY"] = text(t, at, "base_url"), key
		return o
	}
	ana := as(text(t, owners, "ana"))
	id := text(t, ana.ok("create", "video", "waves", "--wait", "-o", "json").object(t), "task_id")
	require.Contains(t, ana.ok("inspect", id).out, "completed")
	as("sk-of-bo").fails(kit.ExitNotFound, []string{"no query path knows", id}, "inspect", id)
	as(text(t, at, "key")).fails(kit.ExitNotFound, []string{id}, "inspect", id)
	cancel(kit.Interrupted(syscall.SIGINT))
	require.Zero(t, <-code)
	require.Contains(t, told.String(), "--fault: no model of the catalog is called famZ*\n")
	require.NotContains(t, told.String(), "famA3")
	w.fails(kit.ExitUsage, []string{"small letters"}, "sandbox", "--owners", "Ana")
}
