package catalog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// truth is a draft as flags make it: canonical values, raw additions, and all that is to be
// found. A part of a finding that begins with "!" must not be in any message.
type truth struct {
	says   string
	as     client.Modality // "" is video
	format string
	model  string
	name   string
	mode   string
	prompt string // "-" is none
	values client.Values
	set    map[string]string
	finds  []string
}

func TestTruth(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	for _, s := range truths() {
		t.Run(s.says, func(t *testing.T) {
			d := s.draft()
			before := d.Clone()
			var got []string
			for _, p := range c.CheckFor(d, s.format) {
				if p.Field != "format" {
					got = append(got, fmt.Sprintf("%s %s: %s", p.Severity, p.Field, p.Message))
				}
			}
			require.Equal(t, before, d, "Check changed the draft")
			require.Len(t, got, len(s.finds), strings.Join(got, "\n"))
			for i, want := range s.finds {
				head, part, _ := strings.Cut(want, ": ")
				require.True(t, strings.HasPrefix(got[i], head+": ") && strings.Contains(got[i], part), "want %q\ngot  %q", want, got[i])
			}
		})
	}
}

func (s truth) draft() client.Draft {
	d := client.Draft{Modality: s.as, Model: s.model, ModelName: s.name, Mode: s.mode, Prompt: s.prompt, Values: s.values}
	if d.Modality == "" {
		d.Modality = client.Video
	}
	switch d.Prompt {
	case "-":
		d.Prompt = ""
	case "":
		d.Prompt = "x"
	}
	for place, v := range s.set {
		if d.Extra == nil {
			d.Extra = map[string]json.RawMessage{}
		}
		d.Extra[place] = json.RawMessage(v)
	}
	return d
}

func addresses(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = fmt.Sprintf("https://e.com/%d.png", i)
	}
	return out
}

// part is a content item of a type with a role.
func part(kind, role string) map[string]any {
	key := kind + "_url"
	out := map[string]any{"type": key, key: map[string]any{"url": "https://e.com/" + kind + role}}
	if role != "" {
		out["role"] = role
	}
	return out
}

const anImage = "https://e.com/a.png"

