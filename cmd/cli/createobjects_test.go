package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
)

// References that are objects, and values whose type is not documented, by flags alone.
func TestObjectsByFlags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := `"https://x.example/a.png"`
	multi := []string{"video", "x", "--model", "famF-video", "--model-name", "famF-v1", "--mode"}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"image_list": {append(multi, "multi_i2v", "--image-list", `{"image":`+a+`}`, "--image-list", "https://x.example/b.png", "--image-list", `[{"image":`+a+`,"type":"end"}]`),
			`{"model":"famF-video","model_name":"famF-v1","mode":"multi_i2v","prompt":"x","image_list":[{"image":` + a + `},"https://x.example/b.png",{"image":` + a + `,"type":"end"}]}`},
		"subject_image_list": {[]string{"image", "x", "--model", "famF-image", "--model-name", "famF-v2", "--subject-image-list", `{"subject_image":` + a + `}`},
			`{"model":"famF-image","model_name":"famF-v2","prompt":"x","subject_image_list":[{"subject_image":` + a + `}]}`},
		"native references": {[]string{"video", "x", "--model", "famA3", "--format", "native", "--insist", "--reference-images", `{"image":{"mimeType":"image/png","data":"AAAA"},"referenceType":"asset"}`},
			`{"instances":[{"prompt":"x","referenceImages":[{"image":{"mimeType":"image/png","data":"AAAA"},"referenceType":"asset"}]}]}`},
		"native references by data URI": {[]string{"video", "x", "--model", "famA3", "--format", "native", "--insist", "--reference-images", `{"image":"data:image/png;base64,AAAA","referenceType":"style"}`},
			`{"instances":[{"prompt":"x","referenceImages":[{"image":{"mimeType":"image/png","data":"AAAA"},"referenceType":"style"}]}]}`},
		"sound is true":     {append(multi, "t2v", "--sound", "true"), `{"model":"famF-video","model_name":"famF-v1","mode":"t2v","prompt":"x","sound":true}`},
		"sound is false":    {append(multi, "t2v", "--sound=false"), `{"model":"famF-video","model_name":"famF-v1","mode":"t2v","prompt":"x","sound":false}`},
		"sound is a word":   {append(multi, "t2v", "--sound", "on"), `{"model":"famF-video","model_name":"famF-v1","mode":"t2v","prompt":"x","sound":"on"}`},
		"an image as {url}": {[]string{"video", "x", "--model", "famI-omni", "--mode", "r2v", "--image", `{"url":` + a + `}`}, `{"model":"famI-omni","mode":"r2v","prompt":"x","image_url":{"url":` + a + `}}`},
		"images as {url}":   {[]string{"video", "x", "--model", "famI-omni", "--mode", "r2v", "--images", `{"url":` + a + `}`}, `{"model":"famI-omni","mode":"r2v","prompt":"x","image_urls":[{"url":` + a + `}]}`},
		"{url} where references are text": {[]string{"video", "x", "--model", "famI-omni", "--mode", "r2v", "--format", "content", "--image", `{"url":` + a + `}`, "--images", `{"url":` + a + `}`},
			`{"model":"famI-omni","mode":"r2v","prompt":"x","image_url":` + a + `,"image_urls":[` + a + `]}`},
		"{url} on /ent/v2":     {[]string{"video", "x", "--model", "famJq3-turbo", "--mode", "i2v", "--format", "ent", "--images", `{"url":` + a + `}`}, `{"model":"famJq3-turbo","prompt":"x","images":[` + a + `]}`},
		"a first frame on ent": {[]string{"video", "x", "--model", "famJq3-turbo", "--mode", "i2v", "--format", "ent", "--content", "image:first_frame=https://x.example/a.png"}, `{"model":"famJq3-turbo","prompt":"x","images":[` + a + `]}`},
		"an engine by number":  {[]string{"music", "x", "--engine", "126"}, `{"model":"famN_music","upstream_model":"famR-audio-1.0","prompt":"x"}`},
		"and by its alias":     {[]string{"speech", "x", "--modelId", "127"}, `{"model":"famN_music","upstream_model":"famO-speech-2.8-hd","prompt":"x"}`},
		"a seed with zeros":    {[]string{"video", "x", "--model", "famB-2", "--mode", "t2v", "--seed", "007"}, `{"model":"famB-2","mode":"t2v","prompt":"x","seed":"007"}`},
		"an integer seed":      {[]string{"video", "x", "--model", "famJq3-turbo", "--format", "ent", "--seed", "007"}, `{"model":"famJq3-turbo","prompt":"x","seed":7}`},
		"a fraction of frames": {[]string{"video", "x", "--model", "famI-omni", "--mode", "t2v", "--format", "content", "--fps", "23.976"}, `{"model":"famI-omni","mode":"t2v","prompt":"x","fps":23.976}`},
		"set counts":           {append(multi, "multi_i2v", "--set", `image_list=[`+a+`]`), `{"model":"famF-video","model_name":"famF-v1","mode":"multi_i2v","prompt":"x","image_list":[` + a + `]}`},
	} {
		t.Run(name, func(t *testing.T) {
			require.JSONEq(t, c.want, w.jsonOf(c.args...), "%v", c.args)
		})
	}
}

