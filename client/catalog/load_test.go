package catalog

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// minimal is a whole catalog, to be broken in one place at a time.
const minimal = `version: 1
modes:
  - id: t2v
    name: t2v
    needs:
      - {any_of: [prompt], text: a prompt}
fields:
  video:
    - name: duration
      label: Duration
      help: seconds
      aliases: [seconds]
      kind: number
families:
  - token: famZ
    kind: video
    traits: {modality: video, formats: [videos], modes: [t2v]}
    models:
      - id: famZ-1
        traits:
          limits:
            - {field: duration, min: 1, max: 5}
`

func TestLoad(t *testing.T) {
	c, err := Load([]byte(minimal), "mine.yaml")
	require.NoError(t, err)
	m, ok := c.Model("famZ-1")
	require.True(t, ok)
	require.Equal(t, []string{"t2v"}, m.ModeNames())
	require.Equal(t, client.Draft{Modality: client.Video, Model: "famZ-1", Mode: "t2v"}, c.Default(client.Video))
	require.Equal(t, client.Draft{Modality: client.Image}, c.Default(client.Image))
}

// TestLoadYAML loads the file that people edit, without the generated form between.
func TestLoadYAML(t *testing.T) {
	data, err := os.ReadFile("catalog.yaml")
	require.NoError(t, err)
	c, err := Load(data, "catalog.yaml")
	require.NoError(t, err)
	e := load(t)
	require.Equal(t, e.families, c.families)
	require.Equal(t, e.models, c.models)
	require.Equal(t, e.fields, c.fields)
}

func TestLoadErrors(t *testing.T) {
	for _, x := range []struct{ name, old, new, want string }{
		{"unknown key", "label: Duration", "lable: Duration", `mine.yaml:10:7: unknown field "lable"`},
		{"wrong type", "version: 1", "version: one", "mine.yaml:1:10: "},
		{"another version", "version: 1", "version: 2", "mine.yaml:1:10: version is 2; this program reads version 1"},
		{"no YAML", "kind: number", "kind: [number", "mine.yaml:"},
		{"duplicate key", "kind: number", "kind: number\n      kind: text", "mine.yaml:14:"},
		{"unknown kind", "kind: number", "kind: float", `mine.yaml:13:13: video field duration: kind "float"`},
		{"unknown modality of fields", "  video:\n", "  vidoe:\n", `"vidoe" is not a modality`},
		{"unknown modality", "modality: video", "modality: film", `mine.yaml:17:24: family famZ: modality "film"`},
		{"unknown mode", "modes: [t2v]", "modes: [t2v, i2v]", `mine.yaml:17:63: family famZ: there is no mode with id "i2v"`},
		{"mode twice", "modes: [t2v]", "modes: [t2v, t2v]", `mine.yaml:17:63: family famZ: mode "t2v" twice`},
		{"unknown field in a limit", "{field: duration", "{field: length", `mine.yaml:22:23: model famZ-1: "length" is not a canonical field`},
		{"limit by alias", "{field: duration", "{field: seconds", `"seconds" is not a canonical field`},
		{"limit upside down", "max: 5", "max: 0", "mine.yaml:22:15: model famZ-1: min 1 is above max 0"},
		{"unknown field in a need", "any_of: [prompt]", "any_of: [prompt, picture]", `mine.yaml:6:27: mode t2v: any_of names "picture"`},
		{"need without text", ", text: a prompt", "", "mine.yaml:6:9: mode t2v: a need without text"},
		{"duplicate alias", "aliases: [seconds]", "aliases: [seconds, seconds]", `mine.yaml:12:26: video field "duration": alias "seconds" is already there`},
		{"alias of the draft", "aliases: [seconds]", "aliases: [model]", "field of the draft itself"},
		{"duplicate model", "      - id: famZ-1", "      - id: famZ-1\n      - id: famZ-1", `mine.yaml:20:13: model "famZ-1" is already there`},
		{"model without id", "id: famZ-1", "note: famZ-1", "model without id"},
		{"unknown rule", "formats: [videos]", "formats: [videos], mode_rule: always", `mode_rule "always"; allowed: required, usual`},
		{"unknown media", "formats: [videos]", "formats: [videos], max_refs: {film: 1}", `max_refs "film"`},
		{"field without help", "      help: seconds\n", "", "label and help are required"},
		{"two documents", "version: 1\n", "version: 1\n---\nversion: 1\n", "more than one YAML document"},
	} {
		t.Run(x.name, func(t *testing.T) {
			broken := strings.Replace(minimal, x.old, x.new, 1)
			require.NotEqual(t, minimal, broken)
			_, err := Load([]byte(broken), "mine.yaml")
			require.ErrorContains(t, err, x.want)
			var e *Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, "mine.yaml", e.Name)
		})
	}
}

func TestLoadErrorShowsTheLine(t *testing.T) {
	_, err := Load([]byte(strings.Replace(minimal, "kind: number", "kind: float", 1)), "mine.yaml")
	var e *Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, 13, e.Line)
	require.Equal(t, 13, e.Column)
	require.Equal(t, "   12 |       aliases: [seconds]\n   13 |       kind: float\n      |             ^", e.Excerpt)
}

