package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// about is what the document says of a model as a whole: its modes, the formats that
// create with it, and those that may know its tasks.
type about struct{ modes, formats, routes string }

const commonModes = "t2v i2v i2v_first_last reference_images reference_material"

// models are keyed by identifier, or by family for all the others of it.
var models = map[string]about{
	"famA": {commonModes, "videos native", "videos"}, "famB": {commonModes, "videos", "videos"}, "famE": {commonModes, "videos", "videos"},
	"famC-1.0": {"t2v i2v r2v video_edit", "videos tasks", "videos tasks"}, "famC-1.0-i2v": {"i2v", "videos tasks", "videos tasks"},
	"famC-1.0-t2v": {"t2v", "videos tasks", "videos tasks"}, "famC-1.0-r2v": {"r2v", "videos tasks", "videos tasks"},
	"famC-1.0-video-edit": {"video_edit", "videos tasks", "videos tasks"},
	"famD":                {commonModes, "videos content", "videos content"}, "famG": {commonModes, "videos content", "videos content"},
	"famH": {"i2v i2v_first_last reference_images reference_material", "videos content", "videos content"},
	"famI": {"t2v r2v edit", "videos content", "videos content"}, "famJ": {"t2v i2v i2v_first_last reference_images", "videos ent", "videos ent"},
	"famK":       {"t2v i2v i2v_first_last r2v reference_material video_edit", "videos tasks", "videos tasks"},
	"famF-video": {"t2v i2v multi_i2v extend", "videos status", "videos status"},
	"famF":       {"", "images responses", "responses"}, "famL": {"", "images responses", "responses"}, "famM": {"", "images responses", "responses"},
	"famN": {"", "music", "music"},
}

// minimum is the least that a mode takes: alternatives are parted by "/", what the minimum
// holds without being refused for its lack by "?". Rules 1 and 2, and what other rules say
// of a family instead.
var minimum = map[string]string{
	"t2v": "prompt", "i2v": "prompt image/content", "i2v_first_last": "prompt image/content end_image",
	"reference_images": "prompt reference_images/content", "reference_material": "prompt images/videos/audios/content",
	"famF t2v": "prompt", "famF i2v": "prompt image", "famF multi_i2v": "prompt image_list", "famF extend": "video_id",
	"famG i2v": "prompt image/images/content", "famG reference_images": "prompt reference_images/images/content", "famG reference_material": "prompt images/audios/content",
	"famH i2v": "prompt images/frame", "famH i2v_first_last": "prompt images/frame end_image", "famH reference_images": "prompt images/frame reference_images", "famH reference_material": "prompt images/frame",
	"famI r2v": "reference_images/images/image/content", "famI edit": "videos/film",
	"famJ i2v": "prompt? images/image/content", "famJ i2v_first_last": "prompt? pair", "famJ reference_images": "prompt? images/reference_images/content",
	"r2v": "prompt? reference_images?/images?/image?/videos?/audios?/content?", "video_edit": "prompt? videos?/film?",
}

// given are values that meet a part of a minimum.
func given(d *client.Draft, name string) {
	url := func(ext string) any { return "https://e.com/" + name + ext }
	item := func(kind, role string) any {
		x := map[string]any{"type": kind + "_url", kind + "_url": map[string]any{"url": url("." + kind)}}
		if role != "" {
			x["role"] = role
		}
		return []any{x}
	}
	switch name {
	case "prompt":
		d.Prompt = "x"
	case "video_id":
		d.Values[name] = "v"
	case "image", "end_image":
		d.Values[name] = url(".png")
	case "videos":
		d.Values[name] = []any{url(".mp4")}
	case "pair":
		d.Values["images"] = []any{url("1.png"), url("2.png")}
	case "content":
		d.Values["content"] = item("image", "")
	case "frame":
		d.Values["content"] = item("image", "first_frame")
	case "film":
		d.Values["content"] = item("video", "")
	default:
		d.Values[name] = []any{url(".png")}
	}
}

