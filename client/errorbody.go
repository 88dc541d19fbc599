package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"darkroom/client/text"
	"darkroom/client/transport"
)

const (
	maxMessage = 2000 // bytes of an error text that are kept
	maxErrBody = 64 << 10
	maxUnwrap  = 6 // errors in errors
)

// ParseError reads a refusal in any of the shapes seen: {error:{...}}, the flat
// {code,message,data}, bare strings, an error packed as JSON into another's message,
// HTML, plain text, nothing (GATEWAY: Errors). It never fails.
func ParseError(r Response, method, path string, now time.Time) *APIError {
	e := &APIError{
		HTTPStatus: r.StatusCode, Method: method, Path: path,
		RequestID: transport.RequestID(r.Header), RetryAfter: transport.RetryAfter(r.Header, now),
		Body: r.Body[:min(len(r.Body), maxErrBody)],
	}
	if te, ok := ErrorIn(r.Body); ok {
		te = boundError(te)
		e.Code, e.Message, e.Type, e.Param = te.Code, te.Message, te.Type, te.Param
	}
	if e.Message == "" {
		e.Message = strings.ToLower(http.StatusText(r.StatusCode))
	}
	if e.RequestID == "" {
		if m := idInText().FindStringSubmatch(e.Message); m != nil {
			e.RequestID = m[1]
		}
	}
	if e.RequestID == "" {
		e.RequestID = requestIDIn(r.Body)
	}
	e.Message = strings.TrimSpace(idInText().ReplaceAllString(e.Message, ""))
	return e
}

// idInText matches a request id as some gateways append it to their messages.
var idInText = text.Pattern(`\s*\((?i:request[ _-]?id): ?([A-Za-z0-9_.:-]{1,128})\)`)

// requestIDIn is the request id at the top level of a body, as GATEWAY: Tasks shows it; "" for
// none.
func requestIDIn(body []byte) string {
	if len(body) > maxErrBody || !bytes.Contains(body, []byte(`"request_id"`)) {
		return ""
	}
	var v struct {
		RequestID string `json:"request_id"`
	}
	_ = json.Unmarshal(body, &v) // a body that is not an object has none
	return v.RequestID[:min(len(v.RequestID), transport.MaxRequestID)]
}

// IsWebPage reports an answer that is a page for people in place of JSON.
func IsWebPage(r Response) bool {
	b := bytes.TrimLeft(r.Body, " \t\r\n\ufeff")
	if len(b) > 0 && b[0] == '<' {
		return true
	}
	return strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "text/html") &&
		!json.Valid(r.Body)
}

// ErrorIn finds an error in a piece of JSON, HTML or text. ok is false when there is
// none: null, an empty string or object, false.
func ErrorIn(raw []byte) (TaskError, bool) { return errorIn(raw, maxUnwrap) }

func errorIn(raw []byte, depth int) (TaskError, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth < 0 {
		return TaskError{}, false
	}
	switch raw[0] {
	case '{':
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) == nil {
			return errorFields(m, depth)
		}
	case '[':
		var l []json.RawMessage
		if json.Unmarshal(raw, &l) == nil {
			for _, x := range l {
				if e, ok := errorIn(x, depth-1); ok {
					return e, true
				}
			}
			return TaskError{}, false
		}
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return errorText(s, depth)
		}
	case 'n', 'f', 't':
		if json.Valid(raw) {
			return TaskError{}, false
		}
	}
	return errorText(string(raw), depth)
}

// errorFields reads an object: an error field first, then the flat shape.
func errorFields(m map[string]json.RawMessage, depth int) (TaskError, bool) {
	if depth <= 0 {
		return TaskError{}, false
	}
	flat := TaskError{
		Code:    scalar(m, "code", "err_code", "error_code", "errcode", "status_code"),
		Type:    scalar(m, "type", "error_type"),
		Param:   scalar(m, "param", "loc"),
		Message: scalar(m, "message", "msg", "error_msg", "error_message", "detail", "error_description", "fail_reason", "reason", "title"),
	}
	for _, k := range []string{"error", "errors", "detail"} {
		if e, ok := errorIn(m[k], depth-1); ok {
			return merge(e, flat), true
		}
	}
	if flat.Message != "" {
		if e, ok := errorText(flat.Message, depth-1); ok {
			return merge(e, flat), true
		}
	}
	return flat, flat.Message != "" || flat.Code != "" && !goodCode(flat.Code)
}

// merge prefers the inner error, which is more specific.
func merge(in, out TaskError) TaskError {
	pick := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	return TaskError{
		Code: pick(in.Code, out.Code), Type: pick(in.Type, out.Type),
		Param: pick(in.Param, out.Param), Message: pick(in.Message, out.Message),
	}
}

// goodCode reports envelope codes that mean success.
func goodCode(c string) bool {
	switch strings.ToLower(c) {
	case "", "0", "200", "success", "succeed", "ok":
		return true
	default:
		return false
	}
}

// errorText reads a message: JSON in it is unwrapped, HTML is stripped.
func errorText(s string, depth int) (TaskError, bool) {
	t := strings.TrimSpace(s)
	if t == "" {
		return TaskError{}, false
	}
	if depth > 0 && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(t)) {
		if e, ok := errorIn([]byte(t), depth-1); ok {
			return e, true
		}
	}
	if t[0] == '<' {
		t = stripHTML(t)
	}
	return TaskError{Message: text.Cap(t, maxMessage)}, t != ""
}

// scalar returns the first of the named fields that is a non-empty string or a number.
func scalar(m map[string]json.RawMessage, names ...string) string {
	for _, n := range names {
		raw := bytes.TrimSpace(m[n])
		if len(raw) == 0 {
			continue
		}
		switch c := raw[0]; {
		case c == '"':
			var s string
			if json.Unmarshal(raw, &s) == nil && s != "" {
				return s
			}
		case c == '-' || c >= '0' && c <= '9':
			return string(raw)
		}
	}
	return ""
}
