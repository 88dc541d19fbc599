// Package ent is the vendor-style format (GATEWAY: Video task, vendor-style format).
package ent

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "ent"

const base = "/ent/v2"

// Format is the codec of POST /ent/v2/img2video and GET /ent/v2/tasks/{id}/creations.
type Format struct{ wire.Video }

// New returns the format.
func New() Format {
	return Format{wire.Video{
		ID: name, Title: "vendor style (" + base + ")", Table: table, Shape: shape,
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
			{Canonical: "content", Wire: "images", Kind: wire.List},
			{Canonical: "videos", Wire: "videos", Kind: wire.Addresses},
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
			"audios":              "the vendor-style format takes no audio references",
		},
	}
}

// shape makes one list of all images, in the order from which their number takes its meaning: one
// is the first frame, two are first and last frame, more are references. An image that two fields
// name is sent once; one that a list names twice stays, as for a film that ends as it began. Items
// of content take their places among them by their roles.
func shape(d *client.Draft) ([]client.Dropped, error) {
	inner, dropped, err := takeContent(d)
	if err != nil {
		return nil, err
	}
	refs, err := wire.TakeRefs(d, "image", "images", "reference_images", "end_image")
	if err != nil || len(refs)+len(inner) == 0 {
		return dropped, err
	}
	var images []any
	seen := map[string]string{}
	for _, r := range ordered(refs, inner) {
		switch {
		case r.Raw != nil:
			images = append(images, r.Raw)
		case r.URL == "":
		case seen[r.URL] == "" || seen[r.URL] == r.Field || isLast(r):
			seen[r.URL] = r.Field
			images = append(images, r.URL)
		}
	}
	if len(images) > 0 {
		d.Values["images"] = images
	}
	return dropped, nil
}

// takeContent takes the content array apart: its texts become the prompt where there is none, its
// videos join the draft's videos, its images are returned. A sound has no place here and is an
// error, since without it the gateway would make something else and charge for it.
func takeContent(d *client.Draft) (images []wire.Ref, dropped []client.Dropped, err error) {
	if len(d.Values.List("content")) == 0 {
		return nil, nil, nil
	}
	own := d.Prompt
	wire.LiftPrompt(d)
	refs, texts, err := wire.ContentRefs(d.Values["content"])
	if err != nil {
		return nil, nil, err
	}
	delete(d.Values, "content")
	if len(texts) > 0 && own != "" {
		dropped = append(dropped, client.Dropped{Field: "content", Reason: "the vendor-style format takes one text, the prompt"})
	}
	videos := d.Values.List("videos")
	for i, r := range refs {
		switch r.Kind {
		case "image":
			images = append(images, r)
		case "video":
			videos = append(slices.Clip(videos), r.URL)
		default:
			return nil, nil, fmt.Errorf("content: item %d is %s: the vendor-style format carries text, images and videos", i+1, r.Kind)
		}
	}
	if len(videos) > 0 {
		d.Values["videos"] = videos
	}
	return images, dropped, nil
}

// ordered puts first frames first and last frames last.
func ordered(fields, items []wire.Ref) []wire.Ref {
	all := slices.Concat(fields, items)
	rank := func(r wire.Ref) int {
		switch {
		case r.Role == "first_frame":
			return 0
		case isLast(r):
			return 2
		default:
			return 1
		}
	}
	slices.SortStableFunc(all, func(a, b wire.Ref) int { return rank(a) - rank(b) })
	return all
}

func isLast(r wire.Ref) bool { return r.Field == "end_image" || r.Role == "last_frame" }

// LikelyID implements client.IDGuesser: the vendor's ids are numbers.
func (Format) LikelyID(id string) int {
	if len(id) >= 12 && strings.Trim(id, "0123456789") == "" {
		return 70
	}
	return 15
}
