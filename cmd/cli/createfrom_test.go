package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

const fromCurl = `curl -X POST 'https://gateway.example/ent/v2/img2video' \
  -H 'Authorization: Bearer sk-0123456789abcdef' \
  -d '{"model":"famJq3-turbo","prompt":"a kite","images":["https://x.example/a.png"],"duration":"5","audio":true,"camera":{"pan":1}}'`

func TestFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.file("request.sh", fromCurl)
	require.JSONEq(t, `{"model":"famJq3-turbo","prompt":"a kite","images":["https://x.example/a.png"],"duration":5,"audio":true,"camera":{"pan":1}}`,
		w.jsonOf("video", "--from", file), "through the format that it was written for")
	require.JSONEq(t, `{"model":"famJq3-turbo","prompt":"a boat","image_urls":["https://x.example/a.png"],"seconds":"8","generate_audio":true,"camera":{"pan":1}}`,
		w.jsonOf("video", "--from", file, "--format", "videos", "--duration", "8", "a boat"), "in the words of another, and flags win")
	w.in = fromCurl
	r := w.run("create", "video", "--from", "-", "--dry-run", "-o", "json")
	require.Equal(t, kit.ExitOK, r.code, r.err)
	require.Contains(t, r.err, "there is a key in it")
	require.NotContains(t, r.out+r.err, "sk-0123456789abcdef")
	require.JSONEq(t, `{"model":"famN_music","prompt":"rain","upstream_model":"famN-v5"}`,
		w.jsonOf("music", "--from", w.file("m.json", `{"model":"famN_music","prompt":"rain","engine":"famN-v5"}`)))
	w.fails(kit.ExitUsage, []string{"it is a request for video"}, "create", "image", "--from", file)
	w.fails(kit.ExitUsage, []string{"give one of them"}, "create", "video", "--from", file, "--body", file)
	w.fails(kit.ExitUsage, []string{"asked for twice"}, "create", "video", "--from", "-", "--prompt", "-")
	w.fails(kit.ExitNotFound, []string{"no such file"}, "create", "video", "--from", w.dir+"/none")
	w.fails(kit.ExitUsage, []string{"not JSON"}, "create", "video", "--from", w.file("bad.json", `{"model":`))
	w.fails(kit.ExitUsage, []string{"sends no body"}, "create", "video", "--from", w.file("get.sh", "curl https://x.example/v1/videos/1"))
}

// TestARequestInPlaceOfItsFileIsNotRepeated: the error had the key that was in it.
func TestARequestInPlaceOfItsFileIsNotRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, flag := range []string{"--from", "--body"} {
		for _, text := range []string{fromCurl, "$ " + fromCurl, `{"model":"famA3","key":"sk-0123456789abcdef"}`, "POST /v1/videos\n{\"key\":\"sk-0123456789abcdef\"}"} {
			r := w.run("create", "video", flag, text)
			require.Equal(t, kit.ExitUsage, r.code, r.err)
			require.Contains(t, r.err, flag+" takes the name of a file, or - for standard input")
			require.NotContains(t, r.out+r.err, "sk-0123")
		}
	}
}

func TestEveryFormatOfADraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	args := []string{"create", "video", "--model", "famJq3-turbo", "--prompt", "a kite", "--fps", "24", "--format", "all"}
	w.fails(kit.ExitUsage, []string{"--dry-run"}, args...)
	args = append(args, "--dry-run")
	w.fails(kit.ExitUsage, []string{"-o curl"}, append(args, "-o", "curl")...)
	r := w.run(args...)
	require.Equal(t, kit.ExitOK, r.code, r.err)
	require.Contains(t, r.out, "POST /v1/videos")
	require.Contains(t, r.out, "POST /ent/v2/img2video")
	require.Contains(t, r.out, "# not carried: fps")
	r = w.run(append(args, "-o", "json")...)
	var all []struct {
		Format string
		Sent   *client.Preview `json:"request"`
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &all), r.out)
	require.Len(t, all, 2)
	require.Equal(t, "ent", all[1].Format)
	require.Equal(t, "fps", all[1].Sent.Dropped[0].Field)
	r = w.run("create", "video", "--model", "famK-3.0", "--prompt", "a kite", "--format", "all", "--dry-run", "-o", "ndjson")
	require.Equal(t, kit.ExitOK, r.code, r.err)
	require.Contains(t, r.out, "create_paths.tasks", "why a format cannot be used is said")
	require.Equal(t, 2, strings.Count(r.out, "\n"))
}
