package formattest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// OK is an answer of status 200.
func OK(body string) client.Response {
	return client.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       []byte(body),
	}
}

func answers(t *testing.T, f client.Format, c Cases) {
	for _, a := range c.Answers {
		t.Run(a.Name, func(t *testing.T) {
			decode := f.DecodeQuery
			if a.Create {
				decode = f.DecodeCreate
			}
			task, err := decode(OK(a.Body))
			if a.Fails {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, a.ID, task.ID)
			assert.Equal(t, a.Status, task.Status)
			if a.Format != "" {
				assert.Equal(t, a.Format, task.Format)
			}
			var urls []string
			for _, x := range task.Assets {
				if x.URL != "" {
					urls = append(urls, x.URL)
				}
			}
			assert.Equal(t, a.URLs, urls)
			_, err = json.Marshal(task)
			require.NoError(t, err, "a task has to fit into the history")
		})
	}
}

// escaped checks that no id can change the path it sits in.
func escaped(t *testing.T, f client.Format) {
	if f.Query("x").Path == "" {
		return
	}
	plain := strings.Count(f.Query("x").Path, "/")
	for _, id := range []string{"a/b?c", "a#b", "a b", "%2f", "..", ".", "ä\u202e", "a\r\nb", "task_1"} {
		reqs := []client.Request{f.Query(id)}
		if r, ok := f.Content(id); ok {
			reqs = append(reqs, r)
		}
		assert.Equal(t, plain, strings.Count(reqs[0].Path, "/"), id)
		for _, r := range reqs {
			assert.Equal(t, http.MethodGet, r.Method)
			assert.Nil(t, r.Body)
			u, err := url.Parse("http://gateway.test" + r.Path)
			require.NoError(t, err, id)
			assert.Equal(t, "gateway.test", u.Host)
			assert.Empty(t, u.RawQuery, id)
			assert.Empty(t, u.Fragment, id)
			assert.Contains(t, strings.Split(u.Path, "/"), strings.Split(id, "/")[0], id)
			assert.NotContains(t, strings.Split(u.EscapedPath(), "/"), "..", id)
		}
	}
}

// Hostile are bodies that no decoder may panic at. They seed the fuzz targets too.
func Hostile() []string {
	deep := strings.Repeat(`{"data":`, 1500) + "1" + strings.Repeat("}", 1500)
	bomb := strings.Repeat("[", 11000)
	text := `"x"`
	for range 6 {
		raw, err := json.Marshal(`{"data":` + text + `}`)
		if err != nil {
			return nil
		}
		text = string(raw)
	}
	return []string{
		"", " ", "null", "true", "0", `"task_1"`, "[]", "[{}]", "{}", "{", "<html>", "\x00", "\xff\xfe",
		`{"id":null}`, `{"id":{}}`, `{"id":[1]}`, `{"id":-0}`, `{"id":1e999}`,
		`{"id":"x","status":1}`, `{"id":"x","status":null}`, `{"id":"x","status":{"a":1}}`,
		`{"id":"x","status":"completed","progress":"NaN%","created_at":"1e400","metadata":[1],"output":7}`,
		`{"id":"x","status":"completed","data":[null,1,"x",[],{}],"items":"[","creations":"{}","content":"x"}`,
		`{"id":"x","status":"failed","error":[[[[["x"]]]]]}`,
		`{"id":"x","status":"failed","error":{"error":{"error":{"error":{"error":{"error":{"error":{"message":"m"}}}}}}}}`,
		`{"code":"success","data":"[{]"}`, `{"code":"success","data":{"data":{"data":{"data":{"data":1}}}}}`,
		`{"status":"completed","video_url":{"url":{"url":{"url":"http://h/x"}}}}`,
		`{"data":[{"b64_json":"!!!!!!!!!!!!!!!!!!!!"},{"b64_json":"data:image/png;base64,"},{"url":"data:,"}]}`,
		`{"id":"x","id":"y","status":"queued","STATUS":"completed"}`,
		`{"data":` + text + `}`, deep, bomb,
	}
}

