// Package videos is the common create-and-poll format (GATEWAY: Video creation request,
// common format).
package videos

import (
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "videos"

const path = "/v1/videos"

// Format is the codec of POST /v1/videos, GET /v1/videos/{id} and its /content.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

// table lists the fields of the request. Duration travels as "seconds", a string, since one gateway
// refused a number there; as "duration" it is a number.
func table() wire.Table {
	return wire.Table{
		Format: name,
		Lead:   []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt},
		Fields: []wire.Field{
			{Canonical: "negative_prompt", Wire: "negative_prompt"},
			{Canonical: "duration", Wire: "seconds", Kind: wire.Text, As: map[string]wire.Kind{
				"duration": wire.Number, "parameters.duration": wire.Number,
			}},
			{Canonical: "size", Wire: "size", Kind: wire.Text},
			{Canonical: "aspect_ratio", Wire: "aspect_ratio", Kind: wire.Word},
			{Canonical: "resolution", Wire: "resolution", Kind: wire.Word},
			{Canonical: "quality", Wire: "quality"},
			{Canonical: "fps", Wire: "fps", Kind: wire.Digits},
			{Canonical: "seed", Wire: "seed", Kind: wire.Seed},
			{Canonical: "generate_audio", Wire: "generate_audio", Kind: wire.Boolean},
			{Canonical: "sound", Wire: "sound"},
			{Canonical: "cfg_scale", Wire: "cfg_scale"},
			{Canonical: "function_mode", Wire: "function_mode", Kind: wire.Word},
			{Canonical: "image", Wire: "image_url"},
			{Canonical: "end_image", Wire: "end_image_url"},
			{Canonical: "images", Wire: "image_urls", Kind: wire.List},
			{Canonical: "reference_images", Wire: "reference_images", Kind: wire.List},
			{Canonical: "image_list", Wire: "image_list", Kind: wire.List},
			{Canonical: "videos", Wire: "video_urls", Kind: wire.List},
			{Canonical: "audios", Wire: "audio_urls", Kind: wire.List},
			{Canonical: "content", Wire: "content", Kind: wire.Contents},
			{Canonical: "video_id", Wire: "video_id"},
			{Canonical: "task_id", Wire: "task_id"},
			{Canonical: "camera_control", Wire: "camera_control"},
			{Canonical: "watermark_info", Wire: "watermark_info"},
			{Canonical: "parameters", Wire: "parameters", Kind: wire.Object},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Word},
			{Canonical: client.FieldExternalTaskID, Wire: client.FieldExternalTaskID, Kind: wire.Word},
		},
		Why: map[string]string{
			"watermark": "the videos format lists no watermark switch: use the content-array format, or watermark_info",
		},
	}
}

// Name implements client.Format.
func (Format) Name() string { return name }

// Label implements client.Format.
func (Format) Label() string { return "common (" + path + ")" }

// Modalities implements client.Format.
func (Format) Modalities() []client.Modality { return []client.Modality{client.Video} }

// Fields implements client.Format.
func (Format) Fields() []client.WireField { return table().WireFields() }

// Synchronous implements client.Format.
func (Format) Synchronous() bool { return false }

// EncodeCreate implements client.Format.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	return table().Create(path, d)
}

// DecodeCreate implements client.Format.
func (Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	task, err := t.Videos().Created()
	if task.ID == "" { // and so no content path
		return task, err
	}
	return withContent(task), err
}

// Query implements client.Format.
func (Format) Query(id string) client.Request {
	return client.Request{Method: http.MethodGet, Path: path + "/" + wire.Segment(id)}
}

// DecodeQuery implements client.Format.
func (Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	task, err := t.Videos().Queried()
	return withContent(task), err
}

// withContent gives a success that names no URL an asset at the content path.
func withContent(t client.Task) client.Task {
	if t.Status != client.StatusCompleted {
		return t
	}
	for _, a := range t.Assets {
		if a.Kind == client.AssetVideo {
			return t
		}
	}
	t.Assets = append([]client.Asset{{Kind: client.AssetVideo, Content: true}}, t.Assets...)
	return t
}

// Content implements client.Format (GATEWAY: GET /v1/videos/{video_id}/content).
func (f Format) Content(id string) (client.Request, bool) {
	q := f.Query(id)
	q.Path += "/content"
	return q, true
}

// LikelyID implements client.IDGuesser.
func (Format) LikelyID(id string) int {
	switch {
	case strings.HasPrefix(id, "video_"):
		return 90
	case strings.HasPrefix(id, "task_"):
		return 60
	default:
		return 30
	}
}
