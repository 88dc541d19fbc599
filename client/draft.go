package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Modality is the kind of result that a request asks for.
type Modality string

// The modalities that the gateway offers (GATEWAY: What the service does).
const (
	Video  Modality = "video"
	Image  Modality = "image"
	Music  Modality = "music"
	Speech Modality = "speech"
	Chat   Modality = "chat"
)

// Modalities returns all modalities, in the order in which they are shown.
func Modalities() []Modality { return []Modality{Video, Image, Music, Speech, Chat} }

// Canonical field names that code, not only data, has to know. All other fields are known to the
// catalog and the formats alone.
const (
	FieldModel          = "model"
	FieldModelName      = "model_name"
	FieldMode           = "mode"
	FieldPrompt         = "prompt"
	FieldEngine         = "upstream_model"
	FieldExternalTaskID = "external_task_id"
)

// Draft is one request as a person means it: free of any wire format. Values are
// kept under the catalog's canonical field names; a format maps them to its own
// names and types, and reports what it cannot carry.
type Draft struct {
	Modality  Modality `json:"modality"`
	Model     string   `json:"model"`
	ModelName string   `json:"model_name,omitempty"`
	Mode      string   `json:"mode,omitempty"`
	Prompt    string   `json:"prompt,omitempty"`
	Values    Values   `json:"values,omitempty"`
	// Extra is merged unchanged into the encoded body: raw additions for what no field of the
	// catalog covers. A key is a place in the body: the name of a member, which is replaced, or a
	// dotted path to a value inside one, as "parameters.seed" and "content[0].role", which leaves
	// its neighbours alone. Outer places are filled first, missing objects and arrays are made on
	// the way, and [n] is an item of an array or the one after its last. See [places.Quote] for
	// names with dots. A format gets the members only, under their plain names; the client does the
	// rest.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
	// Parents are the jobs that the draft was made from, in the order in which they were taken; no
	// format sends them. See [Draft.Descent].
	Parents []Parent `json:"parents,omitempty"`

	// Wire holds the names that this model wants instead of the format's usual ones,
	// canonical -> wire, as famF-video takes "image" where others take "image_url". The
	// client fills it from Options.WireNames and the dialect before it encodes; it is never stored.
	Wire map[string]string `json:"-"`

	// Cut says that this is only the beginning of a longer draft, as lists of jobs read it: the
	// prompt may end early, and values are missing. Such a draft is never sent (see [ErrCut]) nor
	// stored.
	Cut bool `json:"cut,omitempty"`
}

// ErrCut refuses to send, preview or store a draft of which only the beginning was read.
var ErrCut = errors.New("only the beginning of this draft was read: read the whole job before it is sent")

// MaxPrompt bounds a prompt, in bytes: no model takes nearly as much.
const MaxPrompt = 1 << 20

// CheckPrompt refuses a prompt too long to be intended.
func CheckPrompt(prompt string) error {
	if len(prompt) > MaxPrompt {
		return fmt.Errorf("the prompt has %d bytes; up to %d are taken", len(prompt), MaxPrompt)
	}
	return nil
}

// WireName is the name under which a format sends a canonical field of this draft.
func (d Draft) WireName(canonical, usual string) string {
	if n, ok := d.Wire[canonical]; ok {
		return n
	}
	return usual
}

// A media value (image, video, audio reference) is an http(s) URL, a data URI, or a
// "file://" URL with an absolute path. The client turns the last into a data URI when
// it sends, and abbreviates it in previews; drafts and the history keep the path.

// Values are field values under canonical names. A value is one of: string, bool, json.Number,
// []any and map[string]any of the same. An absent key means "not set"; an empty string that was set
// is kept: that is the person's own business.
type Values map[string]any

// UnmarshalJSON keeps numbers as json.Number, so that integers above 2^53 survive.
func (v *Values) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return err
	}
	*v = m
	return nil
}

// Clone returns a copy that shares nothing mutable with d.
func (d Draft) Clone() Draft {
	d.Values = d.Values.Clone()
	d.Extra = maps.Clone(d.Extra)
	d.Wire = maps.Clone(d.Wire)
	d.Parents = slices.Clone(d.Parents)
	return d
}

// Clone returns a deep copy.
func (v Values) Clone() Values {
	if v == nil {
		return nil
	}
	out := make(Values, len(v))
	for k, x := range v {
		out[k] = cloneValue(x)
	}
	return out
}

func cloneValue(x any) any {
	switch t := x.(type) {
	case []any:
		out := make([]any, len(t))
		for i := range t {
			out[i] = cloneValue(t[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, e := range t {
			out[k] = cloneValue(e)
		}
		return out
	default:
		return x
	}
}

// Names returns the names of the set values, sorted.
func (v Values) Names() []string { return slices.Sorted(maps.Keys(v)) }

// Text returns a scalar value as text and whether the field holds a scalar.
func (v Values) Text(name string) (string, bool) {
	switch t := v[name].(type) {
	case string:
		return t, true
	case json.Number:
		return t.String(), true
	case bool:
		if t {
			return "true", true
		}
		return "false", true
	default:
		return "", false
	}
}

// List returns a value as a list: a list as it is, a scalar as a list of one, an absent or empty
// value as nil.
func (v Values) List(name string) []any {
	switch t := v[name].(type) {
	case nil:
		return nil
	case []any:
		return t
	case string:
		if t == "" {
			return nil
		}
		return []any{t}
	default:
		return []any{t}
	}
}

// Strings returns the string items of a list value.
func (v Values) Strings(name string) []string {
	var out []string
	for _, x := range v.List(name) {
		if s, ok := x.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Parent is a job whose result a draft begins with. It is kept with the draft, in the history too,
// and never sent.
type Parent struct {
	// Job is the id of the job.
	Job string `json:"job"`
	// As says how its result is used: "reference", "i2v", "extend" or "edit".
	As string `json:"as,omitempty"`
	// Ref is the value in the draft that stands for the result: a reference, or a task id. A draft
	// that no longer contains it was not made from that job.
	Ref string `json:"ref"`
}

// MaxParents bounds the parents of a draft.
const MaxParents = 32

// Descent returns the parents whose results the draft still uses, each job once.
func (d Draft) Descent() []Parent {
	var out []Parent
	for _, p := range d.Parents {
		if p.Job == "" || p.Ref == "" || len(out) == MaxParents ||
			slices.ContainsFunc(out, func(x Parent) bool { return x.Job == p.Job }) || !d.Values.holds(p.Ref) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// holds reports whether a text occurs anywhere in the values.
func (v Values) holds(text string) bool {
	for _, x := range v {
		if holdsText(x, text) {
			return true
		}
	}
	return false
}

func holdsText(v any, text string) bool {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t) == text
	case []any:
		return slices.ContainsFunc(t, func(x any) bool { return holdsText(x, text) })
	case map[string]any:
		for _, x := range t {
			if holdsText(x, text) {
				return true
			}
		}
	}
	return false
}
