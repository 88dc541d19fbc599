package catalog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// row is a field of one of the tables: the name and a value as the document writes them,
// and what is sent for it.
type row struct{ name, value, sends string }

// carried makes one case of each row: nothing is found, nothing is dropped, and the body
// holds it. base is the request without its last brace, lead what is sent for it.
func carried(id, format string, as client.Modality, base, lead string, finds []string, rows ...row) []sentence {
	var out []sentence
	for _, r := range rows {
		if r.sends == "" {
			r.sends = fmt.Sprintf("%q:%s", r.name, r.value)
		}
		out = append(out, sentence{id: id, says: r.name, as: as, format: format, finds: finds,
			body: base + fmt.Sprintf(",%q:%s}", r.name, r.value), sends: lead + "," + r.sends + "}"})
	}
	return out
}

// commonSentences are the fields of "Video creation request, common format".
func commonSentences() []sentence {
	t2v := func(rest string) string { return `{"model":"famB-2","mode":"t2v","prompt":"x",` + rest + `}` }
	out := []sentence{
		{id: "common.model", says: "required", body: `{"prompt":"x"}`, finds: []string{"block model: is required"}},
		{id: "common.prompt", says: "recommended, where nothing more is known", body: `{"model":"other"}`, finds: []string{`block model: "other" is not in the catalog`, "info prompt: recommended"}},
		{id: "common.prompt", says: "many lines are fine", body: `{"model":"famB-2","mode":"t2v","prompt":"one\ntwo\n\nthree"}`},
		{id: "common.prompt", says: "text, and what is none is not lost", holds: func(t *testing.T, c *catalog.Catalog) {
			d, problems := c.Normalize(client.Video, map[string]any{"model": "famB-2", "prompt": []any{"x"}})
			require.Len(t, problems, 1)
			require.Equal(t, catalog.Block, problems[0].Severity)
			require.Contains(t, problems[0].Message, "prompt is a list of 1; it must be text")
			require.JSONEq(t, `["x"]`, string(d.Extra["prompt"]))
		}},
		{id: "common.seconds", says: "a number or a string", body: t2v(`"seconds":"5"`), sends: t2v(`"seconds":"5"`)},
		{id: "common.seconds", says: "a number", body: t2v(`"seconds":5`), sends: t2v(`"seconds":"5"`)},
		{id: "common.seconds", says: "a fraction", body: t2v(`"seconds":5.5`)},
		{id: "common.seconds", says: "no word", body: t2v(`"seconds":"five"`), finds: []string{`block duration: "five"; it must be a number`}},
		{id: "common.seconds", says: "neither true nor a list", body: t2v(`"seconds":[5]`), finds: []string{"block duration: a list of 1"}},
		{id: "common.seconds", says: "not true", body: t2v(`"seconds":true`), finds: []string{"block duration: it must be a number"}},
		{id: "common.seconds", says: "no NaN", body: t2v(`"seconds":"NaN"`), finds: []string{"block duration: must be a number"}},
		{id: "common.seconds", says: "above zero", body: t2v(`"seconds":0`), finds: []string{"block duration: above 0"}},
		{id: "common.seconds", says: "finite", body: t2v(`"seconds":1e999`), finds: []string{"block duration: out of range"}},
		{id: "common.duration", says: "an alias of seconds", body: t2v(`"duration":5`), sends: t2v(`"seconds":"5"`)},
		{id: "common.duration", says: "the same value twice is no contradiction", body: t2v(`"duration":5,"seconds":"5"`), sends: t2v(`"seconds":"5"`)},
		{id: "common.size", says: "shape <width>x<height>", body: t2v(`"size":"1280x720"`), sends: t2v(`"size":"1280x720"`)},
		{id: "common.size", says: "another shape", body: t2v(`"size":"1280*720"`), finds: []string{`block size: "1280*720"; it must have the shape <width>x<height>`}},
		{id: "common.size", says: "a zero", body: t2v(`"size":"0x720"`), finds: []string{"block size: shape"}},
		{id: "common.size", says: "a string", body: t2v(`"size":720`), finds: []string{"block size: 720"}},
		{id: "common.shapes", says: "seed is an integer, of any size", body: t2v(`"seed":9007199254740993`), sends: t2v(`"seed":9007199254740993`)},
		{id: "common.shapes", says: "seed is a string of digits", body: t2v(`"seed":"12345678901234567890123"`), sends: t2v(`"seed":"12345678901234567890123"`)},
		{id: "common.shapes", says: "seed is whole", body: t2v(`"seed":1.5`), finds: []string{"block seed: 1.5; it must be a whole number"}},
		{id: "common.shapes", says: "seed is digits", body: t2v(`"seed":"lucky"`), finds: []string{`block seed: "lucky"`}},
		{id: "common.shapes", says: "fps is a string of digits", body: t2v(`"fps":24`), sends: t2v(`"fps":"24"`)},
		{id: "common.shapes", says: "fps is digits", body: t2v(`"fps":"fast"`), finds: []string{`block fps: "fast"`}},
		{id: "common.shapes", says: "generate_audio is a boolean", body: t2v(`"generate_audio":"true"`), sends: t2v(`"generate_audio":true`)},
		{id: "common.shapes", says: "generate_audio is no word", body: t2v(`"generate_audio":"loud"`), finds: []string{`block generate_audio: "loud"; it must be true or false`}},
		{id: "common.shapes", says: "parameters has resolution, ratio, duration, seed", body: t2v(`"parameters":{"resolution":"720p","ratio":"16:9","duration":5,"seed":"7"}`),
			sends: t2v(`"parameters":{"duration":5,"ratio":"16:9","resolution":"720p","seed":"7"}`)},
		{id: "common.shapes", says: "parameters are judged as their fields", body: t2v(`"parameters":{"duration":"x"}`), finds: []string{"block parameters: parameters.duration is"}},
		{id: "common.shapes", says: "parameters shows no other key", body: t2v(`"parameters":{"colour":"red"}`), finds: []string{"info parameters: parameters.colour is not documented; documented: with duration, ratio, resolution, seed"}},
		{id: "common.shapes", says: "parameters is an object", body: t2v(`"parameters":"x"`), finds: []string{"block parameters: a JSON object"}},
		{id: "common.unshown", says: "a type that is not documented only warns", body: t2v(`"quality":7`), finds: []string{"warn quality: the type is not documented"}, sends: t2v(`"quality":7`)},
		{id: "common.unshown", says: "so does another shape of ratio", body: t2v(`"ratio":"wide"`), finds: []string{`warn aspect_ratio: "wide"; shown is the shape <w>:<h>`}, sends: t2v(`"aspect_ratio":"wide"`)},
		{id: "common.unshown", says: "an unknown name is sent as it stands", body: t2v(`"colour":"red"`), finds: []string{"info colour: as it stands"}, sends: t2v(`"colour":"red"`)},
		{id: "common.unshown", says: "null is not set", body: t2v(`"duration":null,"image_url":null`)},
		{id: "common.unshown", says: "fields whose bounds are not documented say so", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, f := range c.AllFields(client.Video) {
				if f.Loose && f.Kind != catalog.Media && f.Kind != catalog.Medias {
					require.Regexp(t, "not documented|continues|example", f.Help, f.Name)
				}
			}
		}},
		{id: "common.famF", says: "other models show none of them", body: t2v(`"cfg_scale":0.5`), finds: []string{"warn cfg_scale: documented for famF-video"}},
	}
	material := `{"model":"famB-2","mode":"r2v","prompt":"x"`
	lead := `{"model":"famB-2","mode":"r2v","prompt":"x"`
	unlisted := []string{"warn mode: not documented for famB-2"}
	out = append(out, carried("common.compat", "", client.Video, material, lead, unlisted,
		row{"aspect_ratio", `"16:9"`, ""}, row{"ratio", `"16:9"`, `"aspect_ratio":"16:9"`}, row{"quality", `"high"`, ""}, row{"resolution", `"720p"`, ""},
		row{"fps", `"24"`, ""}, row{"image", `<img>`, `"image_url":<img>`}, row{"image_url", `<img>`, ""}, row{"image_urls", `[<img>]`, ""},
		row{"images", `[<img>]`, `"image_urls":[<img>]`}, row{"reference_images", `[<img>]`, ""}, row{"input_reference", `<img>`, `"image_url":<img>`},
		row{"end_image_url", `<img>`, ""}, row{"last_image_url", `<img>`, `"end_image_url":<img>`}, row{"video_urls", `[<mp4>]`, ""}, row{"audio_urls", `[<wav>]`, ""},
		row{"content", `[<item>]`, ""}, row{"callback_url", `"https://e.com/cb"`, ""}, row{"external_task_id", `"t-1"`, ""},
	)...)
	out = append(out, carried("common.compat", "", client.Video, material, lead, append(unlisted, "info function_mode: content"), row{"function_mode", `"omni_reference"`, ""})...)
	edit := `{"model":"famI-omni","mode":"edit","prompt":"x"`
	for _, name := range []string{"video", "video_url"} {
		out = append(out, carried("common.famI-media", "", client.Video, edit, edit, nil, row{name, `<mp4>`, `"video_urls":[<mp4>]`})...)
	}
	out = append(out, carried("common.famI-media", "", client.Video, edit, edit, nil, row{"videos", `[<mp4>]`, `"video_urls":[<mp4>]`})...)
	return append(out, extensionSentences()...)
}

