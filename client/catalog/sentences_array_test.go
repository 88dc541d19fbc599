package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// arraySentences are the create request of "Video task, content-array format".
func arraySentences() []sentence {
	famD := func(rest string) string { return `{"model":"famD-2-0-260128","mode":"t2v",` + rest + `}` }
	material := `{"model":"famD-2-0-260128","mode":"reference_material","prompt":"x"`
	text, image := `{"type":"text","text":"x"}`, `{"type":"image_url","image_url":{"url":<img>},"role":"reference_image"}`
	out := []sentence{
		{id: "array.model", says: "famD, famG-h3, famH-2.3 and famI-omni alone", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				has := strings.Contains(" "+strings.Join(m.Formats, " ")+" ", " content ")
				require.Equal(t, strings.Contains("famD famG famH famI", m.Family), has, m.ID)
			}
		}},
		{id: "array.model", says: "no other", format: "content", body: `{"model":"famA3","mode":"t2v","prompt":"x"}`, finds: []string{"block format: does not reach famA3; allowed: videos"}},
		{id: "array.prompt", says: "there", format: "content", body: famD(`"prompt":"x"`), to: "POST /api/v3/contents/generations/tasks", sends: famD(`"prompt":"x"`)},
		{id: "array.prompt", says: "not blank", format: "content", body: famD(`"prompt":" "`), finds: []string{"block prompt: needs a non-empty prompt", "block prompt: needs a prompt"}},
		{id: "array.prompt", says: "also where the mode does without", format: "content", body: `{"model":"famI-omni","mode":"r2v","image_urls":[<img>]}`,
			finds: []string{"block prompt: the content format needs a non-empty prompt", "info prompt: recommended"}},
		{id: "array.mode", says: "the five, and famI-omni's three", holds: func(t *testing.T, c *catalog.Catalog) {
			for model, want := range map[string]string{
				"famD-2-0-260128": "t2v i2v i2v_first_last reference_images reference_material",
				"famG-h3":         "t2v i2v i2v_first_last reference_images reference_material",
				"famH-2.3":        "i2v i2v_first_last reference_images reference_material", // t2v has no first frame
				"famI-omni":       "t2v r2v edit",
			} {
				m, _ := c.Model(model)
				require.Equal(t, want, strings.Join(m.ModeNames(), " "), model)
			}
		}},
		{id: "array.mode", says: "another only warns", format: "content", body: `{"model":"famI-omni","mode":"i2v","prompt":"x"}`, finds: []string{"warn mode: documented: t2v, r2v, edit"}},
		{id: "array.types", says: "fps is a number here", format: "content", body: famD(`"prompt":"x","fps":"24"`), sends: famD(`"prompt":"x","fps":24`)},
		{id: "array.types", says: "so is duration", format: "content", body: famD(`"prompt":"x","seconds":"5"`), sends: famD(`"prompt":"x","duration":5`)},
		{id: "array.types", says: "watermark is a boolean", format: "content", body: famD(`"prompt":"x","watermark":"big"`), finds: []string{"block watermark: true or false"}},
		{id: "array.types", says: "no seed is listed, and that is told", format: "content", body: famD(`"prompt":"x","seed":7`), sends: famD(`"prompt":"x"`), drops: "seed"},
		{id: "array.in-content", says: "mode=reference_material", format: "content", body: material + `,"image_urls":[<img>]}`,
			sends: material + `,"content":[` + text + `,` + image + `]}`},
		{id: "array.in-content", says: "in the order of their kinds", format: "content", body: material + `,"audio_urls":[<wav>],"video_urls":[<mp4>],"image_url":<img>}`,
			finds: []string{"warn image: not documented for mode reference_material"},
			sends: material + `,"content":[` + text + `,` + image + `,{"type":"video_url","role":"reference_video","video_url":{"url":<mp4>}},{"type":"audio_url","audio_url":{"url":<wav>},"role":"reference_audio"}]}`},
		{id: "array.in-content", says: "function_mode=omni_reference", format: "content",
			body:  `{"model":"famD-2-0-260128","mode":"i2v","prompt":"x","function_mode":"omni_reference","image_url":<img>}`,
			sends: `{"model":"famD-2-0-260128","mode":"i2v","prompt":"x","content":[` + text + `,` + image + `],"function_mode":"omni_reference"}`},
		{id: "array.in-content", says: "what is there stays as it is", format: "content", body: material + `,"content":[{"type":"text","text":"y"},` + image + `]}`,
			sends: material + `,"content":[{"type":"text","text":"y"},` + image + `]}`},
		{id: "array.in-content", says: "otherwise nothing moves", format: "content", body: `{"model":"famD-2-0-260128","mode":"i2v","prompt":"x","image_url":<img>}`,
			sends: `{"model":"famD-2-0-260128","mode":"i2v","prompt":"x","image_url":<img>}`},
		{id: "array.final", says: "the four that affect the result go under those names", format: "content",
			body:  famD(`"prompt":"x","aspect_ratio":"16:9","seconds":"5","resolution":"720p","fps":24`),
			sends: famD(`"prompt":"x","duration":5,"ratio":"16:9","resolution":"720p","fps":24`)},
	}
	base := `{"model":"famD-2-0-260128","mode":"r2v","prompt":"x"` // a mode that restricts no field
	unlisted := []string{"warn mode: not documented for famD-2-0-260128"}
	out = append(out, carried("array.fields", "content", client.Video, base, base, unlisted,
		row{"content", `[<item>]`, ""}, row{"image_url", `<img>`, ""}, row{"image_urls", `[<img>]`, ""},
		row{"input_reference", `<img>`, `"image_url":<img>`}, row{"end_image_url", `<img>`, ""}, row{"last_image_url", `<img>`, `"end_image_url":<img>`},
		row{"video_urls", `[<mp4>]`, ""}, row{"audio_urls", `[<wav>]`, ""}, row{"seconds", `5`, `"duration":5`}, row{"duration", `5.5`, ""},
		row{"aspect_ratio", `"16:9"`, `"ratio":"16:9"`}, row{"ratio", `"16:9"`, ""}, row{"size", `"1280x720"`, ""}, row{"quality", `"high"`, ""},
		row{"resolution", `"1080p"`, ""}, row{"fps", `24`, ""}, row{"generate_audio", `true`, ""}, row{"watermark", `false`, ""},
	)...)
	return append(out, carried("array.fields", "content", client.Video, base, base, append(unlisted, "info function_mode: content"),
		row{"function_mode", `"another"`, ""})...)
}

