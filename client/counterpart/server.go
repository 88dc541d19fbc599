package counterpart

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Key is the only one that the server takes.
const Key = "sk-counterpart-0123456789"

// Words of paths that the server has in the place of the family tokens.
const (
	songWord = "suno"
	filmWord = "kling"
)

// Fail makes the task of a prompt that begins with it fail.
const Fail = "FAIL"

// models are those that the lists name.
func models() []string {
	return []string{
		"sora-2", "doubao-seedance-1-0-pro-250528", "kling-v1", "suno_music", "suno_lyrics", "small-talk-1",
		"halo3.1", "halo3.1-fast", "halo3.1-4k", "pixie-2-4k", "joltq3-turbo", "kay-3.0-480p",
	}
}

// Seen is a request as the server got it.
type Seen struct {
	Method, Path string
	Body         map[string]any // nil for none
}

// Server is the counterpart. It is safe for concurrent use.
type Server struct {
	*httptest.Server
	mu    sync.Mutex
	seen  []Seen
	tasks map[string]*task
}

// task is one that was created.
type task struct {
	id, kind, model, prompt string
	seconds                 any // a string, when it was sent
	size                    string
	polls                   int
	made                    time.Time
}

// Start starts the server; Close ends it.
func Start() *Server {
	s := &Server{tasks: map[string]*task{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Requests are all that came, in their order.
func (s *Server) Requests() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Seen(nil), s.seen...)
}

// Creates are the requests that may have made something.
func (s *Server) Creates() []Seen {
	var out []Seen
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			out = append(out, r)
		}
	}
	return out
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body map[string]any
	valid := len(raw) == 0 || json.Unmarshal(raw, &body) == nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, Seen{r.Method, r.URL.Path, body})
	id := fmt.Sprintf("%d%s", time.Now().UnixNano(), rand.Text()[:8])
	w.Header().Set("X-Oneapi-Request-Id", id)
	a := &answer{w: w, r: r, body: body, valid: valid, request: id}
	if strings.HasPrefix(r.URL.Path, "/files/") {
		s.file(a)
		return
	}
	handle, known := s.route(r.Method, r.URL.Path)
	switch {
	case !known && apiPrefix(r.URL.Path):
		a.nested(404, fmt.Sprintf("Invalid URL (%s %s)", r.Method, r.URL.Path), "invalid_request_error", "")
	case !known:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html><head><title>Console</title></head><body><div id=\"root\"></div></body></html>")
	case r.Header.Get("Authorization") != "Bearer "+Key:
		a.nested(401, "Invalid token (request id: "+id+")", "new_api_error", "")
	default:
		handle(a)
	}
}

// apiPrefix reports a path under a prefix that the server takes for its API: the rest is its
// web console's.
func apiPrefix(path string) bool {
	for _, p := range []string{"/v1/", "/v1beta/", "/api/"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// route finds what serves a path.
func (s *Server) route(method, path string) (func(*answer), bool) {
	exact := map[string]func(*answer){
		"GET /v1beta/models":                                          s.nativeModels,
		"GET /v1/models":                                              s.listModels,
		"POST /v1/videos":                                             s.postVideo,
		"POST /api/v3/contents/generations/tasks":                     s.postContent,
		"POST /ent/v2/img2video":                                      s.postEnt,
		"POST /" + filmWord + "/v1/videos/image2video":                s.postFilm,
		"POST /" + filmWord + "/v1/videos/text2video":                 s.postFilm,
		"POST /" + songWord + "/submit/music":                         s.postSong,
		"POST /v1/images/generations":                                 s.postImage,
		"POST /v1/chat/completions":                                   s.postChat,
		"POST /api/v1/services/aigc/video-generation/video-synthesis": s.postTask,
	}
	if h, ok := exact[method+" "+path]; ok {
		return h, true
	}
	if method != http.MethodGet {
		return nil, false
	}
	for _, x := range []struct {
		before, after string
		handle        func(*answer, *task)
		unknown       func(*answer)
	}{
		{"/v1/videos/", "/content", s.content, func(a *answer) { a.nested(404, "Task not found", "invalid_request_error", nil) }},
		{"/v1/videos/", "", s.getVideo, notExist},
		{"/api/v3/contents/generations/tasks/", "", s.getContent, func(a *answer) {
			a.nested(404, "The task is not found", "NotFound", "NotFound")
		}},
		{"/ent/v2/tasks/", "/creations", s.getEnt, func(a *answer) {
			a.send(404, map[string]any{"code": 404, "reason": "TaskNotFound", "message": "task not found"})
		}},
		{"/api/v1/tasks/", "", s.getTask, nil},
		{"/" + filmWord + "/v1/videos/image2video/", "", s.getFilm, notExist},
		{"/" + filmWord + "/v1/videos/text2video/", "", s.getFilm, notExist},
		{"/" + songWord + "/fetch/", "", s.getSong, notExist},
	} {
		rest, ok := strings.CutPrefix(path, x.before)
		id, has := strings.CutSuffix(rest, x.after)
		if !ok || !has || id == "" || strings.Contains(id, "/") {
			continue
		}
		return func(a *answer) {
			t := s.tasks[id]
			switch {
			case t == nil && x.unknown == nil: // as the vendor says it: an end of its own
				a.send(200, map[string]any{"request_id": a.request, "output": map[string]any{"task_id": id, "task_status": "UNKNOWN"}})
			case t == nil:
				x.unknown(a)
			default:
				if x.after == "" || x.after == "/creations" {
					t.polls++
				}
				x.handle(a, t)
			}
		}, true
	}
	return nil, false
}

func notExist(a *answer) { a.flat(400, "task_not_exist", "task_not_exist") }

// create makes a task of a body; ok is false where the body was refused.
func (s *Server) create(a *answer, kind, prefix, prompt string) (*task, bool) {
	model, _ := a.body["model"].(string)
	switch {
	case !a.valid:
		a.nested(400, "Invalid request: invalid JSON request body (request id: "+a.request+")", "new_api_error", "")
		return nil, false
	case model == "":
		a.nested(400, "Model name not specified, model name cannot be empty (request id: "+a.request+")", "new_api_error", "")
		return nil, false
	case !a.offered(model):
		return nil, false
	}
	t := &task{id: prefix + rand.Text(), kind: kind, model: model, prompt: prompt, made: time.Now()}
	s.tasks[t.id] = t
	return t, true
}

// answer is one request and what it is answered with.
type answer struct {
	w       http.ResponseWriter
	r       *http.Request
	body    map[string]any
	valid   bool
	request string
}

// offered refuses a model that is not in the lists as such gateways do: with 503.
func (a *answer) offered(model string) bool {
	for _, m := range models() {
		if m == model {
			return true
		}
	}
	a.nested(503, "No available channel for model "+model+" under group default (distributor) (request id: "+a.request+")", "new_api_error", "model_not_found")
	return false
}

func (a *answer) send(status int, v any) {
	a.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	a.w.WriteHeader(status)
	_ = json.NewEncoder(a.w).Encode(v)
}

// nested is {error: {…}}; code nil leaves it out.
func (a *answer) nested(status int, message, kind string, code any) {
	e := map[string]any{"message": message, "type": kind}
	if code != nil {
		e["code"], e["param"] = code, ""
	}
	a.send(status, map[string]any{"error": e})
}

// flat is {code, message, data: null}.
func (a *answer) flat(status int, code, message string) {
	a.send(status, map[string]any{"code": code, "message": message, "data": nil})
}

func (a *answer) text(name string) string { s, _ := a.body[name].(string); return s }
