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

// leftOut stands in the place of what was left out.
const leftOut = "(left out)"

// scrubber leaves out what is not to be handed over.
type scrubber struct{ o Options }

var (
	queryOf   = regexp.MustCompile(`(https?://[^\s"'<>?\\]+)\?[^\s"'<>\\]*`)
	fileURL   = regexp.MustCompile(`file://[^\s"'<>\\]*`)
	promptKey = regexp.MustCompile(`(?i)^(.*prompt|lyrics?|custom_?lyrics|messages|system|instructions|input|text|gpt_description_prompt)$`)
)

// body is a body with nothing in it that is to be left out; it is rewritten only where it has to be.
func (s scrubber) body(b []byte) []byte {
	if !s.o.NoPrompts {
		return s.text(b)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return s.text(b)
	}
	out, err := encode(withoutPrompts(v, false))
	if err != nil {
		return nil
	}
	return s.text(out)
}

// withoutPrompts replaces the texts below a key that is a prompt's.
func withoutPrompts(v any, inside bool) any {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			_, object := e.(map[string]any)
			x[k] = withoutPrompts(e, inside && k != "role" && k != "type" || promptKey.MatchString(k) && !(object && strings.EqualFold(k, "input")))
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

// text is a text without the queries of addresses and the files of this machine.
func (s scrubber) text(b []byte) []byte {
	if s.o.NoQueries {
		b = queryOf.ReplaceAll(b, []byte("$1"))
	}
	if s.o.NoPaths {
		b = fileURL.ReplaceAll(b, []byte("file:///"+leftOut))
	}
	return b
}

// job is a job without the folders of its files.
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
