package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSilentLossIsSaid: what was asked for, accepted and not delivered is told where the job is
// waited for, in what machines get, and in what is known of the job later.
func TestSilentLossIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
	picture := w.file("in.png", png)
	r := w.ok("create", "video", "a kite [[sandbox:ignore images duration]]", "--model", "famA3", "--mode", "i2v", "--image", picture, "--duration", "8", "--wait")
	require.Contains(t, r.err, "asked for 8 s, the task reports 5 s")
	require.Contains(t, r.err, "1 image was sent, the task reports 0")
	require.Contains(t, r.out, "⚠")

	r = w.ok("create", "video", "a kite [[sandbox:ignore size]]", "--model", "famA3", "--size", "720x1280", "--download", w.dir, "-o", "json")
	j := r.object(t)
	require.Equal(t, []any{"asked for 720x1280, the task reports 640x360"}, j["warnings"])
	shown := w.ok("jobs", "show", text(t, j, "id"))
	require.Contains(t, shown.out, "⚠ asked for 720x1280")
	require.Contains(t, w.ok("jobs", "watch", text(t, j, "id")).err, "asked for 720x1280")

	r = w.ok("create", "video", "a kite", "--model", "famA3", "--mode", "i2v", "--image", picture, "--duration", "8", "--set", "size=720x1280", "--download", w.dir, "-o", "json")
	require.NotContains(t, r.object(t), "warnings", r.out)
	require.NotContains(t, r.err, "asked for")
}
