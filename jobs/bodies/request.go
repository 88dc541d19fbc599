package bodies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/elide"
)

// Requester knows the addresses of a gateway, as client.Client does.
type Requester interface {
	Sent(path string, body []byte) (client.Sent, error)
	Preview(d client.Draft, format string) (client.Preview, error)
}

// Request is the create of a job as it was sent.
type Request struct {
	client.Sent
	// Elided is how many files' bytes the history did not keep: something short stands in their place.
	Elided int `json:"elided,omitempty"`
	// Notes say what of it is not known any more.
	Notes []string `json:"notes,omitempty"`
}

// ErrNoRequest is the error for a job whose request the history has not kept.
var ErrNoRequest = errors.New("no request of this job was kept: nothing was sent yet, or another program sent it")

// Sent is what was sent for a job of the gateway's own profile.
func Sent(g Requester, d *jobs.Detail) (Request, error) {
	if len(d.Request) == 0 {
		return Request{}, ErrNoRequest
	}
	var r Request
	path := ""
	for _, x := range d.Exchanges {
		if x.Kind == jobs.ExchangeCreate && x.Path != "" {
			path = x.Path
		}
	}
	if path == "" {
		p, err := g.Preview(d.Job.Draft, d.Job.Format)
		if err != nil {
			return Request{}, fmt.Errorf("the history has not the path of the create any more, and it cannot be worked out: %w", err)
		}
		path = p.Method + " " + p.Path
		r.Notes = append(r.Notes, "the path is that of today: the history has not the one of then any more")
	}
	var err error
	if r.Sent, err = g.Sent(path, asSent(d.Request)); err != nil {
		return Request{}, err
	}
	if r.Elided = client.Abbreviated(d.Request) + elide.Count(d.Request); r.Elided > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the history did not keep the bytes of %s: what stands in their place cannot be sent", human.Plural(r.Elided, "file")))
	}
	return r, nil
}

// Curl is the request as a command. The error says why these bytes cannot be sent again.
func (r *Request) Curl() (string, error) {
	if r.Elided > 0 {
		return "", fmt.Errorf("no command sends this: the history did not keep the bytes of %s", human.Plural(r.Elided, "file"))
	}
	if jobs.Replaced(r.Body) {
		return "", errors.New("no command sends this: the request was too long to be kept")
	}
	return r.Sent.Curl(), nil
}

// asSent undoes the indentation by which earlier versions kept a request.
func asSent(body []byte) []byte {
	if !bytes.HasPrefix(body, []byte("{\n  \"")) {
		return body
	}
	var out bytes.Buffer
	if json.Compact(&out, body) != nil {
		return body
	}
	return out.Bytes()
}
