package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// leftOut stands in place of what was left out.
const leftOut = "(left out)"

// scrubber leaves out what is not to be handed on.
type scrubber struct {
	o     Options
	dirs  []string // folders of the jobs' files, which events name as well
	known known
}

// newScrubber knows the jobs, and what their bodies hold.
func newScrubber(o Options, all []*jobs.Job, bodies ...[]byte) scrubber {
	s := scrubber{o: o}
	if o.NoPrompts || o.NoMedia {
		for _, b := range bodies {
			s.known.learn(b)
		}
	}
	for _, j := range all {
		if o.NoPrompts || o.NoMedia {
			if b, err := json.Marshal(j); err == nil {
				s.known.learn(b)
			}
		}
		for _, f := range j.Files {
			s.folder(f.Path)
		}
		for _, p := range j.Draft.LocalFiles() {
			s.folder(p.Path())
		}
	}
	slices.SortFunc(s.dirs, func(a, b string) int { return len(b) - len(a) }) // a folder before the one that holds it
	s.known.sort()
	return s
}

// folder notes the folder of a file, but for the root and the one in use, which tell nothing.
func (s *scrubber) folder(path string) {
	dir := filepath.Dir(path)
	if path != "" && dir != "." && filepath.Dir(dir) != dir {
		s.dirs = append(s.dirs, dir+string(filepath.Separator))
	}
}

// RedactText leaves out of a text about a job what the options say; of prompts it recognizes the
// job's own.
func (o Options) RedactText(j *jobs.Job, s string) string {
	return newScrubber(o, []*jobs.Job{j}).line(s)
}

// Redact leaves out of a body about a job what the options say, as in a bundle.
func (o Options) Redact(j *jobs.Job, body []byte) []byte {
	return newScrubber(o, []*jobs.Job{j}, body).body(body)
}

var (
	queryOf   = text.Pattern(`(?i)(https?:(?:` + slash + `){2}(?:[^\s"'<>?\\]|\\+/)+?)(?:\?|\\+u003f)(?:[^\s"<>\\]|` + escaped + `)*`)
	fileURL   = text.Pattern(`file://[^\s"'<>\\]*`)
	promptKey = text.Pattern(`(?i)^(.*prompt|lyrics?|custom_?lyrics|messages|system|instructions|input|text|gpt_description_prompt)$`)
)

// body returns a body without what is to be left out; it is rewritten only where it has to be.
func (s scrubber) body(b []byte) []byte {
	switch {
	case s.o.without() == nil:
		return b
	case !json.Valid(b) && s.o.NoPrompts:
		return []byte(leftOut)
	case !json.Valid(b):
		return []byte(s.line(string(b)))
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return s.text(b)
	}
	out, err := encode(s.value(v, false))
	if err != nil {
		return nil
	}
	return s.text(out)
}

// value replaces the texts below a key that names a prompt and, in all other texts, what is known,
// even in texts that are JSON themselves.
func (s scrubber) value(v any, inside bool) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[s.line(k)] = s.value(e, s.o.NoPrompts && holdsPrompt(k, e, inside))
		}
		return out
	case []any:
		for i, e := range x {
			x[i] = s.value(e, inside)
		}
		return x
	case string:
		if inside && x != "" {
			return leftOut
		}
		if nested, ok := within(x); ok {
			if b, err := json.Marshal(s.value(nested, inside)); err == nil {
				return string(b)
			}
		}
		return s.line(x)
	}
	return v
}

// line is a text of one line or more without what is to be left out.
func (s scrubber) line(text string) string { return string(s.text([]byte(s.known.cut(text, s.o)))) }

// text returns a text without the queries of addresses and the files of this machine, as the
// options say.
func (s scrubber) text(b []byte) []byte {
	if s.o.NoQueries {
		b = queryOf().ReplaceAll(b, []byte("$1"))
	}
	if s.o.NoPaths {
		for _, d := range s.dirs {
			b = bytes.ReplaceAll(b, []byte(d), nil)
		}
		b = fileURL().ReplaceAll(b, []byte("file:///"+leftOut))
	}
	return b
}

// job returns a job without the folders of its files, if the options say so.
func (s scrubber) job(j jobs.Job) *jobs.Job {
	if !s.o.NoPaths {
		return &j
	}
	files := make([]jobs.File, len(j.Files))
	for i, f := range j.Files {
		if f.Path != "" {
			f.Path = filepath.Base(f.Path)
		}
		files[i] = f
	}
	j.Files = files
	return &j
}

func newFailure(err error) (*failure, string) {
	if e, ok := errors.AsType[*client.APIError](err); ok {
		return &failure{HTTPStatus: e.HTTPStatus, Code: e.Code, Message: e.Message, Type: e.Type, Param: e.Param, RequestID: e.RequestID, Method: e.Method, Path: e.Path}, ""
	}
	return nil, inspect.ErrorText(err)
}