// extensionSentences are the famF extension parameters.
func extensionSentences() []sentence {
	base := `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","prompt":"x"`
	out := carried("common.famF", "", client.Video, base, base, nil,
		row{"negative_prompt", `"blur"`, ""}, row{"cfg_scale", `0.5`, ""}, row{"sound", `"on"`, ""}, row{"camera_control", `{"anything":{"pan":1}}`, ""},
		row{"task_id", `"t"`, ""}, row{"watermark_info", `{"anything":true}`, ""})
	return append(out,
		sentence{id: "common.famF", says: "image_list", body: `{"model":"famF-video","model_name":"famF-v3","mode":"multi_i2v","prompt":"x","image_list":[<img>]}`,
			sends: `{"model":"famF-video","model_name":"famF-v3","mode":"multi_i2v","prompt":"x","image_list":[<img>]}`},
		sentence{id: "common.famF", says: "video_id", body: `{"model":"famF-video","model_name":"famF-v3","mode":"extend","prompt":"x","video_id":"v"}`,
			sends: `{"model":"famF-video","model_name":"famF-v3","mode":"extend","prompt":"x","video_id":"v"}`},
		sentence{id: "common.famF", says: "keys that are not named are not invented", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, f := range []string{"camera_control", "watermark_info", "image_list"} {
				require.Empty(t, c.Parts(client.Video, f), f)
			}
		}},
	)
}

