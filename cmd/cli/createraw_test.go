package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// jsonOf is the body of a dry run as JSON text.
func (w *world) jsonOf(args ...string) string {
	w.t.Helper()
	r := w.ok(append([]string{"create"}, append(args, "--dry-run")...)...)
	_, body, ok := strings.Cut(r.out, "\n")
	require.True(w.t, ok)
	return body
}

func TestSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := w.jsonOf("video", "x", "--model", "famI-omni", "--content", `{"type":"image_url","image_url":{"url":"https://x.example/a.png"}}`,
		"--extra", `{"parameters":{"ratio":"16:9"},"a.b":1}`,
		"--set", "parameters.seed=9007199254740993", "--set", "content[0].role=first_frame", "--set", "content[1].type=text",
		"--set", "watermark=false", "--set", "none=null", "--set", `text="7"`, "--set", "word=seven < 8", "--set", "empty=", "--set", `o:={"k":[1]}`,
		"--set", "twice=1", "--set", "twice=2", "--set", `c\.d=1`)
	require.JSONEq(t, `{"model":"famI-omni","prompt":"x","content":[{"type":"image_url","image_url":{"url":"https://x.example/a.png"},"role":"first_frame"},{"type":"text"}],
		"parameters":{"ratio":"16:9","seed":9007199254740993},"a.b":1,"watermark":false,"none":null,"text":"7","word":"seven < 8","empty":"","o":{"k":[1]},"twice":2,"c.d":1}`, body)
	require.Contains(t, body, "9007199254740993", "digits survive")
	require.Contains(t, body, "seven < 8", "and are not escaped")
	for arg, says := range map[string][]string{
		"seed":         {"--set", `"seed"`, "PLACE=VALUE"},
		"=1":           {"name is missing"},
		"a..b=1":       {`"a..b"`, "name is missing"},
		"a[x]=1":       {"number from 0"},
		"a:=x y":       {"a:= takes JSON", "line 1, column 1"},
		"a:=":          {"a:= takes JSON"},
		"a={1}":        {"begins like JSON", "line 1, column 2", "double quotes"},
		"prompt.x=1":   {"prompt is not an object"},
		"content[1]=1": {"content has 0 items"},
	} {
		w.fails(kit.ExitUsage, says, "create", "video", "y", "--dry-run", "--set", arg)
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, c := range map[string]struct {
		kind, body string
		args       []string
		want       string
	}{
		"aliases, and flags win": {
			"video", `{"model":"famA3","prompt":"in","image_urls":["https://x.example/a.png"],"seconds":"4","seed":9007199254740993,"zz":{"y":[1.50]}}`,
			[]string{"--duration", "6", "out"},
			`{"model":"famA3","prompt":"out","seconds":"6","seed":9007199254740993,"image_urls":["https://x.example/a.png"],"zz":{"y":[1.5]}}`,
		},
		"the model by flag": {"video", `{"model":"famA3","prompt":"in"}`, []string{"--model", "famI-omni"}, `{"model":"famI-omni","prompt":"in"}`},
		"second vendor style": {
			"video", `{"model":"famC-1.0-i2v","input":{"prompt":"in","media":[{"type":"first_frame","url":"https://x.example/a.png"}]},"parameters":{"duration":5}}`, nil,
			`{"model":"famC-1.0-i2v","prompt":"in","content":[{"type":"image_url","image_url":{"url":"https://x.example/a.png"},"role":"first_frame"}],"parameters":{"duration":5}}`,
		},
		"media of another shape stay": {
			"video", `{"model":"famC-1.0","mode":"t2v","input":{"prompt":"in","media":[{"kind":"x"}]}}`, nil,
			`{"model":"famC-1.0","mode":"t2v","prompt":"in","input":{"media":[{"kind":"x"}]}}`,
		},
		"native": {
			"video", `{"model":"famA3","instances":[{"prompt":"in"}],"parameters":{"aspectRatio":"16:9","durationSeconds":8}}`, []string{"--format", "native"},
			`{"instances":[{"prompt":"in"}],"parameters":{"aspectRatio":"16:9","durationSeconds":8}}`,
		},
		"content array": {
			"video", `{"model":"famG-h3","prompt":"in","content":[{"type":"text","text":"a"}],"function_mode":"omni_reference"}`, []string{"--format", "content"},
			`{"model":"famG-h3","prompt":"in","function_mode":"omni_reference","content":[{"type":"text","text":"a"}]}`,
		},
		"vendor style": {
			"video", `{"model":"famJq3-turbo","prompt":"in","audio":true,"off_peak":true,"duration":5}`, []string{"--format", "ent"},
			`{"model":"famJq3-turbo","prompt":"in","duration":5,"audio":true,"off_peak":true}`,
		},
		"response object": {"image", `{"model":"famL","input":"in","background":true}`, nil, `{"model":"famL","prompt":"in","background":true}`},
		"music aliases":   {"music", `{"model":"famN_music","prompt":"in","custom_lyrics":"la"}`, nil, `{"model":"famN_music","prompt":"in","lyrics":"la"}`},
		"chat":            {"chat", `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false}`, nil, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":false}`},
		"a place of its own": {
			"video", `{"model":"famA3","prompt":"in","a.b":1}`, nil, `{"model":"famA3","prompt":"in","a.b":1}`,
		},
	} {
		file := w.file("body.json", c.body)
		require.JSONEq(t, c.want, w.jsonOf(append([]string{c.kind, "--body", file}, c.args...)...), name)
		w.in = c.body
		require.JSONEq(t, c.want, w.jsonOf(append([]string{c.kind, "--body", "-"}, c.args...)...), name)
	}
	require.JSONEq(t, `{"model":"famK-3.0","mode":"t2v","prompt":"a kite","parameters":{"duration":4}}`,
		w.jsonOf("video", "--format", "videos", "--body", w.file("tasks.json", `{"model":"famK-3.0","mode":"t2v","input":{"prompt":"a kite"},"parameters":{"duration":4}}`)),
		"a body in the names of another format than the one it goes through")
	require.Contains(t, w.jsonOf("video", "--body", w.file("b.json", `{"model":"famA3","prompt":"in","zz":9007199254740993}`)), "9007199254740993")

	for body, says := range map[string][]string{
		"{\"model\":\"famA3\",\n \"prompt\": \"a\",}": {"not JSON", "line 2, column 16"},
		`[1]`:                               {"line 1, column 1", "JSON object"},
		``:                                  {"not JSON", "line 1"},
		`{} {}`:                             {"not JSON", "line 1, column 4"},
		`{"model": 7, "prompt": "x"}`:       {"model is 7", "must be text"},
		`{"model":"famI-omi","prompt":"x"}`: {`"famI-omi"`, "famI-omni"},
	} {
		w.fails(kit.ExitUsage, says, "create", "video", "--dry-run", "--body", w.file("bad.json", body))
	}
	w.fails(kit.ExitNotFound, []string{"no_such.json", "no such file"}, "create", "video", "--body", "no_such.json")
	w.fails(kit.ExitUsage, []string{"standard input", "twice"}, "create", "video", "--body", "-", "--prompt", "-")
}

func TestContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	png := w.file("kite.png", "\x89PNG\r\n\x1a\n")
	body := w.jsonOf("video", "x", "--model", "famG-h3", "--format", "content",
		"--content", "text=a = b", "--content", "reference_image:hero=https://x.example/h.png?a=b", "--content", `{"type":"text","text":"json"}`,
		"--content", `[{"type":"text","text":"1"},{"type":"text","text":"2"}]`, "--content", "video:opening=https://x.example/clip", "--content", "audio=https://x.example/a",
		"--content", "image::only named=data:image/png;base64,AA==", "--content", "last=https://x.example/z.jpg", "--content", "audio_url:reference_audio:wind=https://x.example/w")
	require.JSONEq(t, `{"model":"famG-h3","prompt":"x","content":[
		{"type":"text","text":"a = b"},
		{"type":"image_url","image_url":{"url":"https://x.example/h.png?a=b"},"role":"reference_image","name":"hero"},
		{"type":"text","text":"json"},{"type":"text","text":"1"},{"type":"text","text":"2"},
		{"type":"video_url","video_url":{"url":"https://x.example/clip"},"role":"opening"},
		{"type":"audio_url","audio_url":{"url":"https://x.example/a"}},
		{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="},"name":"only named"},
		{"type":"image_url","image_url":{"url":"https://x.example/z.jpg"},"role":"last"},
		{"type":"audio_url","audio_url":{"url":"https://x.example/w"},"role":"reference_audio","name":"wind"}]}`, body, "in the order of the flags")
	require.Contains(t, w.jsonOf("video", "x", "--model", "famH-2.3", "--content", "first_frame="+png), "data:image/png;base64,…(kite.png, 8 B)")
	for arg, says := range map[string][]string{
		"https://x.example/a.png?a=b":              {"says no role", "first_frame=kite.png"},
		"words":                                    {"says no role", "text=WORDS"},
		"first=https://x.example/a":                {"neither the role nor the address", "image:first=…"},
		"first_frame=https://x.example/a.mp4":      {"stands for image", "is video", "video:first_frame=…"},
		"reference_video=" + png:                   {"stands for video", "is image"},
		"reference_image=":                         {"no file and no address"},
		"=https://x.example/a.png":                 {"[TYPE:]ROLE[:NAME]"},
		"role with blanks=https://x.example/a.png": {"is not a role", "reference_image"},
		`{"type":}`:                                {"begins like JSON", "column 9"},
		" ":                                        {"one item"},
	} {
		w.fails(kit.ExitUsage, append(says, "--content"), "create", "video", "x", "--model", "famG-h3", "--dry-run", "--content", arg)
	}
}

func TestLargeFilesAreWarnedOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	small := w.file("small.png", "\x89PNG\r\n\x1a\n"+strings.Repeat("x", 1_000_000))
	large := w.file("large.png", "\x89PNG\r\n\x1a\n")
	require.NoError(t, os.Truncate(large, 2_900_000))
	r := w.ok("create", "video", "x", "--mode", "i2v", "--image", small, "--dry-run")
	require.Contains(t, r.err, "not documented as accepted", "the rule of the catalog")
	require.NotContains(t, r.err, "MB")
	r = w.ok("create", "video", "x", "--mode", "i2v", "--image", large, "--dry-run")
	require.NotContains(t, r.err, "MB of data URIs", "3.9 MB are fine")
	r = w.ok("create", "video", "x", "--model", "famG-h3", "--content", "reference_image="+large, "--content", "reference_image="+small, "--dry-run")
	require.Contains(t, r.err, "5.2 MB of data URIs (large.png 3.9 MB, small.png 1.3 MB): data URIs are not documented as accepted")
	require.NotContains(t, r.out, "MB of data URIs", "on standard error only")
}
