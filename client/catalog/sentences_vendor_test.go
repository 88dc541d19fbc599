package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// notShown is what every create through a path that is not documented draws.
const notShown = "info format: create endpoint is not documented"

// vendorSentences are "Video task, second vendor-style format" and the create of the
// status format.
func vendorSentences() []sentence {
	famC := func(mode, rest string) string {
		return `{"model":"famC-1.0","mode":"` + mode + `","prompt":"x"` + rest + `}`
	}
	sent := func(mode, media, rest string) string {
		return `{"model":"famC-1.0","mode":"` + mode + `","input":{"prompt":"x","media":[` + media + `]}` + rest + `}`
	}
	item := func(kind, url string) string { return `{"type":"` + kind + `","url":` + url + `}` }
	base, lead := `{"model":"famC-1.0-t2v","prompt":"x"`, `{"model":"famC-1.0-t2v","input":{"prompt":"x"}`
	advice := "info model: put reference images into Content"
	out := []sentence{
		{id: "tasks.models", says: "famC and famK alone", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				for _, list := range [][]string{m.Formats, m.Routes} {
					has := strings.Contains(" "+strings.Join(list, " ")+" ", " tasks ")
					require.Equal(t, m.Family == "famC" || m.Family == "famK", has, m.ID)
				}
			}
		}},
		{id: "tasks.models", says: "no other", format: "tasks", body: `{"model":"famA3","mode":"t2v","prompt":"x"}`, finds: []string{"block format: does not reach famA3"}},
		{id: "tasks.create", says: "its endpoint is not listed: it is the profile's", format: "tasks", body: base + `}`, finds: []string{notShown}, to: "POST /set/tasks", sends: lead + `}`},
		{id: "tasks.mode", says: "is sent", format: "tasks", body: famC("t2v", ""), finds: []string{notShown}, sends: `{"model":"famC-1.0","mode":"t2v","input":{"prompt":"x"}}`},
		{id: "tasks.mode", says: "may be omitted for fixed sub-models", format: "tasks", body: base + `}`, finds: []string{notShown}},
		{id: "tasks.mode", says: "and not for the aggregated one", format: "tasks", body: `{"model":"famC-1.0","prompt":"x"}`, finds: []string{"block mode: required", notShown}},
		{id: "tasks.mode", says: "one that it does not list, though the model has it", format: "tasks", body: `{"model":"famK-3.0","mode":"reference_material","prompt":"x","image_urls":[<img>]}`,
			finds: []string{`warn mode: "reference_material" is not documented for the tasks format; documented: t2v, i2v, r2v, video_edit`, notShown}},
		{id: "tasks.mode", says: "which is fine on /v1/videos", body: `{"model":"famK-3.0","mode":"reference_material","prompt":"x","image_urls":[<img>]}`},
		{id: "tasks.prompt", says: "required", format: "tasks", body: `{"model":"famC-1.0","mode":"video_edit","videos":[<mp4>]}`,
			finds: []string{"block prompt: the tasks format needs a prompt", "warn prompt: needs a prompt", notShown}},
		{id: "tasks.media", says: "first_frame", format: "tasks", body: famC("i2v", `,"image_url":<img>`), finds: []string{notShown}, sends: sent("i2v", item("first_frame", "<img>"), "")},
		{id: "tasks.media", says: "last_frame", format: "tasks", body: famC("i2v", `,"image_url":<img>,"end_image_url":<img2>`), finds: []string{notShown},
			sends: sent("i2v", item("first_frame", "<img>")+`,`+item("last_frame", "<img2>"), "")},
		{id: "tasks.media", says: "reference_image, reference_video, reference_audio", format: "tasks",
			body: famC("r2v", `,"reference_images":[<img>],"video_urls":[<mp4>],"audio_urls":[<wav>]`), finds: []string{notShown, advice},
			sends: sent("r2v", item("reference_image", "<img>")+`,`+item("reference_video", "<mp4>")+`,`+item("reference_audio", "<wav>"), "")},
		{id: "tasks.media", says: "the items of content", format: "tasks", body: famC("r2v", `,"content":[{"type":"image_url","role":"first_frame","image_url":{"url":<img>}},<film>]`), finds: []string{notShown},
			sends: sent("r2v", item("first_frame", "<img>")+`,`+item("reference_video", "<mp4>"), "")},
		{id: "tasks.media", says: "the keys of an item are not documented, and that is told", holds: func(t *testing.T, c *catalog.Catalog) {
			f, _ := c.Format("tasks")
			require.Contains(t, f.Note, "input.media")
		}},
		{id: "tasks.resolution", says: "famK: fixed", format: "tasks", body: `{"model":"famK-3.0-480p","mode":"t2v","prompt":"x","resolution":"720P"}`, finds: []string{"block resolution: allowed: 480P", notShown}},
		{id: "tasks.resolution", says: "famC: commonly 720P, 1080P", format: "tasks", body: famC("t2v", `,"resolution":"540p"`), finds: []string{"warn resolution: usual: 720P, 1080P", notShown}},
		{id: "tasks.resolution", says: "famC: 1080P", format: "tasks", body: famC("t2v", `,"resolution":"1080P"`), finds: []string{notShown}},
		{id: "tasks.parameters", says: "duration is an integer", format: "tasks", body: base + `,"duration":2.5}`, finds: []string{"block duration: a whole number in the tasks format", notShown}},
		{id: "tasks.parameters", says: "seed is an integer", format: "tasks", body: base + `,"seed":"x"}`, finds: []string{"block seed: whole number", notShown}},
		{id: "tasks.parameters", says: "the object itself", format: "tasks", body: base + `,"parameters":{"duration":5,"ratio":"1:1"},"resolution":"720P"}`, finds: []string{notShown},
			sends: lead + `,"parameters":{"duration":5,"ratio":"1:1","resolution":"720P"}}`},
		{id: "status.create", says: "its endpoint is not documented: it is the profile's", format: "status", body: `{"model":"famF-video","model_name":"famF-v3","mode":"i2v","prompt":"x","image":<img>}`,
			finds: []string{notShown}, to: "POST /set/status", sends: `{"model":"famF-video","model_name":"famF-v3","mode":"i2v","prompt":"x","image":<img>}`},
		{id: "status.create", says: "for famF-video alone", format: "status", body: `{"model":"famK-3.0","mode":"t2v","prompt":"x"}`, finds: []string{"block format: does not reach famK-3.0"}},
	}
	for _, r := range []row{{"duration", `5`, ""}, {"resolution", `"720P"`, ""}, {"ratio", `"16:9"`, ""}, {"watermark", `true`, ""}, {"seed", `7`, ""}} {
		out = append(out, sentence{id: "tasks.parameters", says: r.name, format: "tasks", finds: []string{notShown},
			body: base + `,"` + r.name + `":` + r.value + `}`, sends: lead + `,"parameters":{"` + r.name + `":` + r.value + `}}`})
	}
	return out
}

