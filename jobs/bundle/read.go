package bundle

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// Bounds of a bundle that somebody else made.
const (
	maxFiles  = 20_000
	maxBytes  = 256 << 20 // of all files, unpacked
	maxOne    = 64 << 20
	maxRoutes = 100
	// maxValues bounds the values of all JSON that is decoded: an empty one takes two bytes there, and
	// a hundred times that here.
	maxValues = 1 << 20
)

// Bundle is a bundle that was opened. Nothing in it is asked about again, and nothing is merged
// into a history.
type Bundle struct {
	Program string
	Made    time.Time
	Without []string
	Cases   []Case
}

// Read opens a bundle. What it holds is not trusted: sizes are bounded, and names lead to its own
// files alone.
func Read(r io.ReaderAt, size int64) (*Bundle, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("it is not a bundle: %w", err)
	}
	if len(z.File) > maxFiles {
		return nil, fmt.Errorf("it has %d files; at most %d are read", len(z.File), maxFiles)
	}
	x := &opened{files: map[string]*zip.File{}, left: maxBytes, values: maxValues}
	for _, f := range z.File {
		x.files[f.Name] = f
	}
	var m manifest
	if err := x.decode("bundle.json", &m); err != nil {
		return nil, fmt.Errorf("it is not a bundle: %w", err)
	}
	if m.Version != version {
		return nil, fmt.Errorf("it is of version %d; this program reads version %d", m.Version, version)
	}
	if len(m.Cases) > len(z.File) {
		return nil, fmt.Errorf("it names %d cases and has %d files", len(m.Cases), len(z.File))
	}
	b := &Bundle{Program: m.Program, Made: m.Made, Without: m.Without}
	for _, folder := range m.Cases {
		c, err := x.read(folder)
		if err != nil {
			return nil, err
		}
		b.Cases = append(b.Cases, c)
	}
	return b, nil
}

// opened are the files of a bundle, and how much of them may still be unpacked and decoded.
type opened struct {
	files  map[string]*zip.File
	left   int64
	values int // that may still be decoded
}

func (x *opened) file(name string) ([]byte, error) {
	f, ok := x.files[name]
	if !ok {
		return nil, fmt.Errorf("%s is missing", client.CleanLine(name))
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	limit := min(x.left, maxOne)
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", client.CleanLine(name), err)
	case int64(len(b)) > limit:
		return nil, fmt.Errorf("%s: it is too large: %d MiB a file and %d MiB in all are read", client.CleanLine(name), maxOne>>20, maxBytes>>20)
	}
	x.left -= int64(len(b))
	return b, nil
}

func (x *opened) decode(name string, into any) error {
	b, err := x.file(name)
	if err != nil {
		return err
	}
	if x.values -= values(b); x.values < 0 {
		return fmt.Errorf("%s: it holds too much: %d values in all are read", client.CleanLine(name), maxValues)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("%s: %w", client.CleanLine(name), err)
	}
	return nil
}

// values is how many values a JSON text has at most.
func values(b []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	return n
}

// read reads one case.
func (x *opened) read(folder string) (Case, error) {
	var r record
	if err := x.decode(path.Join(folder, "case.json"), &r); err != nil {
		return Case{}, err
	}
	if len(r.Routes) > maxRoutes {
		return Case{}, fmt.Errorf("%d routes of one id; at most %d are read", len(r.Routes), maxRoutes)
	}
	c := Case{Result: lookup.Result{Subject: r.Subject, Asked: r.Asked}, Events: r.Events, Exchanges: r.Exchanges}
	if r.Problem != "" {
		c.Result.Err = errors.New(client.CleanLine(r.Problem))
	}
	c.Result.Findings.Job = r.Job
	body := func(name string) ([]byte, error) {
		if name == "" {
			return nil, nil
		}
		return x.file(path.Join(folder, name))
	}
	for i := range r.Routes {
		b, err := body(r.Routes[i].Body)
		if err != nil {
			return c, err
		}
		c.Result.Findings.Routes = append(c.Result.Findings.Routes, r.Routes[i].route(b))
	}
	var err error
	if c.Request, err = body(r.Request); err == nil {
		c.Answer, err = body(r.Answer)
	}
	return c, err
}

// route returns the route as it was seen.
func (r *route) route(body []byte) inspect.Route {
	r.Format, r.Label, r.Skipped = client.CleanLine(r.Format), client.CleanLine(r.Label), client.CleanLine(r.Skipped)
	if r.Task != nil {
		r.Task.Status = client.Status(client.CleanLine(string(r.Task.Status)))
	}
	out := inspect.Route{Format: r.Format, Label: r.Label, Path: r.Path, Local: r.Local, Stopped: r.Stopped, Skipped: r.Skipped, Done: true, Body: body,
		Result: client.RouteResult{Format: r.Format, Label: r.Label, Path: r.Path, Meta: r.Meta, Task: r.Task}}
	if r.Task != nil {
		r.Task.Raw, r.Task.Absent = body, r.Absent
	}
	switch {
	case r.Failure != nil:
		f := r.Failure
		out.Result.Err = &client.APIError{HTTPStatus: f.HTTPStatus, Code: f.Code, Message: f.Message, Type: f.Type, Param: f.Param, RequestID: f.RequestID,
			Method: f.Method, Path: f.Path, Body: body}
	case strings.TrimSpace(r.Error) != "":
		out.Result.Err = errors.New(client.CleanLine(r.Error))
	}
	return out
}
