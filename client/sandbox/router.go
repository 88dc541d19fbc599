package sandbox

import (
	"net/http"
	"net/url"
	"strings"

	"darkroom/client/sandbox/script"
)

// handler answers one request; vars are the path parameters in order. An error that it returns
// before writing anything is answered in the error shape.
type handler func(w http.ResponseWriter, r *http.Request, vars []string) error

// route is one path of the interface. A segment "*" is a path parameter.
type route struct {
	method string
	segs   []string
	handle handler
	class  script.Class
	open   bool // served without a key
}

func on(method, path string, h handler) route {
	c := script.Query
	if method == http.MethodPost {
		c = script.Create
	}
	return route{class: c, method: method, segs: strings.Split(strings.TrimPrefix(path, "/"), "/"), handle: h}
}

func (rt route) as(c script.Class) route {
	rt.class = c
	return rt
}

// table lists what is served (GATEWAY: Endpoints). Everything that is not here is
// answered with 404: the paths that are not available externally (GET /v1/videos,
// remix) and the reserved ones (predictLongRunning, /v1beta/{operation_name}) among
// them. net/http.ServeMux cannot serve this table: it panics on
// "{model}:predictLongRunning" and answers 405.
func (s *Server) table() []route {
	file := on(http.MethodGet, "/files/*/*", s.getFile).as(script.Content)
	file.open = true
	return []route{
		on(http.MethodGet, "/v1/videos/*", s.getVideo),
		on(http.MethodGet, "/famN/fetch/*", s.getMusic),
		on(http.MethodGet, "/v1/responses/*", s.getResponse),
		file,
		on(http.MethodGet, "/api/v3/contents/generations/tasks/*", s.getContent),
		on(http.MethodGet, "/ent/v2/tasks/*/creations", s.getEnt),
		on(http.MethodGet, "/api/v1/tasks/*", s.getTask),
		on(http.MethodGet, "/famF/v1/videos/image2video/*", s.getStatus),
		on(http.MethodPost, "/api/v3/contents/generations/tasks", s.postContent),
		on(http.MethodPost, "/ent/v2/img2video", s.postEnt),
		on(http.MethodGet, "/v1/videos/*/content", s.getVideoContent).as(script.Content),
		on(http.MethodPost, "/v1/videos", s.postVideo),
		on(http.MethodPost, "/v1/images/generations", s.postImage),
		on(http.MethodPost, "/famN/submit/music", s.postMusic),
		on(http.MethodPost, "/v1/responses", s.postResponse),
		on(http.MethodPost, "/v1/chat/completions", s.postChat),
		on(http.MethodGet, "/v1beta/models", s.getModels).as(script.List),
		on(http.MethodGet, "/v1/models", s.getOpenAIModels).as(script.List),
		on(http.MethodGet, "/_sandbox/stats", s.getStats).as("stats"),
	}
}

// match finds the route of a request; HEAD is routed like GET. Segments are split before they are
// unescaped, so that an escaped slash stays inside its segment.
func (s *Server) match(r *http.Request) (*route, []string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), "/")
	if !ok {
		return nil, nil
	}
	segs := strings.Split(path, "/")
	for i := range s.routes {
		rt := &s.routes[i]
		if rt.method != method || len(rt.segs) != len(segs) {
			continue
		}
		if vars, ok := rt.match(segs); ok {
			return rt, vars
		}
	}
	return nil, nil
}

func (rt *route) match(segs []string) ([]string, bool) {
	var vars []string
	for i, want := range rt.segs {
		if want != "*" {
			if want != segs[i] {
				return nil, false
			}
			continue
		}
		v, err := url.PathUnescape(segs[i])
		if err != nil || v == "" {
			return nil, false
		}
		vars = append(vars, v)
	}
	return vars, true
}
