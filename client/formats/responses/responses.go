// Package responses is the format of response objects, where asynchronous image tasks end (GATEWAY:
// Response object). The create is POST /v1/responses, but its body is not documented: the codec encodes
// what a public counterpart takes, and only for a profile that names the path.
package responses

import (
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// Name is the stable identifier of the format.
const Name = "responses"

const path = "/v1/responses"

// Format is the codec of GET /v1/responses/{id} and of the create that is not documented.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

// Name implements client.Format.
func (Format) Name() string { return Name }

// Label implements client.Format.
func (Format) Label() string {
	return "response objects (" + path + "; create configured, its body is not documented)"
}

// CreatePath implements client.Configurable: the interface shows the path, but not its body, so the
// profile has to ask for it.
func (Format) CreatePath() string { return "" }

// Modalities implements client.Format.
func (Format) Modalities() []client.Modality { return []client.Modality{client.Image} }

// Synchronous implements client.Format.
func (Format) Synchronous() bool { return false }

func table() wire.Table {
	return wire.Table{
		Format: "response-object",
		Lead:   []string{client.FieldModel},
		Fields: []wire.Field{
			{Canonical: client.FieldPrompt, Wire: "input", Kind: wire.Text},
			{Canonical: "user", Wire: "user", Kind: wire.Text},
		},
		Why: map[string]string{
			client.FieldMode:      "a response object has no mode",
			client.FieldModelName: "the body of this create is not documented: add model_name as raw JSON, or use the images format",
		},
	}
}

// Fields implements client.Format.
func (Format) Fields() []client.WireField { return table().WireFields() }

// EncodeCreate implements client.Format: model, input, and background, which makes the answer a
// task. Everything else is reported as dropped, since its place is not documented.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	in := d.Clone()
	if in.Values == nil {
		in.Values = client.Values{}
	}
	if in.Prompt != "" {
		in.Values[client.FieldPrompt], in.Prompt = in.Prompt, ""
	}
	t := table()
	body, dropped, err := t.Encode(in)
	if err != nil {
		return client.Request{}, nil, err
	}
	if err := body.Set("background", true); err != nil {
		return client.Request{}, nil, err
	}
	req, err := t.Request("", body, d)
	return req, dropped, err
}

// DecodeCreate implements client.Format.
func (f Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := read(r)
	if err != nil {
		return client.Task{}, err
	}
	return t.Created()
}

// Query implements client.Format. The id is sent complete, never shortened.
func (Format) Query(id string) client.Request {
	return client.Request{Method: http.MethodGet, Path: path + "/" + wire.Segment(id)}
}

// DecodeQuery implements client.Format.
func (Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := read(r)
	if err != nil {
		return client.Task{}, err
	}
	return t.Queried()
}

func read(r client.Response) (*wire.Task, error) {
	t, err := wire.Read(r.Body, Name)
	if err != nil {
		return nil, err
	}
	return t.Images().Words(), nil
}

// Content implements client.Format.
func (Format) Content(string) (client.Request, bool) { return client.Request{}, false }

// LikelyID implements client.IDGuesser.
func (Format) LikelyID(id string) int {
	if strings.HasPrefix(id, "resp_") || strings.HasPrefix(id, "resp-") {
		return 95
	}
	return 10
}

// LargeAnswers implements client.LargeAnswerer: an item's result may be a picture.
func (Format) LargeAnswers() bool { return true }