func truths() []truth {
	num := func(s string) json.Number { return json.Number(s) }
	text := map[string]any{"type": "text", "text": "the hero walks"}
	raw := "is a raw addition, sent as it stands on top of"
	var out []truth
	add := func(list ...truth) { out = append(out, list...) }

	// fps is a number.
	add(
		truth{says: "fps: a fraction is a number of the content-array format", model: "famI-omni", mode: "t2v", format: "content", values: client.Values{"fps": num("23.976")}},
		truth{says: "fps: as text too", model: "famI-omni", mode: "t2v", format: "content", values: client.Values{"fps": "23.976"}},
		truth{says: "fps: the common format shows digits", model: "famB-2", mode: "t2v", values: client.Values{"fps": num("23.976")},
			finds: []string{"warn fps: fps is 23.976; the videos format shows a string of digits"}},
		truth{says: "fps: digits", model: "famB-2", mode: "t2v", values: client.Values{"fps": "24"}},
		truth{says: "fps: not 0", model: "famI-omni", mode: "t2v", format: "content", values: client.Values{"fps": num("0")}, finds: []string{"block fps: must be above 0"}},
	)

	// An empty text is no value.
	for _, f := range []struct{ name, allowed string }{{"size", "1024x1024, 1024x1792, 1792x1024"}, {"quality", "standard, hd"}, {"style", "vivid, natural"}, {"response_format", "url, b64_json"}} {
		add(truth{says: "empty: " + f.name, as: client.Image, model: "famL", values: client.Values{f.name: ""}, finds: []string{"block " + f.name + ": " + f.allowed}})
		add(truth{says: "blank: " + f.name, as: client.Image, model: "famL", values: client.Values{f.name: " "}, finds: []string{"block " + f.name + ": " + f.allowed}})
	}
	add(
		truth{says: "empty: resolution on /ent/v2", model: "famJq3-turbo", mode: "t2v", format: "ent", values: client.Values{"resolution": ""}, finds: []string{`block resolution: resolution is ""; allowed: 540p, 720p, 1080p`}},
		truth{says: "empty: aspect ratio on /ent/v2", model: "famJq3-turbo", mode: "t2v", format: "ent", values: client.Values{"aspect_ratio": ""}, finds: []string{`block aspect_ratio: 16:9, 9:16, 4:3, 3:4, 1:1`}},
		truth{says: "empty: movement", model: "famJq3-turbo", mode: "t2v", format: "ent", values: client.Values{"movement_amplitude": ""}, finds: []string{"block movement_amplitude: auto, small, medium, large"}},
		truth{says: "empty: resolution of famK", model: "famK-3.0", mode: "t2v", values: client.Values{"resolution": ""}, finds: []string{"block resolution: allowed: 720P for famK-3.0"}},
		truth{says: "empty: duration", model: "famB-2", mode: "t2v", values: client.Values{"duration": ""}, finds: []string{"block duration: must be a number"}},
		truth{says: "empty: a usual list", model: "famG-h3", mode: "t2v", values: client.Values{"resolution": ""}, finds: []string{"warn resolution: usual: 1440p"}},
		truth{says: "empty: a switch", model: "famB-2", mode: "t2v", values: client.Values{"generate_audio": ""}, finds: []string{"block generate_audio: true or false"}},
		truth{says: "empty: a reference", model: "famB-2", mode: "i2v", values: client.Values{"image": ""}, finds: []string{"block image: needs a first image", "block image: it must be an http(s)://"}},
		truth{says: "empty: an item of a list", model: "famI-omni", mode: "r2v", values: client.Values{"images": []any{anImage, ""}}, finds: []string{"block images: images[1]"}},
		truth{says: "empty: the engine", as: client.Music, model: "famN_music", values: client.Values{"upstream_model": ""}, finds: []string{"warn upstream_model: usual: famN-v5.5"}},
		truth{says: "empty: parameters.resolution", model: "famK-3.0", mode: "t2v", values: client.Values{"parameters": map[string]any{"resolution": ""}}, finds: []string{"block parameters: allowed: 720P"}},
		truth{says: "null is not set", model: "famK-3.0", mode: "t2v", values: client.Values{"resolution": nil, "duration": nil}},
		truth{says: "empty: free text is the person's own", as: client.Music, model: "famN_music", values: client.Values{"title": ""}},
	)

	// Raw additions and content items count towards minimum inputs.
	add(
		truth{says: "set: image_list", model: "famF-video", name: "famF-v1", mode: "multi_i2v", set: map[string]string{"image_list": `["https://e.com/a.png"]`}, finds: []string{"warn image_list: " + raw}},
		truth{says: "set: an item of image_list", model: "famF-video", name: "famF-v1", mode: "multi_i2v", set: map[string]string{"image_list[0].image": `"https://e.com/a.png"`}, finds: []string{"warn image_list[0].image: " + raw}},
		truth{says: "set: image", model: "famF-video", name: "famF-v1", mode: "i2v", set: map[string]string{"image": `"https://e.com/a.png"`}, finds: []string{"warn image: " + raw}},
		truth{says: "set: video_id, no prompt", model: "famF-video", name: "famF-v1", mode: "extend", prompt: "-", set: map[string]string{"video_id": `"v"`}, finds: []string{"warn video_id: " + raw, "info prompt: recommended"}},
		truth{says: "set: model_name", model: "famF-video", mode: "t2v", set: map[string]string{"model_name": `"famF-v1"`}, finds: []string{"warn model_name: " + raw}},
		truth{says: "set: mode", model: "famC-1.0", set: map[string]string{"mode": `"t2v"`}, finds: []string{"warn mode: " + raw}},
		truth{says: "set: prompt", model: "famB-2", mode: "t2v", prompt: "-", set: map[string]string{"prompt": `"x"`}, finds: []string{"warn prompt: " + raw}},
		truth{says: "set: prompt as null takes it away", model: "famB-2", mode: "t2v", set: map[string]string{"prompt": `null`}, finds: []string{"block prompt: needs a prompt", "warn prompt: " + raw}},
		truth{says: "set: input_reference", model: "famI-omni", mode: "r2v", set: map[string]string{"input_reference": `"https://e.com/a.png"`}, finds: []string{"warn input_reference: " + raw}},
		truth{says: "set: input_reference {url}", model: "famI-omni", mode: "r2v", set: map[string]string{"input_reference.url": `"https://e.com/a.png"`}, finds: []string{"warn input_reference.url: " + raw}},
		truth{says: "set: content[0]", model: "famH-2.3", mode: "i2v", set: map[string]string{"content[0]": `{"type":"image_url","role":"first_frame","image_url":{"url":"https://e.com/a.png"}}`}, finds: []string{"warn content[0]: " + raw}},
		truth{says: "set: content[0] piece by piece", model: "famH-2.3", mode: "i2v", set: map[string]string{"content[0].type": `"image_url"`, "content[0].role": `"first_frame"`, "content[0].image_url.url": `"https://e.com/a.png"`},
			finds: []string{"warn content[0].image_url.url: " + raw, "warn content[0].role: " + raw, "warn content[0].type: " + raw}},
		truth{says: "set: the role of an item", model: "famH-2.3", mode: "i2v", values: client.Values{"content": []any{part("image", "")}}, set: map[string]string{"content[0].role": `"first_frame"`}, finds: []string{"warn content[0].role: " + raw}},
		truth{says: "set: one item on top of one", model: "famB-2", mode: "i2v_first_last", values: client.Values{"content": []any{part("image", "first_frame")}},
			set: map[string]string{"content[1]": `{"type":"image_url","image_url":{"url":"https://e.com/b.png"}}`}, finds: []string{"warn content[1]: " + raw}},
		truth{says: "set: nothing that helps", model: "famI-omni", mode: "r2v", set: map[string]string{"colour": `"red"`}, finds: []string{"block reference_images: needs at least one", "info colour: as it stands"}},
		truth{says: "set: an empty list does not help", model: "famI-omni", mode: "r2v", set: map[string]string{"images": `[]`}, finds: []string{"block reference_images: needs at least one", "warn images: " + raw}},
		truth{says: "set: input.prompt of the second vendor-style format", model: "famK-3.0", mode: "t2v", format: "tasks", prompt: "-", set: map[string]string{"input.prompt": `"x"`}, finds: []string{"warn input.prompt: " + raw}},
		truth{says: "set: input.media of the second vendor-style format", model: "famK-3.0", mode: "i2v", format: "tasks", set: map[string]string{"input.media": `[{"type":"first_frame","url":"https://e.com/a.png"}]`}, finds: []string{"warn input.media: " + raw}},
		truth{says: "set: human_image", as: client.Image, model: "famF-virtual-try-on-v1", prompt: "-", set: map[string]string{"human_image": `"https://e.com/a.png"`, "cloth_image": `"https://e.com/a.png"`}, finds: []string{"warn cloth_image: " + raw, "warn human_image: " + raw}},
		truth{says: "set: a value outside a hard list is told", model: "famK-3.0", mode: "t2v", set: map[string]string{"duration": `31`}, finds: []string{"warn duration: " + raw, "warn duration: 31; allowed is 2 to 30"}},
		truth{says: "content: a text is the prompt", model: "famB-2", mode: "t2v", prompt: "-", values: client.Values{"content": []any{text}}},
		truth{says: "content: a text is the prompt of the content-array format", model: "famI-omni", mode: "t2v", format: "content", prompt: "-", values: client.Values{"content": []any{text}}},
		truth{says: "content: first and last frame", model: "famD-1-5-pro-251215", mode: "i2v_first_last", format: "content", values: client.Values{"image": anImage, "content": []any{part("image", "first_frame")}}},
		truth{says: "content: a first frame beside end_image", model: "famB-2", mode: "i2v_first_last", values: client.Values{"end_image": anImage, "content": []any{part("image", "first_frame")}}},
		truth{says: "content: one image is no last one", model: "famB-2", mode: "i2v_first_last", values: client.Values{"content": []any{part("image", "first_frame")}}, finds: []string{"block end_image: needs a last image"}},
	)

	// The engine by its number.
	for id, engine := range map[string]string{"126": "famR-audio-1.0", "127": "famO-speech-2.8-hd", "128": "famN-v5.5", "129": "famP-3-pro"} {
		add(truth{says: "modelId " + id + " as it was kept", as: client.Music, model: "famN_music", values: client.Values{"upstream_model": num(id)}, finds: []string{"warn upstream_model: " + id + "; it names " + engine + ", and is sent as it stands"}})
		add(truth{says: "modelId " + id + " as a raw addition", as: client.Music, model: "famN_music", set: map[string]string{"modelId": id}, finds: []string{"warn modelId: " + raw, "warn modelId: it names " + engine}})
	}

	// famJ on /ent/v2.
	famJ := truth{model: "famJq3-turbo", format: "ent"}
	ent := func(says, mode string, values client.Values, finds ...string) {
		x := famJ
		x.says, x.mode, x.values, x.finds = "ent: "+says, mode, values, finds
		add(x)
	}
	ent("a ratio outside the list", "t2v", client.Values{"aspect_ratio": "21:9"}, "block aspect_ratio: allowed: 16:9")
	ent("a ratio of another shape", "t2v", client.Values{"aspect_ratio": "wide"}, "block aspect_ratio: allowed: 16:9")
	ent("a ratio that is a number", "t2v", client.Values{"aspect_ratio": num("1.78")}, "block aspect_ratio: allowed: 16:9")
	ent("a resolution that is a number", "t2v", client.Values{"resolution": num("720")}, "block resolution: allowed: 540p")
	ent("in parameters", "t2v", client.Values{"aspect_ratio": "1:1"})
	ent("images and end_image are two", "i2v_first_last", client.Values{"images": []any{anImage}, "end_image": anImage + "2"})
	ent("image and end_image are two", "i2v_first_last", client.Values{"image": anImage, "end_image": anImage + "2"})
	ent("one is not enough", "i2v_first_last", client.Values{"images": []any{anImage}}, "block images: needs a first and a last image")
	ent("three are too many", "i2v_first_last", client.Values{"images": addresses(2), "end_image": anImage}, "block images: 3 image references; mode i2v_first_last of famJq3-turbo takes at most 2")
	ent("a first_frame item", "i2v", client.Values{"content": []any{part("image", "first_frame")}})
	ent("a first_frame and an end_image", "i2v_first_last", client.Values{"content": []any{part("image", "first_frame")}, "end_image": anImage})
	ent("first_frame and last_frame items", "i2v_first_last", client.Values{"content": []any{part("image", "first_frame"), part("image", "")}})
	ent("items count", "reference_images", client.Values{"images": addresses(7), "content": []any{part("image", "reference_image")}}, "block images: 8 image references")
	ent("an audio item has no place", "t2v", client.Values{"content": []any{part("audio", "reference_audio")}}, "block content: content[0]: audio_url is not carried by the ent format")
	ent("object references are no strings", "i2v", client.Values{"images": []any{map[string]any{"image": anImage}}}, "block images: images[0]: is an object; the ent format takes references as text")
	ent("but {url} is one", "i2v", client.Values{"images": []any{map[string]any{"url": anImage}}})

	ent("two images and no mode", "", client.Values{"images": addresses(2)})
	add(truth{says: "ent: two images, no mode, no prompt", model: "famJq3-turbo", format: "ent", prompt: "-", values: client.Values{"images": addresses(2)}},
		truth{says: "ent: seven images, no mode, no prompt", model: "famJq3-turbo", format: "ent", prompt: "-", values: client.Values{"images": addresses(7)}},
		truth{says: "agree: an engine by name and number", as: client.Music, model: "famN_music", values: client.Values{"upstream_model": "famP-3-pro"}, set: map[string]string{"modelId": "129"},
			finds: []string{"warn modelId: " + raw}},
		truth{says: "empty: a raw addition", as: client.Image, model: "famL", set: map[string]string{"size": `""`}, finds: []string{"warn size: " + raw, "warn size: 1024x1024, 1024x1792, 1792x1024"}})

	// famF-omni-image.
	add(
		truth{says: "omni: a name outside the list", as: client.Image, model: "famF-omni-image", name: "famF-v3", finds: []string{"block model_name: allowed: famF-image-o1, famF-v3-omni"}},
		truth{says: "omni: whether one is required is not documented", as: client.Image, model: "famF-omni-image", finds: []string{"warn model_name: usual for famF-omni-image"}},
	)

	// famK.
	frames := []any{part("image", "first_frame"), part("image", "last_frame")}
	add(
		truth{says: "famK: frames in content", model: "famK-3.0", mode: "i2v_first_last", values: client.Values{"content": frames}},
		truth{says: "famK: frames in content, second vendor-style", model: "famK-3.0", mode: "i2v", format: "tasks", values: client.Values{"content": frames}},
		truth{says: "famK: a first frame and the item of the last", model: "famK-3.0", mode: "i2v_first_last", values: client.Values{"image": anImage, "content": []any{part("image", "last_frame")}}},
		truth{says: "famK: frames in fields, second vendor-style", model: "famK-3.0", mode: "i2v", format: "tasks", values: client.Values{"image": anImage, "end_image": anImage}},
		truth{says: "famC: frames in content", model: "famC-1.0-i2v", mode: "i2v", values: client.Values{"content": frames}},
		truth{says: "others show no last_frame", model: "famB-2", mode: "i2v_first_last", values: client.Values{"content": frames}, finds: []string{`warn content: role is "last_frame"`}},
	)
	for _, v := range []any{num("1"), num("31"), num("0"), num("-1"), "long", "", true, []any{num("5")}} {
		add(truth{says: fmt.Sprintf("famK: duration %v", v), model: "famK-3.0", mode: "t2v", values: client.Values{"duration": v}, finds: []string{"block duration: 2 to 30 s for famK-3.0"}})
	}
	add(truth{says: "famK: a fraction, second vendor-style", model: "famK-3.0", mode: "t2v", format: "tasks", values: client.Values{"duration": num("2.5")}, finds: []string{"block duration: a whole number in the tasks format, 2 to 30 s for famK-3.0"}})

	// seconds and duration that disagree.
	add(
		truth{says: "disagree: duration set on top of seconds", model: "famB-2", mode: "t2v", values: client.Values{"duration": num("5")}, set: map[string]string{"duration": "6"},
			finds: []string{"block duration: seconds is 5 and duration is 6, which mean the same", "warn duration: " + raw}},
		truth{says: "disagree: both set", model: "famB-2", mode: "t2v", set: map[string]string{"seconds": "5", "duration": "6"},
			finds: []string{"block duration: duration is 6 and seconds is 5, which mean the same", "warn duration: " + raw, "warn seconds: " + raw}},
		truth{says: "agree: both set", model: "famB-2", mode: "t2v", set: map[string]string{"seconds": "5", "duration": `"5.0"`}, finds: []string{"warn duration: " + raw, "warn seconds: " + raw}},
		truth{says: "agree: seconds takes the place of seconds", model: "famB-2", mode: "t2v", values: client.Values{"duration": num("5")}, set: map[string]string{"seconds": `"6"`}, finds: []string{"warn seconds: " + raw}},
		truth{says: "agree: duration takes the place of duration", model: "famI-omni", mode: "t2v", format: "content", values: client.Values{"duration": num("4")}, set: map[string]string{"duration": `6`}, finds: []string{"warn duration: " + raw}},
		truth{says: "disagree: in the content-array format", model: "famI-omni", mode: "t2v", format: "content", values: client.Values{"duration": num("4")}, set: map[string]string{"seconds": `6`},
			finds: []string{"block duration: duration is 4 and seconds is 6", "warn seconds: " + raw}},
		truth{says: "disagree: in parameters", model: "famB-2", mode: "t2v", values: client.Values{"duration": num("5"), "parameters": map[string]any{"duration": num("6")}},
			finds: []string{"block duration: seconds is 5 and parameters.duration is 6, which mean the same"}},
		truth{says: "agree: in parameters", model: "famB-2", mode: "t2v", values: client.Values{"duration": "5", "parameters": map[string]any{"duration": num("5")}}},
	)

	// Advice that is followed is not given.
	add(
		truth{says: "advice: famC r2v", model: "famC-1.0", mode: "r2v", values: client.Values{"reference_images": []any{anImage}}, finds: []string{"info model: put reference images into Content"}},
		truth{says: "followed: famC r2v in content", model: "famC-1.0", mode: "r2v", values: client.Values{"content": []any{part("image", "reference_image")}}},
		truth{says: "advice: famD references", model: "famD-1-5-pro-251215", mode: "reference_images", values: client.Values{"reference_images": []any{anImage}}, finds: []string{"info model: use Content"}},
		truth{says: "followed: famD references in content", model: "famD-1-5-pro-251215", mode: "reference_images", values: client.Values{"content": []any{part("image", "reference_image")}}},
		truth{says: "followed: the content-array format does it", model: "famD-1-5-pro-251215", mode: "reference_images", format: "content", values: client.Values{"reference_images": []any{anImage}}},
		truth{says: "followed: omni_reference in the content-array format", model: "famD-1-5-pro-251215", mode: "reference_images", format: "content",
			values: client.Values{"function_mode": "omni_reference", "reference_images": []any{anImage}}},
		truth{says: "advice: another function_mode", model: "famD-1-5-pro-251215", mode: "t2v", values: client.Values{"function_mode": "omni_reference"}, finds: []string{"info function_mode: content"}},
		truth{says: "followed: famM in parameters", as: client.Image, model: "famM-4-0-250828", set: map[string]string{"size": `"1024x1024"`}, finds: []string{"warn size: " + raw}},
	)

	// Object items.
	add(
		truth{says: "objects: image_list", model: "famF-video", name: "famF-v1", mode: "multi_i2v", values: client.Values{"image_list": []any{map[string]any{"image": anImage}}}},
		truth{says: "objects: an inner reference is looked at", model: "famF-video", name: "famF-v1", mode: "multi_i2v", values: client.Values{"image_list": []any{map[string]any{"image": "kite.png"}}},
			finds: []string{"warn image_list: image_list[0]: image is kite.png; it must be an http(s)://"}},
		truth{says: "objects: {url}", model: "famI-omni", mode: "r2v", values: client.Values{"image": map[string]any{"url": anImage}}},
		truth{says: "objects: {url} in a list", model: "famI-omni", mode: "r2v", values: client.Values{"images": []any{map[string]any{"url": anImage}}}},
		truth{says: "objects: {url} without an address", model: "famI-omni", mode: "r2v", values: client.Values{"image": map[string]any{"url": "kite"}}, finds: []string{"block image: url is kite; it must be"}},
		truth{says: "objects: native references", model: "famA3", mode: "reference_images", format: "native",
			values: client.Values{"reference_images": []any{map[string]any{"image": map[string]any{"mimeType": "image/png", "data": "AAAA"}, "referenceType": "asset"}}}},
		truth{says: "objects: elsewhere unusual", model: "famB-2", mode: "i2v", values: client.Values{"image": map[string]any{"image": anImage}}, finds: []string{"warn image: an object of 1 keys"}},
		truth{says: "sound: true", model: "famF-video", name: "famF-v1", mode: "t2v", values: client.Values{"sound": true}},
		truth{says: "sound: on", model: "famF-video", name: "famF-v1", mode: "t2v", values: client.Values{"sound": "on"}},
		truth{says: "sound: a number", model: "famF-video", name: "famF-v1", mode: "t2v", values: client.Values{"sound": num("1")}},
	)
	return out
}