// A file inside an object is attached, and one that is not there is told.
func TestFilesInObjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "kite.png")
	require.NoError(t, os.WriteFile(path, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	body := w.jsonOf("video", "x", "--model", "famF-video", "--model-name", "famF-v1", "--mode", "multi_i2v", "--image-list", `{"image":"`+path+`"}`)
	require.Contains(t, body, "data:image/png;base64,")
	require.NotContains(t, body, path)
	w.fails(kit.ExitNotFound, []string{"--image-list", "missing.png"}, "create", "video", "x", "--image-list", `{"image":"missing.png"}`)
}

// What is refused says so, and never sends.
func TestTruthIsToldByTheCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		says []string
		args []string
	}{
		{[]string{`size is ""`, "1024x1792"}, []string{"image", "x", "--size", ""}},
		{[]string{"seconds is 5 and duration is 6"}, []string{"video", "x", "--duration", "5", "--set", "duration=6"}},
		{[]string{"audio_url is not carried by the ent format"}, []string{"video", "x", "--model", "famJq3-turbo", "--format", "ent", "--content", "reference_audio=https://x.example/a.wav"}},
		{[]string{"famF-image-o1, famF-v3-omni"}, []string{"image", "x", "--model", "famF-omni-image", "--model-name", "famF-v3"}},
		{[]string{"audios is not carried by the ent format"}, []string{"video", "x", "--model", "famJq3-turbo", "--format", "ent", "--audios", "https://x.example/a.wav"}},
		{[]string{"--sound", "--dry-run", "value is missing"}, []string{"video", "x", "--model", "famF-video", "--model-name", "famF-v1", "--mode", "t2v", "--sound"}},
		{[]string{"2 to 30 s"}, []string{"video", "x", "--model", "famK-3.0", "--mode", "t2v", "--duration", "0"}},
	} {
		w.fails(kit.ExitUsage, c.says, append(append([]string{"create"}, c.args...), "--dry-run")...)
	}
	body := filepath.Join(t.TempDir(), "body.json")
	require.NoError(t, os.WriteFile(body, []byte(`{"model":"famA3","prompt":"x","seconds":5,"duration":6}`), 0o600))
	for _, flag := range []string{"--body", "--from"} {
		w.fails(kit.ExitUsage, []string{"seconds is 5", "duration is 6"}, "create", "video", "--dry-run", flag, body)
	}
	r := w.ok("create", "video", "x", "--model", "famA3", "--format", "native", "--insist", "--dry-run", "-o", "json")
	require.NotContains(t, r.out+r.err, "is not sent")
	r = w.ok("create", "video", "x", "--model", "famA3", "--format", "all", "--insist", "--dry-run")
	require.NotContains(t, r.out+r.err, "is not sent")
}

// A suggestion of ours never stands among documented values.
func TestModelsShowTellsSuggestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.ok("models", "show", "famK-3.0")
	require.Regexp(t, `FIELD +TYPE +DOCUMENTED +USUAL +OUR SUGGESTION`, r.out)
	require.Contains(t, r.out, "its create endpoint is not documented")
	for _, f := range w.ok("models", "show", "famE-video-3", "-o", "json").object(t)["fields"].([]any) {
		m := f.(map[string]any)
		if m["name"] == "resolution" {
			require.Nil(t, m["allowed"])
			require.Equal(t, []any{"480p", "720p", "1080p"}, m["suggested"])
		}
	}
}
