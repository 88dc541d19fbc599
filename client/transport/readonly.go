package transport

import (
	"net/http"
)

// ReadOnlyError says that a request was not sent because it could create, change or delete
// something, and the gateway is only to be read.
type ReadOnlyError struct {
	By     string // what makes it read-only, as "--read-only"
	Method string // of the request; "" where none was made yet
}

// Error says what was refused, and why.
func (e *ReadOnlyError) Error() string {
	text := "read-only (" + e.By + "): nothing that creates, changes or deletes is sent"
	if e.Method != "" {
		text = e.Method + " was not sent: " + text
	}
	return text
}

// reads reports whether a method only reads.
func reads(method string) bool {
	switch method {
	case http.MethodGet, "", http.MethodHead, http.MethodOptions: // net/http takes "" for GET
		return true
	default:
		return false
	}
}

// readOnlyTransport refuses what could create, change or delete, to any origin. It is the outermost
// round tripper: what it refuses waits for no turn, reads no key and is in no log.
type readOnlyTransport struct {
	next http.RoundTripper
	by   string
}

// RoundTrip implements http.RoundTripper.
func (t *readOnlyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !reads(r.Method) {
		closeBody(r)
		return nil, &notSentError{&ReadOnlyError{By: t.by, Method: r.Method}}
	}
	return t.next.RoundTrip(r)
}
