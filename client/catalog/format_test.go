package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// runFormatRules is runRules for a draft that goes through a chosen format.
func runFormatRules(t *testing.T, m client.Modality, format string, rules []rule) {
	t.Helper()
	c := load(t)
	for _, r := range rules {
		t.Run(format+": "+r.says, func(t *testing.T) {
			var got []string
			for _, p := range c.CheckFor(body(t, c, m, r.body), format) {
				got = append(got, string(p.Severity)+" "+p.Field+": "+p.Message)
			}
			require.Len(t, got, len(r.want), "%s\n%s", r.body, strings.Join(got, "\n"))
			for i, w := range r.want {
				head, part, _ := strings.Cut(w, ": ")
				require.True(t, strings.HasPrefix(got[i], head+": ") && strings.Contains(got[i], part), "want %q\ngot  %q", w, got[i])
			}
		})
	}
}

// TestContentFormatRules has a case for each rule of the content-array format.
func TestContentFormatRules(t *testing.T) {
	famD := func(rest string) string { return `{"model":"famD-2-0-260128","mode":"t2v",` + rest + `}` }
	runFormatRules(t, client.Video, "content", []rule{
		{"model is one of famD", famD(`"prompt":"x"`), nil},
		{"or famG-h3", `{"model":"famG-h3","mode":"t2v","prompt":"x"}`, nil},
		{"or famH-2.3", `{"model":"famH-2.3","mode":"i2v","prompt":"x","image_urls":[` + png + `]}`, nil},
		{"or famI-omni", `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, nil},
		{"and no other", `{"model":"famA3","mode":"t2v","prompt":"x"}`, []string{"block format: does not reach famA3; allowed: videos"}},
		{"prompt is required and non-empty", famD(`"prompt":" "`), []string{"block prompt: needs a non-empty prompt", "block prompt: needs a prompt"}},
		{"prompt is required where the mode does without", `{"model":"famI-omni","mode":"r2v","image_urls":[` + png + `]}`, []string{"block prompt: the content format needs a non-empty prompt", "info prompt: recommended"}},
		{"watermark is a boolean", famD(`"prompt":"x","watermark":true`), nil},
		{"watermark is nothing else", famD(`"prompt":"x","watermark":"big"`), []string{"block watermark: true or false"}},
		{"omni_reference puts references into content", famD(`"prompt":"x","function_mode":"omni_reference"`), []string{"info function_mode: content"}},
		{"reference_material takes content", `{"model":"famD-2-0-260128","mode":"reference_material","prompt":"x","content":[{"type":"image_url","image_url":{"url":` + png + `}}]}`, []string{"info model: use content"}},
		{"callback_url is accepted", famD(`"prompt":"x","callback_url":"https://e.com/cb"`), nil},
		{"a required image", `{"model":"famD-1-0-lite-i2v-250428","mode":"i2v","prompt":"x"}`, []string{"block image: needs a first image"}},
		{"last_image_url is an alias", `{"model":"famD-2-0-260128","mode":"i2v_first_last","prompt":"x","image_url":` + png + `,"last_image_url":` + png + `}`, nil},
	})
}

// TestEntFormatRules has a case for each rule of the vendor-style format.
func TestEntFormatRules(t *testing.T) {
	famJ := func(mode, rest string) string {
		return `{"model":"famJq3-turbo","mode":"` + mode + `"` + rest + `}`
	}
	runFormatRules(t, client.Video, "ent", []rule{
		{"model is famJq3-turbo", `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x"}`, []string{"block format: does not reach famD-2-0-260128"}},
		{"prompt is required for text-to-video", famJ("t2v", ``), []string{"block prompt: needs a prompt"}},
		{"prompt is otherwise optional", famJ("i2v", `,"images":`+refs(1)), nil},
		{"1 item for image-to-video", famJ("i2v", `,"images":`+refs(2)), []string{"block images: takes at most 1"}},
		{"2 for first and last frame", famJ("i2v_first_last", `,"images":`+refs(2)), nil},
		{"not 1 for first and last frame", famJ("i2v_first_last", `,"images":`+refs(1)), []string{"block images: a first image", "block images: a last image"}},
		{"not 3 for first and last frame", famJ("i2v_first_last", `,"images":`+refs(3)), []string{"block images: at most 2"}},
		{"1 to 7 for reference generation", famJ("reference_images", `,"images":`+refs(7)), nil},
		{"not 8", famJ("reference_images", `,"images":`+refs(8)), []string{"block images: at most 7"}},
		{"not 0", famJ("reference_images", ``), []string{"block images: 1 to 7"}},
		{"videos are optional", famJ("reference_images", `,"images":`+refs(1)+`,"videos":[`+mp4+`]`), nil},
		{"content is not carried", famJ("i2v", `,"content":[{"type":"image_url","image_url":{"url":`+png+`}}]`), []string{"block images: needs an image", "warn content: not carried by the ent format"}},
		{"resolution", famJ("t2v", `,"prompt":"x","resolution":"4k"`), []string{"block resolution: allowed: 540p, 720p, 1080p"}},
		{"aspect_ratio", famJ("t2v", `,"prompt":"x","aspect_ratio":"21:9"`), []string{"block aspect_ratio: allowed: 16:9, 9:16, 4:3, 3:4, 1:1"}},
		{"movement_amplitude", famJ("t2v", `,"prompt":"x","movement_amplitude":"huge"`), []string{"block movement_amplitude: allowed: auto, small, medium, large"}},
		{"all switches", famJ("t2v", `,"prompt":"x","movement_amplitude":"small","audio":true,"off_peak":false,"watermark":true,"seed":7,"duration":5`), nil},
		{"off_peak is a boolean", famJ("t2v", `,"prompt":"x","off_peak":"yes"`), []string{"block off_peak: true or false"}},
		{"seed is an integer", famJ("t2v", `,"prompt":"x","seed":1.5`), []string{"block seed: whole number"}},
		{"subjects are objects whose keys are not shown", famJ("t2v", `,"prompt":"x","subjects":[{"name":"a","anything":1}]`), nil},
		{"subjects are a list", famJ("t2v", `,"prompt":"x","subjects":"a"`), []string{"block subjects: a list"}},
		{"nameless values are raw additions", famJ("t2v", `,"prompt":"x","audio_type":"all"`), []string{"info audio_type: as it stands"}},
	})
	runRules(t, client.Video, []rule{
		{"counts only warn on /v1/videos", `{"model":"famJq3-turbo","mode":"i2v","prompt":"x","images":` + refs(2) + `}`, []string{"warn images: at most 1"}},
		{"off_peak is not carried by /v1/videos", `{"model":"famJq3-turbo","mode":"t2v","prompt":"x","off_peak":true}`, []string{"warn off_peak: not carried by the videos format; carried by ent"}},
		{"watermark is not carried by /v1/videos", `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x","watermark":true}`, []string{"warn watermark: carried by content, ent, tasks"}},
		{"watermark is not shown for famA", `{"model":"famA3","mode":"t2v","prompt":"x","watermark":true}`, []string{"warn watermark: not shown for this model"}},
	})
}

// TestOtherFormatRules has a case for each rule of the formats whose create is not shown
// and of the reserved one.
func TestOtherFormatRules(t *testing.T) {
	runFormatRules(t, client.Video, "tasks", []rule{
		{"famC models, mode omitted for fixed sub-models", `{"model":"famC-1.0-t2v","prompt":"x","watermark":true}`, []string{"info format: create endpoint is not shown"}},
		{"famK models", `{"model":"famK-3.0","mode":"t2v","prompt":"x","resolution":"720P"}`, []string{"info format: create_paths.tasks"}},
		{"input.prompt is required", `{"model":"famC-1.0","mode":"video_edit","videos":[` + mp4 + `]}`, []string{"block prompt: the tasks format needs a prompt", "warn prompt: needs a prompt", "info format: not shown"}},
		{"famK resolution is fixed per model", `{"model":"famK-3.0-480p","mode":"t2v","prompt":"x","resolution":"720P"}`, []string{"block resolution: allowed: 480P", "info format: not shown"}},
		{"no other models", `{"model":"famA3","mode":"t2v","prompt":"x"}`, []string{"block format: does not reach famA3"}},
	})
	runFormatRules(t, client.Video, "status", []rule{
		{"famF-video", `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, []string{"info format: create_paths.status"}},
		{"no other models", `{"model":"famK-3.0","mode":"t2v","prompt":"x"}`, []string{"block format: does not reach famK-3.0"}},
	})
	runFormatRules(t, client.Video, "native", []rule{
		{"is reserved", `{"model":"famA3","mode":"t2v","prompt":"x"}`, []string{"warn format: use POST /v1/videos"}},
		{"takes 3 reference images", `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":` + refs(3) + `}`, []string{"warn format: reserved"}},
		{"and not 4", `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":` + refs(4) + `}`, []string{"block reference_images: 4 items", "warn format: reserved"}},
		{"is for famA models", `{"model":"famB-2","mode":"t2v","prompt":"x"}`, []string{"block format: does not reach famB-2"}},
		{"famI-omni is created elsewhere", `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, []string{"block format: allowed: videos, content"}},
	})
	runFormatRules(t, client.Image, "responses", []rule{
		{"its create is not shown", `{"model":"famL","prompt":"x"}`, []string{"info format: body of its create is not shown"}},
	})
	runFormatRules(t, client.Video, "videos", []rule{
		{"famA models are created through POST /v1/videos", `{"model":"famA3","mode":"t2v","prompt":"x"}`, nil},
		{"and take more than 3 references there", `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":` + refs(4) + `}`, nil},
		{"famI-omni too", `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, nil},
		{"famJq3-turbo is also reachable", `{"model":"famJq3-turbo","mode":"t2v","prompt":"x"}`, nil},
		{"famC and famK, whose own create is not shown", `{"model":"famK-3.0","mode":"t2v","prompt":"x"}`, nil},
	})
	runFormatRules(t, client.Image, "images", []rule{
		{"callback_url is accepted", `{"model":"famL","prompt":"x","callback_url":"https://e.com/cb"}`, nil},
		{"video models are none of its own", `{"model":"famA3","prompt":"x"}`, []string{"block model: makes video"}},
	})
	runFormatRules(t, client.Video, "nope", []rule{
		{"is unknown", `{"model":"famB-2","mode":"t2v","prompt":"x"}`, []string{`warn format: "nope" is not in the catalog`}},
	})
}

// TestSpeechRules has a case for each sentence about the speech engine.
func TestSpeechRules(t *testing.T) {
	speech := func(rest string) string { return `{"model":"famN_music","prompt":"x"` + rest + `}` }
	runRules(t, client.Speech, []rule{
		{"an engine has to be named, since the default makes music", speech(``), []string{"block upstream_model: famN-v5.5, which makes music"}},
		{"speech engine", speech(`,"upstream_model":"famO-speech-2.8-hd"`), nil},
		{"its alias", speech(`,"engine":"speech-2.8-hd"`), nil},
		{"its id", speech(`,"modelId":127`), nil},
		{"sound engine", speech(`,"upstream_model":"famR-audio-1.0"`), nil},
		{"voice parameters apply to the speech engine", speech(`,"modelId":126,"speed":1.5`), []string{"info speed: applies to upstream_model famO-speech-2.8-hd"}},
		{"voice parameters", speech(`,"modelId":127,"voice":"v","output_format":"mp3","sample_rate":32000,"speed":1,"volume":1,"pitch":0,"extra_params":{"voice":"w"}`), nil},
		{"a music engine", speech(`,"upstream_model":"famN-v5"`), []string{"warn upstream_model: usual: famO-speech-2.8-hd, famR-audio-1.0"}},
		{"nothing to say", `{"model":"famN_music","upstream_model":"famR-audio-1.0"}`, []string{"warn prompt: the text to speak"}},
		{"another model", `{"model":"famA3","prompt":"x"}`, []string{"block model: makes video, the request is for speech"}},
	})
	d := load(t).Default(client.Speech)
	require.Equal(t, client.Draft{Modality: client.Speech, Model: "famN_music", Values: client.Values{"upstream_model": "famO-speech-2.8-hd"}}, d)
}

func TestChatRules(t *testing.T) {
	runRules(t, client.Chat, []rule{
		{"any model will do", `{"model":"whatever-1","messages":[{"role":"user","content":"hi"}]}`, nil},
		{"a model is required", `{"messages":[{"role":"user","content":"hi"}]}`, []string{"block model: required"}},
		{"a message is required", `{"model":"whatever-1"}`, []string{"block prompt: needs a message"}},
		{"messages are objects", `{"model":"whatever-1","messages":["hi"]}`, []string{"block messages: must be an object with content, role"}},
		{"a role is text", `{"model":"whatever-1","messages":[{"role":1,"content":"hi"}]}`, []string{"block messages: role is 1"}},
		{"raw additions", `{"model":"whatever-1","messages":[{"role":"user","content":"hi"}],"temperature":1}`, []string{"info temperature: as it stands"}},
	})
	c := load(t)
	require.Equal(t, "chat", c.DraftFormat(client.Draft{Modality: client.Chat, Model: "x"}))
	require.Equal(t, "music", c.DraftFormat(client.Draft{Modality: client.Speech, Model: "famN_music"}))
	require.Equal(t, "", c.DraftFormat(client.Draft{Modality: client.Video, Model: "x"}))
	require.Empty(t, c.Default(client.Chat).Model)
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
		require.Empty(t, c.Parts(client.Video, f), "%s: its keys are not shown and not invented", f)
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
