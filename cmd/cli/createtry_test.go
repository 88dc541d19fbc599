package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestAModelThatTheGatewayListsCanBeUsed at once, though the catalog does not know it.
func TestAModelThatTheGatewayListsCanBeUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lists := map[string]string{
		"/v1/models":            `{"object":"list","data":[{"id":"nova-video-9","object":"model"}]}`,
		"/v1/videos":            `{"id":"video_1","status":"completed"}`,
		"/v1/images/":           `{"created":1,"data":[{"url":"https://media.example.org/a.png"}]}`,
		"/v1beta/models":        `{"models":[{"name":"nova-video-9"}]}`,
		"/v1/chat/completions/": `{}`,
	}
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, lists), testKey
	r := w.ok("create", "video", "a kite", "--model", "nova-video-9", "--duration", "5", "--wait", "-o", "json")
	require.Contains(t, r.err, `model "nova-video-9" is not in the catalog`)
	require.Contains(t, r.err, "nothing is known of it, its values are sent as they are")
	require.Equal(t, "videos", r.object(t)["format"])

	r = w.ok("create", "video", "--model", "nova-video-9", "--prompt", "a {{thing}}", "--var", "thing=kite", "--var", "thing=boat", "--wait", "-o", "ndjson")
	require.Contains(t, r.err, "nothing is known of it")
	w.ok("create", "image", "a kite", "--model", "nova-video-9", "--wait")
	require.Contains(t, w.ok("create", "video", "a kite", "--model", "nova-video-9", "--dry-run", "--format", "all").out, "nova-video-9")

	near := []string{`"nova-vide-9"`, "not in the catalog, nor does the gateway list it", "nova-video-9", "--insist"}
	w.fails(kit.ExitUsage, near, "create", "video", "a kite", "--model", "nova-vide-9")
	w.fails(kit.ExitUsage, near, "create", "image", "a kite", "--model", "nova-vide-9")
	w.fails(kit.ExitUsage, []string{"--format", "no such format"}, "create", "video", "a kite", "--model", "nova-video-9", "--format", "nope")
	r = w.ok("create", "video", "a kite", "--model", "nova-vide-9", "--insist", "--wait")
	require.Contains(t, r.err, "nothing is known of it")
}

// TestAModelOfAGatewayWithoutLists can be tried; whether it exists nobody knows.
func TestAModelOfAGatewayWithoutLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = stranger(t, map[string]string{"/v1/videos": `{"id":"video_1","status":"completed"}`}), testKey
	r := w.ok("create", "video", "a kite", "--model", "nova-video-9", "--wait")
	require.Contains(t, r.err, "whether the gateway has nova-video-9 is not known")
	w.env["DARKROOM_BASE_URL"] = "http://127.0.0.1:1"
	w.fails(kit.ExitUsage, []string{"not in the catalog", "cannot be read", "--insist"}, "create", "video", "a kite", "--model", "nova-video-9")
}
