// Package bodies are the bodies about a task: which there are, what differs between two of them, and
// the request as it was sent. It is pure.
package bodies

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/jsonquery"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// Body is one body about a task: the request, or an answer.
type Body struct {
	// Name tells bodies of one task apart: a number for what the history kept, oldest first, the
	// format of the route for what is answered now.
	Name string    `json:"name"`
	What string    `json:"what"` // in words
	At   time.Time `json:"at,omitzero"`
	// Status is the task's state in the gateway's own term.
	Status string `json:"raw_status,omitempty"`
	HTTP   int    `json:"http_status,omitempty"`
	Bytes  int    `json:"bytes"`
	Body   []byte `json:"-"`
}

// What a [Body] is.
const (
	WhatRequest = "request"
	WhatCreate  = "answer to the create"
	WhatAnswer  = "answer"
	WhatError   = "error"
	WhatNewest  = "newest answer"
	WhatNow     = "answer now"
)

// Of are the bodies that the history kept of a job, oldest first, each once.
func Of(r *jobs.Record) []Body {
	var out []Body
	seen := map[string]bool{}
	add := func(sha string, b Body) {
		if b.Body = r.Bodies[sha]; len(b.Body) > 0 && !seen[sha] {
			seen[sha] = true
			b.Name, b.Bytes = strconv.Itoa(len(out)+1), len(b.Body)
			out = append(out, b)
		}
	}
	for _, e := range r.Events {
		b := Body{What: WhatAnswer, At: e.At, Status: e.RawStatus, HTTP: e.HTTPStatus}
		switch {
		case e.Kind == jobs.EventSubmitting:
			b.What = WhatRequest
		case e.HTTPStatus >= 400:
			b.What = WhatError
		case e.Kind == jobs.EventAccepted || r.Job.TaskID == "":
			b.What = WhatCreate
		}
		add(e.PayloadSHA, b)
	}
	add(r.Current[jobs.PayloadRequest], Body{What: WhatRequest, At: r.Job.SubmittedAt})
	add(r.Current[jobs.PayloadAnswer], Body{What: WhatNewest, At: r.Job.UpdatedAt, Status: r.Job.RawStatus})
	return out
}

// Now are those that the routes answered.
func Now(f *inspect.Findings) []Body {
	var out []Body
	for i := range f.Routes {
		if r := &f.Routes[i]; !r.Local && len(r.Body) > 0 {
			b := Body{Name: r.Format, What: WhatNow, At: r.Result.Meta.At, HTTP: r.Result.Meta.HTTPStatus, Bytes: len(r.Body), Body: r.Body}
			if r.Result.Task != nil {
				b.Status = r.Result.Task.RawStatus
			}
			out = append(out, b)
		}
	}
	return out
}

// Pick is the body of a name; the error names those that there are.
func Pick(all []Body, name string) (Body, error) {
	var names []string
	for _, b := range all {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	if len(names) == 0 {
		return Body{}, fmt.Errorf("there is no body %q: none was kept", client.CleanLine(name))
	}
	return Body{}, fmt.Errorf("there is no body %q; there are %s", client.CleanLine(name), client.CleanLine(strings.Join(names, ", ")))
}

// Label is the name of a body and what it is, for one line.
func (b *Body) Label() string {
	return client.CleanLine(strings.TrimSpace(b.Name + " " + b.What + " " + cmp.Or(b.Status, httpText(b.HTTP))))
}

func httpText(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprint("HTTP ", status)
}

// Diff tells what differs in b, as seen from a; the error says which of them is no JSON.
func Diff(a, b *Body) ([]jsonquery.Change, error) {
	for _, x := range []*Body{a, b} {
		if _, err := jsonquery.Diff(x.Body, []byte("0")); err != nil {
			return nil, fmt.Errorf("%s cannot be compared: %s", x.Label(), x.NoJSON())
		}
	}
	return jsonquery.Diff(a.Body, b.Body)
}

// NoJSON says what a body is that is no JSON.
func (b *Body) NoJSON() string {
	p, page := client.ReadPage(b.Body)
	switch {
	case page && p.Title != "":
		return "it is a web page, “" + p.Title + "”"
	case page:
		return "it is a web page"
	default:
		return "it is no JSON"
	}
}
