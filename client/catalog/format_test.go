package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestDraftFormat(t *testing.T) {
	c := load(t)
	require.Equal(t, "chat", c.DraftFormat(client.Draft{Modality: client.Chat, Model: "x"}))
	require.Equal(t, "music", c.DraftFormat(client.Draft{Modality: client.Speech, Model: "famN_music"}))
	require.Equal(t, "", c.DraftFormat(client.Draft{Modality: client.Video, Model: "x"}))
	require.Empty(t, c.Default(client.Chat).Model)
	require.Equal(t, client.Draft{Modality: client.Speech, Model: "famN_music", Values: client.Values{"upstream_model": "famO-speech-2.8-hd"}}, c.Default(client.Speech))
}

func TestRoutesAndFormats(t *testing.T) {
	c := load(t)
	for model, want := range map[string]string{
		"famA3": "videos", "famC-1.0": "videos tasks", "famK-3.0": "videos tasks", "famF-video": "videos status",
		"famJq3-turbo": "videos ent", "famI-omni": "videos content", "famN_music": "music", "famL": "responses", "other": "",
	} {
		require.Equal(t, want, strings.Join(c.Routes(model), " "), model)
	}
	for model, want := range map[string]string{
		"famA3": "videos native", "famC-1.0": "videos tasks", "famD-2-0-260128": "videos content", "famF-video": "videos status",
		"famJq3-turbo": "videos ent", "famL": "images responses", "famF-virtual-try-on-v1": "images responses",
	} {
		m, ok := c.Model(model)
		require.True(t, ok)
		require.Equal(t, want, strings.Join(m.Formats, " "), model)
	}
	require.Len(t, c.Formats(), 10)
	f, ok := c.Format("tasks")
	require.True(t, ok)
	require.True(t, f.Configured)
	require.Empty(t, f.Create)
	_, ok = c.Format("nope")
	require.False(t, ok)
	m, ok := c.ModelFor(client.Speech, "famN_music")
	require.True(t, ok)
	require.Equal(t, client.Speech, m.Modality)
	_, ok = c.ModelFor(client.Image, "famN_music")
	require.False(t, ok)
}

func TestParts(t *testing.T) {
	c := load(t)
	require.Equal(t, []Part{{Name: "element_id", Kind: Integer}}, c.Parts(client.Image, "element_list"))
	require.Equal(t, []Part{{Name: "voice", Kind: Text, Canonical: "voice"}}, c.Parts(client.Speech, "extra_params"))
	require.Equal(t, []Part{
		{Name: "duration", Kind: Number, Canonical: "duration"}, {Name: "ratio", Kind: Ratio, Canonical: "aspect_ratio"},
		{Name: "resolution", Kind: Choice, Canonical: "resolution"}, {Name: "seed", Kind: Integer, Canonical: "seed"},
	}, c.Parts(client.Video, "parameters"))
	for _, f := range []string{"camera_control", "subjects", "image_list", "watermark_info"} {
		require.Empty(t, c.Parts(client.Video, f), "%s: its keys are not documented and not invented", f)
	}
	require.Empty(t, c.Parts(client.Image, "subject_image_list"))
	require.Empty(t, c.Parts(client.Image, "nope"))
}

func TestLint(t *testing.T) {
	require.Empty(t, Lint([]byte("version: 1\nfamilies:\n  - token: famA\n    models:\n      - id: famA9\n"), "mine.yaml"))
	for text, want := range map[string]string{
		"version: 1\nfamilies:\n  - token: famA\n    colour: red\n": "mine.yaml:4:5",
		"version: 2\n": "mine.yaml:1:10",
		"version: 1\nfamilies:\n  - token: famA\n    traits: {formats: [teleport]}\n":             "teleport",
		"version: 1\nfields:\n  video:\n    - name: duration\n      key_kinds: {a: integer}\n":    "key_kinds",
		"version: 1\nfields:\n  video:\n    - name: duration\n      formats: [x]\n":               "no format",
		"version: 1\nfamilies:\n  - token: famA\n    traits: {variants: [{modality: smell}]}\n":   "variant",
		"version: 1\nfamilies:\n  - token: famA\n    traits:\n      max_refs: {smell: 1}\n     x": "mine.yaml:",
	} {
		errs := Lint([]byte(text), "mine.yaml")
		require.NotEmpty(t, errs, text)
		e := &Error{}
		require.ErrorAs(t, errs[0], &e, text)
		require.Contains(t, e.Error(), want, text)
		require.Positive(t, e.Line, text)
	}
	errs := Lint([]byte("version: 1\nfamilies:\n  - token: famA\n    traits: {formats: [a, b], without: [c]}\n"), "mine.yaml")
	require.Len(t, errs, 3, "each on its own")
	data := embeddedYAML(t)
	require.Empty(t, Lint(data, "catalog.yaml"), "the embedded catalog is a valid overlay of itself")
}