// What a person types or pastes becomes the engine that it names.
func TestEngineByItsNumber(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	f, ok := c.Field(client.Music, "upstream_model")
	require.True(t, ok)
	for text, engine := range map[string]string{"126": "famR-audio-1.0", "127": "famO-speech-2.8-hd", "speech-2.8-hd": "famO-speech-2.8-hd", "128": "famN-v5.5", "129": "famP-3-pro",
		"famP-3-pro-preview": "famP-3-pro", "famQ-v9": "famQ-v9", "130": "130"} {
		v, err := f.Parse(text)
		require.NoError(t, err)
		require.Equal(t, engine, v, text)
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			for _, as := range []client.Modality{client.Music, client.Speech} {
				for _, v := range []any{text, json.Number(text)} {
					d, problems := c.Normalize(as, map[string]any{"model": "famN_music", "prompt": "x", name: v})
					require.Empty(t, problems)
					if as == client.Music || engine == "famR-audio-1.0" || engine == "famO-speech-2.8-hd" {
						got, _ := d.Values.Text("upstream_model")
						require.Equal(t, engine, got, "%s %s %v", as, name, v)
					}
				}
			}
		}
	}
}

// Two names of one thing that disagree are refused, whichever they are; media are joined, or
// are another matter.
func TestNamesThatDisagree(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	_, problems := c.Normalize(client.Video, map[string]any{"model": "famB-2", "prompt": "x", "seconds": json.Number("5"), "duration": json.Number("6")})
	require.Len(t, problems, 1)
	require.Equal(t, catalog.Block, problems[0].Severity)
	require.Contains(t, problems[0].Message, "duration is 6 and seconds is 5, which mean the same")
	_, problems = c.Normalize(client.Music, map[string]any{"prompt": "x", "upstream_model": "famP-3-pro", "modelId": json.Number("129"), "engine": "famP-3-pro-preview"})
	require.Empty(t, problems)
	d, problems := c.Normalize(client.Video, map[string]any{"prompt": "x", "image": anImage, "input_reference": anImage + "2"})
	require.Len(t, problems, 1)
	require.JSONEq(t, `"`+anImage+`2"`, string(d.Extra["input_reference"]), "no reference is lost")
	for _, same := range []any{"6", json.Number("6.0"), "6.0"} {
		_, problems = c.Normalize(client.Video, map[string]any{"model": "famB-2", "prompt": "x", "seconds": same, "duration": json.Number("6")})
		require.Empty(t, problems, same)
	}
}
