package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// picture writes a file that is known as a PNG by its bytes.
func picture(t *testing.T, name string, size int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, size-8)...)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestFilePathAndURL(t *testing.T) {
	for _, p := range []string{"/a/b.png", "/a b/#1?x%41/ü.png", "/it's"} {
		got, ok := client.FilePath(client.FileURL(p))
		require.True(t, ok, p)
		assert.Equal(t, p, got)
	}
	for _, s := range []string{"", "/a", "file://host/a", "file:a", "file://", "https://h/a"} {
		_, ok := client.FilePath(s)
		assert.False(t, ok, s)
	}
}

func TestFilesAreInlinedWhenSentAndAbbreviatedBefore(t *testing.T) {
	path := picture(t, "kite's #1.png", 3000)
	d := video()
	d.Mode = "i2v"
	d.Values = client.Values{
		"image":   client.FileURL(path),
		"images":  []any{"https://example.test/x.png", client.FileURL(path)},
		"content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": client.FileURL(path)}}},
	}
	before, err := json.Marshal(d)
	require.NoError(t, err)
	var sent string
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		sent = string(body)
		answer(200, `{"id":"task_1"}`)(w, r)
	})
	c := newClient(t, g.URL)
	p, err := c.Preview(d, "videos")
	require.NoError(t, err)
	assert.Equal(t, "POST", p.Method)
	assert.Equal(t, "/v1/videos", p.Path)
	assert.Contains(t, string(p.Body), `"image_url": "data:image/png;base64,…(kite's #1.png, 3.0 kB)"`)
	whole, err := c.Body(t.Context(), d, "videos")
	require.NoError(t, err)
	assert.Empty(t, g.seen())

	_, err = c.Create(t.Context(), d, "videos")
	require.NoError(t, err)
	assert.Equal(t, sent, string(whole))
	assert.Equal(t, 3, strings.Count(sent, "data:image/png;base64,iVBORw0KGgo"))
	assert.NotContains(t, sent, "file://")
	assert.Len(t, sent, p.Bytes, "the preview knows the size")
	after, err := json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "the draft keeps the path")
}

func TestFilesThatCannotBeSent(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "id_rsa")
	require.NoError(t, os.WriteFile(text, []byte("-----BEGIN KEY-----"), 0o600))
	empty := filepath.Join(dir, "empty.png")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	big := filepath.Join(dir, "big.png")
	require.NoError(t, os.WriteFile(big, nil, 0o600))
	require.NoError(t, os.Truncate(big, client.MaxFile+1))
	pipe := filepath.Join(dir, "pipe.png")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	g := serve(t, answer(200, `{"id":"task_1"}`))
	c := newClient(t, g.URL)
	for path, want := range map[string]string{
		filepath.Join(dir, "none.png"): "no such file", dir: "not a regular file", text: "not a picture",
		empty: "is empty", big: "limit is 32 MiB", pipe: "not a regular file",
	} {
		d := video()
		d.Values = client.Values{"end_image": client.FileURL(path)}
		_, err := c.Create(t.Context(), d, "videos")
		assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome, path)
		require.ErrorContains(t, err, "end_image: "+path)
		require.ErrorContains(t, err, want)
	}
	d := video()
	d.Values = client.Values{"image": "file://relative.png"}
	_, err := c.Create(t.Context(), d, "videos")
	require.ErrorContains(t, err, "absolute path")
	assert.Empty(t, g.seen())
}

func TestPreviewShortensDataURIs(t *testing.T) {
	d := video()
	d.Values = client.Values{"image": "data:image/png;base64," + strings.Repeat("QUJD", 1000), "watermark": true}
	p, err := newClient(t, "http://127.0.0.1:1").Preview(d, "videos")
	require.NoError(t, err)
	assert.Less(t, len(p.Body), 300)
	assert.Contains(t, string(p.Body), "(4.0 kB)")
	assert.Greater(t, p.Bytes, 4000)
	require.Len(t, p.Dropped, 1)
	assert.Equal(t, "watermark", p.Dropped[0].Field)
}

