package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/text"
)

// Formats of video tasks, under the names that the catalog has
// for them.
const (
	formatVideos  = "videos"  // common format; records have "" for it
	formatContent = "content" // content-array format
	formatEnt     = "ent"     // vendor-style format
	formatTasks   = "tasks"   // second vendor-style format
	formatStatus  = "status"  // status format
)

// findVideo returns a video task through one of its formats. A task is visible through
// every format that the catalog lists as a route of its model, however it was created.
func (s *Server) findVideo(w http.ResponseWriter, r *http.Request, id, format string) (*record, error) {
	s.counts.queries.Add(1)
	find := s.find
	if format == formatTasks { // which says UNKNOWN of a task that is too old
		find = s.known
	}
	t, err := find(w, r, id, kindVideo)
	if err != nil {
		return nil, err
	}
	if t != nil && t.Format != format {
		cat, err := s.rules()
		if err != nil {
			return nil, internal("catalog", err)
		}
		if m, _ := cat.Model(t.Model); !slices.Contains(m.Routes, format) {
			return nil, notFound("task %q is not visible on this path: its model is %s", text.Clip(id, 80), t.Model)
		}
	}
	if t == nil {
		return nil, notFound("no task %q on this gateway", text.Clip(id, 80))
	}
	return t, nil
}

// modelOf refuses a model that a format does not create with. A missing or unknown one
// is left to check, which says more.
func (s *Server) modelOf(body map[string]any, format string) error {
	cat, err := s.rules()
	if err != nil {
		return internal("catalog", err)
	}
	id, _ := body[client.FieldModel].(string)
	m, known := cat.Model(id)
	if !known || m.Modality != client.Video || slices.Contains(m.Formats, format) {
		return nil
	}
	var allowed []string
	for _, x := range cat.Models(client.Video) {
		if slices.Contains(x.Formats, format) {
			allowed = append(allowed, x.ID)
		}
	}
	return badRequest(client.FieldModel, "model %q is not served on this path: allowed are %s", id, strings.Join(allowed, ", "))
}

// wireType is a type that GATEWAY.md shows for a field.
type wireType string

const (
	isString  wireType = "a string"
	isStrings wireType = "an array of strings"
	isNumber  wireType = "a number"
	isInteger wireType = "an integer"
	isBoolean wireType = "true or false"
	isObjects wireType = "an array of objects"
	isObject  wireType = "an object"
)

// checkTypes refuses fields of another type than the shown one; null is as good as
// missing. prefix is what messages put before the names.
func checkTypes(prefix string, body map[string]any, types map[string]wireType) error {
	for _, k := range slices.Sorted(maps.Keys(types)) {
		if v, ok := body[k]; ok && v != nil && !types[k].fits(v) {
			return badRequest(prefix+k, "%s%s must be %s", prefix, k, types[k])
		}
	}
	return nil
}

func (t wireType) fits(v any) bool {
	switch x := v.(type) {
	case string:
		return t == isString
	case bool:
		return t == isBoolean
	case json.Number:
		return t == isNumber || t == isInteger && only(strings.TrimPrefix(x.String(), "-"), idDigits)
	case map[string]any:
		return t == isObject
	case []any:
		if t != isStrings && t != isObjects {
			return false
		}
		return !slices.ContainsFunc(x, func(it any) bool {
			_, text := it.(string)
			_, object := it.(map[string]any)
			return t == isStrings && !text || t == isObjects && !object
		})
	}
	return false
}

// rule is a check of one format, asked before the findings of the catalog are refused.
type rule func(a *asked, problems []catalog.Problem) error

// createVideo makes a task of a body in the terms of the common format.
func (s *Server) createVideo(w http.ResponseWriter, r *http.Request, body map[string]any, format string, rules ...rule) (*record, *asked, error) {
	a, err := s.check(w, r, client.Video, cmp.Or(format, formatVideos), body, rules...)
	if err != nil {
		return nil, nil, err
	}
	rec := &record{Kind: kindVideo, Format: format}
	if rec.Video, err = s.videoPlan(a); err != nil {
		return nil, nil, err
	}
	rec.Payload, _ = body["payload"].(string)
	rec.Payload = text.Head(rec.Payload, promptKept)
	return rec, a, s.accept(w, rec, a)
}

// term is the format's own term for the state of a task, or the scripted one.
func (st state) in(terms map[phase]string) string {
	if st.term != "" {
		return st.term
	}
	return terms[st.phase]
}

// jsonText is a value as JSON inside a string. The values are our own.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", err.Error())
	}
	return string(b)
}
