package sandbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// fuzzPost checks that no body makes a create panic, or fail on the server's side.
func fuzzPost(f *testing.F, path string, seeds ...string) {
	for _, s := range append(seeds, "", "{}", "[]", "null", `{"model":null}`, `{"model":"famL","model":"famI-omni"}`, "{\"model\":\"\xff\"}",
		strings.Repeat(`{"a":`, 2000), strings.Repeat("[", 20000)) {
		f.Add(s)
	}
	b := newBench(f, instant)
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Contains(body, "sandbox:") {
			return // a directive may ask for a 500
		}
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+testKey)
		w := b.send(r)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
			t.Errorf("HTTP %d: %s", w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") == "text/event-stream; charset=utf-8" {
			return
		}
		if w.Code != http.StatusOK {
			errorOf(t, w)
		} else {
			object(t, w)
		}
	})
}

func FuzzVideos(f *testing.F) {
	fuzzPost(f, "/v1/videos", t2v+"}",
		`{"model":"famA3","prompt":"x","seconds":1e99,"fps":"-1","size":"0x0"}`,
		`{"model":"famA3","prompt":"x","size":"99999999999999999999x1","aspect_ratio":"1:0","parameters":{"duration":[],"seed":{}}}`,
		`{"model":"famI-omni","mode":"r2v","prompt":"x","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},1,null]}`,
		`{"model":"famF-video","model_name":"famF-v1","mode":"extend","video_id":{"a":1},"task_id":7}`,
		`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x","image_url":["http://a/b",null,{"url":{}}],"seed":"-"}`)
}

func FuzzImages(f *testing.F) {
	fuzzPost(f, "/v1/images/generations", `{"model":"famL","prompt":"x","n":"2","size":"1024x1024"}`,
		`{"model":"famM-4-0-250828","prompt":"x","size":"4096x1","aspect_ratio":"a:b"}`,
		`{"model":"famF-image","model_name":"famF-v1","prompt":"x","image_list":[{"image":"http://a/b"}],"element_list":[{"element_id":1}]}`)
}

func FuzzMusic(f *testing.F) {
	fuzzPost(f, "/famN/submit/music", `{"model":"famN_music","prompt":"x","speed":"1","extraParams":{"voice":"v"}}`,
		`{"model":"famN_music","upstream_model":126,"lyrics":["a"],"duration":"NaN","sample_rate":-0}`)
}

func FuzzResponses(f *testing.F) {
	fuzzPost(f, "/v1/responses", `{"model":"famL","input":"x","background":true}`, `{"model":"famL","input":[{"content":[[],{"text":"x","image_url":{}}]}]}`)
}

func FuzzContent(f *testing.F) {
	fuzzPost(f, contentPath, `{"model":"famI-omni","prompt":"x","seconds":4}`, `{"model":"famH-2.3","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"http://a/b"},"role":"first_frame"}]}`,
		`{"model":"famD-2-0-260128","function_mode":"omni_reference","prompt":"x","content":[{"type":null}]}`, `{"model":"famG-h3","prompt":"x","duration":1e400,"fps":-1}`)
}

func FuzzEnt(f *testing.F) {
	fuzzPost(f, entPath, `{"model":"famJq3-turbo","prompt":"x","duration":5,"seed":99999999999999999999}`, `{"model":"famJq3-turbo","images":["http://a/b","data:image/png;base64,AAAA"],"subjects":[{}]}`,
		`{"model":"famJq3-turbo","mode":"odd","prompt":"x","images":[],"payload":"x"}`)
}

func FuzzVendor(f *testing.F) {
	fuzzPost(f, "/v1/videos", `{"model":"famC-1.0","mode":"r2v","input":{"prompt":"x","media":[{"type":"first_frame","url":"http://a/b"}]},"parameters":{"duration":5}}`,
		`{"model":"famK-3.0","input":{"prompt":"x","media":[{"kind":{},"role":"last_frame","image":{"url":1}}]},"parameters":[]}`)
}

func FuzzChat(f *testing.F) {
	fuzzPost(f, "/v1/chat/completions", `{"model":"x","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
		`{"model":"x","stream":false,"messages":[{"role":"system","content":"improve prompts"},{"role":"user","content":null}]}`)
}

func FuzzForm(f *testing.F) {
	f.Add("--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nfamI-omni\r\n--b--\r\n")
	f.Add("--b\r\nContent-Disposition: form-data; name=\"a[]\"; filename=\"x\"\r\n\r\n{\r\n--b")
	f.Add("--b\r\nContent-Disposition: form-data; name=\"a[0][b][]\"\r\n\r\n{}\r\n--b\r\nContent-Disposition: form-data; name=\"a[0][b][][c]\"\r\n\r\n1\r\n--b--")
	b := newBench(f, instant)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/videos", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+testKey)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		if w := b.send(r); w.Code >= 500 {
			t.Errorf("HTTP %d: %s", w.Code, w.Body)
		}
	})
}

// FuzzPaths checks that no path reaches what it must not.
func FuzzPaths(f *testing.F) {
	for _, p := range []string{"/v1/videos/x", "/files/a-b/c", "/files/video_abcdefgh-/video.mp4", "/v1/videos/%2e%2e/content", "//", "/ent/v2/tasks/../creations", "/api/v1/tasks/cgt-20260301120000-..%2f..%2fx", "/%zz"} {
		f.Add(p)
	}
	b := newBench(f, inDir(f.TempDir()))
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse(path)
		if err != nil || u.Path == "/v1beta/models" || u.Path == "/v1/models" || u.Path == "/_sandbox/stats" {
			return
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = u
		r.Header.Set("Authorization", "Bearer "+testKey)
		if w := b.send(r); w.Code != http.StatusNotFound {
			t.Errorf("%q: HTTP %d", path, w.Code)
		}
	})
}

// FuzzCountValues checks that no text has more values than are counted.
func FuzzCountValues(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"\"[,"}],"c":null}`, `"\\"`, `[[],{},""]`, `"`, `[1,`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		if real := values(v); real > countValues([]byte(text))+1 {
			t.Errorf("%q has %d values, counted are %d", text, real, countValues([]byte(text)))
		}
	})
}

// values is how many values there are in one, names of fields not counted.
func values(v any) int {
	n := 1
	switch t := v.(type) {
	case []any:
		for _, x := range t {
			n += values(x)
		}
	case map[string]any:
		for _, x := range t {
			n += values(x)
		}
	}
	return n
}
