package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
)

// leftOut stands in place of what was left out.
const leftOut = "(left out)"

// scrubber leaves out what is not to be handed on.
type scrubber struct {
	o    Options
	dirs []string // folders of the jobs' files, which events name as well
}

func newScrubber(o Options, all []*jobs.Job) scrubber {
	s := scrubber{o: o}
	for _, j := range all {
		for _, f := range j.Files {
			if f.Path != "" {
				s.dirs = append(s.dirs, filepath.Dir(f.Path)+string(filepath.Separator))
			}
		}
	}
	return s
}

// RedactText leaves out of a text about a job what the options say, except prompts: a text does not
// show where they are.
func (o Options) RedactText(j *jobs.Job, s string) string {
	return string(newScrubber(o, []*jobs.Job{j}).text([]byte(s)))
}

// Redact leaves out of a body about a job what the options say, as in a bundle.
func (o Options) Redact(j *jobs.Job, body []byte) []byte {
	return newScrubber(o, []*jobs.Job{j}).body(body)
}

var (
	queryOf   = regexp.MustCompile(`(https?://[^\s"'<>?\\]+)\?[^\s"'<>\\]*`)
	fileURL   = regexp.MustCompile(`file://[^\s"'<>\\]*`)
	promptKey = regexp.MustCompile(`(?i)^(.*prompt|lyrics?|custom_?lyrics|messages|system|instructions|input|text|gpt_description_prompt)$`)
)

// body returns a body without what is to be left out; it is rewritten only where it has to be.
func (s scrubber) body(b []byte) []byte {
	switch {
	case s.o.without() == nil:
		return b
	case !json.Valid(b) && s.o.NoPrompts:
		return []byte(leftOut)
	case !json.Valid(b):
		return s.text(b)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return s.text(b)
	}
	if s.o.NoPrompts {
		v = withoutPrompts(v, false)
	}
	out, err := encode(v)
	if err != nil {
		return nil
	}
	return s.text(out)
}

// withoutPrompts replaces the texts below a key that names a prompt.
func withoutPrompts(v any, inside bool) any {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			_, object := e.(map[string]any)
			media := object && strings.EqualFold(k, "input") // holds the prompt under a key of its own
			x[k] = withoutPrompts(e, inside && k != "role" && k != "type" || promptKey.MatchString(k) && !media)
		}
		return x
	case []any:
		for i, e := range x {
			x[i] = withoutPrompts(e, inside)
		}
		return x
	case string:
		if inside && x != "" {
			return leftOut
		}
	}
	return v
}

// text returns a text without the queries of addresses and the files of this machine, as the
// options say.
func (s scrubber) text(b []byte) []byte {
	if s.o.NoQueries {
		b = queryOf.ReplaceAll(b, []byte("$1"))
	}
	if s.o.NoPaths {
		for _, d := range s.dirs {
			b = bytes.ReplaceAll(b, []byte(d), nil)
		}
		b = fileURL.ReplaceAll(b, []byte("file:///"+leftOut))
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
