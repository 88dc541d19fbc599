package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

// modeSentences are "Mode and model rules" 1 to 3: common modes, famF and famC.
func modeSentences() []sentence {
	famF := func(rest string) string {
		return `{"model":"famF-video","model_name":"famF-v1"` + rest + `}`
	}
	return []sentence{
		{id: "modes.1.t2v", says: "model + prompt", body: `{"model":"famA3","mode":"t2v","prompt":"x"}`,
			to: "POST /v1/videos", sends: `{"model":"famA3","mode":"t2v","prompt":"x"}`},
		{id: "modes.1.t2v", says: "without a prompt", body: `{"model":"famA3","mode":"t2v","prompt":" \n"}`,
			finds: []string{"block prompt: mode t2v of famA3 needs a prompt"}},
		{id: "modes.1.i2v", says: "model + prompt + image_url", body: `{"model":"famA3","mode":"i2v","prompt":"x","image_url":<img>}`,
			sends: `{"model":"famA3","mode":"i2v","prompt":"x","image_url":<img>}`},
		{id: "modes.1.i2v", says: "without an image", body: `{"model":"famB-2","mode":"i2v","prompt":"x"}`, finds: []string{"block image: needs a first image"}},
		{id: "modes.1.i2v", says: "with an empty image", body: `{"model":"famB-2","mode":"i2v","prompt":"x","image_url":""}`, finds: []string{"block image: needs a first image", "block image: http(s)://"}},
		{id: "modes.1.i2v", says: "without anything", body: `{"model":"famB-2","mode":"i2v"}`, finds: []string{"block prompt: missing", "block image: missing"}},
		{id: "modes.1.i2v", says: "the image may stand in content", body: `{"model":"famB-2","mode":"i2v","prompt":"x","content":[<item>]}`},
		{id: "modes.1.i2v_first_last", says: "both images", body: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image":<img>,"end_image_url":<img2>}`,
			sends: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image_url":<img>,"end_image_url":<img2>}`},
		{id: "modes.1.i2v_first_last", says: "without the last one", body: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","image_url":<img>}`,
			finds: []string{"block end_image: needs a last image"}},
		{id: "modes.1.i2v_first_last", says: "without the first one", body: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","end_image_url":<img>}`,
			finds: []string{"block image: needs a first image"}},
		{id: "modes.1.i2v_first_last", says: "both may stand in content", body: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","content":[<item>,<item>]}`},
		{id: "modes.1.i2v_first_last", says: "one in content is one", body: `{"model":"famB-2","mode":"i2v_first_last","prompt":"x","content":[<item>]}`, finds: []string{"block end_image: needs a last image"}},
		{id: "modes.1.reference_images", says: "model + prompt + reference_images", body: `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[<img>]}`,
			sends: `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[<img>]}`},
		{id: "modes.1.reference_images", says: "without", body: `{"model":"famB-2","mode":"reference_images","prompt":"x","reference_images":[]}`,
			finds: []string{"block reference_images: at least one"}},
		{id: "modes.1.reference_material", says: "an image will do", body: `{"model":"famB-2","mode":"reference_material","prompt":"x","image_urls":[<img>]}`,
			sends: `{"model":"famB-2","mode":"reference_material","prompt":"x","image_urls":[<img>]}`},
		{id: "modes.1.reference_material", says: "a video will do", body: `{"model":"famB-2","mode":"reference_material","prompt":"x","video_urls":[<mp4>]}`,
			sends: `{"model":"famB-2","mode":"reference_material","prompt":"x","video_urls":[<mp4>]}`},
		{id: "modes.1.reference_material", says: "a sound will do", body: `{"model":"famB-2","mode":"reference_material","prompt":"x","audio_urls":[<wav>]}`,
			sends: `{"model":"famB-2","mode":"reference_material","prompt":"x","audio_urls":[<wav>]}`},
		{id: "modes.1.reference_material", says: "none of them", body: `{"model":"famB-2","mode":"reference_material","prompt":"x"}`,
			finds: []string{"block images: any of images, videos, audios, content"}},
		{id: "modes.1.reference_material", says: "text is no material", body: `{"model":"famB-2","mode":"reference_material","prompt":"x","content":[{"type":"text","text":"x"}]}`,
			finds: []string{"block images: missing"}},

		{id: "modes.2.t2v", says: "model + model_name + prompt + mode", body: famF(`,"mode":"t2v","prompt":"x"`),
			sends: `{"model":"famF-video","model_name":"famF-v1","mode":"t2v","prompt":"x"}`},
		{id: "modes.2.t2v", says: "without the mode", body: famF(`,"prompt":"x"`), finds: []string{"block mode: required"}},
		{id: "modes.2.t2v", says: "without a prompt", body: famF(`,"mode":"t2v"`), finds: []string{"block prompt: missing"}},
		{id: "modes.2.t2v", says: "without model_name", body: `{"model":"famF-video","mode":"t2v","prompt":"x"}`, finds: []string{"block model_name: required for famF-video"}},
		{id: "modes.2.i2v", says: "adds image, under that name", body: famF(`,"mode":"i2v","prompt":"x","image":<img>`),
			sends: `{"model":"famF-video","model_name":"famF-v1","mode":"i2v","prompt":"x","image":<img>}`},
		{id: "modes.2.i2v", says: "without image", body: famF(`,"mode":"i2v","prompt":"x"`), finds: []string{"block image: missing"}},
		{id: "modes.2.multi_i2v", says: "needs image_list", body: famF(`,"mode":"multi_i2v","prompt":"x"`), finds: []string{"block image_list: missing"}},
		{id: "modes.2.multi_i2v", says: "with image_list", body: famF(`,"mode":"multi_i2v","prompt":"x","image_list":[{"image":<img2>},<img>]`),
			sends: `{"model":"famF-video","model_name":"famF-v1","mode":"multi_i2v","prompt":"x","image_list":[{"image":<img2>},<img>]}`},
		{id: "modes.2.multi_i2v", says: "image_list is not documented for others", body: famF(`,"mode":"t2v","prompt":"x","image_list":[<img>]`), finds: []string{"warn image_list: not documented for mode t2v of famF-video; documented for multi_i2v"}},
		{id: "modes.2.extend", says: "video_id is not documented for others", body: famF(`,"mode":"t2v","prompt":"x","video_id":"v"`), finds: []string{"warn video_id: not documented for mode t2v of famF-video; documented for extend"}},
		{id: "modes.2.extend", says: "needs video_id", body: famF(`,"mode":"extend","prompt":"x"`), finds: []string{"block video_id: missing"}},
		{id: "modes.2.extend", says: "needs mode=extend", body: famF(`,"prompt":"x","video_id":"v"`), finds: []string{"block mode: required"}},
		{id: "modes.2.extend", says: "no prompt required", body: famF(`,"mode":"extend","video_id":"v"`), finds: []string{"info prompt: recommended"},
			sends: `{"model":"famF-video","model_name":"famF-v1","mode":"extend","video_id":"v"}`},

		{id: "modes.3.modes", says: "famC-1.0 is told apart by mode", holds: func(t *testing.T, c *catalog.Catalog) {
			m, _ := c.Model("famC-1.0")
			require.Equal(t, []string{"t2v", "i2v", "r2v", "video_edit"}, m.ModeNames())
			require.True(t, m.ModeRequired)
		}},
		{id: "modes.3.modes", says: "and needs one", body: `{"model":"famC-1.0","prompt":"x"}`, finds: []string{"block mode: allowed: t2v, i2v, r2v, video_edit"}},
		{id: "modes.3.modes", says: "one that is not listed only warns", body: `{"model":"famC-1.0","mode":"extend","prompt":"x"}`,
			finds: []string{`warn mode: "extend" is not documented for famC-1.0`}, sends: `{"model":"famC-1.0","mode":"extend","prompt":"x"}`},
		{id: "modes.3.modes", says: "video_edit, whose minimum is not documented", body: `{"model":"famC-1.0","mode":"video_edit","prompt":"x"}`, finds: []string{"warn videos: needs the video to edit"}},
		{id: "modes.3.modes", says: "r2v, whose minimum is not documented", body: `{"model":"famC-1.0-r2v","prompt":"x"}`, finds: []string{"warn reference_images: needs a reference"}},
		{id: "modes.3.content", says: "references are put reference images into Content", body: `{"model":"famC-1.0","mode":"r2v","prompt":"x","reference_images":[<img>]}`,
			finds: []string{"info model: put reference images into Content"}},
		{id: "modes.3.content", says: "and are fine there", body: `{"model":"famC-1.0","mode":"r2v","prompt":"x","content":[<item>]}`, sends: `{"model":"famC-1.0","mode":"r2v","prompt":"x","content":[<item>]}`},
		{id: "modes.3.content", says: "not said of t2v", body: `{"model":"famC-1.0","mode":"t2v","prompt":"x"}`},
	}
}

// mediaSentences are "Mode and model rules" 4 to 8, and modes that are not listed.
func mediaSentences() []sentence {
	famI := func(mode, rest string) string {
		return `{"model":"famI-omni","mode":"` + mode + `","prompt":"x"` + rest + `}`
	}
	famH := func(rest string) string { return `{"model":"famH-2.3","mode":"i2v","prompt":"x"` + rest + `}` }
	firstFrame := `,"content":[{"type":"image_url","role":"first_frame","image_url":{"url":<img>}}]`
	return []sentence{
		{id: "modes.4.t2v", says: "model + prompt", body: famI("t2v", "")},
		{id: "modes.4.t2v", says: "without a prompt", body: `{"model":"famI-omni","mode":"t2v"}`, finds: []string{"block prompt: missing"}},
		{id: "modes.4.r2v", says: "in image", body: famI("r2v", `,"image":<img>`)},
		{id: "modes.4.r2v", says: "in image_url", body: famI("r2v", `,"image_url":<img>`)},
		{id: "modes.4.r2v", says: "in images", body: famI("r2v", `,"images":[<img>]`)},
		{id: "modes.4.r2v", says: "in image_urls", body: famI("r2v", `,"image_urls":[<img>]`)},
		{id: "modes.4.r2v", says: "in reference_images", body: famI("r2v", `,"reference_images":[<img>]`)},
		{id: "modes.4.r2v", says: "in input_reference", body: famI("r2v", `,"input_reference":<img>`)},
		{id: "modes.4.r2v", says: "in content", body: famI("r2v", `,"content":[<item>]`)},
		{id: "modes.4.r2v", says: "in none", body: famI("r2v", ""), finds: []string{"block reference_images: missing"}},
		{id: "modes.4.r2v", says: "a video is no reference image", body: famI("r2v", `,"content":[<film>]`), finds: []string{"block reference_images: missing"}},
		{id: "modes.4.edit", says: "in video", body: famI("edit", `,"video":<mp4>`)},
		{id: "modes.4.edit", says: "in video_url", body: famI("edit", `,"video_url":<mp4>`)},
		{id: "modes.4.edit", says: "in videos", body: famI("edit", `,"videos":[<mp4>]`)},
		{id: "modes.4.edit", says: "in video_urls", body: famI("edit", `,"video_urls":[<mp4>]`)},
		{id: "modes.4.edit", says: "in content", body: famI("edit", `,"content":[<film>]`)},
		{id: "modes.4.edit", says: "reference images are optional", body: famI("edit", `,"video":<mp4>,"images":[<img>]`)},
		{id: "modes.4.edit", says: "a prompt is not in its minimum", body: `{"model":"famI-omni","mode":"edit","video":<mp4>}`, finds: []string{"info prompt: recommended"}},
		{id: "modes.4.edit", says: "without a video", body: famI("edit", `,"content":[<item>]`), finds: []string{"block videos: the video to edit"}},
		{id: "modes.4.duration", says: "seconds is mapped, and told before it happens", body: famI("t2v", `,"seconds":5`),
			finds: []string{"info duration: mapped to one of 4, 6, 8, 10"}, sends: `{"model":"famI-omni","mode":"t2v","prompt":"x","seconds":"5"}`},
		{id: "modes.4.duration", says: "so is duration", body: famI("t2v", `,"duration":"30"`), finds: []string{"info duration: mapped to one of 4, 6, 8, 10"}},
		{id: "modes.4.duration", says: "so is the one in parameters", body: famI("t2v", `,"parameters":{"duration":5}`), finds: []string{"info parameters: mapped to one of 4, 6, 8, 10"}},
		{id: "modes.4.duration", says: "one of the four is as it is", body: famI("t2v", `,"duration":"8.0"`)},
		{id: "modes.4.duration", says: "which way is not documented, and not said", holds: func(t *testing.T, c *catalog.Catalog) {
			d := draft(t, c, sentence{body: famI("t2v", `,"seconds":5`)})
			for _, p := range c.Check(d) {
				require.NotRegexp(t, "up|down|nearest|next|round|becomes", p.Message)
			}
		}},

		{id: "modes.5.famH", says: "no first frame", body: famH(""), finds: []string{"block images: first-frame image"}},
		{id: "modes.5.famH", says: "no first frame, no mode", body: `{"model":"famH-2.3","prompt":"x"}`, finds: []string{"block images: first-frame image"}},
		{id: "modes.5.famH", says: "no first frame, a mode that it does not list", body: `{"model":"famH-2.3","mode":"t2v","prompt":"x"}`,
			finds: []string{"block images: first-frame image", "warn mode: not documented for famH-2.3"}},
		{id: "modes.5.famH", says: "image_urls", body: famH(`,"image_urls":[<img>]`)},
		{id: "modes.5.famH", says: "content with role first_frame", body: famH(firstFrame)},
		{id: "modes.5.famH", says: "content with another role", body: famH(`,"content":[{"type":"image_url","role":"reference_image","image_url":{"url":<img>}}]`),
			finds: []string{"block images: first_frame"}},
		{id: "modes.5.famH", says: "a video as first frame", body: famH(`,"content":[{"type":"video_url","role":"first_frame","video_url":{"url":<mp4>}}]`),
			finds: []string{"block images: first_frame", "warn content: is for images"}},
		{id: "modes.5.famH", says: "image_url is not what it names", body: famH(`,"image_url":<img>`), finds: []string{"block images: first-frame", "warn image: not documented for this model"}},
		{id: "modes.5.famG", says: "text", body: `{"model":"famG-h3","mode":"t2v","prompt":"x"}`},
		{id: "modes.5.famG", says: "references in image_urls and audio_urls", body: `{"model":"famG-h3","mode":"reference_material","prompt":"x","image_urls":[<img>],"audio_urls":[<wav>]}`},
		{id: "modes.5.famG", says: "references in content", body: `{"model":"famG-h3","mode":"reference_material","prompt":"x","content":[{"type":"audio_url","audio_url":{"url":<wav>}}]}`},
		{id: "modes.5.famG", says: "no videos", body: `{"model":"famG-h3","mode":"t2v","prompt":"x","videos":[<mp4>]}`, finds: []string{"warn videos: not documented for this model"}},
		{id: "modes.5.famG", says: "a video is no reference", body: `{"model":"famG-h3","mode":"reference_material","prompt":"x","content":[<film>]}`, finds: []string{"block images: missing"}},

		{id: "modes.6.t2v", says: "text prefers other models", body: `{"model":"famD-1-0-lite-i2v-250428","mode":"t2v","prompt":"x"}`, finds: []string{"info model: prefer the t2v or pro/fast models"}},
		{id: "modes.6.t2v", says: "as the t2v model", body: `{"model":"famD-1-0-lite-t2v-250428","mode":"t2v","prompt":"x"}`},
		{id: "modes.6.t2v", says: "or a fast one", body: `{"model":"famD-1-0-pro-fast-251015","mode":"t2v","prompt":"x"}`},
		{id: "modes.6.i2v", says: "an image prefers the i2v model", body: `{"model":"famD-1-0-lite-t2v-250428","mode":"i2v","prompt":"x","image_url":<img>}`, finds: []string{"info model: prefer the i2v model"}},
		{id: "modes.6.i2v", says: "which is fine", body: `{"model":"famD-1-0-lite-i2v-250428","mode":"i2v","prompt":"x","image_url":<img>}`},
		{id: "modes.6.content", says: "complex references use content", body: `{"model":"famD-2-0-260128","mode":"reference_images","prompt":"x","reference_images":[<img>]}`,
			finds: []string{"info model: use Content"}},
		{id: "modes.7", says: "image_url wants a mode", body: `{"model":"famA3","prompt":"x","image_url":<img>}`, finds: []string{"warn mode: together with image"}},
		{id: "modes.7", says: "reference_images want a mode", body: `{"model":"famA3.1-4k","prompt":"x","reference_images":[<img>]}`, finds: []string{"warn mode: together with reference_images"}},
		{id: "modes.7", says: "with a mode", body: `{"model":"famA3","mode":"i2v","prompt":"x","image_url":<img>}`},
		{id: "modes.7", says: "text needs none", body: `{"model":"famA3","prompt":"x"}`},
		{id: "modes.8", says: "ratio, resolution, seconds, image", body: `{"model":"famE-video-3","mode":"i2v","prompt":"x","ratio":"16:9","resolution":"720p","seconds":"5","image":<img>}`},
		{id: "modes.8", says: "aspect_ratio, size, duration, image_url", body: `{"model":"famE-video-3","mode":"i2v","prompt":"x","aspect_ratio":"16:9","size":"1280x720","duration":5,"image_url":<img>}`},
		{id: "modes.8", says: "input_reference", body: `{"model":"famE-video-3","mode":"i2v","prompt":"x","input_reference":<img>}`},
		{id: "modes.8", says: "reference_images", body: `{"model":"famE-imagine-1.0-video","mode":"reference_images","prompt":"x","reference_images":[<img>]}`},

		{id: "common.mode", says: "a mode that nobody lists only warns, and is sent", body: `{"model":"famA3","mode":"dance","prompt":"x"}`,
			finds: []string{`warn mode: "dance" is not documented for famA3; documented: t2v, i2v`}, sends: `{"model":"famA3","mode":"dance","prompt":"x"}`},
		{id: "common.mode", says: "none, and nothing to go by", body: `{"model":"famA3"}`, finds: []string{"block prompt: missing"}},
		{id: "common.mode", says: "none, and an image to go by", body: `{"model":"famB-2","image_url":<img>}`, finds: []string{"warn prompt: missing"}},
		{id: "common.mode", says: "a field of another mode", body: `{"model":"famA3","mode":"t2v","prompt":"x","image_url":<img>}`, finds: []string{"warn image: not documented for mode t2v"}},
		{id: "common.mode", says: "all values that are shown, and no other", holds: func(t *testing.T, c *catalog.Catalog) {
			have := map[string]bool{}
			for _, m := range c.Models("video") {
				for _, name := range m.ModeNames() {
					have[name] = true
				}
			}
			want := map[string]bool{"t2v": true, "i2v": true, "i2v_first_last": true, "reference_material": true, "reference_images": true,
				"r2v": true, "video_edit": true, "edit": true, "multi_i2v": true, "extend": true}
			require.Equal(t, want, have)
			for mode, family := range map[string]string{"edit": "famI", "multi_i2v": "famF", "extend": "famF"} {
				for _, m := range c.Models("video") {
					_, has := m.Mode(mode)
					require.Equal(t, m.Family == family, has, "%s %s", m.ID, mode)
				}
			}
		}},
	}
}
