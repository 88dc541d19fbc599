package sandbox

import (
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func instant(o *Options) { o.Timing = Instant }

func TestImages(t *testing.T) {
	t.Parallel()
	b := newBench(t, instant)
	for _, size := range []string{"1024x1024", "1024x1792", "1792x1024"} {
		m := b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"a red kite","size":"`+size+`"}`)
		require.Len(t, m["data"], 1)
		assert.Equal(t, "a red kite", at(m, "data.0.revised_prompt"))
		assert.Nil(t, at(m, "data.0.b64_json"))
		p := lastRecord(b).Image
		assert.Equal(t, size, fmt.Sprintf("%dx%d", p.Width, p.Height))
		if size != "1024x1792" {
			continue // one is made, the others are only planned: making costs seconds under the race detector
		}
		w := b.do("GET", pathOf(t, at(m, "data.0.url")), "")
		require.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, "image/png", w.Header().Get("Content-Type"))
		cfg, format, err := image.DecodeConfig(w.Body)
		require.NoError(t, err)
		assert.Equal(t, "png "+size, fmt.Sprintf("%s %dx%d", format, cfg.Width, cfg.Height))
	}
	assert.EqualValues(t, 3, b.s.Creates())
}

func TestImageShapes(t *testing.T) {
	b := newBench(t, instant)
	for fields, want := range map[string][2]int{
		`"model":"famM-4-0-250828"`:                                           {1024, 1024},
		`"model":"famM-4-0-250828","aspect_ratio":"16:9"`:                     {1024, 576},
		`"model":"famL","aspect_ratio":"3:4"`:                                 {768, 1024},
		`"model":"famL","image":"` + pictureURI(t, 30, 60, color.White) + `"`: {512, 1024},
	} {
		b.ok("POST", "/v1/images/generations", `{"prompt":"x",`+fields+`}`)
		p := lastRecord(b).Image
		assert.Equal(t, want, [2]int{p.Width, p.Height}, fields)
	}
}

func lastRecord(b *bench) *record {
	b.s.store.mu.RLock()
	defer b.s.store.mu.RUnlock()
	return b.s.store.crowd.records[b.s.store.crowd.order.Back().Value.(string)]
}

func TestInlineImagesAreDeterministic(t *testing.T) {
	t.Parallel()
	get := func(b *bench, body string) []string {
		m := b.ok("POST", "/v1/images/generations", body)
		var out []string
		for i := range m["data"].([]any) {
			assert.Nil(t, at(m, fmt.Sprintf("data.%d.url", i)))
			raw, err := base64.StdEncoding.DecodeString(at(m, fmt.Sprintf("data.%d.b64_json", i)).(string))
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(raw), "\x89PNG"))
			out = append(out, string(raw))
		}
		return out
	}
	const body = `{"model":"famL","prompt":"a kite","n":"2","response_format":"b64_json","aspect_ratio":"8:1"}`
	one := get(newBench(t, instant), body)
	two := get(newBench(t, instant), body)
	require.Len(t, one, 2)
	assert.True(t, one[0] == two[0] && one[1] == two[1], "equal requests, equal pictures")
	assert.NotEqual(t, one[0], one[1], "the pictures of one request differ")
	other := get(newBench(t, instant, func(o *Options) { o.Seed = 5 }), body)
	assert.NotEqual(t, one[0], other[0])

	with := func(extra string) string {
		return get(newBench(t, instant), `{"model":"famL","prompt":"a kite","response_format":"b64_json","aspect_ratio":"8:1"`+extra+`}`)[0]
	}
	assert.True(t, with(`,"seed":7`) == with(`,"seed":"7"`), "a seed counts although the format shows none")
	assert.NotEqual(t, with(`,"seed":7`), with(`,"seed":8`))
	assert.NotEqual(t, with(`,"external_task_id":"a"`), with(`,"external_task_id":"b"`), "copies of one draft differ")
	assert.True(t, with(`,"seed":7,"external_task_id":"a"`) == with(`,"seed":7`), "a seed decides alone")
}

func TestImageRules(t *testing.T) {
	b := newBench(t, instant)
	for body, says := range map[string]string{
		`{"model":"famL"}`: "prompt",
		`{"model":"famL","prompt":"x","size":"10x10"}`:             "1024x1792",
		`{"model":"famL","prompt":"x","n":0}`:                      "n",
		`{"model":"famL","prompt":"x","n":11}`:                     "1 to 10",
		`{"model":"famL","prompt":"x","n":1.5}`:                    "n",
		`{"model":"famL","prompt":"x","response_format":"gif"}`:    "b64_json",
		`{"model":"famL","prompt":"x","quality":"best"}`:           "hd",
		`{"model":"famF-image","prompt":"x"}`:                      "model_name",
		`{"model":"famI-omni","prompt":"x"}`:                       "image models",
		`{"model":"famF-virtual-try-on-v1"}`:                       "human_image",
		`{"model":"famL","prompt":"x","image_url":"ftp://host/a"}`: "data URI",
		`{"model":"famL","prompt":"x [[sandbox:fail code=nope]]"}`: "sandbox fault",
	} {
		e := b.refused(http.StatusBadRequest, "POST", "/v1/images/generations", body)
		assert.Contains(t, e.Message, says, body)
	}
	assert.Zero(t, b.s.Creates())
}

// An edit shows what it was made from, also when that is a result of our own.
func TestImageEditDerivesFromItsSource(t *testing.T) {
	b := newBench(t, instant)
	green := pictureURI(t, 64, 64, color.RGBA{0, 220, 0, 255})
	first := b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","aspect_ratio":"8:1","image":"`+green+`"}`)
	url := at(first, "data.0.url")
	second := b.ok("POST", "/v1/images/generations", fmt.Sprintf(`{"model":"famL","prompt":"x","image":%q,"aspect_ratio":"8:1"}`, url))
	assert.Equal(t, refFile, lastRecord(b).Image.Sources[0].Kind)
	r, g, bl := colourAt(t, b, url, 0.5, 0.3)
	assert.True(t, g > r && g > bl, "%d %d %d", r, g, bl)
	require.Equal(t, http.StatusOK, b.do("GET", pathOf(t, at(second, "data.0.url")), "").Code)

	plain := b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","image":"https://example.com/a.png"}`)
	assert.Contains(t, plain["note"], "not fetched")
}