func hostile(t *testing.T, f client.Format) {
	for _, body := range Hostile() {
		for _, decode := range []func(client.Response) (client.Task, error){f.DecodeCreate, f.DecodeQuery} {
			assert.NotPanics(t, func() {
				task, err := decode(OK(body))
				if err == nil {
					Sane(t, task)
				}
			})
		}
	}
	_, err := f.DecodeQuery(client.Response{})
	require.Error(t, err)
}

// Sane checks what holds for every task that a decoder returns.
func Sane(t testing.TB, task client.Task) {
	assert.NotEmpty(t, task.Status)
	assert.True(t, task.Progress == -1 || task.Progress >= 0 && task.Progress <= 100)
	for _, a := range task.Assets {
		assert.NotEmpty(t, a.Kind)
		assert.True(t, a.URL != "" || a.Content || len(a.Inline) > 0)
		if a.URL != "" {
			assert.Regexp(t, `^(?i:https?://[^/]|/[^/])`, a.URL)
		}
	}
	_, err := json.Marshal(task)
	assert.NoError(t, err)
}

func unknownStates(t *testing.T, f client.Format) {
	for _, term := range []string{"unknown", "UNKNOWN", "warming up", "完成", "NOT_A_STATE", "succeeded-ish"} {
		raw, err := json.Marshal(map[string]any{"id": "task_1", "status": term, "task_status": term})
		require.NoError(t, err)
		task, err := f.DecodeQuery(OK(string(raw)))
		require.NoError(t, err)
		assert.Equal(t, client.StatusUnknown, task.Status, term)
		assert.False(t, task.Status.Terminal())
		assert.Equal(t, term, task.RawStatus)
		assert.Empty(t, task.Assets)
	}
}

func unknownFields(t *testing.T, f client.Format) {
	task, err := f.DecodeQuery(OK(`{"id":"task_1","status":"queued","zz_new":{"a":9007199254740993},"zz_null":null}`))
	require.NoError(t, err)
	require.Contains(t, task.Extra, "zz_new")
	assert.Equal(t, `{"a":9007199254740993}`, string(task.Extra["zz_new"]))
	assert.Contains(t, task.Extra, "zz_null")
}

// concurrent is worth its while under the race detector.
func concurrent(t *testing.T, f client.Format, c Cases) {
	var wg sync.WaitGroup
	var failed atomic.Int32
	for range 8 {
		wg.Go(func() {
			for _, k := range c.Creates {
				if _, _, err := f.EncodeCreate(k.Draft); err != nil {
					failed.Add(1)
				}
			}
			for _, a := range c.Answers {
				if _, err := f.DecodeQuery(OK(a.Body)); err != nil && !a.Create && !a.Fails {
					failed.Add(1)
				}
			}
			_ = f.Fields()
			_ = f.Query("x")
		})
	}
	wg.Wait()
	assert.Zero(t, failed.Load())
}

// Fuzz runs a format's decoders over arbitrary bodies: no panic, and only sane tasks.
func Fuzz(fz *testing.F, f client.Format, seeds ...string) {
	for _, s := range append(Hostile(), seeds...) {
		fz.Add([]byte(s))
	}
	fz.Fuzz(func(t *testing.T, body []byte) {
		r := OK(string(body))
		if task, err := f.DecodeCreate(r); err == nil {
			Sane(t, task)
			if task.ID == "" && !task.Status.Terminal() {
				t.Error("a create without id and end")
			}
		}
		if task, err := f.DecodeQuery(r); err == nil {
			Sane(t, task)
		}
	})
}

// Bench measures a format's encoder and decoder on its first case and answers.
func Bench(b *testing.B, f client.Format, c Cases) {
	if len(c.Creates) > 0 {
		b.Run("Encode", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := f.EncodeCreate(c.Creates[0].Draft); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, a := range c.Answers {
		if a.Fails {
			continue
		}
		decode, r := f.DecodeQuery, OK(a.Body)
		if a.Create {
			decode = f.DecodeCreate
		}
		b.Run("Decode/"+a.Name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(r.Body)))
			for b.Loop() {
				if _, err := decode(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
