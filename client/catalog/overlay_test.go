package catalog

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOverlayIsStrict: what is wrong in a person's file is named with line and column.
func TestOverlayIsStrict(t *testing.T) {
	for _, x := range []struct{ name, yaml, want string }{
		{"unknown key", "version: 1\nfamilies:\n  - token: famA\n    colour: red\n", `o.yaml:4:5: unknown field "colour"`},
		{"unknown key deep inside", "version: 1\nfamilies:\n  - token: famA\n    traits: {limits: [{field: duration, maxx: 3}]}\n", `o.yaml:4:41: unknown field "maxx"`},
		{"wrong type", "version: 1\nfamilies:\n  - token: famA\n    models: 5\n", "o.yaml:4:13: "},
		{"text for a number", "version: 1\nfamilies:\n  - token: famA\n    traits: {limits: [{field: duration, min: two}]}\n", "o.yaml:4:46: "},
		{"a list for text", "version: 1\nfamilies:\n  - token: [famA]\n", "o.yaml:3:12: "},
		{"key twice", "version: 1\nfamilies:\n  - token: famA\n    note: a\n    note: b\n", "o.yaml:5:5: "},
		{"model twice", "version: 1\nfamilies:\n  - token: famA\n    models:\n      - id: famA9\n      - id: famA9\n", `o.yaml:6:13: model "famA9" is already there`},
		{"family twice", "version: 1\nfamilies:\n  - token: famA\n  - token: famA\n", `o.yaml:4:12: family "famA" is already there`},
		{"format twice", "version: 1\nformats:\n  - name: videos\n  - name: videos\n", `o.yaml:4:11: format "videos" is already there`},
		{"no such mode", "version: 1\nfamilies:\n  - token: famA\n    traits: {modes: [dance]}\n", `o.yaml:4:22: family famA: there is no mode with id "dance"`},
		{"no such field in a limit", "version: 1\nfamilies:\n  - token: famA\n    traits: {limits: [{field: length}]}\n", `o.yaml:4:31: family famA: "length" is not a canonical field`},
		{"no such format in a limit", "version: 1\nfamilies:\n  - token: famA\n    traits: {limits: [{field: duration, formats: [ent, air]}]}\n", `o.yaml:4:56: family famA: there is no format "air"`},
		{"no such format in a need", "version: 1\nmodes:\n  - id: t2v\n    needs: [{any_of: [prompt], text: p, formats: [air]}]\n", `o.yaml:4:51: mode t2v: there is no format "air"`},
		{"no such format in hard_on", "version: 1\nmodes:\n  - id: t2v\n    needs: [{any_of: [prompt], text: p, hard_on: [air]}]\n", `o.yaml:4:51: mode t2v: there is no format "air"`},
		{"no such format in wire_names", "version: 1\nfamilies:\n  - token: famA\n    traits: {wire_names: {air: {image: picture}}}\n", `there is no format "air"`},
		{"no such field in a format", "version: 1\nformats:\n  - name: videos\n    whole: [length]\n", `o.yaml:4:13: format videos: whole names "length", which is not a canonical field`},
		{"no such mode in a format", "version: 1\nformats:\n  - name: videos\n    modes: [dance]\n", `o.yaml:4:13: format videos: no mode has the name "dance"`},
		{"no such modality in a format", "version: 1\nformats:\n  - name: videos\n    modalities: [smell]\n", `o.yaml:4:18: format videos: modality "smell"`},
		{"no such modality in open", "version: 1\nopen: [smell]\n", `o.yaml:2:8: open: "smell" is not a modality`},
		{"references below zero", "version: 1\nfamilies:\n  - token: famA\n    traits: {max_refs: {image: -1}}\n", "o.yaml:4:32: family famA: max_refs of image is -1"},
		{"an alias of nothing", "version: 1\nfamilies: *nothing\n", "o.yaml:"},
		{"a bracket left open", "version: 1\nfamilies: [\n", "o.yaml:2:11: "},
		{"a tab", "version: 1\nfamilies:\n\t- token: famA\n", "o.yaml:3:"},
		{"a quote left open", "version: 1\nmodes:\n  - {id: \"t2v}\n", "o.yaml:3:"},
		{"no version", "families: []\n", "o.yaml:1:"},
	} {
		t.Run(x.name, func(t *testing.T) {
			errs := Lint([]byte(x.yaml), "o.yaml")
			require.NotEmpty(t, errs)
			require.ErrorContains(t, errs[0], x.want)
			var e *Error
			require.True(t, errors.As(errs[0], &e))
			_, err := load(t).Overlay([]byte(x.yaml), "o.yaml")
			require.ErrorContains(t, err, x.want)
		})
	}
}