func TestLoadOddInput(t *testing.T) {
	for _, x := range []string{"", "- 1", "x", "\x00", "version: 1\nmodes: 5", "version: 1\nfamilies: [null]", "version: 1\nfields: {video: [null]}", strings.Repeat("a", maxFile+1)} {
		_, err := Load([]byte(x), "odd.yaml")
		require.Error(t, err)
		require.Less(t, len(err.Error()), 2000)
	}
	c, err := Load([]byte("version: 1"), "empty.yaml")
	require.NoError(t, err)
	require.Empty(t, c.Models(""))
	require.NotEmpty(t, c.Check(client.Draft{}))
}

func TestOverlay(t *testing.T) {
	base := load(t)
	before := load(t)
	c, err := base.Overlay([]byte(`version: 1
modes:
  - id: t2v
    label: words to video
  - {id: famZ-spin, name: spin, label: spin, needs: [{any_of: [prompt], text: a prompt}]}
fields:
  video:
    - name: duration
      basic: false
      suggested: ["3"]
    - {name: spin_speed, label: Spin, help: of famZ, kind: number, families: [famZ], modes: [spin]}
families:
  - token: famK
    models:
      - id: famK-3.0
        note: mine
      - id: famK-4.0
        traits: {fixed: {resolution: 4K}}
  - token: famZ
    kind: video
    traits: {modality: video, formats: [videos], routes: [videos], modes: [famZ-spin]}
    models: [{id: famZ-1}]
`), "overlay.yaml")
	require.NoError(t, err)

	f, _ := c.Field(client.Video, "duration")
	require.False(t, f.Basic, "a key that is there replaces, even with false")
	require.Equal(t, []string{"3"}, f.Suggested)
	require.Equal(t, []string{"seconds"}, f.Aliases, "a key that is not there stays")

	m, _ := c.Model("famA3")
	require.Equal(t, "words to video", m.Modes[0].Label)
	require.NotEmpty(t, m.Modes[0].Needs)

	m, _ = c.Model("famK-3.0")
	require.Equal(t, "mine", m.Note)
	require.Equal(t, "720P", m.Fixed["resolution"])
	m, ok := c.Model("famK-4.0")
	require.True(t, ok)
	require.Equal(t, 10, m.MaxRefs["image"], "a new model inherits from its family")
	require.Equal(t, "4K", m.Fixed["resolution"])

	d := client.Draft{Modality: client.Video, Model: "famZ-1", Prompt: "x"}
	require.True(t, hasField(c.Fields(d), "spin_speed"))
	require.Empty(t, c.Check(d))
	d.Model = "famA3"
	require.False(t, hasField(c.Fields(d), "spin_speed"))

	require.Equal(t, before.families, base.families, "the base is unchanged")
	require.Equal(t, before.models, base.models)
	require.Equal(t, before.fields, base.fields)
	again, err := c.Overlay([]byte("version: 1"), "empty.yaml")
	require.NoError(t, err)
	require.Equal(t, c.models, again.models)
}

func hasField(fs []Field, name string) bool {
	for _, f := range fs {
		if f.Name == name {
			return true
		}
	}
	return false
}

func TestOverlayErrors(t *testing.T) {
	for _, x := range []struct{ name, yaml, want string }{
		{"model of another family", "version: 1\nfamilies:\n  - token: famZ\n    traits: {modality: video, formats: [v], modes: [t2v]}\n    models:\n      - id: famA3\n", `o.yaml:6:13: model "famA3" is already there`},
		{"no modality", "version: 1\nfamilies:\n  - token: famZ\n    models:\n      - id: famZ-1\n", "o.yaml:5:"},
		{"alias that is a field", "version: 1\nfields:\n  video:\n    - {name: speed, label: S, help: h, kind: number, aliases: [seconds]}\n", `alias "seconds" is already there (alias of duration)`},
		{"twice in the overlay", "version: 1\nmodes:\n  - id: a\n  - id: a\n", `o.yaml:4:9: mode "a" is already there`},
		{"unknown key", "version: 1\nmodels: []\n", `o.yaml:2:1: unknown field "models"`},
		{"unknown mode", "version: 1\nfamilies:\n  - token: famA\n    traits: {modes: [dance]}\n", `o.yaml:4:22: family famA: there is no mode with id "dance"`},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := load(t).Overlay([]byte(x.yaml), "o.yaml")
			require.ErrorContains(t, err, x.want)
		})
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	c := load(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, m := range c.Models("") {
				d := client.Draft{Modality: m.Modality, Model: m.ID, Values: client.Values{"resolution": "720P", "duration": "5"}}
				for i := range c.Fields(d) {
					_ = c.Fields(d)[i].Name
				}
				c.Check(d)
				c.Suggest(m.ID, 3)
			}
			_, err := c.Overlay([]byte("version: 1\nfamilies: [{token: famA, note: x}]"), "o.yaml")
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
