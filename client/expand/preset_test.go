package expand

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	return c
}

const kites = `# a preset of somebody
description: kites over water
modality: video
model: famI-omni
mode: r2v
prompt: |-
  a {red|blue} kite
    over ${place}
expand: all
variables:
  place: {sea|lake}
  n: 3
values:
  seconds: "6"
  seed: 9007199254740993
  aspect_ratio: 16:9
  image_urls: [kite.png, https://x.example/b.png]
  generate_audio: yes
  parameters: {resolution: 720p, seed: 0.10}
extra:
  parameters.seed: 18446744073709551617
  label: null
`

func TestPreset(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	text := strings.Replace(kites, "{sea|lake}", `"{sea|lake}"`, 1)
	p, err := ParsePreset("kites", text, c)
	require.NoError(t, err)
	want := Preset{
		Name: "kites", Description: "kites over water", Expand: Every, Variables: map[string]string{"place": "{sea|lake}", "n": "3"},
		Draft: client.Draft{
			Modality: client.Video, Model: "famI-omni", Mode: "r2v", Prompt: "a {red|blue} kite\n  over ${place}",
			Values: client.Values{
				"duration": json.Number("6"), "seed": json.Number("9007199254740993"), "aspect_ratio": "16:9",
				"images": []any{"kite.png", "https://x.example/b.png"}, "generate_audio": true,
				"parameters": map[string]any{"resolution": "720p", "seed": json.Number("0.10")},
			},
			Extra: map[string]json.RawMessage{"parameters.seed": json.RawMessage("18446744073709551617"), "label": json.RawMessage("null")},
		},
	}
	require.Equal(t, want, p)

	written, err := p.YAML(c)
	require.NoError(t, err)
	require.Contains(t, written, "prompt: |-\n  a {red|blue} kite\n    over ${place}\n", "lines stay lines")
	again, err := ParsePreset("kites", written, c)
	require.NoError(t, err)
	require.Equal(t, want, again)

	d, err := p.For(client.Video, c, func(s string) (string, error) { return "file:///presets/" + s, nil })
	require.NoError(t, err)
	require.Equal(t, []any{"file:///presets/kite.png", "https://x.example/b.png"}, d.Values["images"])
	require.Equal(t, "kite.png", p.Draft.Values.Strings("images")[0], "the preset stays as it is")
	_, err = p.For(client.Image, c, nil)
	require.ErrorContains(t, err, "preset kites is for video, not for image")
	_, err = p.For(client.Video, c, nil)
	require.ErrorContains(t, err, `images: "kite.png" is a file`)
}

// TestPresetOfAnyModality: names are looked up when it is known what they are for.
func TestPresetOfAnyModality(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	p, err := ParsePreset("p", "values: {seconds: 4, lyrics: la}", c)
	require.NoError(t, err)
	_, err = p.For(client.Video, c, nil)
	require.ErrorContains(t, err, "preset p: lyrics is not a field of video; allowed: ")
	p, err = ParsePreset("p", "values: {seconds: 4, duration: 5}", c)
	require.NoError(t, err)
	_, err = p.For(client.Video, c, nil)
	require.ErrorContains(t, err, "duration stands there twice")
	p, err = ParsePreset("p", "values: {seconds: 4}", c)
	require.NoError(t, err)
	d, err := p.For(client.Video, c, nil)
	require.NoError(t, err)
	require.Equal(t, client.Draft{Modality: client.Video, Values: client.Values{"duration": json.Number("4")}}, d)
}

// TestFilesOfPresets: every way to name a file on this machine goes through local.
func TestFilesOfPresets(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, v := range []string{
		"image: ../../secret.png", "image: /etc/passwd", "image: file:///etc/passwd", "image: FILE:///etc/passwd", "image: file:x", "images: [https://ok.example, file:///x]",
		"content: [{type: image_url, image_url: {url: file:///x}}]", "parameters: {deep: [[file:///x]]}", "callback_url: file:///x",
	} {
		p, err := ParsePreset("p", "values:\n  "+v, c)
		require.NoError(t, err, v)
		_, err = p.For(client.Video, c, func(string) (string, error) { return "", errors.New("asked") })
		require.ErrorContains(t, err, "asked", v)
	}
}

