// Package status is the status format under a family path segment (GATEWAY: Video task,
// status format). Its create endpoint is not documented: a profile names one.
package status

import (
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "status"

const path = "/famF/v1/videos/image2video"

// Format is the codec of GET /famF/v1/videos/image2video/{task_id}. It reads the shape
// that the interface shows, the task envelope {code, message, data: {...}}, and the
// vendor's own {code, message, data: {task_status, task_result}}.
type Format struct{ wire.Video }

// New returns the format.
func New() Format {
	return Format{wire.Video{
		ID: name, Title: "status (" + path + "; create path configured, not documented)",
		Table: table, Before: path + "/",
	}}
}

// CreatePath implements client.Configurable: none is shown.
func (Format) CreatePath() string { return "" }

// table lists the fields of famF requests, including both model and model_name.
func table() wire.Table {
	return wire.Table{
		Format: name,
		Lead:   []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt},
		Fields: []wire.Field{
			{Canonical: "negative_prompt", Wire: "negative_prompt"},
			{Canonical: "image", Wire: "image"},
			{Canonical: "image_list", Wire: "image_list", Kind: wire.List},
			{Canonical: "video_id", Wire: "video_id"},
			{Canonical: "task_id", Wire: "task_id"},
			{Canonical: "duration", Wire: "duration", Kind: wire.Number},
			{Canonical: "aspect_ratio", Wire: "aspect_ratio", Kind: wire.Text},
			{Canonical: "cfg_scale", Wire: "cfg_scale"},
			{Canonical: "sound", Wire: "sound"},
			{Canonical: "camera_control", Wire: "camera_control"},
			{Canonical: "watermark_info", Wire: "watermark_info"},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Text},
			{Canonical: client.FieldExternalTaskID, Wire: client.FieldExternalTaskID, Kind: wire.Text},
		},
		Why: map[string]string{
			"watermark": "the status format lists no watermark switch: use watermark_info",
		},
	}
}

// LikelyID implements client.IDGuesser.
func (Format) LikelyID(id string) int {
	if strings.HasPrefix(id, "task_") {
		return 40
	}
	return 15
}