// itemSentences are "Content item", and references.
func itemSentences() []sentence {
	content := func(items string) string {
		return `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x","content":` + items + `}`
	}
	i2v := func(ref string) string { return `{"model":"famB-2","mode":"i2v","prompt":"x","image_url":` + ref + `}` }
	all := `[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":<img>},"name":"hero","role":"reference_image"},` +
		`{"type":"video_url","role":"reference_video","video_url":{"url":<mp4>}},{"type":"audio_url","audio_url":{"url":<wav>},"role":"reference_audio"},` +
		`{"type":"image_url","image_url":{"url":<img>},"role":"first_frame"}]`
	return []sentence{
		{id: "item.type", says: "all four, with the four roles", body: content(all), sends: content(all)},
		{id: "item.type", says: "another one", body: content(`[{"type":"picture"}]`), finds: []string{`block content: content[0]: type is "picture"; allowed: text, image_url, video_url, audio_url`}},
		{id: "item.type", says: "none", body: content(`[{}]`), finds: []string{"block content: type is not set"}},
		{id: "item.text", says: "only when type is text", body: content(`[{"type":"image_url","text":"a","image_url":{"url":<img>}}]`), finds: []string{"warn content: items of type text only"}},
		{id: "item.text", says: "there when type is text", body: content(`[{"type":"text"}]`), finds: []string{"block content: has a text"}},
		{id: "item.media", says: "image_url is {url}", body: content(`[{"type":"image_url","image_url":{"url":7}}]`), finds: []string{"block content: image_url.url is 7"}},
		{id: "item.media", says: "video_url belongs to its type", body: content(`[{"type":"video_url","image_url":{"url":<img>}}]`), finds: []string{"block content: video_url is not set"}},
		{id: "item.media", says: "audio_url belongs to its type", body: content(`[{"type":"audio_url","video_url":{"url":<img>}}]`), finds: []string{"block content: audio_url is not set"}},
		{id: "item.role", says: "others are told of, and sent", body: content(`[{"type":"image_url","role":"last_frame","image_url":{"url":<img>}}]`), finds: []string{"warn content: seen are reference_image"},
			sends: content(`[{"type":"image_url","image_url":{"url":<img>},"role":"last_frame"}]`)},
		{id: "item.name", says: "a label", body: content(`[{"type":"text","name":"n","text":"a"}]`), sends: content(`[{"type":"text","name":"n","text":"a"}]`)},
		{id: "item.objects", says: "no bare string for the media", body: content(`[{"type":"image_url","image_url":<img>}]`), finds: []string{"block content: {url: ...}, not a bare string"}},
		{id: "item.objects", says: "no bare string for the item", body: content(`[<img>]`), finds: []string{"block content: not bare strings"}},
		{id: "item.objects", says: "what a draft holds as a string is sent as an object", holds: func(t *testing.T, c *catalog.Catalog) {
			p, err := previews(t, c).Preview(draft(t, c, sentence{body: content(`[{"type":"image_url","image_url":<img>}]`)}), "content")
			require.NoError(t, err)
			require.Regexp(t, `"image_url": \{\s*"url": "https://e.com/a.png"`, string(p.Body))
		}},
		{id: "item.objects", says: "an array", body: content(`"x"`), finds: []string{"block content: a list of content items"}},
		{id: "media.unshown", says: "https", body: i2v(`"https://example.com/a.png?x=1"`)},
		{id: "media.unshown", says: "http in capitals", body: i2v(`"HTTP://127.0.0.1:80/a.png"`)},
		{id: "media.unshown", says: "a data URI is not documented as accepted, and labelled so", body: i2v(`"data:image/png;base64,iVBORw0KGgo="`), finds: []string{"info image: data URIs are not documented as accepted"},
			sends: `{"model":"famB-2","mode":"i2v","prompt":"x","image_url":"data:image/png;base64,iVBORw0KGgo="}`},
		{id: "media.unshown", says: "nor in an item of content", body: content(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]`), finds: []string{"info content: data URIs are not documented as accepted"}},
		{id: "media.unshown", says: "a file becomes one", body: i2v(`"file:///home/a.png"`), finds: []string{"info image: sent as a data URI, which is not documented as accepted"}},
		{id: "media.unshown", says: "a relative file", body: i2v(`"file://a.png"`), finds: []string{"block image: file:///absolute/path"}},
		{id: "media.unshown", says: "a bare path", body: i2v(`"a.png"`), finds: []string{"block image: a.png; it must be an http(s):// URL"}},
		{id: "media.unshown", says: "another scheme", body: i2v(`"ftp://example.com/a.png"`), finds: []string{"block image: it must be"}},
		{id: "media.unshown", says: "no host", body: i2v(`"https:///a.png"`), finds: []string{"block image: no host"}},
		{id: "media.unshown", says: "half a data URI", body: i2v(`"data:image/png"`), finds: []string{"block image: shape"}},
		{id: "media.unshown", says: "a video for an image", body: i2v(`"data:video/mp4;base64,AAAA"`), finds: []string{"warn image: not image"}},
		{id: "media.unshown", says: "an object where a URL is usual", body: i2v(`{"uri":<img>}`), finds: []string{"warn image: an object of 1 keys"}},
		{id: "media.unshown", says: "an object with url", body: i2v(`{"url":<img>}`)},
		{id: "media.unshown", says: "a bad item in a list", body: `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[<img>,"b"]}`, finds: []string{"block reference_images: reference_images[1]: is b"}},
		{id: "media.unshown", says: "many bad items are summed up", body: `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":["a","b","c","d","e","f","g"]}`,
			finds: []string{"block reference_images: [0]", "block reference_images: [1]", "block reference_images: [2]", "block reference_images: [3]", "block reference_images: [4]"}},
	}
}
