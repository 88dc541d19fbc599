package download

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sniff"
)

func TestTemplates(t *testing.T) {
	t.Parallel()
	for tmpl, want := range map[string]string{
		"":                                 wantName,
		"{prompt}.{ext}":                   "a-kite",
		"x/{kind}/{modality}_{time}.{ext}": "x/video/video_120000",
		"{task}-{profile}-{group}.{ext}":   "t1-p-none",
		"{model}/{index}.{ext}":            "famA3/1",
		"a:b/c.{ext}":                      "a-b/c",
		"CON/{index}.{ext}":                "_CON/1",
	} {
		tp, err := parseTemplate(orDefault(tmpl))
		require.NoError(t, err, tmpl)
		stem, ext := tp.render(request(), "mp4")
		assert.Equal(t, want, stem, tmpl)
		assert.Equal(t, ".mp4", ext)
	}
	for _, bad := range []string{"x", "{id}", "/abs.{ext}", "../up.{ext}", "a/../b.{ext}", "{nope}.{ext}", "{id.{ext}", "a//b.{ext}"} {
		_, err := parseTemplate(bad)
		assert.Error(t, err, bad)
	}
	_, err := New(Options{Dir: "x", Source: &source{}, Template: "{nope}.{ext}"})
	require.ErrorContains(t, err, "{nope}")
	_, err = New(Options{})
	require.Error(t, err)
}

func orDefault(s string) string {
	if s == "" {
		return DefaultTemplate
	}
	return s
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"../../etc/passwd": "etc-passwd",
		"..":               "none",
		"":                 "none",
		"-rf":              "rf",
		".hidden":          "hidden",
		"a\x00b\x1b[31mc":  "a-b-31mc",
		"tab\tnew\nline":   "tab-new-line",
		"红色的风筝, über":      "红色的风筝-über",
		"a..b":             "a.b",
		"\u202eevil\u200b": "evil",
		`C:\x|y?z*"<>`:     "C-x-y-z",
		"\xff\xfe":         "none",
		"trailing. ":       "trailing",
	} {
		assert.Equal(t, want, safeValue(in), "%q", in)
	}
	for _, dev := range []string{"CON", "con", "Nul", "COM1", "LPT9", "COM¹", "CONIN$", "aux.txt"} {
		assert.True(t, strings.HasPrefix(safeComponent(dev), "_"), dev)
	}
	assert.Equal(t, "COM10", safeComponent("COM10"))
	assert.Equal(t, "console", safeComponent("console"))
}

func TestWords(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"A paper boat on a lake": "paper-boat-on-a-lake",
		"the":                    "the",
		"Don't stop, v1.5 (now) please, go on and on": "dont-stop-v1-5-now-please",
		"":                         "video",
		" ... ":                    "video",
		"红色的风筝, über dem Meer":     "红色的风筝-über-dem-meer",
		strings.Repeat("风", 90):    strings.Repeat("风", 26), // 80 bytes
		"\u202egnp.exe \u200bboat": "gnp-exe-boat",
		"../../etc/passwd":         "etc-passwd",
		"قارب ورقي على بحيرة":      "قارب-ورقي-على-بحيرة",
		"CON":                      "con",
		"🦊 in a ☂\ufe0f storm, 1\ufe0f\u20e3": "in-a-storm-1",
		"👩\u200d🚀\ufe0f":                      "video",
		"one " + strings.Repeat("x", 60):      "one",
	} {
		r := request()
		r.Job.Draft.Prompt = prompt
		assert.Equal(t, want, safeValue(promptWords(r)), "%q", prompt)
	}
	r := request()
	r.Job.Draft.Prompt, r.Job.Title = "", "A Song"
	assert.Equal(t, "song", promptWords(r))
}

// TestNth: results of one kind are told apart, a cover has its own suffix.
func TestNth(t *testing.T) {
	t.Parallel()
	tp, err := parseTemplate(DefaultTemplate)
	require.NoError(t, err)
	r := request()
	r.Job.Assets = []client.Asset{{Kind: client.AssetImage}, {Kind: client.AssetCover}, {Kind: client.AssetImage}}
	for i, want := range []string{"kite_famA3_00000001", "kite_famA3_00000001_cover", "kite_famA3_00000001-2"} {
		r.Index, r.Asset = i, r.Job.Assets[i]
		stem, _ := tp.render(r, "png")
		assert.Equal(t, "2025-11-20/"+want, stem)
	}
}

func FuzzName(f *testing.F) {
	f.Add("famA3", "t1", "a kite", "g")
	f.Add("../..", "CON", strings.Repeat("长", 300), "\x00\xff")
	f.Add(".", "nul.", "a/b\\c", " ")
	f.Fuzz(func(t *testing.T, model, task, prompt, group string) {
		tp, err := parseTemplate("{group}/{words}_{model}_{short}{nth}/{task}_{prompt}_{prompt}_{prompt}_{title}.{ext}")
		require.NoError(t, err)
		r := request()
		r.Job.Draft.Model, r.Job.TaskID, r.Job.Draft.Prompt, r.Job.Group, r.Job.Title = model, task, prompt, group, prompt
		r.Asset.Kind = client.AssetCover
		stem, ext := tp.render(r, "mp4")
		name := stem + ext
		require.True(t, utf8.ValidString(name), "%q", name)
		require.Equal(t, path.Clean(name), name)
		comps := strings.Split(name, "/")
		require.Len(t, comps, 3)
		for _, c := range comps {
			require.NotEmpty(t, c)
			require.LessOrEqual(t, len(c)+len("-9999.json"), 255)
			require.NotContains(t, []string{".", " ", "-"}, c[:1])
			require.False(t, strings.ContainsAny(c, "\\:*?\"<>|\x00\x1b\n"), "%q", c)
			base, _, _ := strings.Cut(c, ".")
			require.False(t, reserved(base), "%q", c)
		}
	})
}

func TestFits(t *testing.T) {
	t.Parallel()
	audio, ok := fits(client.AssetAudio, sniff.Bytes([]byte("\x00\x00\x00\x18ftypisom\x00\x00")))
	assert.True(t, ok)
	assert.Equal(t, "m4a", audio.Ext)
	_, ok = fits(client.AssetVideo, sniff.Bytes([]byte("ID3\x04\x00")))
	assert.False(t, ok)
}