// Images answer after the time that the timing says, in real time.
func TestImagesTakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		began := time.Now()
		b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x"}`)
		assert.InDelta(t, 300, time.Since(began).Milliseconds(), 46)
	})
}

func TestAsyncImages(t *testing.T) {
	b := newBench(t, func(o *Options) { o.AsyncImages = true })
	m := b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","n":2,"aspect_ratio":"8:1"}`)
	checkResponse(t, b, m, 2)
	b = newBench(t)
	m = b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x [[sandbox:async]]","aspect_ratio":"8:1"}`)
	checkResponse(t, b, m, 1)
}

func TestResponses(t *testing.T) {
	b := newBench(t)
	for _, input := range []string{`"a kite"`, `[{"role":"user","content":"a kite"}]`, `[{"role":"user","content":[{"type":"input_text","text":"a kite"}]}]`} {
		m := b.ok("POST", "/v1/responses", `{"model":"famL","background":true,"aspect_ratio":"8:1","input":`+input+`}`)
		assert.Equal(t, "a kite", lastRecord(b).Prompt)
		checkResponse(t, b, m, 1)
	}
	uri := pictureURI(t, 8, 8, color.White)
	b.ok("POST", "/v1/responses", `{"model":"famL","background":true,"input":[{"role":"user","content":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"`+uri+`"}]}]}`)
	require.Len(t, lastRecord(b).Image.Sources, 1)
	assert.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/responses", `{"model":"famL","input":7}`).Message, "input")
}

