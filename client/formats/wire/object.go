package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"darkroom/client"
)

// Obj is a JSON object that is read tolerantly: names are tried in order, strings and numbers stand
// for one another, and it remembers which members were read, so that the rest can be kept. A nil
// Obj has no members.
type Obj struct{ members }

// parse reads a body that must be one JSON object.
func parse(body []byte) (*Obj, error) {
	body = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("\xef\xbb\xbf")))
	body = bare(body)
	if len(body) == 0 {
		return nil, errors.New("the answer is empty")
	}
	if body[0] == '{' && valid(body) {
		return &Obj{split(body)}, nil
	}
	var m map[string]json.RawMessage
	err := json.Unmarshal(body, &m)
	switch ute, ok := errors.AsType[*json.UnmarshalTypeError](err); {
	case ok:
		return nil, fmt.Errorf("the answer is a JSON %s, not an object", ute.Value)
	case err != nil:
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	return nil, errors.New("the answer is null")
}

// bare unwraps JSON that was packed once too often: in a string, or as a list of one object.
func bare(body []byte) []byte {
	if len(body) > 0 && body[0] == '"' {
		if raw := unpack(body, '{'); len(raw) > 0 {
			return raw
		}
	}
	if l := array(body); len(l) == 1 && len(l[0]) > 2 && l[0][0] == '{' {
		return l[0]
	}
	return body
}

// Raw returns the first named member that is there and not null, and marks it as read.
func (o *Obj) Raw(names ...string) json.RawMessage {
	if o == nil {
		return nil
	}
	for _, n := range names {
		if raw := o.get(n); !null(raw) {
			o.take(n)
			return raw
		}
	}
	return nil
}

// Has reports whether any of the members is there and not null.
func (o *Obj) Has(names ...string) bool {
	if o == nil {
		return false
	}
	for _, n := range names {
		if !null(o.get(n)) {
			return true
		}
	}
	return false
}

// Text returns the first named member that is a non-empty string, or a number as its
// digits.
func (o *Obj) Text(names ...string) string {
	if o == nil {
		return ""
	}
	for _, n := range names {
		if s := text(o.get(n)); s != "" {
			o.take(n)
			return s
		}
	}
	return ""
}

// Str is Text for strings alone.
func (o *Obj) Str(names ...string) string {
	if o == nil {
		return ""
	}
	for _, n := range names {
		if raw := o.get(n); len(raw) > 0 && raw[0] == '"' {
			if s := text(raw); s != "" {
				o.take(n)
				return s
			}
		}
	}
	return ""
}

// digits is Text for numbers alone.
func (o *Obj) digits(names ...string) string {
	for _, n := range names {
		if raw := o.get(n); len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
			o.take(n)
			return string(raw)
		}
	}
	return ""
}

// Obj returns the first named member that is an object, or a string that holds one. The member is
// not marked as read: it may hold more than the caller takes.
func (o *Obj) Obj(names ...string) *Obj {
	if o == nil {
		return nil
	}
	for _, n := range names {
		if in := object(o.get(n)); in != nil {
			return in
		}
	}
	return nil
}

// List returns the first named member that is an array, or a string that holds one.
func (o *Obj) List(names ...string) []json.RawMessage {
	if o == nil {
		return nil
	}
	for _, n := range names {
		if l := array(o.get(n)); l != nil {
			return l
		}
	}
	return nil
}

// many is List, or an object that stands for a list of one.
func (o *Obj) many(name string) []json.RawMessage {
	if l := o.List(name); l != nil || o == nil {
		return l
	}
	switch name { // these hold one object as a rule, which is read as such
	case "data", "output", "result":
		return nil
	}
	if raw := unpack(o.get(name), '{'); len(raw) > 0 && raw[0] == '{' {
		return []json.RawMessage{raw}
	}
	return nil
}

// Take marks members as read.
func (o *Obj) Take(names ...string) {
	if o == nil {
		return
	}
	for _, n := range names {
		o.take(n)
	}
}

// Rest returns the members that were not read.
func (o *Obj) Rest() map[string]json.RawMessage {
	if o == nil {
		return nil
	}
	var out map[string]json.RawMessage
	for i := range o.list {
		m := &o.list[i]
		if m.taken {
			continue
		}
		if out == nil {
			out = make(map[string]json.RawMessage)
		}
		out[m.name] = m.raw
	}
	return out
}

func null(raw json.RawMessage) bool {
	return len(raw) == 0 || raw[0] == 'n'
}

// text is a string or number as text, "" for anything else.
func text(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch c := raw[0]; {
	case c == '"':
		return unquote(raw)
	case c == '-' || c >= '0' && c <= '9':
		return string(raw)
	default:
		return ""
	}
}

func object(raw json.RawMessage) *Obj {
	in := unpack(raw, '{')
	if len(in) == 0 || in[0] != '{' {
		return nil
	}
	return &Obj{split(in)}
}

func array(raw json.RawMessage) []json.RawMessage {
	raw = unpack(raw, '[')
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var l []json.RawMessage
	if json.Unmarshal(raw, &l) != nil {
		return nil
	}
	return l
}

// unpack opens a string that holds JSON, as items and creations of some gateways do; nil for any
// other string. The result is valid JSON where raw is, as [split] requires.
func unpack(raw json.RawMessage, open byte) json.RawMessage {
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	s := strings.TrimSpace(text(raw))
	if s == "" || s[0] != open {
		return nil
	}
	in := json.RawMessage(s)
	if !json.Valid(in) {
		return nil
	}
	return in
}

// Error is a 2xx answer that reports an error and names no task.
type Error struct{ client.TaskError }

// Error implements error.
func (e *Error) Error() string {
	s := "the gateway says"
	if e.Code != "" {
		s += " " + e.Code
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return client.CleanLine(s)
}