// entSentences are the create request of "Video task, vendor-style format".
func entSentences() []sentence {
	famJ := func(mode, rest string) string {
		return `{"model":"famJq3-turbo","mode":"` + mode + `"` + rest + `}`
	}
	out := func(rest string) string { return `{"model":"famJq3-turbo"` + rest + `}` }
	return []sentence{
		{id: "ent.model", says: "famJq3-turbo", format: "ent", body: famJ("t2v", `,"prompt":"x"`), to: "POST /ent/v2/img2video", sends: out(`,"prompt":"x"`), drops: "mode"},
		{id: "ent.model", says: "and no other", format: "ent", body: `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x"}`, finds: []string{"block format: does not reach famD-2-0-260128"}},
		{id: "ent.modes", says: "four", holds: func(t *testing.T, c *catalog.Catalog) {
			m, _ := c.Model("famJq3-turbo")
			require.Equal(t, []string{"t2v", "i2v", "i2v_first_last", "reference_images"}, m.ModeNames())
		}},
		{id: "ent.prompt", says: "required for text-to-video", format: "ent", body: famJ("t2v", ``), finds: []string{"block prompt: needs a prompt"}},
		{id: "ent.prompt", says: "and for what is text-to-video without a mode", format: "ent", body: `{"model":"famJq3-turbo"}`, finds: []string{"block prompt: needs a prompt"}},
		{id: "ent.prompt", says: "otherwise optional", format: "ent", body: famJ("i2v", `,"images":[<img>]`), sends: out(`,"images":[<img>]`), drops: "mode"},
		{id: "ent.prompt", says: "optional without a mode too", format: "ent", body: `{"model":"famJq3-turbo","images":[<img>]}`},
		{id: "ent.prompt", says: "on /v1/videos it stands in the minimum", body: famJ("i2v", `,"images":[<img>]`), finds: []string{"warn prompt: optional in the ent format"}},
		{id: "ent.images", says: "1 for image-to-video", format: "ent", body: famJ("i2v", `,"image_url":<img>`), sends: out(`,"images":[<img>]`), drops: "mode"},
		{id: "ent.images", says: "not 2", format: "ent", body: famJ("i2v", `,"images":`+many(2)), finds: []string{"block images: takes at most 1"}},
		{id: "ent.images", says: "not 2 over two fields", format: "ent", body: famJ("i2v", `,"image_url":<img>,"images":[<img2>]`), finds: []string{"block image: has 2 image references"}},
		{id: "ent.images", says: "what two fields name is one", format: "ent", body: famJ("i2v", `,"image_url":<img>,"images":[<img>]`), sends: out(`,"images":[<img>]`), drops: "mode"},
		{id: "ent.images", says: "2 for first and last frame", format: "ent", body: famJ("i2v_first_last", `,"image_url":<img>,"end_image_url":<img2>`), sends: out(`,"images":[<img>,<img2>]`), drops: "mode"},
		{id: "ent.images", says: "2 in one list", format: "ent", body: famJ("i2v_first_last", `,"images":[<img>,<img2>]`), sends: out(`,"images":[<img>,<img2>]`), drops: "mode"},
		{id: "ent.images", says: "not 1", format: "ent", body: famJ("i2v_first_last", `,"images":[<img>]`), finds: []string{"block images: a first and a last image"}},
		{id: "ent.images", says: "not 3", format: "ent", body: famJ("i2v_first_last", `,"images":`+many(3)), finds: []string{"block images: at most 2"}},
		{id: "ent.images", says: "1 for references", format: "ent", body: famJ("reference_images", `,"images":`+many(1))},
		{id: "ent.images", says: "7 for references", format: "ent", body: famJ("reference_images", `,"reference_images":`+many(7)), sends: out(`,"images":` + many(7)), drops: "mode"},
		{id: "ent.images", says: "not 8", format: "ent", body: famJ("reference_images", `,"images":`+many(8)), finds: []string{"block images: at most 7"}},
		{id: "ent.images", says: "not 8 without a mode", format: "ent", body: `{"model":"famJq3-turbo","prompt":"x","images":` + many(8) + `}`, finds: []string{"block images: any mode of famJq3-turbo takes at most 7"}},
		{id: "ent.images", says: "not 8 with a mode that it does not list", format: "ent", body: famJ("extend", `,"images":`+many(8)),
			finds: []string{"block images: any mode of famJq3-turbo takes at most 7", "warn mode: not documented", "info prompt: recommended"}},
		{id: "ent.images", says: "what is empty does not count", format: "ent", body: famJ("i2v", `,"images":["",<img>],"reference_images":[""]`), finds: []string{"block images: images[0]", "block reference_images: reference_images[0]", "warn reference_images: not documented for mode"}},
		{id: "ent.images", says: "what is empty hides nothing", format: "ent", body: famJ("i2v", `,"images":["",<img>,<img2>],"reference_images":["",<mp4>]`), finds: []string{"block images: has 3 image references", "block images: images[0]", "block reference_images: reference_images[0]", "warn reference_images: not documented for mode"}},
		{id: "ent.images", says: "not 0", format: "ent", body: famJ("reference_images", ``), finds: []string{"block images: 1 to 7"}},
		{id: "ent.images", says: "counts only warn on /v1/videos", body: famJ("i2v", `,"prompt":"x","images":`+many(2)), finds: []string{"warn images: at most 1"}},
		{id: "ent.nameless", says: "the two value sets have no field", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, f := range c.AllFields(client.Video) {
				for _, v := range append(f.Allowed, f.Suggested...) {
					require.NotContains(t, []string{"all", "speech_only", "sound_effect_only", "1", "2", "3", "4"}, v, f.Name)
				}
			}
		}},
		{id: "ent.nameless", says: "raw JSON carries them", format: "ent", body: famJ("t2v", `,"prompt":"x","audio_type":"all"`), finds: []string{"info audio_type: as it stands"},
			sends: out(`,"prompt":"x","audio_type":"all"`), drops: "mode"},
		{id: "ent.subjects", says: "keys are not invented", holds: func(t *testing.T, c *catalog.Catalog) {
			f, _ := c.Field(client.Video, "subjects")
			require.Empty(t, f.Keys)
			require.Contains(t, f.Help, "raw JSON")
		}},
		{id: "ent.subjects", says: "and any are sent", format: "ent", body: famJ("t2v", `,"prompt":"x","subjects":[{"name":"a","anything":1}]`),
			sends: out(`,"prompt":"x","subjects":[{"anything":1,"name":"a"}]`), drops: "mode"},
		{id: "ent.subjects", says: "a list", format: "ent", body: famJ("t2v", `,"prompt":"x","subjects":"a"`), finds: []string{"block subjects: a list"}},
		{id: "ent.no-content", says: "content is no field of it, its images are images", format: "ent", body: famJ("i2v", `,"content":[<item>]`), sends: out(`,"images":[<img>]`), drops: "mode"},
		{id: "ent.no-content", says: "by their roles", format: "ent", drops: "mode",
			body:  famJ("i2v_first_last", `,"end_image_url":<img2>,"content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":<img>},"role":"first_frame"}]`),
			sends: out(`,"prompt":"x","images":[<img>,<img2>]`)},
		{id: "ent.no-content", says: "its videos are videos", format: "ent", body: famJ("reference_images", `,"images":[<img>],"content":[<film>]`), sends: out(`,"images":[<img>],"videos":[<mp4>]`), drops: "mode"},
		{id: "ent.no-content", says: "a sound has no place", format: "ent", body: famJ("t2v", `,"prompt":"x","content":[{"type":"audio_url","audio_url":{"url":<wav>}}]`), finds: []string{"block content: audio_url is not carried"}},
	}
}

