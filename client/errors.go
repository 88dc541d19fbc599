package client

import (
	"fmt"
	"strings"
	"time"
)

// APIError is an error answer of the gateway, in any of the shapes seen (GATEWAY:
// Errors). Texts are as sent; Error cleans them.
type APIError struct {
	HTTPStatus int
	Code       string
	Message    string
	Type       string
	Param      string
	RequestID  string
	// RetryAfter is how long the answer asked to wait; 0 when it did not ask.
	RetryAfter time.Duration
	Method     string
	Path       string
	Body       []byte // capped
	// Keyless says that the refused request carried no key, as requests for the addresses of
	// results do not.
	Keyless bool
}

// Error says what was refused and what to do next, in one line without control characters.
func (e *APIError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: HTTP %d", e.Method, e.Path, e.HTTPStatus)
	if e.Code != "" {
		fmt.Fprintf(&b, " %s", e.Code)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.Param != "" {
		fmt.Fprintf(&b, " (param %s)", e.Param)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " [request id %s]", e.RequestID)
	}
	if h := e.Hint(); h != "" {
		fmt.Fprintf(&b, "; %s", h)
	}
	return CleanLine(b.String())
}

// Hint is the action that GATEWAY: Errors gives for the HTTP status, "" for others. A 401 may also
// mean that the gateway's own upstream key is bad, so it says "refused".
func (e *APIError) Hint() string {
	if e.Keyless {
		switch e.HTTPStatus {
		case 401, 403, 404, 410:
			return "results are asked for without the key: the link has expired or is not signed for us; fetching the file again asks the gateway for a fresh one"
		}
		return ""
	}
	switch e.HTTPStatus {
	case 400:
		return "check required fields, model name, path parameters"
	case 401:
		return "the key was refused: check it with `darkroom auth status`"
	case 404:
		return "check the query path and the task id"
	case 429:
		return "reduce the request frequency or retry later"
	case 500:
		return "record the request, retry or contact support"
	default:
		return ""
	}
}

// Outcome says what is known about a create that did not return a task.
type Outcome string

// Outcomes of a failed create. Only OutcomeNotSent may be sent again without asking a person.
const (
	// OutcomeNotSent: nothing reached the gateway (the dial failed, the draft had no
	// wire form).
	OutcomeNotSent Outcome = "not_sent"
	// OutcomeRefused: the gateway answered with a 4xx that means no, 429 among them.
	OutcomeRefused Outcome = "refused"
	// OutcomeAmbiguous: the request may have been accepted (reset, timeout, 5xx, 408, 409, an odd
	// 2xx). It is never sent again automatically; a person decides.
	OutcomeAmbiguous Outcome = "ambiguous"
)

// CreateError is the failure of a create, with what is known about its fate.
type CreateError struct {
	Outcome Outcome
	Err     error
	Meta    Meta
	Raw     []byte // body of the answer, when there was one
}

// Error implements error.
func (e *CreateError) Error() string {
	switch e.Outcome {
	case OutcomeAmbiguous:
		return "the answer to the create was lost or unclear, the task may exist: " + e.Err.Error()
	default:
		return e.Err.Error()
	}
}

// Unwrap returns the cause.
func (e *CreateError) Unwrap() error { return e.Err }
