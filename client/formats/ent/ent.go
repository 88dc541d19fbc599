// Package ent is the vendor-style format (GATEWAY: Video task, vendor-style format).
package ent

import (
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// Name is the stable identifier of the format.
const Name = "ent"

const base = "/ent/v2"

// Format is the codec of POST /ent/v2/img2video and GET /ent/v2/tasks/{id}/creations.
type Format struct{ wire.Video }

// New returns the format.
func New() Format {
	return Format{wire.Video{
		ID: Name, Title: "vendor style (" + base + ")", Table: table, Shape: shape,
		Create: base + "/img2video", Before: base + "/tasks/", After: "/creations",
	}}
}

func table() wire.Table {
	return wire.Table{
		Format: "vendor-style",
		Lead:   []string{client.FieldModel, client.FieldPrompt},
		Fields: []wire.Field{
			{Canonical: "image", Wire: "images", Kind: wire.List},
			{Canonical: "images", Wire: "images", Kind: wire.List},
			{Canonical: "reference_images", Wire: "images", Kind: wire.List},
			{Canonical: "end_image", Wire: "images", Kind: wire.List},
			{Canonical: "videos", Wire: "videos", Kind: wire.List},
			{Canonical: "subjects", Wire: "subjects", Kind: wire.List},
			{Canonical: "duration", Wire: "duration", Kind: wire.Integer},
			{Canonical: "resolution", Wire: "resolution", Kind: wire.Text},
			{Canonical: "aspect_ratio", Wire: "aspect_ratio", Kind: wire.Text},
			{Canonical: "seed", Wire: "seed", Kind: wire.Integer},
			{Canonical: "movement_amplitude", Wire: "movement_amplitude", Kind: wire.Text},
			{Canonical: "generate_audio", Wire: "audio", Kind: wire.Boolean},
			{Canonical: "off_peak", Wire: "off_peak", Kind: wire.Boolean},
			{Canonical: "watermark", Wire: "watermark", Kind: wire.Boolean},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Text},
		},
		Why: map[string]string{
			client.FieldMode:      "the vendor-style format has no mode field: the number of images says it",
			client.FieldModelName: "the vendor-style format has no model_name",
			"content":             "the vendor-style format has no content: use images and videos",
			"audios":              "the vendor-style format takes no audio references",
		},
	}
}

// shape makes one list of all images, in the order that their number gives a meaning:
// one is the first frame, two are first and last frame, more are references. What two
// fields name is sent once; what one list names twice stays, as a film that ends as it began.
func shape(d *client.Draft) ([]client.Dropped, error) {
	refs, err := wire.TakeRefs(d, "image", "images", "reference_images", "end_image")
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	var images []any
	seen := map[string]string{}
	for _, r := range refs {
		switch {
		case r.Raw != nil:
			images = append(images, r.Raw)
		case r.URL == "":
		case seen[r.URL] == "" || seen[r.URL] == r.Field || r.Field == "end_image":
			seen[r.URL] = r.Field
			images = append(images, r.URL)
		}
	}
	if len(images) > 0 {
		d.Values["images"] = images
	}
	return nil, nil
}

// LikelyID implements client.IDGuesser: the vendor's ids are numbers.
func (Format) LikelyID(id string) int {
	if len(id) >= 12 && strings.Trim(id, "0123456789") == "" {
		return 70
	}
	return 15
}
