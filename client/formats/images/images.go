// Package images is the image generation format, which answers with its result
// (GATEWAY: Image generation request).
package images

import (
	"errors"

	"darkroom/client"
	"darkroom/client/formats/responses"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "images"

const path = "/v1/images/generations"

// Format is the codec of POST /v1/images/generations.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

func table() wire.Table {
	const noMode = "an image request has no mode: what is attached decides"
	return wire.Table{
		Format: name,
		Lead:   []string{client.FieldModel, client.FieldModelName, client.FieldPrompt},
		Fields: []wire.Field{
			{Canonical: "negative_prompt", Wire: "negative_prompt"},
			{Canonical: "n", Wire: "n", Kind: wire.Integer},
			{Canonical: "size", Wire: "size", Kind: wire.Text},
			{Canonical: "aspect_ratio", Wire: "aspect_ratio", Kind: wire.Word},
			{Canonical: "resolution", Wire: "resolution", Kind: wire.Word},
			{Canonical: "quality", Wire: "quality", Kind: wire.Text},
			{Canonical: "style", Wire: "style", Kind: wire.Text},
			{Canonical: "response_format", Wire: "response_format", Kind: wire.Text},
			{Canonical: "image", Wire: "image"},
			{Canonical: "images", Wire: "image_urls", Kind: wire.List},
			{Canonical: "image_list", Wire: "image_list", Kind: wire.List},
			{Canonical: "subject_image_list", Wire: "subject_image_list", Kind: wire.List},
			{Canonical: "scene_image", Wire: "scene_image"},
			{Canonical: "style_image", Wire: "style_image"},
			{Canonical: "human_image", Wire: "human_image"},
			{Canonical: "cloth_image", Wire: "cloth_image"},
			{Canonical: "up_expansion_ratio", Wire: "up_expansion_ratio"},
			{Canonical: "down_expansion_ratio", Wire: "down_expansion_ratio"},
			{Canonical: "left_expansion_ratio", Wire: "left_expansion_ratio"},
			{Canonical: "right_expansion_ratio", Wire: "right_expansion_ratio"},
			{Canonical: "element_list", Wire: "element_list", Kind: wire.List},
			{Canonical: "result_type", Wire: "result_type"},
			{Canonical: "series_amount", Wire: "series_amount"},
			{Canonical: "user", Wire: "user", Kind: wire.Text},
			{Canonical: "callback_url", Wire: "callback_url", Kind: wire.Word},
			{Canonical: client.FieldExternalTaskID, Wire: client.FieldExternalTaskID, Kind: wire.Word},
		},
		Why: map[string]string{
			client.FieldMode: noMode,
			"seed":           "an image request has no seed",
		},
	}
}

// Name implements client.Format.
func (Format) Name() string { return name }

// Label implements client.Format.
func (Format) Label() string { return "images (" + path + ")" }

// Modalities implements client.Format.
func (Format) Modalities() []client.Modality { return []client.Modality{client.Image} }

// Fields implements client.Format.
func (Format) Fields() []client.WireField { return table().WireFields() }

// Synchronous implements client.Format: the answer to the create is the result.
func (Format) Synchronous() bool { return true }

// EncodeCreate implements client.Format.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	return table().Create(path, d)
}

// DecodeCreate implements client.Format. Pictures in the answer make a finished task without an id;
// an answer with an id and no pictures is a response object, whose format is named.
func (Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	task, err := t.Images().Created()
	switch {
	case err != nil:
		return client.Task{}, err
	case len(task.Assets) > 0 && !t.ResponseObject():
		if task.ID != "" {
			task.AltIDs = append([]string{task.ID}, task.AltIDs...)
			task.ID = ""
		}
		task.Status = client.StatusCompleted
	case task.ID != "":
		task.Format = responses.Name
	case task.Status == client.StatusCompleted && len(task.Assets) == 0:
		return client.Task{}, errors.New("the answer holds no picture")
	}
	return task, nil
}

// Query implements client.Format: there is no query path; a task that an image create starts is a
// response object.
func (Format) Query(string) client.Request { return client.Request{} }

// DecodeQuery implements client.Format.
func (f Format) DecodeQuery(r client.Response) (client.Task, error) { return f.DecodeCreate(r) }

// Content implements client.Format: the answer is all there is.
func (Format) Content(string) (client.Request, bool) { return client.Request{}, false }
