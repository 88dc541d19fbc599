package catalog

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

const overlaid = `version: 1
open: [chat, music]
formats:
  - {name: videos, modalities: [video], create: POST /v2/videos, query: "GET /v2/videos/{id}"}
modes:
  - {id: t2v, help: "text, then a video"}
  - {id: famZ-t2v, name: t2v, label: text to video, help: from text}
fields:
  video:
    - {name: duration, max: 60}
    - {name: sparkle, label: sparkle, kind: boolean, help: adds some}
families:
  - token: famI
    models:
      - {id: famI-omni, note: slow today}
      - {id: famI-omni-2}
  - token: famZ
    kind: video
    title: Z
    traits: {modality: video, modes: [famZ-t2v], formats: [videos], routes: [videos]}
    models:
      - {id: famZ-1}
  - token: famB
    note: gone soon
`

func TestChanges(t *testing.T) {
	require.Empty(t, Lint([]byte(overlaid), "mine.yaml"))
	all, err := Changes([]byte(overlaid), "mine.yaml")
	require.NoError(t, err)
	require.Equal(t, []Change{
		{Kind: "format", Name: "videos", Keys: []string{"create", "modalities", "query"}, Line: 4},
		{Kind: "open", Name: "music", New: true},
		{Kind: "mode", Name: "t2v", Keys: []string{"help"}, Line: 6},
		{Kind: "mode", Name: "famZ-t2v", New: true, Line: 7},
		{Kind: "field", Name: "duration", In: "video", Keys: []string{"max"}, Line: 10},
		{Kind: "field", Name: "sparkle", In: "video", New: true, Line: 11},
		{Kind: "model", Name: "famI-omni", In: "famI", Keys: []string{"note"}, Line: 15},
		{Kind: "model", Name: "famI-omni-2", In: "famI", New: true, Line: 16},
		{Kind: "family", Name: "famZ", New: true, Line: 17},
		{Kind: "model", Name: "famZ-1", In: "famZ", New: true, Line: 22},
		{Kind: "family", Name: "famB", Keys: []string{"note"}, Line: 23},
	}, all)
	_, err = Changes([]byte("version: ["), "mine.yaml")
	require.ErrorContains(t, err, "mine.yaml:1:")
}

func TestModelLimits(t *testing.T) {
	c, err := Embedded()
	require.NoError(t, err)
	m, ok := c.Model("famI-omni")
	require.True(t, ok)
	found := false
	for _, l := range m.Limits() {
		if l.Field == "duration" {
			found = true
			require.True(t, l.Mapped)
			require.Equal(t, []string{"4", "6", "8", "10"}, l.Allowed)
		}
	}
	require.True(t, found)
	for _, x := range c.Models(client.Image) {
		for _, l := range x.Limits() {
			require.NotEmpty(t, l.Field, x.ID)
		}
	}
}

func FuzzChanges(f *testing.F) {
	f.Add([]byte(overlaid))
	f.Add([]byte("version: 1\nfamilies: [null]"))
	f.Add([]byte("version: 1\nfields: {video: [null]}\nmodes: 5"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Changes(data, "f.yaml")
		if err != nil {
			require.Empty(t, all)
		}
	})
}

// TestLintNamesEverything: unknown keys do not hide one another, nor what else is wrong.
func TestLintNamesEverything(t *testing.T) {
	const file = `version: 1
famlies: []
modes:
  - {id: t2v, halp: x, needs: [{any_off: [prompt]}]}
families:
  - token: famZ
    kind: video
    title: Z
    traits: {modality: video, modes: [t2vv], formats: [videos], routes: [videos], limits: [{field: duration, maxx: 3}]}
    models:
      - {id: famZ-1, noot: y, traits: {without: [sparkle]}}
`
	got := make([]string, 0, 8)
	for _, err := range Lint([]byte(file), "m.yaml") {
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "m.yaml", e.Name)
		require.NotEmpty(t, e.Excerpt)
		got = append(got, fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Message))
	}
	for _, want := range []string{`2:1 unknown field "famlies"`, `4:15 unknown field "halp"`, `4:33 unknown field "any_off"`,
		`9:110 unknown field "maxx"`, `11:22 unknown field "noot"`} {
		require.True(t, slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want+"; allowed: ") }), "%s: %v", want, got)
	}
	require.Contains(t, got[0], "; allowed: version, modes, fields, families, formats, open")
	require.Contains(t, strings.Join(got, "\n"), `"noot"; allowed: id, note, traits`)
	require.Greater(t, len(got), 5, "and what is wrong beside them: %v", got)
	require.True(t, slices.IsSortedFunc(Lint([]byte(file), "m.yaml"), func(a, b error) int { return lineOf(a) - lineOf(b) }))
	require.Contains(t, Lint([]byte("version: 1\n---\nversion: 1\n"), "m.yaml")[0].Error(), "m.yaml:2:1: more than one YAML document")
	for _, none := range []string{"", "# nothing yet\n", "families: []\n"} {
		errs := Lint([]byte(none), "m.yaml")
		require.Len(t, errs, 1, "%q", none)
		require.Contains(t, errs[0].Error(), `version is missing: a catalog file begins with the line "version: 1"`, "%q", none)
	}
	require.Empty(t, unknownKeys([]byte("version: ["), "m.yaml"))
	require.Empty(t, unknownKeys(nil, "m.yaml"))
}

// TestLintKnowsTheCatalogItself: what the embedded catalog says is known.
func TestLintKnowsTheCatalogItself(t *testing.T) {
	data, err := os.ReadFile("catalog.yaml")
	require.NoError(t, err)
	require.Empty(t, unknownKeys(data, "catalog.yaml"))
}
