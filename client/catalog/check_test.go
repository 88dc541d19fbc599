package catalog

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// body makes a draft of a wire object, as the sandbox does.
func body(t testing.TB, c *Catalog, m client.Modality, object string) client.Draft {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(object))
	dec.UseNumber()
	var o map[string]any
	require.NoError(t, dec.Decode(&o), object)
	d, problems := c.Normalize(m, o)
	require.Empty(t, problems, object)
	return d
}

// rule is one sentence of GATEWAY.md: a request and what is found. want holds
// "severity field: part of the message"; nothing else may be found.
type rule struct {
	says string
	body string
	want []string
}

func runRules(t *testing.T, m client.Modality, rules []rule) {
	t.Helper()
	c := load(t)
	for _, r := range rules {
		t.Run(r.says, func(t *testing.T) {
			d := body(t, c, m, r.body)
			before := d.Clone()
			ps := c.Check(d)
			require.Equal(t, before, d, "Check changed the draft")
			var got []string
			for _, p := range ps {
				got = append(got, string(p.Severity)+" "+p.Field+": "+p.Message)
			}
			require.Len(t, ps, len(r.want), "%s\n%s", r.body, strings.Join(got, "\n"))
			for i, w := range r.want {
				head, part, _ := strings.Cut(w, ": ")
				require.True(t, strings.HasPrefix(got[i], head+": ") && strings.Contains(got[i], part), "want %q\ngot  %q", w, got[i])
				require.Contains(t, ps[i].Message, strings.Split(head, " ")[1], "a message names its field")
			}
		})
	}
}

const (
	png = `"https://example.com/a.png"`
	mp4 = `"https://example.com/a.mp4"`
)

func TestRequiredModel(t *testing.T) {
	runRules(t, client.Video, []rule{
		{"model is required", `{"prompt":"x"}`, []string{"block model: is required"}},
		{"prompt is recommended", `{"model":"other"}`, []string{`block model: "other" is not in the catalog`, "info prompt: recommended"}},
		{"an unknown model gets suggestions", `{"model":"famA-3.1","prompt":"x"}`, []string{"block model: near: famA3.1"}},
		{"a model of another modality", `{"model":"famL","prompt":"x"}`, []string{"block model: makes image"}},
		{"versions are given in full", `{"model":"famD-2-0","prompt":"x"}`, []string{"block model: famD-2-0-260128"}},
		{"group labels are never appended", `{"model":"famA3-official","prompt":"x"}`, []string{"block model: not in the catalog"}},
	})
	runRules(t, client.Image, []rule{
		{"unknown image model", `{"model":"x","prompt":"x"}`, []string{`block model: "x" is not in the catalog`}},
	})
}

