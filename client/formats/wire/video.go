package wire

import (
	"net/http"

	"darkroom/client"
)

// Video is what the codecs of video tasks have in common: everything but the names of
// their fields, their paths, and what a draft's references become. It is embedded.
type Video struct {
	// ID is the stable identifier, Title the label for people.
	ID, Title string
	// Table of the create request.
	Table func() Table
	// Shape moves fields that travel under other names before the table is applied; nil for none.
	// It gets a copy of the draft and may change it.
	Shape func(d *client.Draft) ([]client.Dropped, error)
	// Create is the path of the create, "" where the interface does not show one.
	Create string
	// Before and After surround the id in the path of a query.
	Before, After string
}

// Name implements client.Format.
func (v Video) Name() string { return v.ID }

// Label implements client.Format.
func (v Video) Label() string { return v.Title }

// Modalities implements client.Format.
func (Video) Modalities() []client.Modality { return []client.Modality{client.Video} }

// Fields implements client.Format.
func (v Video) Fields() []client.WireField { return v.Table().WireFields() }

// Synchronous implements client.Format.
func (Video) Synchronous() bool { return false }

// EncodeCreate implements client.Format. Where the interface shows no path, it is empty: the client
// fills in the configured one.
func (v Video) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	var moved []client.Dropped
	d = d.Clone()
	if v.Shape != nil {
		var err error
		if moved, err = v.Shape(&d); err != nil {
			return client.Request{}, nil, err
		}
	}
	t := v.Table()
	body, dropped, err := t.Encode(d)
	if err != nil {
		return client.Request{}, nil, err
	}
	req, err := t.Request(v.Create, body, d)
	return req, append(dropped, moved...), err
}

// DecodeCreate implements client.Format.
func (v Video) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := Read(r.Body, v.ID)
	if err != nil {
		return client.Task{}, err
	}
	return t.Videos().Created()
}

// Query implements client.Format.
func (v Video) Query(id string) client.Request {
	return client.Request{Method: http.MethodGet, Path: v.Before + Segment(id) + v.After}
}

// DecodeQuery implements client.Format.
func (v Video) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := Read(r.Body, v.ID)
	if err != nil {
		return client.Task{}, err
	}
	return t.Videos().Queried()
}

// Content implements client.Format: only the common format has such a path.
func (Video) Content(string) (client.Request, bool) { return client.Request{}, false }
