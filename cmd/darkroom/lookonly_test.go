package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReadOnlyProfileSendsNothing: with --read-only the commands refuse, the console says why, and
// what was planned before waits for a console without it.
func TestReadOnlyProfileSendsNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	_, errOut, code := h.run(t, "", "jobs", "pause", "--all")
	require.Equal(t, 0, code, errOut)
	v := newVictim()
	v.run(t, h, "create", "image", "--prompt", "a kite")
	require.Eventually(t, func() bool { return strings.Contains(v.out.String(), "planned") }, patience, 20*time.Millisecond)
	v.kill()
	_, errOut, code = h.run(t, "", "jobs", "resume", "--all")
	require.Equal(t, 0, code, errOut)

	id, _ := h.job(t, "")["id"].(string)
	for _, args := range [][]string{
		{"create", "image", "--prompt", "another"}, {"chat", "--model", "some-model", "hello"}, {"improve", "--model", "some-model", "a dog"},
		{"request", "POST", "/v1/videos", "{}"}, {"request", "DELETE", "/v1/videos/x"}, {"demo"}, {"jobs", "repoll", id},
	} {
		out, errOut, code := h.run(t, "", append([]string{"--read-only"}, args...)...)
		require.Equal(t, 6, code, "%v: %s%s", args, out, errOut)
		require.Contains(t, errOut, "read-only", args)
	}
	_, errOut, code = h.run(t, "", "--read-only", "create", "image", "--prompt", "another", "--dry-run")
	require.Equal(t, 0, code, errOut)
	_, errOut, code = h.run(t, "", "--read-only", "poll", "--once")
	require.Equal(t, 0, code, errOut)
	require.Contains(t, errOut, "what is planned stays")
	_, errOut, code = h.run(t, "", "--read-only", "models", "list", "--live")
	require.Equal(t, 0, code, errOut)

	x := h.open(t, 160, 34, "--read-only")
	x.shows("⊘ read-only")
	x.keys("a dog")
	x.shows(`"prompt": "a dog"`, "Read-only: no Submit")
	x.keys(ctrlS)
	x.shows("not submitted: read-only (--read-only)")
	x.keys(alt + "2")
	x.shows("a kite", "planned", "Held")
	x.keys(alt + "5")
	x.keys("hello" + enter)
	x.until("why", func(screen string) bool { return strings.Contains(screen, "read-only (--read-only): nothing") })
	x.keys("\x11") // ctrl+q
	require.Equal(t, 0, x.exit(), x.text())
	for name := range h.files(t) {
		require.NotContains(t, name, "creates.log", "the gateway got nothing")
	}

	out, errOut, code := h.run(t, "", "poll", "--until-idle")
	require.Equal(t, 0, code, "%s%s", out, errOut)
	require.Len(t, creates(t, h.find(t, ".local/state", "creates.log")), 1, "what was planned is sent without it")
}
