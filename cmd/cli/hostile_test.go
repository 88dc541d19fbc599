package cli

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/inspect"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

// attacks are what a hostile gateway puts into its texts, each at the beginning of one.
func attacks() []string {
	return []string{
		"\x1b[2J\x1b]0;owned\x07", "\u009b31m", "\u202eevil\u202c", "zero\u200bwidth\u2066", "two\r\nlines\tand\x00more\x7f",
		`=HYPERLINK("http://evil.example","click")`, "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1+1", " =2", "＝3+3", "％", "|x",
		"[click](javascript:alert(1))", "<img src=x onerror=alert(1)>", "</td><script>alert(1)</script>", "```\n# owned\n```", "| a | b |\n|---|---|", "![x](http://evil.example/x.png)",
		"http://evil.example/?", "&lt;b&gt;", strings.Repeat("long塩🪁", 4000),
	}
}

// bent is a body whose texts are attacks, the nth first, but for the id and, with terms, those of its state.
func bent(t *testing.T, body, id string, terms bool, n int) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(body), &v))
	all := attacks()
	var bend func(key string, v any) any
	bend = func(key string, v any) any {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range sortedKeys(x) {
				x[k] = bend(k, x[k])
			}
			if n%2 == 0 {
				n++
				x[all[n%len(all)]] = all[n%len(all)] // a field that nobody named
			}
		case []any:
			for i := range x {
				x[i] = bend(key, x[i])
			}
		case string:
			if n++; x == id || key == "status" && terms || key == "state" && terms || key == "task_status" && terms || key == "type" && x == "image_generation_call" {
				return x
			}
			if strings.HasPrefix(x, "https://media.example/") {
				return x + all[n%len(all)]
			}
			return all[n%len(all)]
		}
		return v
	}
	out, err := json.Marshal(bend("", v))
	require.NoError(t, err)
	return string(out)
}

func sortedKeys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// TestNoTextOfAGatewayDoesHarm, in no format: not on the screen, not in a table, a spreadsheet, JSON or the
// summary of a bundle.
func TestNoTextOfAGatewayDoesHarm(t *testing.T) {
	t.Parallel()
	for i, f := range saidFormats() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for _, c := range f.own { // one of each state
				if c.status != 0 || seen[c.state] || c.state != "completed" && c.state != "failed" && c.state != "unknown" {
					continue
				}
				seen[c.state] = true
				for n := i; n < len(attacks()); n += 7 { // each attack is tried on some field of every format
					harmless(t, f, bent(t, c.body, f.id, c.state != "unknown", n))
				}
			}
			require.Len(t, seen, 3)
		})
	}
}

func harmless(t *testing.T, f saidFormat, body string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "=1+1|[x](y)")
		if r.URL.Path != strings.ReplaceAll(f.path, "{id}", f.id) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":{"code":"=1","message":"\u001b[2J<img src=x>"}}`))
			return
		}
		_, _ = w.Write([]byte(body)) //nolint:gosec // a test
	}))
	defer srv.Close()
	w := newWorld(t)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = srv.URL, testKey

	table := w.run("inspect", f.id)
	facts, _, _ := strings.Cut(table.out, "\n\n{\n") // behind it stands the body, whole
	shown(t, "table", facts, 2500)
	shown(t, "body", table.out, 0)
	shown(t, "error", table.err, 2500)
	many := w.run("inspect", f.id, f.id)
	shown(t, "list", many.out, 2500)

	sheet := w.run("inspect", f.id, f.id, "-o", "csv")
	rows, err := csv.NewReader(strings.NewReader(sheet.out)).ReadAll()
	require.NoError(t, err)
	for _, cells := range rows {
		for _, cell := range cells {
			shown(t, "CSV", cell, 0)
			assert.NotContains(t, cell, "\n")
			assert.NotRegexp(t, `^\s*[=+@|%＝＋－＠％｜]`, cell, "a formula")
			assert.NotRegexp(t, `^\s*-[^0-9]|^\s*-[0-9]+[^0-9.]`, cell, "a formula")
		}
	}

	data := w.run("inspect", f.id, "-o", "json")
	assert.NotRegexp(t, `[\x00-\x09\x0b-\x1f]`, data.out, "JSON escapes controls")
	if raw := data.object(t)["raw"]; raw != nil {
		got, err := json.Marshal(raw)
		require.NoError(t, err)
		assert.JSONEq(t, body, string(got), "the data is as it came")
	}

	page := readme(t, w, f.id)
	shown(t, "README.md", page, 0)
	markdown(t, page)

	cat, err := catalog.Embedded()
	require.NoError(t, err)
	gw, err := client.New(client.Options{BaseURL: srv.URL, Key: func() (string, error) { return testKey, nil }, Formats: formats.All(), WireNames: cat.WireNames})
	require.NoError(t, err)
	m := inspect.New(inspect.Deps{Gateway: gw, Catalog: cat, Jobs: nobody{}, Keys: keys.New(screen.Rows(inspect.Commands())), Styles: tuitest.Styles(t), Now: time.Now})
	s := tuitest.NewScreen(t, m, 120, 34)
	s.Limit = 20 * time.Second
	s.Paste(f.id)
	s.Key("enter")
	shown(t, "screen", s.View(), 0)
	for line := range strings.Lines(s.View()) {
		assert.LessOrEqual(t, widgets.Width(strings.TrimRight(line, "\n")), 120)
	}
}

// shown refuses what a terminal acts on, what turns a text round or hides in it, and lines without an end.
func shown(t *testing.T, where, s string, longest int) {
	t.Helper()
	for i, r := range s {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == '\ufeff') {
			assert.Fail(t, "a character that is not shown", "%s: %q in %q", where, r, s[max(0, i-30):min(len(s), i+30)])
			return
		}
	}
	for line := range strings.Lines(s) {
		if n := len([]rune(line)); longest > 0 && n > longest {
			assert.Fail(t, "a line without an end", "%s: %d characters: %.100q", where, n, line)
		}
	}
}

// markdown refuses texts of the gateway that would be more than text where the page is rendered.
func markdown(t *testing.T, page string) {
	t.Helper()
	bare := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "") // our own code spans
	bare = regexp.MustCompile(`\\.`).ReplaceAllString(bare, "")        // escaped
	assert.NotRegexp(t, `<[a-zA-Z/!]`, bare, "HTML")
	assert.NotRegexp(t, `\]\(|\]\[|^\[.*\]:`, bare, "a link")
	assert.NotRegexp(t, `https?://|www\.`, bare, "an address that becomes a link")
	assert.NotContains(t, bare, "```")
	assert.NotRegexp(t, `&[a-zA-Z#]`, bare, "an entity")
	for line := range strings.Lines(bare) {
		assert.NotRegexp(t, `^(#+ (owned)|\s{4,}\S|\t|>|===|---$)`, line)
	}
	tables := 0
	for line := range strings.Lines(bare) {
		if strings.HasPrefix(line, "|") {
			tables++
			assert.LessOrEqual(t, strings.Count(line, "|"), 6, line)
		}
	}
	assert.Positive(t, tables)
}

// readme is the summary of a bundle about an id.
func readme(t *testing.T, w *world, id string) string {
	t.Helper()
	file := filepath.Join(w.dir, "case.zip")
	_ = w.run("inspect", id, "--save", file)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	z, err := zip.NewReader(strings.NewReader(string(data)), int64(len(data)))
	require.NoError(t, err)
	r, err := z.Open("README.md")
	require.NoError(t, err)
	page, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(page)
}
