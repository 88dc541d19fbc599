package sandbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox/script"
)

// as sends a request with another key.
func (b *bench) as(key, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8400"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return b.send(r)
}

// A task is not found with any key but that of its owner, in the words of an id that never was; its
// results are everybody's.
func TestKeysOwnTheirTasks(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, func(o *Options) { o.Owners, o.Dir = map[string]string{"ana": "sk-ana", "bo": ""}, dir })
	bo := b.s.Owners()["bo"]
	require.True(t, strings.HasPrefix(bo, "sk-sandbox-"), "a key is made where none is given")
	created := func(key, path, body, field string) string {
		w := b.as(key, "POST", path, body)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		return at(object(t, w), field).(string)
	}
	const tiny = `,"prompt":"x",` + small + `}`
	// the same kind of id that nobody ever got, per query path
	for path, c := range map[string]struct{ create, body, field, never string }{
		"/v1/videos/%s":                         {"/v1/videos", `{"model":"famA3"` + tiny, "id", "video_aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/v1/videos/%s/content":                 {"/v1/videos", `{"model":"famA3"` + tiny, "id", "video_aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/api/v1/tasks/%s":                      {"/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x"}`, "id", "video_aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/famF/v1/videos/image2video/%s":        {"/v1/videos", `{"model":"famF-video","model_name":"famF-v3","mode":"t2v"` + tiny, "id", "video_aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/api/v3/contents/generations/tasks/%s": {"/api/v3/contents/generations/tasks", `{"model":"famI-omni","prompt":"x"}`, "id", "cgt-20260301120000-aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/ent/v2/tasks/%s/creations":            {"/ent/v2/img2video", `{"model":"famJq3-turbo","prompt":"x"}`, "task_id", "700000000000000001"},
		"/famN/fetch/%s":                        {"/famN/submit/music", `{"model":"famN_music","prompt":"x"}`, "data", "task_aaaaaaaaaaaaaaaaaaaaaaaa"},
		"/v1/responses/%s":                      {"/v1/responses", `{"model":"famL","input":"x","background":true}`, "id", "resp_aaaaaaaaaaaaaaaaaaaaaaaa"},
	} {
		id := created("sk-ana", c.create, c.body, c.field)
		b.clock.advance(time.Minute)
		require.Equal(t, http.StatusOK, b.as("sk-ana", "GET", replace(path, id), "").Code, path)
		for _, key := range []string{testKey, bo} {
			w, never := b.as(key, "GET", replace(path, id), ""), b.as(key, "GET", replace(path, c.never), "")
			require.Equal(t, http.StatusNotFound, w.Code, "%s: %s", path, w.Body)
			assert.Equal(t, strings.ReplaceAll(never.Body.String(), c.never, id), w.Body.String(), "%s tells a stranger that the task is there", path)
		}
	}
	id := created("sk-ana", "/v1/videos", `{"model":"famA3"`+tiny, "id")
	b.clock.advance(time.Minute)
	m := object(t, b.as("sk-ana", "GET", "/v1/videos/"+id, ""))
	assert.Equal(t, http.StatusOK, b.send(httptest.NewRequest("GET", pathOf(t, m["video_url"]), nil)).Code)
	extend := `{"model":"famF-video","model_name":"famF-v2-6","mode":"extend",` + small + `,"video_id":"` + id + `"}`
	assert.Equal(t, http.StatusBadRequest, b.as(bo, "POST", "/v1/videos", extend).Code, "nobody extends another one's video")
	assert.Equal(t, http.StatusOK, b.as("sk-ana", "POST", "/v1/videos", extend).Code)

	// Tasks belong to the name: a new key of its owner finds them, and so does no other.
	again := newBench(t, func(o *Options) { o.Owners, o.Dir = map[string]string{"ana": "sk-new"}, dir })
	assert.Equal(t, http.StatusOK, again.as("sk-new", "GET", "/v1/videos/"+id, "").Code)
	assert.Equal(t, http.StatusNotFound, again.do("GET", "/v1/videos/"+id, "").Code)
	assert.Equal(t, http.StatusUnauthorized, again.as("sk-ana", "GET", "/v1/videos/"+id, "").Code)

	_, err := New(Options{Key: "sk-1", Owners: map[string]string{"ana": "sk-1"}})
	require.ErrorContains(t, err, "another one's")
}

// Addresses of results end as their task's script has it, and say so as the hosts of results do.
func TestResultURLsExpire(t *testing.T) {
	b := newBench(t)
	get := func(u any) *httptest.ResponseRecorder { return b.send(httptest.NewRequest("GET", pathOf(t, u), nil)) }
	m := b.video(`{"model":"famA3","prompt":"x [[sandbox:expire after=60 status=410]]",` + small + `}`)
	first := m["video_url"]
	require.Regexp(t, `/video\.mp4\?Expires=\d{10}&Signature=[0-9a-f]{64}$`, first)
	require.Equal(t, http.StatusOK, get(first).Code)
	unsigned, _, _ := strings.Cut(first.(string), "?")
	require.Equal(t, http.StatusGone, get(unsigned).Code, "without its signature it opens nothing")
	b.clock.advance(30 * time.Second)
	second := b.ok("GET", "/v1/videos/"+m["id"].(string), "")["video_url"]
	b.clock.advance(30 * time.Second)
	w := get(first)
	require.Equal(t, http.StatusGone, w.Code)
	require.Equal(t, "application/xml", w.Header().Get("Content-Type"))
	require.Contains(t, w.Body.String(), "<Code>AccessDenied</Code><Message>the address has expired</Message>")
	require.Equal(t, http.StatusOK, get(second).Code, "a later answer names a fresh one")
	moved := strings.Replace(first.(string), "Expires=1", "Expires=2", 1)
	require.Contains(t, get(moved).Body.String(), "signature")
	r := b.do("GET", "/v1/videos/"+m["id"].(string)+"/content", "")
	require.Equal(t, http.StatusOK, r.Code, "the content path has a key, and no end")

	m = b.video(`{"model":"famA3","prompt":"x [[sandbox:expire after=60 fixed]]",` + small + `}`)
	b.clock.advance(time.Minute)
	late := b.ok("GET", "/v1/videos/"+m["id"].(string), "")["video_url"]
	require.Equal(t, m["video_url"], late, "fixed: every answer names the same one")
	require.Equal(t, http.StatusForbidden, get(late).Code)
	require.NotContains(t, b.video(`{"model":"famA3","prompt":"x",` + small + `}`)["video_url"], "?", "by default they last")
}

// A task is UNKNOWN in the second vendor-style format once it is older than 24 hours; the others know it.
func TestTasksBecomeUnknown(t *testing.T) {
	b := newBench(t)
	id := b.ok("POST", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x"}`)["id"].(string)
	b.clock.advance(24*time.Hour - time.Second)
	assert.Equal(t, "SUCCEEDED", at(b.ok("GET", "/api/v1/tasks/"+id, ""), "output.task_status"))
	b.clock.advance(time.Second)
	m := b.ok("GET", "/api/v1/tasks/"+id, "")
	assert.Equal(t, map[string]any{"task_id": id, "task_status": "UNKNOWN"}, m["output"])
	assert.NotContains(t, m, "usage")
	assert.Equal(t, "completed", b.ok("GET", "/v1/videos/"+id, "")["status"])

	id = b.ok("POST", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x [[sandbox:forget after=30]]"}`)["id"].(string)
	b.clock.advance(29 * time.Second)
	assert.Equal(t, "SUCCEEDED", at(b.ok("GET", "/api/v1/tasks/"+id, ""), "output.task_status"))
	assert.Equal(t, "completed", b.ok("GET", "/v1/videos/"+id, "")["status"])
	b.clock.advance(time.Second)
	assert.Equal(t, "UNKNOWN", at(b.ok("GET", "/api/v1/tasks/"+id, ""), "output.task_status"))
	b.refused(http.StatusNotFound, "GET", "/v1/videos/"+id, "")
	b.refused(http.StatusNotFound, "GET", "/v1/videos/"+id+"/content", "")
	b.refused(http.StatusNotFound, "GET", "/api/v1/tasks/video_aaaaaaaaaaaaaaaaaaaaaaaa", "")

	id = b.ok("POST", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x"}`)["id"].(string)
	b.clock.advance(time.Minute)
	w := b.with("forget after=1", "GET", "/api/v1/tasks/"+id, "")
	assert.Equal(t, "UNKNOWN", at(object(t, w), "output.task_status"), "a header shows it so once")
	assert.Equal(t, "SUCCEEDED", at(b.ok("GET", "/api/v1/tasks/"+id, ""), "output.task_status"))
}

// Times come with or without a zone, in every format, and name the same moment.
func TestTimesWithAndWithoutZones(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct{ path, create, body, id, field, plain string }{
		"videos": {"/v1/videos/%s", "/v1/videos", `{"model":"famA3","prompt":"x"}`, "id", "created_at", "1772366400"},
		"tasks":  {"/api/v1/tasks/%s", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x"}`, "id", "output.submit_time", "2026-03-01 12:00:00.000"},
		"music":  {"/famN/fetch/%s", "/famN/submit/music", `{"model":"famN_music","prompt":"x"}`, "data", "data.submit_time", "1772366400"},
	} {
		t.Run(name, func(t *testing.T) {
			id := b.ok("POST", c.create, c.body)[c.id].(string)
			for rules, want := range map[string]string{
				"":                        c.plain,
				"zone by=+08:00":          "2026-03-01T20:00:00+08:00",
				"zone":                    "2026-03-01T12:00:00+00:00",
				"no-zone by=+08:00":       "2026-03-01 20:00:00.000",
				"no-zone; zone by=-03:30": "2026-03-01T08:30:00-03:30",
			} {
				got := at(object(t, b.with(rules, "GET", replace(c.path, id), "")), c.field)
				if n, ok := got.(json.Number); ok {
					got = n.String()
				}
				assert.Equal(t, want, got, rules)
			}
		})
	}
	for _, bad := range []string{"zone by=8", "no-zone by=Beijing", "expire after=0", "expire status=404", "forget after=x", "expire by=1"} {
		_, err := script.OfOptions(bad)
		assert.Error(t, err, bad)
	}
}
