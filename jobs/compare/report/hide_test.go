package report

import (
	"bytes"
	"darkroom/jobs/compare/hide"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
)

func TestHideLeavesOnlyTheNameOfAPath(t *testing.T) {
	for in, want := range map[string]string{
		"/home/ana/kite.png":                            "kite.png",
		"open /home/ana/my work/kite.png: no such file": "open my work/kite.png: no such file",
		`image: "/home/ana/kite.png", next`:             `image: "kite.png", next`,
		"image=@/Users/ana/kite.png":                    "image=@kite.png",
		"file:///home/ana/kite.png":                     "kite.png",
		`C:\Users\ana\kite.png`:                         "kite.png",
		`"path": "C:\\Users\\ana\\kite.png"`:            `"path": "kite.png"`,
		`\\server\ana\kite.png`:                         "kite.png",
		"[/home/ana/a.png,/home/ana/b.png]":             "[a.png,b.png]",
		"in /home/ana/":                                 "in …",
		"https://example.com/a/b.png":                   "https://example.com/a/b.png",
		"http://127.0.0.1:8080/a/b":                     "http://127.0.0.1:8080/a/b",
		"day and/or night, 16/9, 1/2 s":                 "day and/or night, 16/9, 1/2 s",
		"./refs/kite.png ../x/y":                        "./refs/kite.png ../x/y",
		"a / b":                                         "a / b",
	} {
		assert.Equal(t, want, hide.Paths(in), in)
	}
}

func TestNamedReadsReferencesWhole(t *testing.T) {
	got := named([]any{"file:///home/ana/secret plans/a.png", `C:\Users\ana b\c.png`, "https://example.com/x/y.png", "/imagine", 8.0, map[string]any{"url": "/home/a b/c.png"}})
	assert.Equal(t, []any{"a.png", "c.png", "https://example.com/x/y.png", "/imagine", 8.0, map[string]any{"url": "c.png"}}, got)
}

// TestAReportIsJSONWhateverItQuotes: a path before a quote or the end of a line takes neither with it.
func TestAReportIsJSONWhateverItQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`say "/home/ana/x" now`:              `say "x" now`,
		`"/home/ana/x","y`:                   `"x","y`,
		"/home/ana/x\nnext":                  "x\nnext",
		`C:\Users\ana\x and <b>`:             `x and <b>`,
		"https://example.com/a/b \"quoted\"": "https://example.com/a/b \"quoted\"",
	} {
		r := Make(&compare.Run{ID: "i", Repeats: 1, Cells: []compare.Cell{{
			Number: 1, Prompt: compare.Prompt{ID: "p", Text: text}, Draft: client.Draft{Prompt: text},
		}}}, Options{Now: time.Unix(0, 0)})
		var b bytes.Buffer
		require.NoError(t, r.JSON(&b))
		var back struct {
			Run struct {
				Cells []struct {
					Prompt struct{ Text string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(b.Bytes(), &back), text)
		require.Len(t, back.Run.Cells, 1)
		assert.Equal(t, want, back.Run.Cells[0].Prompt.Text)
	}
}

// TestMarkdownMakesNoLinks of a stranger's addresses, with a scheme or without.
func TestMarkdownMakesNoLinks(t *testing.T) {
	assert.Equal(t, "see https:&#47;&#47;evil.example or WWW&#46;evil.example", escaped("see https://evil.example or WWW.evil.example"))
}
