package catalog

import (
	"slices"
	"strings"

	"darkroom/client"
)

// Fault says whose fault an error is.
type Fault string

// Whose fault an error can be.
const (
	FaultRequest Fault = "request" // what was asked for
	FaultContent Fault = "content" // what a content policy refuses
	FaultKey     Fault = "key"     // ours, or the gateway's own at the vendor
	FaultAccount Fault = "account" // its credit, or what it may use
	FaultLimit   Fault = "limit"   // too many requests
	FaultGateway Fault = "gateway"
	FaultVendor  Fault = "vendor" // behind the gateway
)

// Retry says whether it helps to repeat the request.
type Retry string

// When to try again.
const (
	RetryNo      Retry = "no"
	RetryLater   Retry = "later"
	RetryChanged Retry = "changed" // after a change
)

// ErrorRule says what an error means (GATEWAY: Errors). Of HTTP, Codes, Words and Formats, all that
// are set must match.
type ErrorRule struct {
	HTTP []int `json:"http,omitempty" yaml:"http,omitempty"`
	// Codes are compared without regard to case; one also fits with more words behind a dot.
	Codes []string `json:"codes,omitempty" yaml:"codes,omitempty"`
	// Words are parts of the message, in any case.
	Words   []string `json:"words,omitempty" yaml:"words,omitempty"`
	Formats []string `json:"formats,omitempty" yaml:"formats,omitempty"`

	// Meaning and Next are for people: what it means, and what to do.
	Meaning string `json:"meaning" yaml:"meaning"`
	Next    string `json:"next" yaml:"next"`
	Fault   Fault  `json:"fault" yaml:"fault"`
	Retry   Retry  `json:"retry" yaml:"retry"`
	// Field is the canonical field to look at, "" where the rule knows none.
	Field string `json:"field,omitempty" yaml:"field,omitempty"`
	// Source is the section of GATEWAY.md. Elsewhere marks an answer seen from other public
	// gateways, which ours does not promise.
	Source    string `json:"source,omitempty" yaml:"source,omitempty"`
	Elsewhere bool   `json:"elsewhere,omitempty" yaml:"elsewhere,omitempty"`

	at *place
}

// Failure is an error as an answer reported it, unchanged. HTTPStatus is 0 if a task reported it.
type Failure struct {
	HTTPStatus    int
	Code, Message string
	Format        string
}

// Explain says what an error means by the rule that matches it best: the code outranks the words of
// the message, which outrank the status, and a person's own rules outrank the embedded ones. ok is
// false if no rule matches.
func (c *Catalog) Explain(f Failure) (rule ErrorRule, ok bool) {
	message, best := strings.ToLower(f.Message), 0
	for i := range c.doc.Errors {
		if n := c.doc.Errors[i].fit(f, message); n > best {
			rule, best = c.doc.Errors[i], n
		}
	}
	return rule, best > 0
}

// fit scores how well the rule matches a failure; 0 means that it does not.
func (r *ErrorRule) fit(f Failure, message string) int {
	n := 0
	for _, x := range []struct {
		given, fits bool
		weight      int
	}{
		{len(r.Codes) > 0, slices.ContainsFunc(r.Codes, func(c string) bool { return sameCode(c, f.Code) }), 8},
		{len(r.Words) > 0, slices.ContainsFunc(r.Words, func(w string) bool { return strings.Contains(message, strings.ToLower(w)) }), 4},
		{len(r.Formats) > 0, slices.Contains(r.Formats, f.Format), 2},
		{len(r.HTTP) > 0, slices.Contains(r.HTTP, f.HTTPStatus), 1},
	} {
		switch {
		case x.given && !x.fits:
			return 0
		case x.given:
			n += x.weight
		}
	}
	return n
}

// sameCode compares a rule's code with the one received.
func sameCode(rule, came string) bool {
	if len(came) > len(rule) && came[len(rule)] == '.' {
		came = came[:len(rule)]
	}
	return strings.EqualFold(rule, came)
}

// FailureOf turns an error of the client into a question for [Catalog.Explain].
func FailureOf(e *client.APIError, format string) Failure {
	return Failure{HTTPStatus: e.HTTPStatus, Code: e.Code, Message: e.Message, Format: format}
}

// FailureIn turns an error that a task reported into a question for [Catalog.Explain].
func FailureIn(e *client.TaskError, format string) Failure {
	return Failure{Code: e.Code, Message: e.Message, Format: format}
}

var (
	faults  = []Fault{FaultRequest, FaultContent, FaultKey, FaultAccount, FaultLimit, FaultGateway, FaultVendor}
	retries = []Retry{RetryNo, RetryLater, RetryChanged}
)

// errors checks the rules that explain errors.
func (v *validator) errors() {
	for i := range v.doc.Errors {
		r := &v.doc.Errors[i]
		what := "errors"
		if len(r.HTTP)+len(r.Codes)+len(r.Words) == 0 {
			v.fail(r.at, nil, "%s: a rule without http, codes or words fits nothing", what)
		}
		if r.Meaning == "" || r.Next == "" {
			v.fail(r.at, nil, "%s: a rule without meaning or next", what)
		}
		if !slices.Contains(faults, r.Fault) {
			v.fail(r.at, []any{"fault"}, "%s: fault %q; allowed: %v", what, r.Fault, faults)
		}
		if !slices.Contains(retries, r.Retry) {
			v.fail(r.at, []any{"retry"}, "%s: retry %q; allowed: %v", what, r.Retry, retries)
		}
		if r.Field != "" && !slices.Contains(ownFields, r.Field) && !v.hasField(r.Field) {
			v.fail(r.at, []any{"field"}, "%s: %q is not a canonical field", what, r.Field)
		}
		v.formatNames(r.at, []any{"formats"}, what, r.Formats)
	}
}