func TestModelNameRules(t *testing.T) {
	runRules(t, client.Video, []rule{
		{"famF-video requires model_name", `{"model":"famF-video","mode":"t2v","prompt":"x"}`, []string{"block model_name: required for famF-video; allowed: famF-v1, "}},
		{"famF-video allows these only", `{"model":"famF-video","model_name":"famF-v2","mode":"t2v","prompt":"x"}`, []string{`block model_name: "famF-v2"`}},
		{"famF-video with one of them", `{"model":"famF-video","model_name":"famF-v2-6","mode":"t2v","prompt":"x"}`, nil},
		{"others take none", `{"model":"famA3","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, []string{"warn model_name: takes none"}},
	})
	runRules(t, client.Image, []rule{
		{"famF-image requires model_name", `{"model":"famF-image","prompt":"x"}`, []string{"block model_name: required"}},
		{"famF-image allows these only", `{"model":"famF-image","model_name":"famF-v2-6","prompt":"x"}`, []string{"block model_name: famF-v2-new"}},
		{"famF-omni-image is uncertain", `{"model":"famF-omni-image","prompt":"x"}`, []string{"warn model_name: not shown"}},
		{"famF-omni-image values", `{"model":"famF-omni-image","model_name":"famF-v3","prompt":"x"}`, []string{"warn model_name: famF-image-o1"}},
		{"try-on models are complete", `{"model":"famF-virtual-try-on-v1","model_name":"famF-v1","human_image":` + png + `,"cloth_image":` + png + `}`, []string{"warn model_name: takes none"}},
	})
}

// TestModeRules has one case or more for each sentence of "Mode and model rules".
func TestModeRules(t *testing.T) {
	runRules(t, client.Video, []rule{
		{"1 t2v is model + prompt", `{"model":"famA3","mode":"t2v","prompt":"x"}`, nil},
		{"1 t2v without prompt", `{"model":"famA3","mode":"t2v","prompt":" \n"}`, []string{"block prompt: mode t2v of famA3 needs a prompt"}},
		{"1 i2v is model + prompt + image_url", `{"model":"famA3","mode":"i2v","prompt":"x","image_url":` + png + `}`, nil},
		{"1 i2v without image", `{"model":"famB-2","mode":"i2v","prompt":"x"}`, []string{"block image: needs a first image"}},
		{"1 i2v with an empty image", `{"model":"famB-2","mode":"i2v","prompt":"x","image_url":""}`, []string{"block image: needs a first image"}},
		{"1 i2v without anything", `{"model":"famB-2","mode":"i2v"}`, []string{"block prompt: missing", "block image: missing"}},
		{"1 i2v with the image in content", `{"model":"famB-2","mode":"i2v","prompt":"x","content":[{"type":"image_url","image_url":{"url":` + png + `}}]}`, nil},
		{"1 i2v_first_last needs both", `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image_url":` + png + `}`, []string{"block end_image: needs a last image"}},
		{"1 i2v_first_last", `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image":` + png + `,"end_image_url":` + png + `}`, nil},
		{"1 last_image_url is an alias", `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image":` + png + `,"last_image_url":` + png + `}`, nil},
		{"1 reference_images", `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[` + png + `]}`, nil},
		{"1 reference_images without", `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[]}`, []string{"block reference_images: at least one"}},
		{"1 reference_material: an image", `{"model":"famB-2","mode":"reference_material","prompt":"x","image_urls":[` + png + `]}`, nil},
		{"1 reference_material: a video", `{"model":"famB-2","mode":"reference_material","prompt":"x","video_urls":[` + mp4 + `]}`, nil},
		{"1 reference_material: audio", `{"model":"famB-2","mode":"reference_material","prompt":"x","audio_urls":["https://e.com/a.mp3"]}`, nil},
		{"1 reference_material: none", `{"model":"famB-2","mode":"reference_material","prompt":"x"}`, []string{"block images: any of images, videos, audios, content"}},
		{"1 reference_material: text is no reference", `{"model":"famB-2","mode":"reference_material","prompt":"x","content":[{"type":"text","text":"x"}]}`, []string{"block images: missing"}},

		{"2 famF t2v", `{"model":"famF-video","model_name":"famF-v1","mode":"t2v","prompt":"x"}`, nil},
		{"2 famF t2v has mode=t2v in its minimum", `{"model":"famF-video","model_name":"famF-v1","prompt":"x"}`, []string{"block mode: required"}},
		{"2 famF t2v without prompt", `{"model":"famF-video","model_name":"famF-v1","mode":"t2v"}`, []string{"block prompt: missing"}},
		{"2 famF i2v adds image", `{"model":"famF-video","model_name":"famF-v1","mode":"i2v","prompt":"x"}`, []string{"block image: missing"}},
		{"2 famF i2v", `{"model":"famF-video","model_name":"famF-v1","mode":"i2v","prompt":"x","image":` + png + `}`, nil},
		{"2 famF multi_i2v needs image_list", `{"model":"famF-video","model_name":"famF-v1","mode":"multi_i2v","prompt":"x"}`, []string{"block image_list: missing"}},
		{"2 famF multi_i2v", `{"model":"famF-video","model_name":"famF-v1","mode":"multi_i2v","prompt":"x","image_list":[{"image":"a"},` + png + `]}`, nil},
		{"2 famF extend needs video_id", `{"model":"famF-video","model_name":"famF-v1","mode":"extend","prompt":"x"}`, []string{"block video_id: missing"}},
		{"2 famF extend requires no prompt", `{"model":"famF-video","model_name":"famF-v1","mode":"extend","video_id":"v"}`, []string{"info prompt: recommended"}},

		{"3 famC-1.0 needs mode", `{"model":"famC-1.0","prompt":"x"}`, []string{"block mode: allowed: t2v, i2v, r2v, video_edit"}},
		{"3 famC-1.0 modes", `{"model":"famC-1.0","mode":"extend","prompt":"x"}`, []string{`warn mode: "extend" is not shown for famC-1.0`}},
		{"3 famC r2v is recommended to use content", `{"model":"famC-1.0","mode":"r2v","prompt":"x","content":[{"type":"image_url","role":"reference_image","image_url":{"url":` + png + `}}]}`, []string{"info model: recommended in content"}},
		{"3 famC video_edit has no shown minimum", `{"model":"famC-1.0","mode":"video_edit","prompt":"x"}`, []string{"warn videos: needs the video to edit"}},
		{"3 fixed sub-models need no mode", `{"model":"famC-1.0-t2v","prompt":"x"}`, nil},
		{"3 fixed sub-models keep their minimum", `{"model":"famC-1.0-i2v","prompt":"x"}`, []string{"block image: mode i2v of famC-1.0-i2v"}},
		{"3 fixed sub-models have one mode", `{"model":"famC-1.0-t2v","mode":"i2v","prompt":"x"}`, []string{`warn mode: shown: t2v`}},

		{"4 famI t2v", `{"model":"famI-omni","mode":"t2v","prompt":"x"}`, nil},
		{"4 famI r2v in image", `{"model":"famI-omni","mode":"r2v","prompt":"x","image":` + png + `}`, nil},
		{"4 famI r2v in input_reference", `{"model":"famI-omni","mode":"r2v","prompt":"x","input_reference":` + png + `}`, nil},
		{"4 famI r2v in images", `{"model":"famI-omni","mode":"r2v","prompt":"x","images":[` + png + `]}`, nil},
		{"4 famI r2v in reference_images", `{"model":"famI-omni","mode":"r2v","prompt":"x","reference_images":[` + png + `]}`, nil},
		{"4 famI r2v in content", `{"model":"famI-omni","mode":"r2v","prompt":"x","content":[{"type":"image_url","image_url":{"url":` + png + `}}]}`, nil},
		{"4 famI r2v without", `{"model":"famI-omni","mode":"r2v"}`, []string{"block reference_images: missing", "info prompt: recommended"}},
		{"4 famI edit in video", `{"model":"famI-omni","mode":"edit","prompt":"x","video":` + mp4 + `}`, nil},
		{"4 famI edit in video_url", `{"model":"famI-omni","mode":"edit","prompt":"x","video_url":` + mp4 + `}`, nil},
		{"4 famI edit in video_urls, references optional", `{"model":"famI-omni","mode":"edit","prompt":"x","video_urls":[` + mp4 + `],"images":[` + png + `]}`, nil},
		{"4 famI edit in content", `{"model":"famI-omni","mode":"edit","prompt":"x","content":[{"type":"video_url","video_url":{"url":` + mp4 + `}}]}`, nil},
		{"4 famI edit needs videos", `{"model":"famI-omni","mode":"edit","prompt":"x","content":[{"type":"image_url","image_url":{"url":` + png + `}}]}`, []string{"block videos: the video to edit"}},
		{"4 famI seconds is mapped", `{"model":"famI-omni","mode":"t2v","prompt":"x","seconds":5}`, []string{"info duration: mapped to one of 4, 6, 8, 10"}},
		{"4 famI duration text is mapped", `{"model":"famI-omni","mode":"t2v","prompt":"x","duration":"8.0"}`, nil},

		{"5 famH-2.3 requires a first frame", `{"model":"famH-2.3","mode":"i2v","prompt":"x"}`, []string{"block images: first-frame image"}},
		{"5 famH-2.3 without mode too", `{"model":"famH-2.3","prompt":"x"}`, []string{"block images: first-frame image"}},
		{"5 famH-2.3 with image_urls", `{"model":"famH-2.3","mode":"i2v","prompt":"x","image_urls":[` + png + `]}`, nil},
		{"5 famH-2.3 with a first_frame", `{"model":"famH-2.3","mode":"i2v","prompt":"x","content":[{"type":"image_url","role":"first_frame","image_url":{"url":` + png + `}}]}`, nil},
		{"5 famH-2.3 with another role", `{"model":"famH-2.3","mode":"i2v","prompt":"x","content":[{"type":"image_url","role":"reference_image","image_url":{"url":` + png + `}}]}`, []string{"block images: first_frame"}},
		{"5 famG-h3 takes images", `{"model":"famG-h3","mode":"reference_material","prompt":"x","image_urls":[` + png + `],"audio_urls":["https://e.com/a.wav"]}`, nil},
		{"5 famG-h3 shows no videos", `{"model":"famG-h3","mode":"t2v","prompt":"x","videos":[` + mp4 + `]}`, []string{"warn videos: not shown for this model"}},

		{"6 famD t2v prefers other models", `{"model":"famD-1-0-lite-i2v-250428","mode":"t2v","prompt":"x"}`, []string{"info model: prefer the t2v or pro/fast models"}},
		{"6 famD i2v prefers the i2v model", `{"model":"famD-1-0-lite-t2v-250428","mode":"i2v","prompt":"x","image_url":` + png + `}`, []string{"info model: prefer the i2v model"}},
		{"6 famD complex references use content", `{"model":"famD-2-0-260128","mode":"reference_images","prompt":"x","reference_images":[` + png + `]}`, []string{"info model: use content"}},

		{"7 famA passes mode with image_url", `{"model":"famA3","prompt":"x","image_url":` + png + `}`, []string{"warn mode: together with image"}},
		{"7 famA passes mode with reference_images", `{"model":"famA3","prompt":"x","reference_images":[` + png + `]}`, []string{"warn mode: together with reference_images"}},
		{"7 famA text needs no mode", `{"model":"famA3","prompt":"x"}`, nil},

		{"8 famE common parameters", `{"model":"famE-video-3","mode":"i2v","prompt":"x","ratio":"16:9","resolution":"720p","size":"1280x720","seconds":"5","input_reference":` + png + `}`, nil},

		{"no mode and nothing to go by", `{"model":"famA3"}`, []string{"block prompt: missing"}},
		{"no mode and an image only", `{"model":"famB-2","image_url":` + png + `}`, []string{"warn prompt: missing"}},
		{"an unknown mode", `{"model":"famA3","mode":"dance","prompt":"x"}`, []string{`warn mode: "dance" is not shown for famA3; shown: t2v, i2v`}},
		{"a field of another mode", `{"model":"famA3","mode":"t2v","prompt":"x","image_url":` + png + `}`, []string{"warn image: not shown for mode t2v"}},
		{"a field of another model", `{"model":"famA3","mode":"t2v","prompt":"x","cfg_scale":0.5}`, []string{"warn cfg_scale: shown for famF-video"}},
	})
}

func TestCommonFormatFields(t *testing.T) {
	t2v := func(rest string) string { return `{"model":"famB-2","mode":"t2v","prompt":"x",` + rest + `}` }
	runRules(t, client.Video, []rule{
		{"seconds is a number or a string", t2v(`"seconds":"5"`), nil},
		{"duration is an alias", t2v(`"duration":5.5`), nil},
		{"duration is a number", t2v(`"duration":"five"`), []string{`block duration: "five"; it must be a number`}},
		{"duration is not true", t2v(`"duration":true`), []string{`block duration: it must be a number`}},
		{"duration is no list", t2v(`"duration":[5]`), []string{`block duration: a list of 1`}},
		{"duration is above zero", t2v(`"duration":0`), []string{"block duration: above 0"}},
		{"duration is no NaN", t2v(`"duration":"NaN"`), []string{"block duration: must be a number"}},
		{"duration is finite", t2v(`"duration":1e999`), []string{"block duration: out of range"}},
		{"size has the shape <width>x<height>", t2v(`"size":"1280x720"`), nil},
		{"size of another shape", t2v(`"size":"1280*720"`), []string{`block size: "1280*720"; it must have the shape <width>x<height>`}},
		{"size with a zero", t2v(`"size":"0x720"`), []string{"block size: shape"}},
		{"size as number", t2v(`"size":720`), []string{"block size: 720"}},
		{"aspect_ratio, for example <w>:<h>", t2v(`"aspect_ratio":"16:9"`), nil},
		{"ratio of another shape", t2v(`"ratio":"wide"`), []string{`warn aspect_ratio: "wide"; shown is the shape <w>:<h>`}},
		{"seed is an integer", t2v(`"seed":9007199254740993`), nil},
		{"seed is a string of digits", t2v(`"seed":"00123456789012345678901234567890"`), nil},
		{"seed is whole", t2v(`"seed":1.5`), []string{"block seed: 1.5; it must be a whole number"}},
		{"seed is digits", t2v(`"seed":"lucky"`), []string{`block seed: "lucky"`}},
		{"fps is a string of digits", t2v(`"fps":"24"`), nil},
		{"fps is digits", t2v(`"fps":"fast"`), []string{`block fps: "fast"`}},
		{"generate_audio is a boolean", t2v(`"generate_audio":true`), nil},
		{"generate_audio is no text", t2v(`"generate_audio":"loud"`), []string{`block generate_audio: "loud"; it must be true or false`}},
		{"generate_audio is no number", t2v(`"generate_audio":1`), []string{`block generate_audio: 1; it must be true or false`}},
		{"parameters", t2v(`"parameters":{"resolution":"720p","ratio":"16:9","duration":5,"seed":"7"}`), nil},
		{"parameters are judged as their fields", t2v(`"parameters":{"duration":"x"}`), []string{"block parameters: parameters.duration is"}},
		{"parameters has four keys", t2v(`"parameters":{"colour":"red"}`), []string{"info parameters: parameters.colour is not shown; shown: with duration, ratio, resolution, seed"}},
		{"parameters is an object", t2v(`"parameters":"x"`), []string{"block parameters: a JSON object"}},
		{"callback_url is accepted", t2v(`"callback_url":"https://example.com/hook","external_task_id":"t-1"`), nil},
		{"types that are not shown only warn", t2v(`"quality":7`), []string{"warn quality: the type is not shown"}},
		{"function_mode goes with content", t2v(`"function_mode":"omni_reference"`), []string{"info function_mode: content"}},
		{"unknown keys are sent as they stand", t2v(`"colour":"red"`), []string{"info colour: as it stands"}},
		{"many lines are fine", `{"model":"famB-2","mode":"t2v","prompt":"one\ntwo\n\nthree"}`, nil},
		{"null is not set", t2v(`"duration":null,"image_url":null`), nil},
	})
}

func TestReferences(t *testing.T) {
	i2v := func(ref string) string {
		return `{"model":"famB-2","mode":"i2v","prompt":"x","image_url":` + ref + `}`
	}
	runRules(t, client.Video, []rule{
		{"https", i2v(`"https://example.com/a.png?x=1"`), nil},
		{"http in capitals", i2v(`"HTTP://127.0.0.1:80/a.png"`), nil},
		{"data URI", i2v(`"data:image/png;base64,iVBORw0KGgo="`), []string{"info image: data URIs are not shown as accepted"}},
		{"file", i2v(`"file:///home/a.png"`), []string{"info image: sent as a data URI"}},
		{"relative file", i2v(`"file://a.png"`), []string{"block image: file:///absolute/path"}},
		{"bare path", i2v(`"a.png"`), []string{`block image: a.png; it must be an http(s):// URL`}},
		{"another scheme", i2v(`"ftp://example.com/a.png"`), []string{"block image: it must be"}},
		{"no host", i2v(`"https:///a.png"`), []string{"block image: no host"}},
		{"half a data URI", i2v(`"data:image/png"`), []string{"block image: shape"}},
		{"a video for an image", i2v(`"data:video/mp4;base64,AAAA"`), []string{"warn image: not image"}},
		{"an object where a URL is usual", i2v(`{"url":` + png + `}`), []string{"warn image: an object of 1 keys"}},
		{"a bad item in a list", `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[` + png + `,"b"]}`, []string{"block reference_images: reference_images[1]: is b"}},
		{"many bad items are summed up", `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":["a","b","c","d","e","f","g"]}`,
			[]string{"block reference_images: [0]", "block reference_images: [1]", "block reference_images: [2]", "block reference_images: [3]", "block reference_images: [4]"}},
	})
}

func TestContentItems(t *testing.T) {
	content := func(items string) string {
		return `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x","content":` + items + `}`
	}
	runRules(t, client.Video, []rule{
		{"all types", content(`[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":` + png + `},"role":"reference_image","name":"hero"},{"type":"video_url","video_url":{"url":` + mp4 + `},"role":"reference_video"},{"type":"audio_url","audio_url":{"url":"https://e.com/a.mp3"},"role":"reference_audio"}]`), nil},
		{"another type", content(`[{"type":"picture"}]`), []string{`block content: content[0]: type is "picture"; allowed: text, image_url, video_url, audio_url`}},
		{"no type", content(`[{}]`), []string{`block content: type is not set`}},
		{"media as objects, not as bare strings", content(`[{"type":"image_url","image_url":` + png + `}]`), []string{`block content: {url: ...}, not a bare string`}},
		{"items as objects, not as bare strings", content(`[` + png + `]`), []string{`block content: not bare strings`}},
		{"url is text", content(`[{"type":"image_url","image_url":{"url":7}}]`), []string{`block content: image_url.url is 7`}},
		{"url is a reference", content(`[{"type":"image_url","image_url":{"url":"a.png"}}]`), []string{`block content: image_url.url is a.png`}},
		{"text only when type is text", content(`[{"type":"image_url","text":"a","image_url":{"url":` + png + `}}]`), []string{`warn content: items of type text only`}},
		{"text when type is text", content(`[{"type":"text"}]`), []string{`block content: has a text`}},
		{"roles seen", content(`[{"type":"image_url","role":"last_frame","image_url":{"url":` + png + `}}]`), []string{`info content: seen are reference_image`}},
		{"an array", content(`"x"`), []string{`block content: a list of content items`}},
	})
}
