package cli

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/counterpart"
	"darkroom/cmd/cli/kit"
)

// TestGatewayProbe: what the gateway has is told, nothing is created, and the proposal that
// is kept makes music reachable.
func TestGatewayProbe(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	w := onCounterpart(t, s, "")
	r := w.ok("gateway", "probe")
	for _, says := range []string{"there      query    400  /v1/videos/{id}", "absent     query    200  /famN/fetch/{id}", "/suno/fetch/{id}  (words of suno-kling)",
		"not asked  create     -  /v1/images/generations", "sora-2", "PROPOSED"} {
		assert.Contains(t, r.out, says)
	}
	assert.Contains(t, r.err, "nothing is created")
	assert.Contains(t, r.err, "--write NAME")
	assert.Empty(t, s.Creates())
	for _, x := range s.Requests() {
		assert.Equal(t, http.MethodGet, x.Method)
	}

	got := w.ok("gateway", "probe", "-o", "json").object(t)
	assert.NotEmpty(t, got["rows"])
	proposal, _ := got["proposal"].(map[string]any)
	segments, _ := proposal["segments"].(map[string]any)
	assert.Equal(t, "suno", segments["famN"])

	r = w.ok("gateway", "probe", "--write", "ours", "-o", "json")
	path := text(t, r.object(t), "written")
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	asked := len(s.Requests())
	w.fails(kit.ExitUsage, []string{"already a dialect", "--force"}, "gateway", "probe", "--write", "ours")
	assert.Len(t, s.Requests(), asked, "that is known before anything is asked")
	w.ok("gateway", "probe", "--write", "ours", "--force")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotEqual(t, string(before), string(after), "its origin is the first now")
	assert.Contains(t, string(after), "famN: suno")
	w.ok("gateway", "dialects", "lint", "ours")

	w.env["DARKROOM_DIALECT"] = "ours"
	r = w.ok("create", "music", "--prompt", "rain", "--wait", "-o", "json")
	assert.Equal(t, "completed", r.object(t)["state"])
}

func TestGatewayProbeFails(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	w := onCounterpart(t, s, "")
	w.file("keys/real", "sk-wrong")
	w.fails(kit.ExitAuth, []string{"401"}, "gateway", "probe")
	w.fails(kit.ExitAuth, nil, "gateway", "probe", "--write", "ours")
	w.fails(kit.ExitUsage, []string{"letters, digits"}, "gateway", "probe", "--write", "../x")
	w.fails(kit.ExitUsage, []string{"--force is for --write"}, "gateway", "probe", "--force")
	w.fails(kit.ExitUsage, []string{"embedded gateway"}, "gateway", "probe", "--write", "x", "--profile", "sandbox")
	assert.NoDirExists(t, w.paths().Dialects, "nothing was written")

	page := newFake(t, func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("<html>hello</html>")) })
	w = newWorld(t).at(page.URL)
	w.fails(kit.ExitFailed, []string{"nothing of the interface was found", "no list of models answered"}, "gateway", "probe")

	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, errOut bytes.Buffer
	assert.Equal(t, kit.ExitCancelled, run(ctx, onCounterpart(t, s, "").stdio(&out, &errOut), []string{"gateway", "probe"}))
}

func TestGatewayDialects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows := w.ok("gateway", "dialects", "-o", "json").array(t)
	require.Len(t, rows, 2)
	for _, x := range rows {
		m, _ := x.(map[string]any)
		assert.Equal(t, "shipped with darkroom", m["from"])
		assert.Equal(t, false, m["in_use"], "off unless a profile names it")
		assert.NotEmpty(t, m["origin"], "where its words are from is said")
	}
	assert.Contains(t, w.ok("gateway", "dialects").out, "recorded answers of a public gateway")
	assert.Contains(t, w.ok("gateway", "dialects", "show", "suno-kling").out, "famN: suno")
	assert.Equal(t, "suno-kling", w.ok("gateway", "dialects", "show", "suno-kling", "-o", "json").object(t)["name"])
	w.fails(kit.ExitNotFound, []string{"no such dialect"}, "gateway", "dialects", "show", "none")

	assert.Contains(t, w.ok("gateway", "dialects", "lint").out, "no dialect of your own")
	w.file("config/dialects/good.yaml", "version: 1\nsegments: {famN: x}\n")
	w.file("config/dialects/bad.yaml", "version: 1\nsegments: {famZ: x}\nmodels: {famA99: y}\n")
	r := w.fails(kit.ExitUsage, []string{"2 mistakes"}, "gateway", "dialects", "lint")
	assert.Contains(t, r.out, "bad.yaml:2:12: ")
	assert.Contains(t, r.out, "bad.yaml:3:10: ")
	assert.Contains(t, r.out, "good.yaml: ok")
	assert.Contains(t, w.ok("gateway", "dialects").out, "cannot be used")
	w.in = "version: 1\nomit: [seed]\n"
	w.ok("gateway", "dialects", "lint", "-")
	w.fails(kit.ExitNotFound, []string{"no such dialect"}, "gateway", "dialects", "lint", "none")

	w.file("config/config.yaml", "profile: real\nprofiles:\n  real:\n    base_url: https://g.example\n    dialect: bad\n")
	w.fails(kit.ExitUsage, []string{"bad.yaml:2:12", "famZ"}, "config")
	w.file("config/config.yaml", "profile: real\nprofiles:\n  real:\n    base_url: https://g.example\n    dialect: {models: {famA99: y}}\n")
	w.fails(kit.ExitUsage, []string{"famA99", "not in the catalog"}, "config")
}

// TestAVersionAtTheEndOfTheAddressIsSaid: at login, from the environment, from the settings.
func TestAVersionAtTheEndOfTheAddressIsSaid(t *testing.T) {
	t.Parallel()
	s := counterpart.Start()
	t.Cleanup(s.Close)
	w := newWorld(t)
	w.in = counterpart.Key + "\n"
	r := w.ok("auth", "login", "--base-url", s.URL+"/v1/")
	assert.Contains(t, r.err, s.URL+" is used")
	assert.Contains(t, r.out, s.URL+",")
	r = w.ok("auth", "status")
	assert.NotContains(t, r.err, "is used", "what was kept is the root")

	w = newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = s.URL+"/v1beta", counterpart.Key
	r = w.ok("models", "list", "--live")
	assert.Contains(t, r.err, s.URL+" is used")
	assert.Contains(t, r.err, "the address ends in /v1beta")
}
