package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

func TestAuth(t *testing.T) {
	b := newBench(t)
	send := func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for _, h := range headers {
			r.Header.Add("Authorization", h)
		}
		return b.send(r)
	}
	refused := map[string][]string{
		"no header":      nil,
		"wrong key":      {"Bearer sk-tesT"},
		"prefix of it":   {"Bearer sk-tes"},
		"longer":         {"Bearer sk-test1"},
		"empty":          {"Bearer "},
		"no scheme":      {testKey},
		"another scheme": {"Token " + testKey},
		"two headers":    {"Bearer " + testKey, "Bearer " + testKey},
	}
	for name, headers := range refused {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/v1beta/models", "/v1/videos/video_abcdefgh", "/no/such/path", "/_sandbox/stats", "/v1/models", contentPath + "/x", entQuery("x"), "/api/v1/tasks/x", "/famF/v1/videos/image2video/x"} {
				w := send(path, headers...)
				require.Equal(t, http.StatusUnauthorized, w.Code, path)
				e := errorOf(t, w)
				assert.Equal(t, "invalid_api_key", e.Code)
				assert.Equal(t, "authentication_error", e.Type)
				assert.NotContains(t, w.Body.String(), testKey)
				assert.NotEmpty(t, w.Header().Get("WWW-Authenticate"))
			}
		})
	}
	for _, h := range []string{"Bearer " + testKey, "bearer " + testKey, "Bearer  " + testKey} {
		assert.Equal(t, http.StatusOK, send("/v1beta/models", h).Code, h)
	}
}

// The header of another API stands for the key below /v1beta and at /v1/models, where its
// clients send it alone, and nowhere else. It opens nothing that is not served.
func TestGoogleKey(t *testing.T) {
	send := func(b *bench, path, key string, more ...string) int {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("x-goog-api-key", key)
		for _, h := range more {
			r.Header.Add("Authorization", h)
		}
		return b.send(r).Code
	}
	b := newBench(t)
	assert.Equal(t, http.StatusOK, send(b, "/v1beta/models?pageSize=50", testKey))
	assert.Equal(t, http.StatusUnauthorized, send(b, "/v1beta/models", "another"))
	assert.Equal(t, http.StatusUnauthorized, send(b, "/v1beta/models", ""))
	assert.Equal(t, http.StatusUnauthorized, send(b, "/v1beta/models", testKey, "Bearer another"))
	assert.Equal(t, http.StatusOK, send(b, "/v1beta/models", "another", "Bearer "+testKey), "beside Bearer it is not looked at")
	for _, path := range []string{"/v1beta/operations%2Fabc", "/v1beta/models/famA3", "/v1beta/models/famA3:predictLongRunning", "/v1/models/famA3"} {
		assert.Equal(t, http.StatusNotFound, send(b, path, testKey), path)
		assert.Equal(t, http.StatusUnauthorized, send(b, path, "another"), path)
	}
	for _, path := range []string{"/_sandbox/stats", "/v1/modelsx", "/v1/videos/video_abcdefgh", "/v1beta"} {
		assert.Equal(t, http.StatusUnauthorized, send(b, path, testKey), path)
	}
	r := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
	r.Header.Set("x-goog-api-key", testKey)
	c, err := catalog.Embedded()
	require.NoError(t, err)
	all := len(c.Models("")) + 1 // and what answers chats
	assert.Len(t, object(t, b.send(r))["models"], all, "the list that such a client expects")
	assert.Len(t, b.ok("GET", "/v1/models", "")["data"], all)
	r.Header["X-Goog-Api-Key"] = []string{testKey, testKey}
	assert.Equal(t, http.StatusUnauthorized, b.send(r).Code, "two keys")
	b = newBench(t, func(o *Options) { o.BearerOnly = true })
	assert.Equal(t, http.StatusUnauthorized, send(b, "/v1beta/models", testKey))
}

func TestRandomKeysDiffer(t *testing.T) {
	a := newBench(t, func(o *Options) { o.Key = "" })
	b := newBench(t, func(o *Options) { o.Key = "" })
	assert.NotEqual(t, a.s.Key(), b.s.Key())
	assert.Greater(t, len(a.s.Key()), 30)
}

