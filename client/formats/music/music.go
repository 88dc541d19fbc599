// Package music is the music and sound format (GATEWAY: Music and sound request).
package music

import (
	"net/http"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// name is the stable identifier of the format.
const name = "music"

// model is the only model name of the format; upstream_model chooses the engine.
const model = "famN_music"

const (
	submit = "/famN/submit/music"
	fetch  = "/famN/fetch/"
)

// Format is the codec of POST /famN/submit/music and GET /famN/fetch/{task_id}.
type Format struct{}

// New returns the format.
func New() Format { return Format{} }

func table() wire.Table {
	const one = "a music request has no such field: upstream_model chooses the engine"
	return wire.Table{
		Format: name,
		Lead:   []string{client.FieldModel},
		Fields: []wire.Field{
			{Canonical: "upstream_model", Wire: "upstream_model", Kind: wire.Text},
			{Canonical: client.FieldPrompt, Wire: "prompt", Kind: wire.Text},
			{Canonical: "title", Wire: "title", Kind: wire.Text},
			{Canonical: "tags", Wire: "tags", Kind: wire.Text},
			{Canonical: "style", Wire: "style", Kind: wire.Text},
			{Canonical: "genre", Wire: "genre", Kind: wire.Text},
			{Canonical: "lyrics", Wire: "lyrics", Kind: wire.Text},
			{Canonical: "make_instrumental", Wire: "make_instrumental", Kind: wire.Boolean},
			{Canonical: "light_music", Wire: "light_music", Kind: wire.Boolean},
			{Canonical: "custom_mode", Wire: "custom_mode", Kind: wire.Boolean},
			{Canonical: "voice", Wire: "voice", Kind: wire.Text},
			{Canonical: "output_format", Wire: "output_format", Kind: wire.Text},
			{Canonical: "sample_rate", Wire: "sample_rate", Kind: wire.Integer},
			{Canonical: "speed", Wire: "speed", Kind: wire.Number},
			{Canonical: "volume", Wire: "volume", Kind: wire.Number},
			{Canonical: "pitch", Wire: "pitch", Kind: wire.Number},
			{Canonical: "extra_params", Wire: "extraParams", Kind: wire.Object},
		},
		Why: map[string]string{
			client.FieldModel:     "the model of a music request is always " + model + ": upstream_model chooses the engine",
			client.FieldModelName: one,
			client.FieldMode:      "a music request has no mode: custom_mode and make_instrumental take its place",
		},
	}
}

// Name implements client.Format.
func (Format) Name() string { return name }

// Label implements client.Format.
func (Format) Label() string { return "music (" + submit + ")" }

// Modalities implements client.Format. Speech uses the same endpoint, with a speech engine.
func (Format) Modalities() []client.Modality {
	return []client.Modality{client.Music, client.Speech}
}

// Fields implements client.Format.
func (Format) Fields() []client.WireField { return table().WireFields() }

// Synchronous implements client.Format.
func (Format) Synchronous() bool { return false }

// EncodeCreate implements client.Format. Any model but famN_music is reported as dropped, and
// famN_music is sent.
func (Format) EncodeCreate(d client.Draft) (client.Request, []client.Dropped, error) {
	t := table()
	in := d
	in.Model = model
	if d.Prompt != "" { // the prompt's place is after the engine
		in.Values = d.Values.Clone()
		if in.Values == nil {
			in.Values = client.Values{}
		}
		in.Values[client.FieldPrompt] = d.Prompt
		in.Prompt = ""
	}
	body, dropped, err := t.Encode(in)
	if err != nil {
		return client.Request{}, nil, err
	}
	if d.Model != model && d.Model != "" {
		dropped = append(dropped, client.Dropped{Field: client.FieldModel, Reason: t.Why[client.FieldModel]})
	}
	req, err := t.Request(submit, body, d)
	return req, dropped, err
}

// DecodeCreate implements client.Format: {code, message, data}, data being the id.
func (Format) DecodeCreate(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Songs().Created()
}

// Query implements client.Format.
func (Format) Query(id string) client.Request {
	return client.Request{Method: http.MethodGet, Path: fetch + wire.Segment(id)}
}

// DecodeQuery implements client.Format.
func (Format) DecodeQuery(r client.Response) (client.Task, error) {
	t, err := wire.Read(r.Body, name)
	if err != nil {
		return client.Task{}, err
	}
	return t.Songs().Queried()
}

// Content implements client.Format.
func (Format) Content(string) (client.Request, bool) { return client.Request{}, false }

// LikelyID implements client.IDGuesser.
func (Format) LikelyID(id string) int {
	if strings.HasPrefix(id, "task_") {
		return 50
	}
	return 20
}
