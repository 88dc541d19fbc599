package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// TestAVoteFromPageToRanking: a run over the embedded gateway is judged at the address that the command
// prints, by two judges, one of them elsewhere, and the votes come to a ranking.
func TestAVoteFromPageToRanking(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok("compare", "run", w.file("kites.yaml", strings.Replace(kitesSuite, "[a red kite]", "[a red kite, {id: city, text: a tram}]", 1)))

	// judge answers all pairs by the page's own requests, and returns what the command told besides.
	judge := func(name string, answers ...string) result {
		t.Helper()
		out, in := io.Pipe()
		var told bytes.Buffer
		done := make(chan int, 1)
		go func() {
			defer func() { _ = in.Close() }()
			done <- run(t.Context(), w.stdio(&told, in), []string{"compare", "vote", "last", "--no-browser", "--judge", name})
		}()
		var heard strings.Builder
		address := ""
		for b := make([]byte, 1024); address == ""; {
			n, err := out.Read(b)
			heard.Write(b[:n])
			require.NoError(t, err, heard.String())
			if _, rest, ok := strings.Cut(heard.String(), "http://"); ok && strings.Contains(rest, "\n") {
				address = "http://" + strings.Fields(rest)[0]
			}
		}
		go func() { _, _ = io.Copy(io.Discard, out) }()
		post := func(path string, body map[string]any) map[string]any {
			b, err := json.Marshal(body)
			require.NoError(t, err)
			resp, err := http.Post(address+path, "application/json", bytes.NewReader(b)) //nolint:noctx // a test
			require.NoError(t, err)
			defer func() { _ = resp.Body.Close() }()
			require.Equal(t, http.StatusOK, resp.StatusCode)
			got, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			if !strings.Contains(string(got), `"revealed":true`) {
				require.NotContains(t, string(got), "fam", "nothing is told")
			}
			var v map[string]any
			require.NoError(t, json.Unmarshal(got, &v))
			return v
		}
		resp, err := http.Get(address + "state") //nolint:noctx // a test
		require.NoError(t, err)
		var state map[string]any
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&state))
		require.NoError(t, resp.Body.Close())
		for _, a := range answers {
			ballot, _ := state["ballot"].(map[string]any)
			state = post("vote", map[string]any{"ballot": ballot["id"], "answer": a})
		}
		post("end", map[string]any{})
		return result{code: <-done, out: told.String()}
	}

	r := judge("ana", "a", "b", "tie", "skip", "a")
	require.Zero(t, r.code)
	require.Contains(t, r.out, "4 of 8 pairs judged by ana")
	require.Zero(t, judge("ben", "tie", "tie", "tie").code)

	got := w.ok("compare", "votes", "last", "-o", "json").object(t)
	require.Len(t, got["judges"], 2)
	ranking, _ := got["ranking"].(map[string]any)
	require.EqualValues(t, 7, ranking["pairings"])
	agreement, _ := got["agreement"].(map[string]any)
	require.EqualValues(t, 3, agreement["items"], "both met the same pairs")

	// Who has looked is no longer blind.
	w.env["USER"] = "ana"
	w.ok("compare", "votes", "last")
	require.Contains(t, judge("ana", "b").out, "5 of 8 pairs judged by ana")
	got = w.ok("compare", "votes", "last", "-o", "json").object(t)
	require.EqualValues(t, 7, got["ranking"].(map[string]any)["pairings"])

	// ben's file goes to another machine and comes back.
	files, err := filepath.Glob(filepath.Join(w.paths().Runs, "*", "*.votes", "ben.ndjson"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	sent := filepath.Join(w.dir, "sent")
	require.NoError(t, os.Rename(files[0], sent))
	require.Contains(t, w.ok("compare", "votes", "last").out, "4 votes by 1 judge.")
	text := w.ok("compare", "votes", "last", "--import", sent)
	require.Contains(t, text.err, "took over the votes of ben")
	require.Contains(t, text.out, "7 votes by 2 judges.")
	require.Contains(t, text.out, "famM-4-0-250828")
	w.fails(kit.ExitUsage, []string{"not a file of votes"}, "compare", "votes", "last", "--import", w.file("x", "x\n"))
}
