// Package responses reads response objects, where asynchronous image tasks end
// (GATEWAY: Response object). It creates nothing: the body of POST /v1/responses is not
// shown.
package responses

import (
	"errors"
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// Name is the stable identifier of the format.
const Name = "responses"

const path = "/v1/responses"

// Format is the codec of GET /v1/responses/{id}.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

// Name implements client.Format.
func (Format) Name() string { return Name }

// Label implements client.Format.
func (Format) Label() string { return "response objects (" + path + ")" }

// Modalities implements client.Format: none, it is only queried.
func (Format) Modalities() []client.Modality { return nil }

// Fields implements client.Format.
func (Format) Fields() []client.WireField { return nil }

// Synchronous implements client.Format.
func (Format) Synchronous() bool { return false }

// EncodeCreate implements client.Format and always refuses.
func (Format) EncodeCreate(client.Draft) (client.Request, []client.Dropped, error) {
	return client.Request{}, nil, errors.New("response objects are only queried: the body of their create is not shown, use the images format")
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
	return t.Images(), nil
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