// everyMinimum tries a mode with every video model that has it: its minimum is enough, with
// each of the alternatives, and nothing of it can be left out.
func everyMinimum(mode string) func(t *testing.T, c *catalog.Catalog) {
	return func(t *testing.T, c *catalog.Catalog) {
		tried := 0
		for _, m := range c.Models(client.Video) {
			if _, ok := m.Mode(mode); !ok {
				continue
			}
			tried++
			need, ok := minimum[m.Family+" "+mode]
			if !ok {
				need, ok = minimum[mode]
			}
			require.True(t, ok, m.ID)
			parts := strings.Fields(need)
			for i, part := range parts {
				for choice := range strings.SplitSeq(part, "/") {
					d := client.Draft{Modality: client.Video, Model: m.ID, Mode: mode, Values: client.Values{}}
					if len(m.ModelNames) > 0 {
						d.ModelName = m.ModelNames[0]
					}
					for j, other := range parts {
						if j != i {
							first, _, _ := strings.Cut(other, "/")
							given(&d, strings.TrimSuffix(first, "?"))
						}
					}
					found := c.Check(d)
					lacks := slices.ContainsFunc(found, func(p catalog.Problem) bool {
						return strings.Contains(p.Message, "is missing") && p.Severity != catalog.Info
					})
					assert.True(t, lacks, "%s without %s: %v", m.ID, part, found)
					assert.Equal(t, !strings.HasSuffix(choice, "?"), catalog.Blocked(found), "%s without %s", m.ID, part)
					given(&d, strings.TrimSuffix(choice, "?"))
					for _, p := range c.Check(d) {
						assert.Equal(t, catalog.Info, p.Severity, "%s with %s: %s", m.ID, choice, p.Message)
					}
				}
			}
		}
		require.NotZero(t, tried)
	}
}

// typed are the fields whose type the document shows; of all others another type warns.
var typed = map[client.Modality]string{
	client.Video:  "duration seed generate_audio watermark movement_amplitude off_peak subjects size fps content parameters",
	client.Image:  "size n quality style response_format user element_list",
	client.Music:  "upstream_model title tags lyrics make_instrumental style genre light_music custom_mode voice output_format sample_rate speed volume pitch extra_params",
	client.Speech: "upstream_model voice output_format sample_rate speed volume pitch extra_params",
	client.Chat:   "system messages",
}

// owned are the fields that the document gives to some models alone.
var owned = map[string]string{
	"negative_prompt": "famF-video", "cfg_scale": "famF-video", "sound": "famF-video", "camera_control": "famF-video", "image_list": "famF-video",
	"video_id": "famF-video", "task_id": "famF-video", "watermark_info": "famF-video", "movement_amplitude": "famJ", "off_peak": "famJ", "subjects": "famJ",
}

var ownedImages = map[string]string{
	"human_image": "famF-virtual-try-on-v1 famF-virtual-try-on-v1-5", "cloth_image": "famF-virtual-try-on-v1 famF-virtual-try-on-v1-5",
	"element_list": "famF-image famF-omni-image", "result_type": "famF-image famF-omni-image", "series_amount": "famF-image famF-omni-image",
	"up_expansion_ratio": "famF-image famF-omni-image", "down_expansion_ratio": "famF-image famF-omni-image",
	"left_expansion_ratio": "famF-image famF-omni-image", "right_expansion_ratio": "famF-image famF-omni-image",
}

func everyOwner(t *testing.T, c *catalog.Catalog) {
	for m, want := range map[client.Modality]map[string]string{client.Video: owned, client.Image: ownedImages} {
		for _, f := range c.AllFields(m) {
			assert.Equal(t, want[f.Name], strings.Join(slices.Concat(f.Models, f.Families), " "), "%s %s", m, f.Name)
		}
	}
}