// TestOverlayOfAFormat: a format's keys are merged like all others.
func TestOverlayOfAFormat(t *testing.T) {
	c, err := load(t).Overlay([]byte("version: 1\nformats:\n  - name: ent\n    note: mine\n  - {name: air, note: new, modalities: [video]}\n"), "o.yaml")
	require.NoError(t, err)
	f, ok := c.Format("ent")
	require.True(t, ok)
	require.Equal(t, "mine", f.Note)
	require.Equal(t, "POST /ent/v2/img2video", f.Create, "what the file leaves out stays")
	require.Equal(t, []string{"audios"}, f.Without)
	_, ok = c.Format("air")
	require.True(t, ok)
	f, _ = load(t).Format("ent")
	require.NotEqual(t, "mine", f.Note, "the base is unchanged")
}

// hostile are files that cost much more than their size if they are believed.
func hostile() map[string]string {
	alias := func(a string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat("*"+a+", ", n), ", ") + "]"
	}
	bomb := "version: 1\nfamilies:\n  - token: a\n    traits: {limits: [&l {field: duration, min: 1}]}\n    models: [&m {id: x, traits: {limits: " + alias("l", 1000) + "}}]\n" +
		"  - &f {token: b, models: " + alias("m", 1000) + "}\n" + strings.Repeat("  - *f\n", 1000)
	laughs := "version: 1\nx0: &x0 [a, a, a, a, a, a, a, a, a]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("x%d: &x%d %s\n", i+1, i+1, alias(fmt.Sprintf("x%d", i), 9))
	}
	var models strings.Builder
	models.WriteString("version: 1\nfamilies:\n  - token: famA\n    models:\n")
	for i := range 13_200 {
		fmt.Fprintf(&models, "      - id: x%d\n", i)
	}
	return map[string]string{
		"aliases that the schema allows": bomb,
		"aliases of lists":               laughs,
		"an anchor in itself":            "version: 1\nmodes: &a [*a]\n",
		"a merge of itself":              "version: 1\nmodes:\n  - &a {id: x, name: x, <<: *a}\n",
		"deep lists":                     "version: 1\nmodes: " + strings.Repeat("[\n", 100_000) + strings.Repeat("]", 100_000),
		"deep maps":                      "version: 1\nmodes: " + strings.Repeat("{a:\n", 100_000),
		"as deep as it goes":             "version: 1\nmodes: " + strings.Repeat("{a: ", 200) + strings.Repeat("}", 200),
		"dashes in one line":             "version: 1\nmodes:\n" + strings.Repeat("- ", 400_000) + "a\n",
		"as many as there may be":        "version: 1\nmodes:\n" + strings.Repeat("- ", 4_000) + "a\n",
		"questions in one line":          "version: 1\n" + strings.Repeat("? ", 4_000) + "a\n",
		"tags in one line":               "version: 1\nmodes: " + strings.Repeat("!!a ", 2_000) + "a\n",
		"too large":                      "version: 1\n" + strings.Repeat("# x\n", maxFile/4+1),
		"very many models":               models.String(),
	}
}

// TestHostileFiles are refused in short words and in short time.
func TestHostileFiles(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			errs := Lint([]byte(text), "o.yaml")
			require.NotEmpty(t, errs)
			require.LessOrEqual(t, len(errs), 11)
			for _, err := range errs {
				require.Less(t, len(err.Error()), 1000)
			}
			require.Less(t, time.Since(start), 30*time.Second, "of seconds at most on a slow machine")
		})
	}
}

// TestLargeFilesAreRead: what a person may really write stays quick.
func TestLargeFilesAreRead(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nfamilies:\n  - token: famA\n    models:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "      - id: x%d\n", i)
	}
	c, err := load(t).Overlay([]byte(b.String()), "o.yaml")
	require.NoError(t, err)
	_, ok := c.Model("x1999")
	require.True(t, ok)
}
