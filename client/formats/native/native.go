// Package native is the reserved long-running operation (GATEWAY: Native long-running
// operation). The gateway does not serve it: requests can be made and answers read, but
// the client sends a create only to those who insist.
package native

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "native"

const base = "/v1beta/"

// maxReferences is a hard limit (GATEWAY: Limits, native reference images).
const maxReferences = 3

// Format is the codec of POST /v1beta/models/{model}:predictLongRunning and GET
// /v1beta/{operation_name}.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

// Name implements client.Format.
func (Format) Name() string { return name }

// Label implements client.Format.
func (Format) Label() string { return "native operation (" + base + ", reserved)" }

// Refusal implements client.Reserved.
func (Format) Refusal() string {
	return "the native paths are reserved and serve no real calls; use POST /v1/videos (format videos) instead, or insist"
}

// Modalities implements client.Format.
func (Format) Modalities() []client.Modality { return []client.Modality{client.Video} }

// Synchronous implements client.Format.
func (Format) Synchronous() bool { return false }

func table() wire.Table {
	return wire.Table{
		Format: name,
		Fields: []wire.Field{
			{Canonical: "aspect_ratio", Wire: "parameters.aspectRatio", Kind: wire.Text},
			{Canonical: "duration", Wire: "parameters.durationSeconds", Kind: wire.Integer},
			{Canonical: "resolution", Wire: "parameters.resolution", Kind: wire.Text},
		},
		Why: map[string]string{
			client.FieldMode:      "the native operation has no mode: prompt and reference images say it",
			client.FieldModelName: "the native operation has no model_name",
		},
	}
}

// Fields implements client.Format. The model is in the path.
func (Format) Fields() []client.WireField {
	return append([]client.WireField{
		{Canonical: client.FieldPrompt, Wire: "instances[].prompt"},
		{Canonical: "reference_images", Wire: "instances[].referenceImages"},
	}, table().WireFields()...)
}

// EncodeCreate implements client.Format. Reference images are data URIs, or {image, referenceType}
// objects, which stay as they are: the interface does not show how a file URI is written.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	if d.Model == "" {
		return client.Request{}, nil, errors.New("model: the native path needs one of the famA models")
	}
	d = d.Clone()
	refs, dropped, err := references(&d)
	if err != nil {
		return client.Request{}, nil, err
	}
	instance := wire.NewBody()
	if err := instance.Set("prompt", d.Prompt); err != nil {
		return client.Request{}, nil, err
	}
	if len(refs) > 0 {
		if err := instance.Set("referenceImages", refs); err != nil {
			return client.Request{}, nil, err
		}
	}
	in := d
	in.Model, in.Prompt = "", ""
	t := table()
	rest, more, err := t.Encode(in)
	if err != nil {
		return client.Request{}, nil, err
	}
	body := wire.NewBody()
	if err := body.Set("instances", []any{instance}); err != nil {
		return client.Request{}, nil, err
	}
	body.Take(rest)
	req, err := t.Request(base+"models/"+wire.Segment(d.Model)+":predictLongRunning", body, d)
	return req, append(dropped, more...), err
}

// references takes the images of a draft.
func references(d *client.Draft) ([]any, []client.Dropped, error) {
	refs, err := wire.TakeRefs(d, "reference_images")
	if err != nil {
		return nil, nil, err
	}
	var out []any
	var dropped []client.Dropped
	for _, r := range refs {
		switch {
		case r.Raw != nil:
			raw, err := withInline(r.Raw)
			if err != nil {
				return nil, nil, err
			}
			out = append(out, raw)
		case isData(r.URL):
			image, err := inline(r.URL)
			if err != nil {
				return nil, nil, err
			}
			out = append(out, map[string]any{"image": image})
		default:
			dropped = append(dropped, client.Dropped{
				Field:  "reference_images",
				Reason: "how the native operation takes a URL is not documented: give a local file, a data URI or the object as raw JSON",
			})
		}
	}
	if len(out) > maxReferences {
		return nil, nil, fmt.Errorf("reference_images: %d images; the native operation takes 1 to %d", len(out), maxReferences)
	}
	return out, dropped, nil
}

func isData(url string) bool { return strings.HasPrefix(url, "data:") }

// inline is a data URI in the form in which the interface shows inline data.
func inline(uri string) (map[string]any, error) {
	head, data, ok := strings.Cut(strings.TrimPrefix(uri, "data:"), ",")
	mt, packed := strings.CutSuffix(head, ";base64")
	if !ok || !packed {
		return nil, errors.New("reference_images: a data URI has the shape data:<type>;base64,<data>")
	}
	return map[string]any{"mimeType": mt, "data": data}, nil
}

// withInline is the object unchanged, except for an image that is a data URI.
func withInline(raw map[string]any) (map[string]any, error) {
	uri, ok := raw["image"].(string)
	if !ok || !isData(uri) {
		return raw, nil
	}
	image, err := inline(uri)
	if err != nil {
		return nil, err
	}
	out := maps.Clone(raw)
	out["image"] = image
	return out, nil
}

// DecodeCreate implements client.Format: {name}.
func (Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Named().Videos().Created()
}

// Query implements client.Format: slashes in the operation's name are escaped.
func (Format) Query(id string) client.Request {
	return client.Request{Method: http.MethodGet, Path: base + wire.Segment(id)}
}

// DecodeQuery implements client.Format: {name, done, response: {generatedVideos}}.
func (Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Named().Videos().Queried()
}

// Content implements client.Format.
func (Format) Content(string) (client.Request, bool) { return client.Request{}, false }
