package catalog

import (
	"fmt"
	"strings"
	"testing"

	"darkroom/client"
)

func refs(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`"https://example.com/%d"`, i)
	}
	return "[" + strings.Join(out, ",") + "]"
}

// TestLimits has a case for each row of GATEWAY: Limits.
func TestLimits(t *testing.T) {
	famK := func(rest string) string { return `{"model":"famK-3.0","mode":"r2v","prompt":"x",` + rest + `}` }
	famJ := func(mode, rest string) string {
		return `{"model":"famJq3-turbo","mode":"` + mode + `","prompt":"x"` + rest + `}`
	}
	runRules(t, client.Video, []rule{
		{"famK duration, low", famK(`"images":["https://e.com/1"],"duration":1`), []string{"block duration: 1; allowed is 2 to 30 s for famK-3.0"}},
		{"famK duration, high", famK(`"images":["https://e.com/1"],"duration":"30.5"`), []string{"block duration: 2 to 30"}},
		{"famK duration, ends", famK(`"images":["https://e.com/1"],"duration":30`), nil},
		{"famK duration in parameters", famK(`"images":["https://e.com/1"],"parameters":{"duration":31}`), []string{"block parameters: parameters.duration is 31; allowed is 2 to 30"}},
		{"famK 10 images", famK(`"images":` + refs(10)), nil},
		{"famK 11 images", famK(`"images":` + refs(11)), []string{"block images: 11 image references, famK-3.0 takes up to 10"}},
		{"famK 11 images over fields", famK(`"images":` + refs(10) + `,"image":"https://e.com/1"`), []string{"block images: 11 image references"}},
		{"famK 6 videos", famK(`"videos":` + refs(6)), []string{"block videos: 6 video references, famK-3.0 takes up to 5"}},
		{"famK 6 audio files", famK(`"audios":` + refs(6)), []string{"block audios: up to 5"}},
		{"famK resolution is fixed", famK(`"images":["https://e.com/1"],"resolution":"1080P"`), []string{`block resolution: "1080P"; allowed: 720P for famK-3.0`}},
		{"famK resolution as fixed", famK(`"images":["https://e.com/1"],"resolution":"720P"`), nil},
		{"famK resolution in small letters", famK(`"images":["https://e.com/1"],"resolution":"720p"`), []string{`info resolution: writes it "720P"`}},
		{"famK-480p", `{"model":"famK-3.0-480p","mode":"t2v","prompt":"x","resolution":"720P"}`, []string{"block resolution: allowed: 480P"}},
		{"famK-1080p", `{"model":"famK-3.0-1080p","mode":"t2v","prompt":"x","resolution":"720P"}`, []string{"block resolution: allowed: 1080P"}},

		{"famJ 1 image", famJ("i2v", `,"images":`+refs(1)), nil},
		{"famJ 2 images for one", famJ("i2v", `,"images":`+refs(2)), []string{"warn images: 2 items; mode i2v of famJq3-turbo takes at most 1"}},
		{"famJ first and last", famJ("i2v_first_last", `,"images":`+refs(2)), nil},
		{"famJ first and last by name", famJ("i2v_first_last", `,"image_url":"https://e.com/1","end_image_url":"https://e.com/2"`), nil},
		{"famJ only the first", famJ("i2v_first_last", `,"images":`+refs(1)), []string{"block images: a first image", "block images: a last image"}},
		{"famJ 7 references", famJ("reference_images", `,"images":`+refs(7)), nil},
		{"famJ 8 references", famJ("reference_images", `,"images":`+refs(8)), []string{"warn images: at most 7"}},
		{"famJ no reference", famJ("reference_images", ``), []string{"block images: 1 to 7"}},
		{"famJ duration is set within the range", famJ("t2v", `,"duration":5`), nil},
		{"famJ resolution", famJ("t2v", `,"resolution":"4k"`), []string{`block resolution: "4k"; allowed: 540p, 720p, 1080p`}},
		{"famJ ratio", famJ("t2v", `,"aspect_ratio":"21:9"`), []string{`warn aspect_ratio: usual: 16:9, 9:16, 4:3, 3:4, 1:1`}},
		{"famJ prompt", `{"model":"famJq3-turbo","mode":"i2v","images":["https://e.com/1"]}`, []string{"warn prompt: optional on /ent/v2"}},
		{"famJ text needs a prompt", `{"model":"famJq3-turbo","mode":"t2v"}`, []string{"block prompt: missing"}},

		{"famI duration", `{"model":"famI-omni","mode":"t2v","prompt":"x","duration":7}`, []string{"info duration: mapped to one of 4, 6, 8, 10"}},
		{"famG duration", `{"model":"famG-h3","mode":"t2v","prompt":"x","duration":16}`, []string{"warn duration: 16; usual is 5 to 15 s for famG-h3"}},
		{"famG resolution", `{"model":"famG-h3","mode":"t2v","prompt":"x","resolution":"720p"}`, []string{`warn resolution: usual: 1440p`}},
		{"famG as commonly used", `{"model":"famG-h3","mode":"t2v","prompt":"x","resolution":"1440p","duration":5}`, nil},
		{"famH duration", `{"model":"famH-2.3","mode":"i2v","prompt":"x","image_urls":["https://e.com/1"],"duration":8}`, []string{`warn duration: usual: 6, 10`}},
		{"famH resolution", `{"model":"famH-2.3","mode":"i2v","prompt":"x","image_urls":["https://e.com/1"],"duration":6,"resolution":"1080p"}`, []string{`warn resolution: usual: 768p`}},
		{"famC resolution", `{"model":"famC-1.0","mode":"t2v","prompt":"x","resolution":"540p"}`, []string{`warn resolution: usual: 720P, 1080P`}},
	})
}

