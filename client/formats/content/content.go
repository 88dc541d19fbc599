// Package content is the content-array task format (GATEWAY: Video task, content-array
// format).
package content

import (
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "content"

const path = "/api/v3/contents/generations/tasks"

// Format is the codec of POST and GET /api/v3/contents/generations/tasks.
type Format struct{ wire.Video }

// New returns the format.
func New() Format {
	return Format{wire.Video{
		ID: name, Title: "content array (" + path + ")", Table: table, Shape: shape,
		Create: path, Before: path + "/",
	}}
}

// table lists the fields of the request. Duration, frame rate and ratio go under the names that the
// interface says "affect the final generation configuration".
func table() wire.Table {
	return wire.Table{
		Format: "content-array",
		Lead:   []string{client.FieldModel, client.FieldMode, client.FieldPrompt},
		Fields: []wire.Field{
			{Canonical: "content", Wire: "content", Kind: wire.Contents},
			{Canonical: "reference_images", Wire: "content", Kind: wire.Contents},
			{Canonical: "function_mode", Wire: "function_mode", Kind: wire.Text},
			{Canonical: "image", Wire: "image_url", Kind: wire.Address},
			{Canonical: "images", Wire: "image_urls", Kind: wire.Addresses},
			{Canonical: "end_image", Wire: "end_image_url", Kind: wire.Address},
			{Canonical: "videos", Wire: "video_urls", Kind: wire.Addresses},
			{Canonical: "audios", Wire: "audio_urls", Kind: wire.Addresses},
			{Canonical: "duration", Wire: "duration", Kind: wire.Number},
			{Canonical: "aspect_ratio", Wire: "ratio", Kind: wire.Text},
			{Canonical: "size", Wire: "size", Kind: wire.Text},
			{Canonical: "quality", Wire: "quality", Kind: wire.Text},
			{Canonical: "resolution", Wire: "resolution", Kind: wire.Text},
			{Canonical: "fps", Wire: "fps", Kind: wire.Number},
			{Canonical: "generate_audio", Wire: "generate_audio", Kind: wire.Boolean},
			{Canonical: "watermark", Wire: "watermark", Kind: wire.Boolean},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Text},
		},
		Why: map[string]string{
			client.FieldModelName: "the content-array format has no model_name: its models need none",
			"seed":                "the content-array format lists no seed: use the videos format, or add it as raw JSON",
		},
	}
}

// shape puts text and references into content where the interface asks for it: with
// mode=reference_material or function_mode=omni_reference. Reference images have no field of their
// own here and always go there.
//
// The prompt is required: where the draft has none, it is the texts of its content.
func shape(d *client.Draft) ([]client.Dropped, error) {
	wire.LiftPrompt(d)
	names := []string{"reference_images"}
	all := d.Mode == "reference_material" || d.Values["function_mode"] == "omni_reference"
	if all {
		names = []string{"image", "images", "reference_images", "videos", "audios"}
	}
	names = slices.DeleteFunc(names, func(n string) bool { return d.Wire[n] != "" }) // the model wants them there
	refs, err := wire.TakeRefs(d, names...)
	if err != nil {
		return nil, err
	}
	had := d.Values.List("content")
	text := all && d.Prompt != "" && !hasText(had)
	if len(refs) == 0 && !text {
		return nil, nil
	}
	items := make([]any, 0, len(had)+len(refs)+1)
	if text {
		items = append(items, map[string]any{"type": "text", "text": d.Prompt})
	}
	items = append(items, had...)
	for _, r := range refs {
		items = append(items, r.ContentItem("reference_"+r.Kind))
	}
	if d.Values == nil {
		d.Values = client.Values{}
	}
	d.Values["content"] = items
	return nil, nil
}

func hasText(items []any) bool {
	for _, x := range items {
		if m, ok := x.(map[string]any); ok && m["type"] == "text" {
			return true
		}
	}
	return false
}

// LikelyID implements client.IDGuesser.
func (Format) LikelyID(id string) int {
	if strings.HasPrefix(id, "cgt-") {
		return 95
	}
	return 25
}
