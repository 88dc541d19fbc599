package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/kittest"
)

const testKey = "sk-test-0a1b2c3d4e"

// gateway is a gateway of another program, with a key of its own.
func gateway(t *testing.T) string {
	t.Helper()
	g, err := sandbox.Start(context.Background(), sandbox.Options{Key: testKey, Timing: sandbox.Instant}, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	return g.URL
}

func TestLogin(t *testing.T) {
	t.Parallel()
	base := gateway(t)
	w := newWorld(t)
	w.file("config/config.yaml", "# mine\ntheme: dark\n")

	w.in = "sk-wrong-99\n"
	r := w.fails(kit.ExitAuth, []string{"nothing was kept", "401"}, "auth", "login", "--base-url", base)
	require.NotContains(t, r.err, "sk-wrong-99")
	require.Empty(t, w.ring.keys)

	w.in = testKey // without a line end
	d := w.ok("auth", "login", "--base-url", base+"/", "-o", "json").object(t)
	require.Equal(t, map[string]any{"profile": "default", "base_url": base, "key": "keyring", "key_origin": base, "default": true, "checked": true}, d)
	require.Equal(t, testKey+"\norigin: "+base+"\n", w.ring.keys["default"])
	b, err := os.ReadFile(w.paths().Config)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(b), "# mine\ntheme: dark\n"), "comments stay: %s", b)
	require.NotContains(t, string(b), testKey)

	st := w.ok("auth", "status", "-o", "json").object(t)
	require.Equal(t, "default", st["profile"])
	require.Equal(t, true, st["checked"])
	require.Contains(t, w.ok("auth", "status").out, "yes")
	require.Contains(t, w.ok("auth", "status", "--check=false").out, "not asked")

	w.in = testKey + "\n"
	r = w.ok("auth", "login", "-p", "work", "--base-url", base)
	require.Contains(t, r.err, "still default")
	require.Equal(t, "work", w.ok("-p", "work", "auth", "status", "-o", "json").object(t)["profile"])
	w.env["DARKROOM_PROFILE"] = "work"
	w.ok("auth", "login") // the address is known
	require.Equal(t, "work", w.ok("auth", "status", "-o", "json").object(t)["profile"])
	require.Equal(t, "completed", w.ok("create", "image", "through a profile", "-o", "json").object(t)["state"])

	w.ok("auth", "logout")
	r = w.fails(kit.ExitAuth, []string{"auth login"}, "auth", "status")
	require.Contains(t, r.out, "none")
	for _, args := range [][]string{{"create", "image", "x"}, {"inspect", "video_1"}} {
		w.fails(kit.ExitAuth, []string{"auth login"}, args...)
	}
	w.env["DARKROOM_API_KEY"] = "sk-wrong-98"
	w.fails(kit.ExitAuth, []string{"--key-from-env", "auth login"}, "create", "image", "x")
	r = w.fails(kit.ExitAuth, []string{"refused"}, "create", "image", "x", "--key-from-env")
	require.NotContains(t, r.err+r.out, "sk-wrong-98")
	w.fails(kit.ExitAuth, []string{"401"}, "inspect", "video_1", "--key-from-env")
}

// A gateway need not have a list of models: its key cannot be checked then, and is kept.
func TestLoginWithoutAList(t *testing.T) {
	t.Parallel()
	g := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(g.Close)
	w := newWorld(t)
	w.in = testKey
	r := w.ok("auth", "login", "--base-url", g.URL, "-o", "json")
	require.Equal(t, false, r.object(t)["checked"])
	require.Contains(t, r.err, "not checked")
	require.Contains(t, w.ring.keys["default"], testKey)
	require.Contains(t, w.ok("auth", "status").out, "not known")
}

func TestLoginThatIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		in   string
		args []string
		says []string
	}{
		{"", []string{"--base-url", "https://x.example"}, []string{"no key was given"}},
		{"\n", []string{"--base-url", "https://x.example"}, []string{"no key was given"}},
		{"two words\n", []string{"--base-url", "https://x.example"}, []string{"blanks"}},
		{testKey, []string{"--base-url", "http://x.example"}, []string{"--base-url", "plain http"}},
		{testKey, []string{"--base-url", "https://u:" + testKey + "@x.example"}, []string{"leave user and password out"}},
		{testKey, []string{"--base-url", "https://x.example", "-p", "sandbox"}, []string{"sandbox", "taken"}},
		{testKey, []string{"--base-url", "https://x.example", "-p", "../x"}, []string{`"../x"`, "letters"}},
	} {
		w.in = c.in
		r := w.fails(kit.ExitUsage, c.says, append([]string{"auth", "login"}, c.args...)...)
		require.NotContains(t, r.err, testKey)
	}
	require.Empty(t, w.ring.keys)
	require.NoFileExists(t, w.paths().Config)
	w.file("config/config.yaml", "theme: [")
	w.in = testKey
	w.fails(kit.ExitUsage, []string{"config.yaml"}, "auth", "login", "--base-url", "https://x.example", "--check=false")
	require.Empty(t, w.ring.keys, "nothing is kept when the profile cannot be")
}

// start runs a command in the terminal.
func start(ctx context.Context, y *kittest.Typist, w *world, args ...string) <-chan int {
	s := w.stdio(y.TTY, y.TTY)
	s.In, s.Tty, s.TtyIn, s.TtyErr = y.TTY, y.TTY, y.TTY, y.TTY
	code := make(chan int, 1)
	go func() { code <- run(ctx, s, args) }()
	return code
}

func TestLoginOnATerminal(t *testing.T) {
	t.Parallel()
	base := gateway(t)
	w, y := newWorld(t), kittest.NewTypist(t)
	code := start(t.Context(), y, w, "auth", "login")
	y.Shows("Address of the gateway: ")
	y.Types(base + "\n")
	y.Shows("Key (it stays hidden): ")
	y.Hidden()
	y.Types(testKey + "\n")
	require.Zero(t, y.Ends(code), y.Screen())
	y.Shows("key kept in keyring for " + base)
	require.NotContains(t, y.Screen(), testKey)
	require.True(t, y.Echo())
	require.Equal(t, testKey+"\norigin: "+base+"\n", w.ring.keys["default"])
}

func TestInterruptedPromptShowsWhatIsTypedAgain(t *testing.T) {
	t.Parallel()
	w, y := newWorld(t), kittest.NewTypist(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	code := start(ctx, y, w, "auth", "login", "--base-url", "https://x.example")
	y.Shows("Key (it stays hidden): ")
	y.Hidden()
	cancel(kit.Interrupted(syscall.SIGINT))
	require.Equal(t, kit.ExitCancelled, y.Ends(code))
	y.Shows("darkroom: interrupted")
	require.True(t, y.Echo())
	require.Empty(t, w.ring.keys)
	lines := strings.Count(y.Screen(), "\n")
	y.Types("\n") // lets the read end: one line end is the echo, one is its own
	require.Eventually(t, func() bool { return strings.Count(y.Screen(), "\n") == lines+2 }, time.Minute, time.Millisecond)
}

func TestSandbox(t *testing.T) {
	t.Parallel()
	for _, given := range []string{"", testKey} {
		w := newWorld(t)
		w.env["DARKROOM_SANDBOX_KEY"] = given
		ctx, cancel := context.WithCancelCause(t.Context())
		r, pw := io.Pipe()
		var errOut bytes.Buffer
		code := make(chan int, 1)
		go func() {
			code <- run(ctx, w.stdio(pw, &errOut), []string{"sandbox", "--addr", "127.0.0.1:0", "-o", "ndjson", "--dir", filepath.Join(w.dir, "s"), "--timing", "instant", "--log"})
			_ = pw.Close()
		}()
		line := make([]byte, 4096)
		n, err := r.Read(line)
		require.NoError(t, err)
		at := result{out: string(line[:n])}.object(t)
		key := given
		if given == "" {
			key = text(t, at, "key")
		} else {
			require.NotContains(t, at, "key", "whoever gave it knows it")
		}
		o := newWorld(t)
		o.env["DARKROOM_BASE_URL"], o.env["DARKROOM_API_KEY"] = text(t, at, "base_url"), key
		require.Regexp(t, `^env:127\.0\.0\.1:\d+$`, o.ok("auth", "status", "-o", "json").object(t)["profile"])
		o.ok("create", "image", "x")
		cancel(kit.Interrupted(syscall.SIGINT))
		require.Zero(t, <-code, "being interrupted is how it ends")
		require.Contains(t, errOut.String(), "/v1/images/generations")
		require.NotContains(t, errOut.String(), key)
	}
}