func TestWireNames(t *testing.T) {
	c := newClient(t, "http://127.0.0.1:1", func(o *client.Options) {
		o.WireNames = func(model, format string) map[string]string {
			assert.Equal(t, "videos", format)
			if model == "famF-video" {
				return map[string]string{"image": "image"}
			}
			return nil
		}
	})
	d := video()
	d.Values = client.Values{"image": "https://example.test/x.png"}
	p, err := c.Preview(d, "videos")
	require.NoError(t, err)
	assert.Contains(t, string(p.Body), `"image_url"`)
	d.Model = "famF-video"
	p, err = c.Preview(d, "videos")
	require.NoError(t, err)
	assert.Contains(t, string(p.Body), `"image": `)
}

// TestCurlSendsTheSame runs the command in a shell, with a curl that only tells what it
// was given.
func TestCurlSendsTheSame(t *testing.T) {
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	bin := t.TempDir()
	fake := "#!/bin/sh\nfor a; do printf '<%s>\\n' \"$a\"; done\ncase \" $* \" in *' @- '*|*' @-') cat;; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "curl"), []byte(fake), 0o700)) //nolint:gosec // it is to be run

	var sent string
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		sent = string(body)
		answer(200, `{"id":"task_1"}`)(w, r)
	})
	c := newClient(t, g.URL)
	file := picture(t, "it's $HOME `id`.png", 500)
	for name, values := range map[string]client.Values{
		"plain": nil,
		"long":  {"image": "data:image/png;base64," + strings.Repeat("QUJD", 40_000)},
		"file":  {"image": client.FileURL(file), "images": []any{client.FileURL(file)}},
	} {
		t.Run(name, func(t *testing.T) {
			d := video()
			d.Prompt = "it's $HOME `id` \\ \"q\" $(id)\nEOF !! 雨"
			d.Values = values
			_, err := c.Create(t.Context(), d, "videos")
			require.NoError(t, err)
			command, err := c.Curl(d, "videos")
			require.NoError(t, err)
			assert.NotContains(t, command, secret)
			assert.Contains(t, command, `"Authorization: Bearer $DARKROOM_API_KEY"`)
			script := filepath.Join(t.TempDir(), "run.sh") // a long one is no argument
			require.NoError(t, os.WriteFile(script, []byte(command), 0o600))
			cmd := exec.CommandContext(t.Context(), sh, script)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "DARKROOM_API_KEY=k-1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			assert.Contains(t, string(out), "<Authorization: Bearer k-1>")
			assert.Contains(t, string(out), "<"+g.URL+"/v1/videos>")
			assert.Contains(t, string(out), sent)
		})
	}
	d := video()
	d.Values = client.Values{"image": client.FileURL("/nowhere/x.png")}
	_, err = c.Curl(d, "videos")
	require.ErrorContains(t, err, "image: /nowhere/x.png")
}

func TestAnOutlineIsWhatIsSent(t *testing.T) {
	var sent string
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		sent = string(body)
		answer(200, `{"id":"task_1"}`)(w, r)
	})
	c := newClient(t, g.URL)
	d := video()
	d.Prompt = "a <kite> & \"salt\"\n塩 \u2028"
	d.Extra = map[string]json.RawMessage{"own": json.RawMessage(`{ "n": 1.50, "deep": [ 1, 2 ] }`)}
	for _, image := range []string{"https://example.test/x.png", client.FileURL(picture(t, "a\"b.png", 3000)), "data:image/png;base64," + strings.Repeat("QUJD", 200)} {
		d.Values = client.Values{"image": image}
		outline, err := c.Outline(d, "videos")
		require.NoError(t, err)
		_, err = c.Create(t.Context(), d, "videos")
		require.NoError(t, err)
		if strings.HasPrefix(image, "https") {
			assert.Equal(t, sent, string(outline), "byte for byte")
			assert.Zero(t, client.Abbreviated(outline))
			continue
		}
		assert.Less(t, len(outline), len(sent))
		assert.Equal(t, 1, client.Abbreviated(outline), "%s", outline)
		assert.Zero(t, client.Abbreviated([]byte(sent)))
	}
	_, err := c.Outline(d, "nosuch")
	assert.Error(t, err)
}
