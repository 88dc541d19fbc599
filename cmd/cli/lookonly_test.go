package cli

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

func TestReadOnlyByAProfileAndByTheEnvironment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("config/config.yaml", "profile: work\nprofiles:\n  work:\n    base_url: "+gateway(t)+"\n    read_only: true\n    color: red\n    banner: PRODUCTION\n")
	w.ring.keys["work"] = testKey
	w.fails(kit.ExitPaused, []string{"read-only (read_only of profile work)"}, "create", "image", "--prompt", "a kite")
	w.fails(kit.ExitPaused, []string{"read-only"}, "request", "POST", "/v1/videos", "{}")
	require.Equal(t, "[]\n", w.ok("jobs", "list", "-o", "json").out, "nothing is journalled")
	w.ok("request", "GET", "/v1beta/models")
	st := w.ok("auth", "status", "-o", "json").object(t)
	require.Equal(t, "read_only of profile work", st["read_only"])
	require.Equal(t, true, st["checked"], "the key is checked by reading")
	require.Contains(t, w.ok("auth", "status").out, "read-only (read_only of profile work)")
	require.Contains(t, w.ok("config").out, "work PRODUCTION red")
	require.Contains(t, w.ok("create", "image", "--prompt", "a kite", "--dry-run").out+w.ok("create", "image", "--prompt", "a kite", "--dry-run").err, "read-only")

	require.Equal(t, " (profile work, PRODUCTION)", kit.New(w.stdio(io.Discard, io.Discard), "v").At(), "what a question about sending says")

	w.env["DARKROOM_READ_ONLY"] = "1"
	w.fails(kit.ExitPaused, []string{"read-only (DARKROOM_READ_ONLY)"}, "create", "image", "--prompt", "a kite", "--profile", "sandbox")
	w.env["DARKROOM_READ_ONLY"] = "0"
	w.ok("create", "image", "--prompt", "a kite", "--profile", "sandbox")
	w.fails(kit.ExitPaused, []string{"read-only"}, "create", "image", "--prompt", "a kite")
	w.env["DARKROOM_READ_ONLY"] = "maybe"
	w.fails(kit.ExitUsage, []string{"DARKROOM_READ_ONLY: say 1 or 0"}, "config")
}
