// Package tasks is the second vendor-style format (GATEWAY: Video task, second
// vendor-style format). Its create endpoint is not documented: a profile names one.
package tasks

import (
	"encoding/json"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "tasks"

const path = "/api/v1/tasks"

// Format is the codec of GET /api/v1/tasks/{task_id} and of the request fields that the
// interface lists for it.
type Format struct{ wire.Video }

// New returns the format.
func New() Format {
	return Format{wire.Video{
		ID: name, Title: "second vendor style (" + path + "; create path configured, not documented)",
		Table: table, Shape: shape, Before: path + "/",
	}}
}

// CreatePath implements client.Configurable: none is shown.
func (Format) CreatePath() string { return "" }

func table() wire.Table {
	const where = "the second vendor-style format has no such field"
	return wire.Table{
		Format: "second vendor-style",
		Lead:   []string{client.FieldModel, client.FieldMode},
		Fields: []wire.Field{
			{Canonical: client.FieldPrompt, Wire: "input.prompt", Kind: wire.Text},
			{Canonical: "image", Wire: "input.media", Kind: wire.List},
			{Canonical: "end_image", Wire: "input.media", Kind: wire.List},
			{Canonical: "images", Wire: "input.media", Kind: wire.List},
			{Canonical: "reference_images", Wire: "input.media", Kind: wire.List},
			{Canonical: "videos", Wire: "input.media", Kind: wire.List},
			{Canonical: "audios", Wire: "input.media", Kind: wire.List},
			{Canonical: "content", Wire: "input.media", Kind: wire.List},
			{Canonical: "parameters", Wire: "parameters", Kind: wire.Object},
			{Canonical: "duration", Wire: "parameters.duration", Kind: wire.Integer},
			{Canonical: "resolution", Wire: "parameters.resolution", Kind: wire.Text},
			{Canonical: "aspect_ratio", Wire: "parameters.ratio", Kind: wire.Text},
			{Canonical: "watermark", Wire: "parameters.watermark", Kind: wire.Boolean},
			{Canonical: "seed", Wire: "parameters.seed", Kind: wire.Integer},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Text},
		},
		Why: map[string]string{
			client.FieldModelName: "the second vendor-style format has no model_name",
			"size":                where + ": use resolution and aspect_ratio",
		},
	}
}

// media is the field of the request for each reference, by the canonical field it came from.
var media = map[string]string{
	"image": "first_frame", "end_image": "last_frame", "images": "reference_image",
	"reference_images": "reference_image", "videos": "reference_video", "audios": "reference_audio",
}

// kinds are all kinds of items that the interface lists.
var kinds = []string{"first_frame", "last_frame", "reference_image", "reference_video", "reference_audio"}

// shape makes input.media. The kinds of its items are shown, the keys are not: type and
// url are what a public counterpart of this format takes.
func shape(d *client.Draft) ([]client.Dropped, error) {
	if d.Values == nil {
		d.Values = client.Values{}
	}
	refs, err := wire.TakeRefs(d, "image", "images", "end_image", "reference_images", "videos", "audios")
	if err != nil {
		return nil, err
	}
	inner, texts, err := wire.ContentRefs(d.Values["content"])
	if err != nil {
		return nil, err
	}
	delete(d.Values, "content")
	if d.Prompt == "" && len(texts) > 0 {
		d.Prompt = texts[0]
		texts = texts[1:]
	}
	var items []any
	for _, r := range append(refs, inner...) {
		if r.Raw != nil {
			items = append(items, r.Raw)
			continue
		}
		items = append(items, map[string]any{"type": kindOf(r, d.Mode, len(items)), "url": r.URL})
	}
	if len(items) > 0 {
		d.Values["images"] = items
	}
	var dropped []client.Dropped
	for range texts {
		dropped = append(dropped, client.Dropped{Field: "content", Reason: "the second vendor-style format takes one text, the prompt"})
	}
	if d.Prompt != "" {
		d.Values[client.FieldPrompt], d.Prompt = d.Prompt, ""
	}
	return dropped, nil
}

// kindOf is the kind of a reference that is the n-th item, from 0 on.
func kindOf(r wire.Ref, mode string, n int) string {
	if slices.Contains(kinds, r.Role) && holds(r.Role) == r.Kind {
		return r.Role
	}
	if r.Field == "content" {
		return "reference_" + r.Kind
	}
	switch mode {
	case "r2v", "video_edit", "reference_images", "reference_material":
		return "reference_" + r.Kind
	}
	switch {
	case r.Field != "images" || mode != "i2v" && mode != "i2v_first_last":
	case n == 0:
		return "first_frame"
	case n == 1 && mode == "i2v_first_last":
		return "last_frame"
	}
	return media[r.Field]
}

// holds is the kind of media that a role is about.
func holds(role string) string {
	if kind, ok := strings.CutPrefix(role, "reference_"); ok {
		return kind
	}
	return "image"
}

// absent is the vendor's documented meaning of the term.
const absent = "not found there, or older than 24 hours (documented)"

// DecodeQuery implements client.Format. UNKNOWN at output.task_status is not a state: the vendor
// documents that the task does not exist or has been forgotten. Elsewhere, gateways use the same
// word for a task that they have not heard of yet.
func (f Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := f.Video.DecodeQuery(r)
	if err == nil && strings.EqualFold(t.RawStatus, unknown) && len(t.Assets) == 0 && saysUnknown(r.Body) {
		t.Absent = absent
	}
	return t, err
}

const unknown = "UNKNOWN"

func saysUnknown(body []byte) bool {
	var answer struct {
		Output struct {
			Status string `json:"task_status"`
		} `json:"output"`
	}
	return json.Unmarshal(body, &answer) == nil && strings.EqualFold(answer.Output.Status, unknown)
}

// LikelyID implements client.IDGuesser: the vendor's ids are UUIDs.
func (Format) LikelyID(id string) int {
	if len(id) == 36 && id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-' {
		return 80
	}
	return 20
}