// wholeSentences hold for all models, or for all fields.
func wholeSentences() []sentence {
	out := []sentence{
		{id: "common.mode", says: "the modes of every model", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				assert.Equal(t, of(m).modes, strings.Join(sorted(m.ModeNames(), of(m).modes), " "), m.ID)
			}
		}},
		{id: "service.many", says: "the formats and routes of every model", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models("") {
				assert.Equal(t, of(m).formats, strings.Join(m.Formats, " "), m.ID)
				assert.Equal(t, of(m).routes, strings.Join(m.Routes, " "), m.ID)
			}
		}},
		{id: "service.formats", says: "what each makes", holds: func(t *testing.T, c *catalog.Catalog) {
			makes := map[string][]client.Modality{"images": {client.Image}, "responses": {client.Image}, "music": {client.Music, client.Speech}, "chat": {client.Chat}}
			for _, f := range c.Formats() {
				want, ok := makes[f.Name]
				if !ok {
					want = []client.Modality{client.Video}
				}
				assert.Equal(t, want, f.Modalities, f.Name)
			}
		}},
		{id: "common.unshown", says: "every type that is not documented is loose, and no other", holds: func(t *testing.T, c *catalog.Catalog) {
			for m, names := range typed {
				for _, f := range c.AllFields(m) {
					assert.Equal(t, !slices.Contains(strings.Fields(names), f.Name), f.Loose, "%s %s", m, f.Name)
				}
			}
		}},
		{id: "common.famF", says: "whose field is whose", holds: everyOwner},
		{id: "images.famF", says: "whose field is whose", holds: everyOwner},
	}
	for _, id := range []string{"modes.1.t2v", "modes.1.i2v", "modes.1.i2v_first_last", "modes.1.reference_images", "modes.1.reference_material",
		"modes.2.multi_i2v", "modes.2.extend", "modes.3.modes r2v", "modes.3.modes video_edit", "modes.4.edit"} {
		id, mode, ok := strings.Cut(id, " ")
		if !ok {
			mode = id[strings.LastIndex(id, ".")+1:]
		}
		out = append(out, sentence{id: id, says: "every model that has " + mode, holds: everyMinimum(mode)})
	}
	return append(out, restSentences()...)
}

func of(m catalog.Model) about {
	if a, ok := models[m.ID]; ok {
		return a
	}
	return models[m.Family]
}