// TestImageRules has a case for each sentence of the image request and its limits.
func TestImageRules(t *testing.T) {
	famL := func(rest string) string { return `{"model":"famL","prompt":"x",` + rest + `}` }
	famF := func(rest string) string {
		return `{"model":"famF-image","model_name":"famF-v2","prompt":"x",` + rest + `}`
	}
	runRules(t, client.Image, []rule{
		{"text-to-image is model + prompt", `{"model":"famL","prompt":"x"}`, nil},
		{"without prompt", `{"model":"famL"}`, []string{"block prompt: famL needs a prompt"}},
		{"editing adds image", famL(`"image":` + png), nil},
		{"image_urls accepted", famL(`"image_urls":[` + png + `]`), nil},
		{"sizes", famL(`"size":"1024x1792","n":2,"quality":"hd","style":"natural","response_format":"b64_json","user":"u"`), nil},
		{"another size", famL(`"size":"512x512"`), []string{`block size: "512x512"; allowed: 1024x1024, 1024x1792, 1792x1024`}},
		{"another shape of size", famL(`"size":"large"`), []string{`block size: 1024x1024, 1024x1792, 1792x1024`}},
		{"another quality", famL(`"quality":"best"`), []string{"block quality: allowed: standard, hd"}},
		{"another style", famL(`"style":"oil"`), []string{"block style: allowed: vivid, natural"}},
		{"another response_format", famL(`"response_format":"png"`), []string{"block response_format: allowed: url, b64_json"}},
		{"n is an integer", famL(`"n":1.5`), []string{"block n: whole number"}},
		{"n is above zero", famL(`"n":0`), []string{"block n: above 0"}},
		{"user is text", famL(`"user":7`), []string{"block user: text"}},
		{"requests carry no mode", famL(`"mode":"t2v"`), []string{"warn mode: carry no mode"}},
		{"compatible extension parameters", famL(`"image_list":[` + png + `],"subject_image_list":[` + png + `],"scene_image":` + png + `,"style_image":` + png + `,"negative_prompt":"n","aspect_ratio":"1:1","resolution":"2k","callback_url":"https://e.com","external_task_id":"i"`), nil},
		{"famM with size", `{"model":"famM-5-0-260128","prompt":"x","size":"1024x1024"}`, nil},
		{"famM with aspect_ratio", `{"model":"famM-5-0-260128","prompt":"x","aspect_ratio":"1:1"}`, nil},
		{"famM without either", `{"model":"famM-5-0-260128","prompt":"x"}`, []string{"info size: size or aspect_ratio"}},
		{"famM shows no images", `{"model":"famM-5-0-260128","prompt":"x","size":"1024x1024","image":` + png + `}`, []string{"warn image: not shown for this model"}},
		{"famF text-to-image", `{"model":"famF-image","model_name":"famF-v2-new","prompt":"x"}`, nil},
		{"famF image-to-image", famF(`"image":` + png), nil},
		{"famF multi-image", famF(`"subject_image_list":[{"subject_image":` + png + `}]`), nil},
		{"famF several image_urls", famF(`"images":[` + png + `,` + png + `]`), nil},
		{"famF outpainting", famF(`"image":` + png + `,"up_expansion_ratio":0.5,"down_expansion_ratio":"1","left_expansion_ratio":0,"right_expansion_ratio":0.1`), nil},
		{"famF outpainting without image", famF(`"up_expansion_ratio":0.5`), []string{"warn up_expansion_ratio: goes with the image to expand"}},
		{"famF element_list", famF(`"element_list":[{"element_id":7}],"result_type":"r","series_amount":2`), nil},
		{"famF element_id is an integer", famF(`"element_list":[{"element_id":"x"}]`), []string{"block element_list: element_id"}},
		{"famF element_list items are objects", famF(`"element_list":[7]`), []string{"block element_list: must be an object"}},
		{"famF parameters elsewhere", famL(`"series_amount":2`), []string{"warn series_amount: shown for famF-image"}},
		{"try-on minimum", `{"model":"famF-virtual-try-on-v1-5","human_image":` + png + `,"cloth_image":` + png + `}`, nil},
		{"try-on without garment", `{"model":"famF-virtual-try-on-v1","human_image":` + png + `}`, []string{"block cloth_image: a picture of the garment"}},
		{"try-on without anything", `{"model":"famF-virtual-try-on-v1"}`, []string{"block human_image: missing", "block cloth_image: missing"}},
	})
}