func TestPresetMistakes(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for text, says := range map[string]string{
		"":                    "p.yaml: the file is empty",
		"# only words\n":      "p.yaml: the file is empty",
		"- a\n":               "p.yaml:1:1: keys and values are needed",
		"model: a\nmodell: b": `p.yaml:2:1: unknown key "modell"; allowed: description, modality, model,`,
		"model: a\nmodel: b":  "p.yaml:2:1:",
		"model: [a]":          "p.yaml:1:1: model must be text",
		"model: 7":            "model must be text",
		"modality: film":      `p.yaml:1:1: modality "film": allowed are video, image, music, speech, chat`,
		"expand: maybe":       `expand "maybe": allowed are all, random`,
		"values: 7":           "keys and values are needed",
		"modality: video\nvalues:\n  colour: red":                   `p.yaml:3:3: "colour" is not a field of video; allowed: `,
		"values:\n  colour: red":                                    `p.yaml:2:3: "colour" is not a field of any modality`,
		"modality: video\nvalues: {seconds: soon}":                  `p.yaml:2:10: duration: "soon" is not a number`,
		"modality: video\nvalues: {seconds: 4, duration: 4}":        "is another name of duration",
		"variables: {1x: a}":                                        `"1x" is not a name of a variable`,
		"variables: {x: [a]}":                                       "variable x must be text",
		"extra: {a..b: 1}":                                          "not a place in a body",
		"extra: {api_key: abc}":                                     "api_key looks like a key: a preset holds none",
		"extra: {X-Api-Key: abc}":                                   "looks like a key",
		"extra: {h: {Authorization: x}}":                            "h looks like a key",
		"extra: {h: [Bearer abcdef]}":                               "h looks like a key",
		"values: {callback_url: Bearer abcd}":                       "callback_url looks like a key",
		"a: &x 1\nb: *x":                                            `unknown key "a"`,
		"values: &x {seed: 1}":                                      "p.yaml:1:",
		"values: {seed: *x}":                                        "p.yaml:1:",
		"values: {seed: !!str 1}":                                   "tag is not read here",
		"values: {seed: .inf}":                                      "infinity is not read here",
		"values:\n  <<: {seed: 1}":                                  "a key must be plain text",
		"model: a\n---\nmodel: b":                                   "more than one YAML document",
		"model: \"a\x1b[31m\"":                                      "p.yaml:1:10: a control character (U+001B)",
		"model: \xff":                                               "p.yaml:1:8: the text is not UTF-8",
		strings.Repeat("- ", 30) + "x":                              "p.yaml:1:1: more than 29 levels",
		"model: [":                                                  "p.yaml:1:",
		"values: " + strings.Repeat("[", 201):                       "p.yaml:1:209: more than 200 brackets",
		"prompt: " + strings.Repeat("x", maxPresetLine):             "a line of 16392 bytes; at most 16384",
		"prompt: |\n" + strings.Repeat("  xxxxxxxxxxxxx\n", 20_000): "at most 262144 bytes are read",
		"extra: {a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "}": "nested deeper than 30",
	} {
		_, err := ParsePreset("p", text, c)
		require.ErrorContains(t, err, says, "%.60q", text)
	}
}

func TestPresetIsWritten(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, prompt := range []string{"a", "yes", "7", "a: b # c", "\"", `\`, "two\nlines", " led\n  in", "end \n", "\n", "a\n\n\nb\n", "# x\n", "\ttab\nx", "a\u2028b", "{a|b}\n[c", "红 🪁 \u202e", "- x\n- y", "%", "@x", "'", strings.Repeat("long ", 2000)} {
		p := Preset{Name: "p", Draft: client.Draft{Prompt: prompt}, Variables: map[string]string{"y": prompt, "größe": "x"}}
		s, err := p.YAML(c)
		require.NoError(t, err, "%q", prompt)
		got, err := ParsePreset("p", s, c)
		require.NoError(t, err)
		require.Equal(t, p, got, "%s", s)
	}
	for _, p := range []Preset{
		{Name: "p", Draft: client.Draft{Prompt: strings.Repeat("x", maxPresetLine)}},
		{Name: "p"},
		{Name: "p", Draft: client.Draft{Modality: client.Video, Values: client.Values{"nope": "x"}}},
		{Name: "p", Draft: client.Draft{Extra: map[string]json.RawMessage{"token": json.RawMessage(`"Bearer abcdefg"`)}}},
	} {
		_, err := p.YAML(c)
		require.Error(t, err, "%.80v", p)
	}
}

// FuzzPreset: any text is a preset or an error with a place; what is read can be written
// and is the same then.
func FuzzPreset(f *testing.F) {
	for _, s := range []string{kites, "values: {seed: 0x1F}", "extra: {\"a\\\\.b\": [1, {c: null}]}", "prompt: >\n  a\n  b\n", "? a\n: b", "- - -", "a: &a [*a]", "variables: {x: true}", "values:\n  seed: 1e5\n  content: [{type: text}]"} {
		f.Add(s)
	}
	c := embedded(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		p, err := ParsePreset("p", text, c)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || client.CleanLine(err.Error()) != err.Error() {
				t.Fatalf("%q", err)
			}
			return
		}
		for _, m := range client.Modalities() {
			_, _ = p.For(m, c, nil)
		}
		s, err := p.YAML(c)
		if err != nil {
			return
		}
		again, err := ParsePreset("p", s, c)
		if err != nil || !again.same(p) {
			t.Fatalf("%s\n%v", s, err)
		}
	})
}

// TestAPresetOfManyLinesIsRefused: the YAML library takes seconds for them.
func TestAPresetOfManyLinesIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("extra:\n")
	for i := range maxPresetLines {
		fmt.Fprintf(&b, "  k%d: 1\n", i)
	}
	_, err := ParsePreset("p", b.String(), embedded(t))
	require.EqualError(t, err, "p.yaml:2001:1: more than 2000 lines")
	_, err = ParsePreset("p", "prompt: |-\n"+strings.Repeat("  x\n", maxPresetLines-1), embedded(t))
	require.NoError(t, err)
}
