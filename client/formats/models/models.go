// Package models reads the gateway's lists of models (GATEWAY: Model list, and rule 7 of
// Endpoints). The lists are not task formats: they implement client.ModelLister.
package models

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// maxModels bounds how many models of one answer are kept.
const maxModels = 5000

// Native is GET /v1beta/models.
type Native struct{}

// OpenAI is the list in the OpenAI format. The interface says that it exists, but not its path: the
// usual one is tried.
type OpenAI struct{}

// Name implements client.ModelLister.
func (Native) Name() string { return "v1beta" }

// Label implements client.ModelLister.
func (Native) Label() string { return "model list (/v1beta/models)" }

// Guess implements client.ModelLister.
func (Native) Guess() bool { return false }

// Request implements client.ModelLister.
func (Native) Request(page string) client.Request {
	return request("/v1beta/models", "pageToken", page)
}

// Decode implements client.ModelLister.
func (Native) Decode(r client.Response) ([]client.RemoteModel, string, error) { return decode(r.Body) }

// Name implements client.ModelLister.
func (OpenAI) Name() string { return "v1" }

// Label implements client.ModelLister.
func (OpenAI) Label() string {
	return "OpenAI-format list (/v1/models, a guess: the path is not documented)"
}

// Guess implements client.ModelLister.
func (OpenAI) Guess() bool { return true }

// Request implements client.ModelLister.
func (OpenAI) Request(page string) client.Request { return request("/v1/models", "after", page) }

// Decode implements client.ModelLister.
func (OpenAI) Decode(r client.Response) ([]client.RemoteModel, string, error) { return decode(r.Body) }

func request(path, param, page string) client.Request {
	if page != "" {
		path += "?" + url.Values{param: {page}}.Encode()
	}
	return client.Request{Method: http.MethodGet, Path: path}
}

// decode reads either list, since some gateways answer with one where the other was asked for. An
// entry may be an object or a bare name; one without a name is left out.
func decode(body []byte) ([]client.RemoteModel, string, error) {
	items, top, err := wire.ParseList(body, "models", "data", "items", "result", "list")
	if err != nil {
		return nil, "", err
	}
	if items == nil {
		if e, ok := client.ErrorIn(body); ok {
			return nil, "", &wire.Error{TaskError: e}
		}
		return nil, "", errors.New("the answer holds no list of models")
	}
	out := make([]client.RemoteModel, 0, min(len(items), maxModels))
	for _, raw := range items {
		if len(out) == maxModels {
			break
		}
		if m := entry(raw); m.ID != "" {
			out = append(out, m)
		}
	}
	next := top.Str("nextPageToken")
	if more, ok := top.Bool("has_more"); ok && more && next == "" {
		next = top.Str("last_id")
	}
	return out, next, nil
}

func entry(raw json.RawMessage) client.RemoteModel {
	o := wire.ObjectOf(raw)
	if o == nil {
		return client.RemoteModel{ID: bare(wire.TextOf(raw))}
	}
	m := client.RemoteModel{
		ID:          bare(o.Text("id", "name", "model", "model_name")),
		DisplayName: o.Str("displayName", "display_name", "title"),
		Description: o.Str("description"),
		Version:     o.Text("version"),
		Owner:       o.Str("owned_by", "ownedBy", "owner"),
		InputLimit:  limit(o.Text("inputTokenLimit", "input_token_limit", "context_length")),
		OutputLimit: limit(o.Text("outputTokenLimit", "output_token_limit")),
	}
	for _, x := range o.List("supportedGenerationMethods", "supported_endpoint_types", "supported_generation_methods") {
		if s := wire.TextOf(x); s != "" {
			m.Methods = append(m.Methods, s)
		}
	}
	return m
}

// bare is a name without the collection that some lists put before it.
func bare(name string) string { return strings.TrimPrefix(strings.TrimSpace(name), "models/") }

func limit(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