// entFieldSentences are the further fields of the vendor-style format.
func entFieldSentences() []sentence {
	base := `{"model":"famJq3-turbo","prompt":"x"`
	bad := func(rest, find string) sentence {
		return sentence{id: "ent.types", says: rest, format: "ent", body: base + `,` + rest + `}`, finds: []string{find}}
	}
	out := []sentence{
		bad(`"duration":5.5`, "block duration: a whole number in the ent format"),
		bad(`"seed":1.5`, "block seed: whole number"),
		bad(`"resolution":"4k"`, "block resolution: allowed: 540p, 720p, 1080p"),
		bad(`"aspect_ratio":"21:9"`, "block aspect_ratio: allowed: 16:9, 9:16, 4:3, 3:4, 1:1"),
		bad(`"movement_amplitude":"huge"`, "block movement_amplitude: allowed: auto, small, medium, large"),
		bad(`"audio":"loud"`, "block generate_audio: true or false"),
		bad(`"off_peak":"yes"`, "block off_peak: true or false"),
		bad(`"watermark":2`, "block watermark: true or false"),
		{id: "ent.fields", says: "videos, beside images", format: "ent", body: `{"model":"famJq3-turbo","mode":"reference_images","images":[<img>],"videos":[<mp4>]}`,
			sends: `{"model":"famJq3-turbo","images":[<img>],"videos":[<mp4>]}`, drops: "mode"},
		{id: "ent.fields", says: "off_peak is not carried by /v1/videos", body: `{"model":"famJq3-turbo","mode":"t2v","prompt":"x","off_peak":true}`,
			finds: []string{"warn off_peak: not carried by the videos format; carried by ent"}},
		{id: "ent.fields", says: "nor is it shown for others", body: `{"model":"famA3","mode":"t2v","prompt":"x","off_peak":true}`, finds: []string{"warn off_peak: not documented for this model, famA3; documented for famJ"}},
		{id: "ent.fields", says: "nor is watermark", body: `{"model":"famD-2-0-260128","mode":"t2v","prompt":"x","watermark":true}`, finds: []string{"warn watermark: carried by content, ent, tasks"}},
		{id: "ent.fields", says: "watermark is not documented for famA", body: `{"model":"famA3","mode":"t2v","prompt":"x","watermark":true}`, finds: []string{"warn watermark: not documented for this model"}},
	}
	rows := []row{{"duration", `5`, ""}, {"seed", `9007199254740993`, ""}, {"audio", `true`, ""}, {"off_peak", `false`, ""}, {"watermark", `true`, ""}}
	for field, values := range map[string]string{"resolution": "540p 720p 1080p", "aspect_ratio": "16:9 9:16 4:3 3:4 1:1", "movement_amplitude": "auto small medium large"} {
		for v := range strings.FieldsSeq(values) {
			rows = append(rows, row{field, `"` + v + `"`, ""})
		}
	}
	return append(out, carried("ent.fields", "ent", client.Video, base, base, nil, rows...)...)
}