// Without background the answer is the end, and its URLs work.
func TestResponseInTheForeground(t *testing.T) {
	b := newBench(t, instant)
	m := b.ok("POST", "/v1/responses", `{"model":"famL","input":"x","aspect_ratio":"8:1"}`)
	assert.Equal(t, "completed", m["status"])
	require.Equal(t, http.StatusOK, b.do("GET", pathOf(t, at(m, "output.0.url")), "").Code)
	m = b.ok("POST", "/v1/responses", `{"model":"famL","input":"x [[sandbox:fail code=no]]"}`)
	assert.Equal(t, "failed", m["status"])
	assert.Equal(t, "no", at(m, "error.code"))
}

func checkResponse(t *testing.T, b *bench, m map[string]any, n int) {
	t.Helper()
	id := m["id"].(string)
	assert.Regexp(t, `^resp_[a-z2-7]{24}$`, id)
	assert.Equal(t, "response", m["object"])
	assert.Equal(t, "queued", m["status"])
	for _, k := range []string{"created_at", "error", "incomplete_details", "instructions", "metadata", "model", "output",
		"parallel_tool_calls", "temperature", "tool_choice", "tools", "top_p", "max_output_tokens", "previous_response_id",
		"reasoning", "text", "truncation", "usage", "user", "store"} {
		assert.Contains(t, m, k)
	}
	b.clock.advance(time.Second)
	m = b.ok("GET", "/v1/responses/"+id, "")
	assert.Equal(t, "in_progress", m["status"])
	assert.Equal(t, "in_progress", at(m, "output.0.status"))
	assert.Nil(t, at(m, "output.0.url"))
	b.clock.advance(2 * time.Second)
	m = b.ok("GET", "/v1/responses/"+id, "")
	assert.Equal(t, "completed", m["status"])
	require.Len(t, m["output"], n)
	assert.Equal(t, "image_generation_call", at(m, "output.0.type"))
	assert.Nil(t, at(m, "output.0.result"))
	require.Equal(t, http.StatusOK, b.do("GET", pathOf(t, at(m, "output.0.url")), "").Code)
	b.refused(http.StatusNotFound, "GET", "/v1/responses/"+id[:len(id)-4], "")
}

// GATEWAY: Model list.
func TestModelList(t *testing.T) {
	b := newBench(t)
	m := b.ok("GET", "/v1beta/models", "")
	names := map[string]bool{}
	for _, x := range m["models"].([]any) {
		o := x.(map[string]any)
		for _, k := range []string{"name", "version", "displayName", "description", "inputTokenLimit", "outputTokenLimit", "supportedGenerationMethods"} {
			assert.Contains(t, o, k)
		}
		names[o["name"].(string)] = true
	}
	cat, err := loadCatalog()
	require.NoError(t, err)
	assert.Len(t, names, len(cat.Models(""))+1)
	assert.True(t, names["models/"+ChatModel], "one to talk to")
	assert.True(t, names["models/famI-omni"])
}

func TestChat(t *testing.T) {
	b := newBench(t)
	m := b.ok("POST", "/v1/chat/completions", `{"model":"any","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hello there"}]}`)
	assert.Contains(t, at(m, "choices.0.message.content"), "hello there")
	assert.Equal(t, "stop", at(m, "choices.0.finish_reason"))
	for body, says := range map[string]string{
		`{"model":"x"}`:                "messages",
		`{"model":"x","messages":[]}`:  "messages",
		`{"model":"x","messages":[1]}`: "role",
		`{"model":"x","messages":[{"role":"robot","content":"x"}]}`:           "system, user, assistant",
		`{"model":"x","stream":1,"messages":[{"role":"user","content":"x"}]}`: "stream",
		`{"model":"x","messages":[{"role":"user","content":7}]}`:              "content",
	} {
		assert.Contains(t, b.refused(http.StatusBadRequest, "POST", "/v1/chat/completions", body).Message, says)
	}
}
