package client_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// shells are those of this machine that a command may be pasted into.
func shells(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"bash", "dash", "sh"} {
		if p, err := exec.LookPath(name); err == nil {
			out = append(out, p)
		}
	}
	require.NotEmpty(t, out)
	return out
}

// told is a curl that keeps its arguments and what it is given beside itself.
const told = `#!/bin/sh
dir=$(dirname "$0")
printf '%s\n' "$@" > "$dir/args"
case " $* " in *' @- '*) cat > "$dir/body";; esac
`

// pasted runs a command in an empty folder, and tells what curl was given.
func pasted(t *testing.T, shell, command string) (args []string, body string) {
	t.Helper()
	bin, here := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "curl"), []byte(told), 0o700)) //nolint:gosec // it is to be run
	script := filepath.Join(bin, "run")                                               // a long one is no argument
	require.NoError(t, os.WriteFile(script, []byte(command), 0o600))
	cmd := exec.CommandContext(t.Context(), shell, script)
	cmd.Dir, cmd.Env = here, []string{"PATH=" + bin + ":/usr/bin:/bin", "DARKROOM_API_KEY=k-1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, command)
	assert.Empty(t, string(out), "nothing but curl ran")
	left, err := os.ReadDir(here)
	require.NoError(t, err)
	assert.Empty(t, left, "nothing but curl ran")
	b, err := os.ReadFile(filepath.Join(bin, "args"))
	require.NoError(t, err)
	given, err := os.ReadFile(filepath.Join(bin, "body"))
	if err == nil {
		body = string(given)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n"), body
}

// TestACopiedCommandRunsNothingElse pastes commands whose files and values are made to be
// run.
func TestACopiedCommandRunsNothingElse(t *testing.T) {
	c := newClient(t, "http://127.0.0.1:1")
	folder := t.TempDir()
	for _, name := range []string{
		"DARKROOM_BODY.png", "'; touch PWNED; '.png", "$(touch PWNED).png", "`touch PWNED`.png", `\$(touch PWNED).png`, `a\\'$(touch PWNED)'.png`,
		`");touch PWNED;("`, "| touch PWNED #.png", "a\\", "' | tr -d '\\n') $(touch PWNED) $(echo '", "${PATH}$((1+1)).png", "!!!-x <<DARKROOM_BODY &", "塩 🪁.png",
	} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n0000"), 0o600))
		d := video()
		d.Prompt = name
		d.Values = client.Values{"image": client.FileURL(path), "images": []any{client.FileURL(path), name}}
		command, err := c.Curl(d, "videos")
		require.NoError(t, err, name)
		for _, sh := range shells(t) {
			args, body := pasted(t, sh, command)
			assert.Contains(t, args, "Authorization: Bearer k-1", name)
			var sent struct {
				Prompt string   `json:"prompt"`
				Image  string   `json:"image_url"`
				Images []string `json:"image_urls"`
			}
			require.NoError(t, json.Unmarshal([]byte(body), &sent), "%s\n%s", name, body)
			assert.Equal(t, name, sent.Prompt, sh)
			assert.Equal(t, "data:image/png;base64,iVBORw0KGgowMDAw", sent.Image, sh)
			assert.Equal(t, []string{sent.Image, name}, sent.Images, sh)
		}
	}
}

// TestACopiedCommandQuotesItsAddressAndBody: what is no file stands in quotes.
func TestACopiedCommandQuotesItsAddressAndBody(t *testing.T) {
	const hostile = "it's $(touch PWNED) `touch PWNED` \\ [1-3]{a,b} \" ; touch PWNED"
	c := newClient(t, "http://127.0.0.1:1/it's/$(touch PWNED)")
	for _, format := range []string{"videos", "native"} {
		for _, prompt := range []string{hostile, hostile + strings.Repeat(" DARKROOM_BODY", 10_000)} {
			d := video()
			d.Model, d.Prompt = hostile, prompt
			command, err := c.Curl(d, format)
			require.NoError(t, err)
			for _, sh := range shells(t) {
				args, body := pasted(t, sh, command)
				if body == "" {
					body = args[len(args)-1]
				}
				assert.True(t, json.Valid([]byte(body)), "%s %s", sh, body)
				assert.Equal(t, "POST", args[2], sh)
				assert.Contains(t, args[3], "http://127.0.0.1:1/it", sh)
				assert.False(t, strings.ContainsAny(args[3], "[]{} "), "curl would send one request for each")
			}
		}
	}
}

// TestAFileThatNoCommandCanNameIsRefused: a line end in a name would begin a command.
func TestAFileThatNoCommandCanNameIsRefused(t *testing.T) {
	c := newClient(t, "http://127.0.0.1:1")
	for _, name := range []string{"kite\nDARKROOM_BODY\ntouch PWNED #.png", "a\rb.png", "a\x1b[201~b.png", "a\x9bb.png", "a\xffb.png", "a\u0085b.png"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n0000"), 0o600))
		d := video()
		d.Values = client.Values{"image": client.FileURL(path)}
		_, err := c.Curl(d, "videos")
		require.ErrorContains(t, err, "cannot stand in a command: rename the file", "%q", name)
		require.ErrorContains(t, err, "image: ")
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestWhatWasSentAsCurl(t *testing.T) {
	c := newClient(t, "https://gw.example/base")
	for _, body := range []string{`{"prompt":"it's $HOME and ` + "`id`" + `"}`, `{"long":"` + strings.Repeat("$(id)", 20<<10) + `"}`} {
		s, err := c.Sent("POST /v1/videos", []byte(body))
		require.NoError(t, err)
		assert.Equal(t, "https://gw.example/base/v1/videos", s.URL)
		assert.NotContains(t, s.Curl(), "k-1")
		for _, shell := range shells(t) {
			args, given := pasted(t, shell, s.Curl())
			if given == "" {
				given = args[len(args)-1]
			}
			assert.Equal(t, body, strings.TrimSuffix(given, "\n"), shell)
			assert.Subset(t, args, []string{"POST", "https://gw.example/base/v1/videos", "Authorization: Bearer k-1", "Content-Type: application/json", "Accept: application/json"})
		}
	}
	for _, no := range []string{"", "/v1/videos", "POST https://evil.example"} {
		_, err := c.Sent(no, nil)
		assert.Error(t, err, no)
	}
}
