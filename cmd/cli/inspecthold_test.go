package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestInspectGoesOnBesideALimitedTask: its 429 holds up no other id, and ctrl-c ends with what came.
func TestInspectGoesOnBesideALimitedTask(t *testing.T) {
	t.Parallel()
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/vid_limited") {
			w.Header().Set("Retry-After", "25")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"error":{"message":"slow down"}}`)
			return
		}
		id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		_, _ = io.WriteString(w, `{"id":"`+id+`","status":"completed"}`) //nolint:gosec // a test
	}))
	t.Cleanup(g.Close)
	ids := []string{"vid_limited", "vid_1", "vid_2", "vid_3", "vid_4", "vid_5", "vid_6", "vid_7", "vid_8"}
	for _, format := range []string{"table", "csv"} {
		w := newWorld(t)
		w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = g.URL, testKey
		ctx, cancel := context.WithCancelCause(t.Context())
		var out bytes.Buffer
		said := &until{text: " s, 8 of 9 done", then: func() { cancel(kit.Interrupted(syscall.SIGINT)) }}
		s := w.stdio(&out, said)
		tty, err := os.Create(filepath.Join(w.dir, "tty")) // a line that is rewritten each second
		require.NoError(t, err)
		s.TtyErr = tty
		code := run(ctx, s, append([]string{"inspect", "-o", format}, ids...))
		require.NoError(t, tty.Close())
		require.Equal(t, kit.ExitCancelled, code, said.String())
		require.Regexp(t, ` (refuses one task|is on hold) for \d+ s, 8 of 9 done\r\x1b\[K`, said.String())
		if format == "table" {
			require.Regexp(t, `(?m)^vid_7 +completed`, out.String())
			require.Regexp(t, `(?m)^vid_limited +not known .*more requests came`, out.String())
			require.Contains(t, out.String(), "9 ids: 8 completed, 1 not known")
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 10, "every id has its row")
		require.Equal(t, "not known", rows[1][1])
		require.Equal(t, "completed", rows[9][1])
	}
}