// GATEWAY: Endpoints, rules 2 and 3: what is not available is 404, never 405.
func TestPathsThatAreNotServed(t *testing.T) {
	b := newBench(t)
	id := b.ok("POST", "/v1/videos", t2v+"}")["id"].(string)
	for _, c := range [][2]string{
		{"GET", "/v1/videos"},
		{"POST", "/v1/videos/" + id + "/remix"},
		{"POST", "/v1beta/models/famA3:predictLongRunning"},
		{"GET", "/v1beta/operations%2Fabc"},
		{"GET", "/v1beta/operations/abc"},
		{"GET", "/v1beta/" + "models%2FfamA3%2Foperations%2Fx"},
		{"GET", "/v1beta/models/famA3"},
		{"POST", "/v1beta/models"},
		{"GET", "/api/v3/contents/generations/tasks"},
		{"DELETE", "/api/v3/contents/generations/tasks/" + id},
		{"PUT", "/api/v3/contents/generations/tasks"},
		{"GET", "/ent/v2/img2video"},
		{"POST", "/ent/v2/text2video"},
		{"GET", "/ent/v2/tasks/" + id},
		{"POST", "/ent/v2/tasks/" + id + "/creations"},
		{"GET", "/api/v1/tasks"},
		{"POST", "/api/v1/tasks/" + id},
		{"POST", "/api/v1/services/aigc/video-generation/video-synthesis"},
		{"POST", "/famF/v1/videos/image2video"},
		{"GET", "/famF/v1/videos/text2video/" + id},
		{"GET", "/v1/chat/completions"},
		{"GET", "/v1/models/famA3"},
		{"POST", "/v1/models"},
		{"DELETE", "/v1/videos/" + id},
		{"PUT", "/v1/videos"},
		{"GET", "/v1/images/generations"},
		{"GET", "/famN/submit/music"},
		{"POST", "/v1/videos/" + id},
		{"POST", "/v1/videos/"},
		{"GET", "/v1/videos/"},
		{"GET", "/v1/videos/" + id + "/"},
		{"GET", "//v1/videos/" + id},
		{"GET", "/"},
		{"GET", "/V1/videos/" + id},
	} {
		e := b.refused(http.StatusNotFound, c[0], c[1], "")
		assert.Contains(t, e.Message, c[0])
	}
}

func TestUnknownIDs(t *testing.T) {
	b := newBench(t)
	id := b.ok("POST", "/v1/videos", t2v+"}")["id"].(string)
	for _, path := range []string{
		"/v1/videos/video_aaaaaaaaaaaaaaaa", "/v1/videos/" + id[:len(id)-1], "/v1/videos/" + strings.ToUpper(id),
		"/v1/videos/%2e%2e", "/v1/videos/..%2f..%2fcreates.log", "/v1/videos/" + id + "%00", "/v1/videos/" + strings.Repeat("a", 5000),
		"/famN/fetch/" + id, "/v1/responses/" + id, "/v1/videos/" + id + "x/content",
	} {
		e := b.refused(http.StatusNotFound, "GET", path, "")
		assert.Less(t, len(e.Message), 300)
	}
}

func TestEveryAnswerCarriesARequestID(t *testing.T) {
	b := newBench(t)
	seen := map[string]bool{}
	for _, w := range []*httptest.ResponseRecorder{
		b.do("GET", "/v1beta/models", ""), b.do("GET", "/nowhere", ""), b.do("POST", "/v1/videos", "{"),
		b.send(httptest.NewRequest(http.MethodGet, "/v1/videos/x", nil)),
	} {
		id := w.Header().Get("X-Request-Id")
		assert.Regexp(t, `^req_[a-z2-7]{16}$`, id)
		assert.False(t, seen[id])
		seen[id] = true
	}
}

func TestLogHasNoSecrets(t *testing.T) {
	var lines []string
	b := newBench(t, func(o *Options) {
		o.Logf = func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	})
	b.do("POST", "/v1/videos", t2v+"}")
	b.do("GET", "/v1/videos/%1b%5b31m", "")
	b.do("GET", "/files/video_abcdefgh-hidden/video.mp4", "")
	require.Len(t, lines, 3)
	assert.Contains(t, lines[0], `POST "/v1/videos" 200`)
	for _, l := range lines {
		assert.NotContains(t, l, testKey)
		assert.NotContains(t, l, "kite")
		assert.NotContains(t, l, "hidden")
		assert.NotContains(t, l, "\x1b")
	}
}
