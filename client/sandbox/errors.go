package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"darkroom/client/text"
)

// apiError is an answer in the error shape (GATEWAY: Errors 1).
type apiError struct {
	status     int
	Code       string `json:"code"`
	Message    string `json:"message"`
	Type       string `json:"type,omitempty"`
	Param      string `json:"param,omitempty"`
	retryAfter string // value of the Retry-After header, "" for none
}

func (e *apiError) Error() string { return fmt.Sprintf("HTTP %d %s: %s", e.status, e.Code, e.Message) }

const typeInvalid = "invalid_request_error"

// badRequest is a 400 that names a field; param may be "" when the body as a whole is
// at fault. The code is the only one that GATEWAY.md names.
func badRequest(param, format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, Code: typeInvalid, Type: typeInvalid,
		Param: param, Message: fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) *apiError {
	return &apiError{status: http.StatusNotFound, Code: "not_found", Type: typeInvalid,
		Message: fmt.Sprintf(format, args...)}
}

// noRoute is the answer to unavailable, reserved and unknown paths alike: 404, also
// where the path exists under another method.
func noRoute(r *http.Request) *apiError {
	return notFound("Invalid URL (%s %s)", text.Clip(r.Method, 16), text.Clip(r.URL.EscapedPath(), 200))
}

func unauthorized(message string) *apiError {
	return &apiError{status: http.StatusUnauthorized, Code: "invalid_api_key",
		Type: "authentication_error", Message: message}
}

func internal(what string, err error) *apiError {
	return &apiError{status: http.StatusInternalServerError, Code: "internal_error",
		Type: "server_error", Message: what + ": " + err.Error()}
}

// statusError is the answer that a directive scripts.
func statusError(status int) *apiError {
	e := &apiError{status: status, Code: "sandbox_http_" + fmt.Sprint(status), Type: "server_error",
		Message: fmt.Sprintf("a sandbox fault asked for HTTP %d", status)}
	switch {
	case status == http.StatusTooManyRequests:
		e.Code, e.Type = "rate_limit_exceeded", "rate_limit_error"
	case status == http.StatusUnauthorized:
		e.Code, e.Type = "invalid_api_key", "authentication_error"
	case status < 500:
		e.Code, e.Type = typeInvalid, typeInvalid
	}
	return e
}

func writeError(w http.ResponseWriter, err error) int {
	var ae *apiError
	if !errors.As(err, &ae) {
		ae = internal("unexpected", err)
	}
	ae.head(w.Header())
	writeRaw(w, ae.status, ae.body())
	return ae.status
}

// head sets the headers that belong to the error.
func (e *apiError) head(h http.Header) {
	if e.retryAfter != "" {
		h.Set("Retry-After", e.retryAfter)
	}
	if e.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="sandbox"`)
	}
}

// body is the error in its JSON shape. Texts always marshal; angle brackets stay as they
// are, since people read these.
func (e *apiError) body() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Error *apiError `json:"error"`
	}{e})
	return b.Bytes()
}

// writeJSON answers v. The values are our own, so that marshalling cannot fail but by
// a mistake of ours, which is answered as a plain 500.
func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	writeRaw(w, status, append(b, '\n'))
}

func writeRaw(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away needs no answer
}