// TestMusicRules has a case for each sentence of the music request.
func TestMusicRules(t *testing.T) {
	music := func(rest string) string { return `{"model":"famN_music","prompt":"x",` + rest + `}` }
	speech := func(rest string) string { return music(`"upstream_model":"famO-speech-2.8-hd",` + rest) }
	runRules(t, client.Music, []rule{
		{"model is always famN_music", `{"model":"famN-v5","prompt":"x"}`, []string{`block model: "famN-v5" is not in the catalog`}},
		{"model only", `{"model":"famN_music","prompt":"x"}`, nil},
		{"without model", `{"prompt":"x"}`, []string{"block model: as famN_music"}},
		{"nothing to sing", `{"model":"famN_music"}`, []string{"warn prompt: a prompt or lyrics"}},
		{"lyrics alone", `{"model":"famN_music","customLyrics":"la\nla","customMode":true}`, nil},
		{"engine", music(`"upstream_model":"famQ-v9"`), nil},
		{"engine id", music(`"modelId":128`), nil},
		{"engine id as text", music(`"model_id":"129"`), nil},
		{"engine alias", music(`"engine":"famP-3-pro-preview"`), nil},
		{"another engine", music(`"music_model":"famX"`), []string{`warn upstream_model: usual: famN-v5.5, famN-v5,`}},
		{"another engine id", music(`"modelId":1`), []string{`block upstream_model: 1; it must be text`}},
		{"song fields", music(`"title":"t","tags":"a,b","style":"s","genre":"g","lyric":"l","make_instrumental":false,"light_music":true`), nil},
		{"booleans", music(`"make_instrumental":"perhaps"`), []string{`block make_instrumental: true or false`}},
		{"custom_mode is a boolean", music(`"customMode":"lyrics"`), []string{`block custom_mode: true or false`}},
		{"title is text", music(`"title":5`), []string{"block title: text"}},
		{"voice parameters", speech(`"voice":"v","outputFormat":"mp3","sampleRate":32000,"speed":1,"volume":1.5,"pitch":-2,"extraParams":{"voice":"w"}`), nil},
		{"voice parameters by engine id", music(`"modelId":127,"voice":"v"`), nil},
		{"voice parameters apply to speech", music(`"speed":2`), []string{`info speed: applies to upstream_model famO-speech-2.8-hd; it is famN-v5.5`}},
		{"sample_rate is an integer", speech(`"sample_rate":"high"`), []string{`block sample_rate: whole number`}},
		{"speed is a number", speech(`"speed":"fast"`), []string{`block speed: a number`}},
		{"extra_params is an object", speech(`"extra_params":"x"`), []string{`block extra_params: a JSON object`}},
		{"requests carry no mode", music(`"mode":"t2v"`), []string{"warn mode: carry no mode"}},
	})
}
