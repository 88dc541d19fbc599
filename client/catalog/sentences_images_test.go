package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

// imageSentences are the fields of "Image generation request".
func imageSentences() []sentence {
	base := `{"model":"famL","prompt":"x"`
	famF := `{"model":"famF-image","model_name":"famF-v2","prompt":"x"`
	bad := func(id, rest, find string) sentence {
		return sentence{id: id, says: rest, as: client.Image, body: base + `,` + rest + `}`, finds: []string{find}}
	}
	out := []sentence{
		{id: "images.model", says: "a famL, famM or famF image model", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, m := range c.Models(client.Image) {
				require.Contains(t, "famL famM famF", m.Family)
				require.Equal(t, "images", m.Formats[0], m.ID)
			}
		}},
		{id: "images.model", says: "required", as: client.Image, body: `{"prompt":"x"}`, finds: []string{"block model: is required"}},
		{id: "images.model", says: "another", as: client.Image, format: "images", body: `{"model":"famA3","prompt":"x"}`, finds: []string{"block model: makes video"}},
		{id: "images.prompt", says: "in the minimum of text-to-image", as: client.Image, body: `{"model":"famL"}`, finds: []string{"block prompt: famL needs a prompt"}},
		{id: "images.prompt", says: "recommended beside an image", as: client.Image, body: `{"model":"famL","image":<img>}`, finds: []string{"warn prompt: famL needs a prompt"}},
		{id: "images.prompt", says: "may be omitted for try-on models", as: client.Image, body: `{"model":"famF-virtual-try-on-v1-5","human_image":<img>,"cloth_image":<img2>}`,
			to: "POST /v1/images/generations", sends: `{"model":"famF-virtual-try-on-v1-5","human_image":<img>,"cloth_image":<img2>}`},
		bad("images.n", `"n":1.5`, "block n: whole number"),
		bad("images.n", `"n":0`, "block n: above 0"),
		bad("limits.image-sizes", `"size":"512x512"`, `block size: "512x512"; allowed: 1024x1024, 1024x1792, 1792x1024`),
		bad("limits.image-sizes", `"size":"large"`, "block size: 1024x1024, 1024x1792, 1792x1024"),
		bad("images.quality", `"quality":"best"`, "block quality: allowed: standard, hd"),
		bad("images.style", `"style":"oil"`, "block style: allowed: vivid, natural"),
		bad("images.response_format", `"response_format":"png"`, "block response_format: allowed: url, b64_json"),
		bad("images.user", `"user":7`, "block user: text"),
		bad("images.no-mode", `"mode":"t2v"`, "warn mode: carry no mode"),
		bad("images.famF", `"series_amount":2`, "warn series_amount: documented for famF-image"),
		{id: "images.famF", says: "model_name", as: client.Image, body: famF + `}`, sends: famF + `}`},
		{id: "images.famF", says: "element_list has {element_id}", holds: func(t *testing.T, c *catalog.Catalog) {
			require.Equal(t, []catalog.Part{{Name: "element_id", Kind: catalog.Integer}}, c.Parts(client.Image, "element_list"))
		}},
		{id: "images.famF", says: "element_id is an integer", as: client.Image, body: famF + `,"element_list":[{"element_id":"x"}]}`, finds: []string{"block element_list: element_id"}},
		{id: "images.famF", says: "element_list has objects", as: client.Image, body: famF + `,"element_list":[7]}`, finds: []string{"block element_list: must be an object"}},
		{id: "images.extensions", says: "the shape of the lists' items is not documented, and not invented", holds: func(t *testing.T, c *catalog.Catalog) {
			for _, f := range []string{"image_list", "subject_image_list"} {
				require.Empty(t, c.Parts(client.Image, f), f)
				x, _ := c.Field(client.Image, f)
				require.Contains(t, x.Help, "not documented")
			}
		}},
	}
	values := func(id string, fields ...string) {
		for _, f := range fields {
			name, list, _ := strings.Cut(f, " ")
			for v := range strings.FieldsSeq(list) {
				out = append(out, carried(id, "", client.Image, base, base, nil, row{name, `"` + v + `"`, ""})...)
			}
		}
	}
	values("limits.image-sizes", "size 1024x1024 1024x1792 1792x1024")
	values("images.quality", "quality standard hd")
	values("images.style", "style vivid natural")
	values("images.response_format", "response_format url b64_json")
	values("images.user", "user u-1")
	out = append(out, carried("images.n", "", client.Image, base, base, nil, row{"n", `4`, ""})...)
	out = append(out, carried("images.extensions", "", client.Image, base, base, nil,
		row{"image", `<img>`, ""}, row{"image_url", `<img>`, `"image":<img>`}, row{"image_urls", `[<img>]`, ""},
		row{"image_list", `[{"image":<img>}]`, ""}, row{"subject_image_list", `[{"subject_image":<img>}]`, ""}, row{"scene_image", `<img>`, ""},
		row{"style_image", `<img>`, ""}, row{"negative_prompt", `"n"`, ""}, row{"aspect_ratio", `"1:1"`, ""}, row{"resolution", `"2k"`, ""},
		row{"callback_url", `"https://e.com/cb"`, ""}, row{"external_task_id", `"t-1"`, ""},
	)...)
	return append(out, carried("images.famF", "", client.Image, famF, famF, nil,
		row{"element_list", `[{"element_id":7}]`, ""}, row{"result_type", `"r"`, ""}, row{"series_amount", `2`, ""},
	)...)
}

