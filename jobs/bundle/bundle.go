// Package bundle puts what is known about some ids into one file that somebody else can open: a zip
// with a summary to read and, for each id, the facts, the timeline, the exchanges and the bodies as
// they came. No key can get into it: nothing that it is made from ever held one.
package bundle

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// version is the version of the layout.
const version = 1

// Case is one id with all that is known about it.
type Case struct {
	Result lookup.Result
	// Events, Exchanges, Request and Answer belong to the history's job, as [jobs.Detail] has them.
	Events    []jobs.Event
	Exchanges []jobs.Exchange
	Request   []byte
	Answer    []byte
}

// History tells what is kept of a job.
type History interface {
	Detail(ctx context.Context, id string) (jobs.Detail, error)
}

// Cases are the results of a look-up, with what the history has of their jobs; h may be nil.
func Cases(ctx context.Context, h History, all []lookup.Result) ([]Case, error) {
	out := make([]Case, 0, len(all))
	for _, r := range all {
		c := Case{Result: r}
		if j := r.Findings.Job; j != nil && h != nil {
			d, err := h.Detail(ctx, j.ID)
			if err != nil {
				return nil, fmt.Errorf("the timeline of job %s: %w", jobs.ShortID(j.ID), err)
			}
			c.Events, c.Exchanges, c.Request, c.Answer = d.Events, d.Exchanges, d.Request, d.Answer
		}
		out = append(out, c)
	}
	return out, nil
}

// Options say what is left out.
type Options struct {
	NoPrompts bool // prompts, lyrics and messages, wherever they stand in a body, and where a text quotes them
	NoMedia   bool // pictures, videos and sounds within bodies, and their addresses
	NoPaths   bool // files and folders of this machine
	NoQueries bool // what follows the ? of an address, such as its signature
	// Program and Made are the version of the program and the time, for whoever opens it.
	Program string
	Made    time.Time
}

// File is one file of a bundle.
type File struct {
	Name string
	Data []byte
}

// manifest is bundle.json.
type manifest struct {
	Version int       `json:"version"`
	Program string    `json:"program,omitempty"`
	Made    time.Time `json:"made"`
	// Without names what was left out; the bodies are then rewritten.
	Without []string `json:"without,omitempty"`
	Cases   []string `json:"cases"` // their folders
}

// record is case.json.
type record struct {
	Subject   inspect.Subject `json:"subject"`
	Asked     string          `json:"asked,omitempty"`
	Problem   string          `json:"problem,omitempty"`
	Routes    []route         `json:"routes,omitempty"`
	Job       *jobs.Job       `json:"job,omitempty"`
	Events    []jobs.Event    `json:"events,omitempty"`
	Exchanges []jobs.Exchange `json:"exchanges,omitempty"`
	Request   string          `json:"request,omitempty"` // names of files beside it
	Answer    string          `json:"answer,omitempty"`
}

// route is one route of the matrix.
type route struct {
	Format  string       `json:"format"`
	Label   string       `json:"label,omitempty"`
	Path    string       `json:"path,omitempty"`
	Local   bool         `json:"local,omitempty"`
	Stopped bool         `json:"stopped,omitempty"`
	Skipped string       `json:"skipped,omitempty"`
	Meta    client.Meta  `json:"meta,omitzero"`
	Task    *client.Task `json:"task,omitempty"`
	Absent  string       `json:"absent,omitempty"`
	Failure *failure     `json:"failure,omitempty"`
	Error   string       `json:"error,omitempty"` // of another kind
	Body    string       `json:"body,omitempty"`  // name of the file beside it
}

// failure is an error answer.
type failure struct {
	HTTPStatus int    `json:"http_status"`
	Code       string `json:"code,omitempty"`
	Message    string `json:"message,omitempty"`
	Type       string `json:"type,omitempty"`
	Param      string `json:"param,omitempty"`
	RequestID  string `json:"request_id,omitempty"`
	Method     string `json:"method,omitempty"`
	Path       string `json:"path,omitempty"`
}

// Files makes the files of a bundle, so that what goes in can be listed before it is written.
func Files(all []Case, o Options) ([]File, error) {
	m := manifest{Version: version, Program: o.Program, Made: o.Made.UTC(), Without: o.without()}
	var own []*jobs.Job
	var bodies [][]byte
	for i := range all {
		bodies = append(bodies, all[i].Request, all[i].Answer)
		for j := range all[i].Result.Findings.Routes {
			bodies = append(bodies, all[i].Result.Findings.Routes[j].Body)
		}
		if j := all[i].Result.Findings.Job; j != nil {
			own = append(own, j)
		}
	}
	s := newScrubber(o, own, bodies...)
	var out []File
	for i := range all {
		folder := fmt.Sprintf("%03d-%s", i+1, safe(s.line(all[i].Result.Subject.Value)))
		m.Cases = append(m.Cases, folder)
		files, err := s.files(folder, &all[i])
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	head, err := encode(m)
	if err != nil {
		return nil, err
	}
	return append([]File{{"README.md", s.summary(all)}, {"bundle.json", head}}, out...), nil
}

// Write writes files as a zip.
func Write(w io.Writer, files []File, made time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		e, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: made.UTC()})
		if err == nil {
			_, err = e.Write(f.Data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return z.Close()
}

func (o Options) without() []string {
	var out []string
	for _, x := range []struct {
		left bool
		what string
	}{{o.NoPrompts, "prompts"}, {o.NoMedia, "media"}, {o.NoPaths, "local paths"}, {o.NoQueries, "queries of addresses"}} {
		if x.left {
			out = append(out, x.what)
		}
	}
	return out
}

// files returns the files of one case.
func (s scrubber) files(folder string, c *Case) ([]File, error) {
	r := record{Subject: c.Result.Subject, Asked: c.Result.Asked, Events: c.Events, Exchanges: c.Exchanges}
	if c.Result.Err != nil {
		r.Problem = c.Result.Err.Error()
	}
	var bodies []File
	keep := func(name string, body []byte) string {
		if len(body) == 0 {
			return ""
		}
		ext := ".txt"
		if json.Valid(body) {
			ext = ".json"
		}
		name += ext
		bodies = append(bodies, File{path.Join(folder, name), s.body(body)})
		return name
	}
	for i := range c.Result.Findings.Routes {
		x := &c.Result.Findings.Routes[i]
		rec := newRoute(x)
		rec.Body = keep("answer-"+safe(x.Format), x.Body)
		r.Routes = append(r.Routes, rec)
	}
	if j := c.Result.Findings.Job; j != nil {
		r.Job = s.job(*j)
	}
	r.Request = keep("request", c.Request)
	r.Answer = keep("newest-answer", c.Answer)
	data, err := encode(r)
	if err != nil {
		return nil, err
	}
	return append([]File{{path.Join(folder, "case.json"), s.body(data)}}, bodies...), nil
}

func newRoute(x *inspect.Route) route {
	rec := route{Format: x.Format, Label: x.Label, Path: x.Path, Local: x.Local, Stopped: x.Stopped, Skipped: x.Skipped, Meta: x.Result.Meta, Task: x.Result.Task}
	if t := x.Result.Task; t != nil {
		rec.Absent = t.Absent
	}
	if err := x.Result.Err; err != nil {
		rec.Failure, rec.Error = newFailure(err)
	}
	return rec
}

func encode(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return []byte(b.String()), err
}

// safe makes a text fit for the name of a file.
func safe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return r
		}
		return '-'
	}, s)
	return cmp.Or(strings.Trim(s[:min(len(s), 60)], "-"), "id")
}
