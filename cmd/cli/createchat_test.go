package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestChatAnswerWithoutChoices: it is no answer, and nothing that could be asked for later: the
// command says so, and the job can be settled.
func TestChatAnswerWithoutChoices(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"chatcmpl-1","object":"chat.completion","model":"m"}`) // its client may be gone
	}))
	t.Cleanup(srv.Close)
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = srv.URL, "sk-chat-1"
	w.fails(kit.ExitAmbiguous, []string{"was not sent again"}, "create", "chat", "--model", "m", "why?")
	list := w.ok("jobs", "list", "--state", "ambiguous", "-o", "json").array(t)
	require.Len(t, list, 1)
	job, is := list[0].(map[string]any)
	require.True(t, is)
	require.Contains(t, text(t, job, "note"), "unclear: resend or drop")
	for _, insist := range []string{"--insist=false", "--insist"} { // it would be asked about for ever, and nowhere
		w.fails(kit.ExitFailed, []string{"answered with the result", "resend or drop it", "jobs resend"}, "jobs", "adopt", text(t, job, "id"), "chatcmpl-1", insist)
	}
	require.Len(t, w.ok("jobs", "list", "--state", "ambiguous", "-o", "json").array(t), 1)
	w.ok("jobs", "drop", text(t, job, "id"))
	require.Empty(t, w.ok("jobs", "list", "--state", "ambiguous", "-o", "json").array(t))
}