// imageRuleSentences are the rules of image requests.
func imageRuleSentences() []sentence {
	famF := func(rest string) string {
		return `{"model":"famF-image","model_name":"famF-v2","prompt":"x"` + rest + `}`
	}
	famM := func(rest string) string { return `{"model":"famM-5-0-260128","prompt":"x"` + rest + `}` }
	out := []sentence{
		{id: "images.rules.text", says: "model + prompt", as: client.Image, body: `{"model":"famL","prompt":"x"}`, to: "POST /v1/images/generations", sends: `{"model":"famL","prompt":"x"}`},
		{id: "images.rules.famL", says: "editing adds image", as: client.Image, body: `{"model":"famL-2-4k","prompt":"x","image":<img>}`, sends: `{"model":"famL-2-4k","prompt":"x","image":<img>}`},
		{id: "images.rules.famL", says: "image_urls accepted", as: client.Image, body: `{"model":"famL","prompt":"x","image_urls":[<img>]}`, sends: `{"model":"famL","prompt":"x","image_urls":[<img>]}`},
		{id: "images.rules.famM", says: "with size", as: client.Image, body: famM(`,"size":"1024x1024"`)},
		{id: "images.rules.famM", says: "with aspect_ratio", as: client.Image, body: famM(`,"aspect_ratio":"1:1"`)},
		{id: "images.rules.famM", says: "without a prompt", as: client.Image, body: `{"model":"famM-4-0-250828","size":"1024x1024"}`, finds: []string{"block prompt: missing"}},
		{id: "images.rules.famM", says: "with neither", as: client.Image, body: famM(``), finds: []string{"info size: a size or a ratio"}},
		{id: "images.rules.famM", says: "text-to-image: no images are shown", as: client.Image, body: famM(`,"size":"1024x1024","image":<img>`), finds: []string{"warn image: not documented for this model"}},
		{id: "images.rules.famF.text", says: "model + model_name + prompt", as: client.Image, body: famF(""), sends: famF("")},
		{id: "images.rules.famF.text", says: "without model_name", as: client.Image, body: `{"model":"famF-image","prompt":"x"}`, finds: []string{"block model_name: required"}},
		{id: "images.rules.famF.text", says: "without prompt", as: client.Image, body: `{"model":"famF-image","model_name":"famF-v3"}`, finds: []string{"block prompt: missing"}},
		{id: "images.rules.famF.image", says: "adds image", as: client.Image, body: famF(`,"image":<img>`), sends: famF(`,"image":<img>`)},
		{id: "images.rules.famF.multi", says: "subject_image_list", as: client.Image, body: famF(`,"subject_image_list":[<img>,<img2>]`), sends: famF(`,"subject_image_list":[<img>,<img2>]`)},
		{id: "images.rules.famF.multi", says: "several image_urls", as: client.Image, body: famF(`,"image_urls":[<img>,<img2>]`), sends: famF(`,"image_urls":[<img>,<img2>]`)},
		{id: "images.rules.famF.multi", says: "several images", as: client.Image, body: famF(`,"images":[<img>,<img2>]`), sends: famF(`,"image_urls":[<img>,<img2>]`)},
		{id: "images.rules.famF.outpaint", says: "image plus ratios", as: client.Image,
			body:  famF(`,"image":<img>,"up_expansion_ratio":0.5,"down_expansion_ratio":"1","left_expansion_ratio":0,"right_expansion_ratio":0.1`),
			sends: famF(`,"image":<img>,"up_expansion_ratio":0.5,"down_expansion_ratio":"1","left_expansion_ratio":0,"right_expansion_ratio":0.1`)},
		{id: "images.rules.try-on", says: "without the garment", as: client.Image, body: `{"model":"famF-virtual-try-on-v1","human_image":<img>}`, finds: []string{"block cloth_image: a picture of the garment"}},
		{id: "images.rules.try-on", says: "without the person", as: client.Image, body: `{"model":"famF-virtual-try-on-v1","cloth_image":<img>}`, finds: []string{"block human_image: a picture of the person"}},
		{id: "images.rules.try-on", says: "model + human_image + cloth_image", as: client.Image, body: `{"model":"famF-virtual-try-on-v1","human_image":<img>,"cloth_image":<img2>}`},
		{id: "images.rules.try-on", says: "elsewhere they are not documented", as: client.Image, body: famF(`,"human_image":<img>`), finds: []string{"warn human_image: not documented for this model"}},
	}
	for _, side := range []string{"up", "down", "left", "right"} {
		out = append(out, sentence{id: "images.rules.famF.outpaint", says: side + " without an image", as: client.Image,
			body: famF(`,"` + side + `_expansion_ratio":0.5`), finds: []string{"warn " + side + "_expansion_ratio: goes with the image to expand"}})
	}
	return out
}
