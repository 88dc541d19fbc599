package client

import (
	"encoding/json"
	"net/http"
)

// Request is the request that a format wants sent. Paths are relative to the gateway's base
// address; the client adds authorization and host.
type Request struct {
	Method string
	Path   string // escaped, begins with "/"; may carry a query
	// Body is JSON, nil for none.
	Body []byte
}

// Response is an answer as the client read it: the body is whole, decompressed and
// below the size cap.
type Response struct {
	StatusCode int
	Header     http.Header
	Body       []byte
}

// Dropped is a value of a draft that a format cannot carry.
type Dropped struct {
	Field  string `json:"field"`  // canonical name
	Reason string `json:"reason"` // for a person
}

// WireField says how a format carries a canonical field.
type WireField struct {
	Canonical string
	// Wire is the dotted place in the request body, as "seconds" or
	// "parameters.duration".
	Wire string
}

// Format is one wire format: a pure codec without I/O, safe for concurrent use.
// Every implementation passes the suite in client/formattest.
type Format interface {
	// Name is the stable identifier, as "videos"; history rows keep it.
	Name() string
	// Label is for people, as "common (/v1/videos)".
	Label() string
	// Modalities are those that the format creates; empty for a format that is only queried.
	Modalities() []Modality
	// Fields lists what the format carries, in wire order.
	Fields() []WireField
	// EncodeCreate makes the create request. Values that the format cannot carry are returned as
	// dropped, never left out silently; an error names the field whose value has no wire form.
	EncodeCreate(d Draft) (Request, []Dropped, error)
	// DecodeCreate reads a 2xx answer to a create: a finished result, a task, or a
	// task that another format queries (Task.Format says which).
	DecodeCreate(r Response) (Task, error)
	// Query makes the query request for a task id.
	Query(id string) Request
	// DecodeQuery reads a 2xx answer to a query.
	DecodeQuery(r Response) (Task, error)
	// Content makes the request for the bytes of a finished task; ok is false where
	// the format has no such path.
	Content(id string) (req Request, ok bool)
	// Synchronous says that a create answers with its result: it may take minutes, and a lost
	// answer leaves no id to adopt.
	Synchronous() bool
}

// Preview is a create as it would be sent, without sending it.
type Preview struct {
	Format  string          `json:"format"`
	Label   string          `json:"label"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Body    json.RawMessage `json:"body"` // indented by two blanks
	Bytes   int             `json:"bytes"`
	Dropped []Dropped       `json:"dropped,omitempty"`
	// Dialect is the name of the dialect that words the request, "" for none.
	Dialect string `json:"dialect,omitempty"`
	// Notes are for a person: that the path is configured and not documented, that the format is
	// reserved and is not sent.
	Notes []string `json:"notes,omitempty"`
}
