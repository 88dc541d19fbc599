package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
		assert.Equal(t, want, hide(in), in)
	}
}

func TestNamedReadsReferencesWhole(t *testing.T) {
	got := named([]any{"file:///home/ana/secret plans/a.png", `C:\Users\ana b\c.png`, "https://example.com/x/y.png", "/imagine", 8.0, map[string]any{"url": "/home/a b/c.png"}})
	assert.Equal(t, []any{"a.png", "c.png", "https://example.com/x/y.png", "/imagine", 8.0, map[string]any{"url": "c.png"}}, got)
}