// sorted orders names as they stand in like: the order is that of a form, not a fact.
func sorted(names []string, like string) []string {
	order := strings.Fields(like)
	slices.SortStableFunc(names, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	return names
}

// restSentences are sides that the tables by section leave out.
func restSentences() []sentence {
	var out []sentence
	add := func(s sentence) { out = append(out, s) }
	famL := `{"model":"famM-5-0-260128","prompt":"x","size":"1024x1024"`
	tryOn := `{"model":"famF-virtual-try-on-v1","human_image":<img>,"cloth_image":<img2>`
	for _, f := range []row{{"image", `<img>`, ""}, {"images", `[<img>]`, ""}, {"image_list", `[<img>]`, ""}, {"subject_image_list", `[<img>]`, ""}, {"scene_image", `<img>`, ""}, {"style_image", `<img>`, ""}} {
		find := []string{"warn " + f.name + ": not documented for this model"}
		add(sentence{id: "images.rules.famM", says: "no " + f.name, as: client.Image, body: famL + `,"` + f.name + `":` + f.value + `}`, finds: find})
		add(sentence{id: "images.rules.try-on", says: "no " + f.name, as: client.Image, body: tryOn + `,"` + f.name + `":` + f.value + `}`, finds: find})
	}
	add(sentence{id: "images.rules.famF.outpaint", says: "one of image_urls", as: client.Image, body: `{"model":"famF-image","model_name":"famF-v2","prompt":"x","image_urls":[<img>],"up_expansion_ratio":1}`})
	for _, v := range []row{{"voice", `"v"`, ""}, {"output_format", `"mp3"`, ""}, {"sample_rate", `32000`, ""}, {"speed", `1`, ""}, {"volume", `1`, ""}, {"pitch", `0`, ""}, {"extra_params", `{"voice":"v"}`, ""}} {
		find := []string{"info " + v.name + ": applies to upstream_model famO-speech-2.8-hd"}
		add(sentence{id: "music.speech", says: v.name + " beside a music engine", as: client.Music, body: song + `,"` + v.name + `":` + v.value + `}`, finds: find})
		add(sentence{id: "music.speech", says: v.name + " beside the sound engine", as: client.Speech, body: song + `,"engine":"famR-audio-1.0","` + v.name + `":` + v.value + `}`, finds: find})
	}
	for _, v := range []row{{"music_model", `"speech-2.8-hd"`, ""}, {"model_id", `"127"`, ""}} {
		add(sentence{id: "music.aliases", says: "speech " + v.name, as: client.Speech, body: song + `,"` + v.name + `":` + v.value + `}`})
	}
	for _, v := range []row{{"outputFormat", `"mp3"`, `"output_format":"mp3"`}, {"sampleRate", `32000`, `"sample_rate":32000`}, {"extraParams", `{"voice":"v"}`, ""}} {
		out = append(out, carried("music.aliases", "", client.Speech, speech, speech, nil, v)...)
	}
	add(sentence{id: "music.extraParams", says: "another key, speech", as: client.Speech, body: speech + `,"extraParams":{"colour":"red"}}`, finds: []string{"info extra_params: not documented; documented: with voice"}})
	add(sentence{id: "music.engines", says: "what each makes", holds: func(t *testing.T, c *catalog.Catalog) {
		for _, m := range []client.Modality{client.Music, client.Speech} {
			f, _ := c.Field(m, "upstream_model")
			for _, v := range f.Allowed {
				assert.NotEmpty(t, f.ValueHelp[v], v)
			}
			assert.Contains(t, f.ValueHelp["famR-audio-1.0"], "sound")
			assert.Contains(t, f.ValueHelp["famO-speech-2.8-hd"], "voice parameters apply")
		}
	}})
	add(sentence{id: "ent.fields", says: "audio references are no field of it", format: "ent", body: `{"model":"famJq3-turbo","mode":"reference_images","images":[<img>],"audio_urls":[<wav>]}`,
		finds: []string{"block audios: not carried by the ent format"}, sends: `{"model":"famJq3-turbo","images":[<img>]}`, drops: "mode audios"})
	for _, v := range []string{"16:9", "9:16", "4:3", "3:4", "1:1"} {
		add(sentence{id: "ent.fields", says: "on /v1/videos " + v, body: `{"model":"famJq3-turbo","mode":"t2v","prompt":"x","aspect_ratio":"` + v + `"}`})
	}
	add(sentence{id: "ent.fields", says: "usual on /v1/videos", body: `{"model":"famJq3-turbo","mode":"t2v","prompt":"x","aspect_ratio":"21:9"}`, finds: []string{"warn aspect_ratio: usual: 16:9, 9:16, 4:3, 3:4, 1:1"}})
	add(sentence{id: "endpoints.chat", says: "another role", as: client.Chat, body: `{"model":"m","messages":[{"role":"robot","content":"hi"}]}`, finds: []string{"warn messages: shown are user, assistant, system"}})
	add(sentence{id: "common.shapes", says: "fps above zero", body: `{"model":"famB-2","mode":"t2v","prompt":"x","fps":"0"}`, finds: []string{"block fps: above 0"}})
	add(sentence{id: "limits.famK-references", says: "hard: in content alone", holds: func(t *testing.T, c *catalog.Catalog) {
		for kind, most := range map[string]int{"image": 10, "video": 5, "audio": 5} {
			for n := most; n <= most+1; n++ {
				list := make([]any, n)
				for i := range list {
					list[i] = map[string]any{"type": kind + "_url", kind + "_url": map[string]any{"url": "https://e.com/a"}}
				}
				d := client.Draft{Modality: client.Video, Model: "famK-3.0", Mode: "r2v", Prompt: "x", Values: client.Values{"content": list}}
				assert.Equal(t, n > most, catalog.Blocked(c.Check(d)), "%d %s", n, kind)
			}
		}
	}})
	return out
}