// nativeSentences are "Native long-running operation (reserved)".
func nativeSentences() []sentence {
	reserved := "warn format: use POST /v1/videos"
	refs := func(n int) string {
		return `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":` + many(n) + `}`
	}
	return []sentence{
		{id: "native.reserved", says: "it is said, with the path to use instead", format: "native", body: `{"model":"famA3","mode":"t2v","prompt":"x"}`, finds: []string{reserved}},
		{id: "native.reserved", says: "and the format refuses", holds: func(t *testing.T, _ *catalog.Catalog) {
			for _, f := range formats.All() {
				r, ok := f.(client.Reserved)
				require.Equal(t, f.Name() == "native", ok, f.Name())
				if ok {
					require.Contains(t, r.Refusal(), "POST /v1/videos")
				}
			}
		}},
		{id: "native.request", says: "instances and parameters", format: "native",
			body:  `{"model":"famA3","prompt":"x","aspect_ratio":"16:9","duration":"8","resolution":"720p"}`,
			finds: []string{reserved}, to: "POST /v1beta/models/famA3:predictLongRunning",
			sends: `{"instances":[{"prompt":"x"}],"parameters":{"aspectRatio":"16:9","durationSeconds":8,"resolution":"720p"}}`},
		{id: "native.request", says: "durationSeconds is an integer", format: "native", body: `{"model":"famA3","prompt":"x","duration":2.5}`, finds: []string{"block duration: a whole number", reserved}},
		{id: "native.images", says: "inline data", format: "native", body: `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":["data:image/png;base64,AAAA"]}`,
			finds: []string{reserved, "info reference_images: data URIs"}, drops: "mode",
			sends: `{"instances":[{"prompt":"x","referenceImages":[{"image":{"data":"AAAA","mimeType":"image/png"}}]}]}`},
		{id: "native.images", says: "an object as it stands, with its referenceType", format: "native",
			body:  `{"model":"famA3","mode":"reference_images","prompt":"x","reference_images":[{"image":{"fileUri":"u"},"referenceType":"asset"}]}`,
			finds: []string{reserved}, drops: "mode",
			sends: `{"instances":[{"prompt":"x","referenceImages":[{"image":{"fileUri":"u"},"referenceType":"asset"}]}]}`},
		{id: "native.images", says: "how a URL is written is not documented: it is told, not made up", format: "native", body: refs(1), finds: []string{reserved}, drops: "reference_images mode",
			sends: `{"instances":[{"prompt":"x"}]}`},
		{id: "limits.native", says: "3 reference images", format: "native", body: refs(3), finds: []string{reserved}},
		{id: "limits.native", says: "not 4", format: "native", body: refs(4), finds: []string{"block reference_images: 4 items", reserved}},
		{id: "limits.native", says: "4 on /v1/videos, whose bound is not documented", body: refs(4)},
		{id: "limits.native", says: "instances has one item at least", format: "native", body: `{"model":"famA3","mode":"t2v"}`, finds: []string{"block prompt: missing", reserved},
			sends: `{"instances":[{"prompt":""}]}`, drops: "mode"},
	}
}
