package sandbox

import (
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const contentPath = "/api/v3/contents/generations/tasks"

// phases follows a task through a query path until it ends, and returns the terms that
// it went through and the last body.
func (b *bench) phases(path, field string, ends ...string) ([]string, map[string]any) {
	b.t.Helper()
	var seen []string
	for range 100 {
		m := b.ok("GET", path, "")
		st, ok := at(m, field).(string)
		require.True(b.t, ok, "%s in %v", field, m)
		if len(seen) == 0 || seen[len(seen)-1] != st {
			seen = append(seen, st)
		}
		for _, e := range ends {
			if st == e {
				return seen, m
			}
		}
		b.clock.advance(100 * time.Millisecond)
	}
	b.t.Fatalf("%s never ended: %v", path, seen)
	return nil, nil
}

// GATEWAY: Video task, content-array format.
func TestContentFromCreateToEnd(t *testing.T) {
	b := newBench(t)
	m := b.ok("POST", contentPath, `{"model":"famD-1-5-pro-251215","prompt":"a red kite","size":"256x256","duration":1,"fps":1,"watermark":false,"generate_audio":false}`)
	id := m["id"].(string)
	assert.Regexp(t, `^cgt-\d{14}-[a-z2-7]{24}$`, id)
	assert.Equal(t, "queued", m["status"])
	assert.Equal(t, "1772366400", m["created_at"], "a string at the create")
	assert.JSONEq(t, `[{"status":"queued","progress":0}]`, m["items"].(string))

	seen, m := b.phases(contentPath+"/"+id, "status", "succeeded", "failed")
	assert.Equal(t, []string{"queued", "running", "succeeded"}, seen)
	assert.Equal(t, json.Number("1772366400"), m["created_at"], "an integer at the query")
	assert.Equal(t, "famD-1-5-pro-251215", m["model"])
	assert.Nil(t, m["error"])
	updated, err := m["updated_at"].(json.Number).Int64()
	require.NoError(t, err)
	assert.Greater(t, updated, int64(1772366400))
	assert.NotEmpty(t, at(m, "usage.completion_tokens"))
	assert.Equal(t, at(m, "usage.completion_tokens"), at(m, "usage.total_tokens"))
	var items []any
	require.NoError(t, json.Unmarshal([]byte(m["items"].(string)), &items))
	assert.Equal(t, at(m, "content.video_url"), at(items, "0.content.video_url"))
	assert.Equal(t, "succeeded", at(items, "0.status"))
	assert.EqualValues(t, 100, at(items, "0.progress"))
	for path, ct := range map[string]string{"content.video_url": "video/mp4", "content.last_frame_url": "image/png"} {
		w := b.do("GET", pathOf(t, at(m, path)), "")
		require.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, ct, w.Header().Get("Content-Type"))
	}
}

func TestContentFails(t *testing.T) {
	b := newBench(t)
	id := b.ok("POST", contentPath, `{"model":"famI-omni","prompt":"x [[sandbox:fail code=SensitiveContentDetected message=\"no\"]]"}`)["id"].(string)
	_, m := b.phases(contentPath+"/"+id, "status", "failed")
	assert.Equal(t, map[string]any{"code": "SensitiveContentDetected", "message": "no"}, m["error"])
	assert.Nil(t, m["content"])
	assert.Nil(t, m["usage"])
	assert.Contains(t, m["items"], "SensitiveContentDetected")
}

// GATEWAY: Errors 3.
func TestContentNeedsAnImage(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{
		`{"model":"famD-1-5-pro-251215","prompt":"x","mode":"i2v"}`,
		`{"model":"famD-1-5-pro-251215","prompt":"x","mode":"i2v","image_url":""}`,
		`{"model":"famD-1-5-pro-251215","prompt":"x","mode":"i2v","content":[{"type":"text","text":"x"}]}`,
		`{"model":"famD-1-5-pro-251215","prompt":"x","mode":"i2v_first_last"}`,
		`{"model":"famD-2-0-260128","prompt":"x","mode":"reference_images"}`,
		`{"model":"famH-2.3","prompt":"x"}`,
		`{"model":"famH-2.3","prompt":"x","mode":"i2v"}`,
		`{"model":"famH-2.3","content":[{"type":"text","text":"x"}]}`,
		`{"model":"famG-h3","prompt":"x","mode":"i2v"}`,
		`{"model":"famI-omni","prompt":"x","mode":"r2v"}`,
	} {
		e := b.refused(http.StatusBadRequest, "POST", contentPath, body)
		assert.Equal(t, "invalid_request_error", e.Code, body)
		assert.Contains(t, e.Message, "at least one image is required", body)
	}
	assert.Zero(t, b.s.Creates())
}

func TestContentRules(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct{ body, param, says string }{
		"no model":              {`{"prompt":"x"}`, "model", "model is required"},
		"unknown model":         {`{"model":"famD-9","prompt":"x"}`, "model", "unknown"},
		"a model of elsewhere":  {`{"model":"famA3","prompt":"x"}`, "model", "famD-1-0-lite-t2v-250428"},
		"famJ is not here":      {`{"model":"famJq3-turbo","prompt":"x"}`, "model", "not served on this path"},
		"an image model":        {`{"model":"famL","prompt":"x"}`, "model", "image"},
		"no prompt":             {`{"model":"famI-omni"}`, "prompt", "prompt"},
		"empty prompt":          {`{"model":"famI-omni","mode":"t2v","prompt":"  "}`, "prompt", "prompt"},
		"no prompt in r2v":      {`{"model":"famI-omni","mode":"r2v","image_url":"http://a/b.png"}`, "prompt", "prompt is required"},
		"prompt no text":        {`{"model":"famI-omni","prompt":7}`, "prompt", "a string"},
		"seconds as text":       {`{"model":"famI-omni","prompt":"x","seconds":"4"}`, "seconds", "a number"},
		"duration as text":      {`{"model":"famI-omni","prompt":"x","duration":"4"}`, "duration", "a number"},
		"fps as text":           {`{"model":"famI-omni","prompt":"x","fps":"24"}`, "fps", "a number"},
		"image_url a list":      {`{"model":"famI-omni","prompt":"x","image_url":["http://a/b"]}`, "image_url", "a string"},
		"image_urls a string":   {`{"model":"famI-omni","prompt":"x","image_urls":"http://a/b"}`, "image_urls", "an array of strings"},
		"video_urls of numbers": {`{"model":"famI-omni","prompt":"x","video_urls":[1]}`, "video_urls", "an array of strings"},
		"audio as text":         {`{"model":"famI-omni","prompt":"x","generate_audio":"true"}`, "generate_audio", "true or false"},
		"watermark a number":    {`{"model":"famI-omni","prompt":"x","watermark":1}`, "watermark", "true or false"},
		"content of strings":    {`{"model":"famI-omni","prompt":"x","content":["x"]}`, "content", "an array of objects"},
		"content, odd type":     {`{"model":"famI-omni","prompt":"x","content":[{"type":"picture"}]}`, "content", "image_url, video_url, audio_url"},
		"content, bare string":  {`{"model":"famI-omni","mode":"r2v","prompt":"x","content":[{"type":"image_url","image_url":"http://a/b"}]}`, "content", "not a bare string"},
		"first, no last":        {`{"model":"famD-1-5-pro-251215","mode":"i2v_first_last","prompt":"x","image_url":"http://a/b.png"}`, "end_image", "last image"},
		"famH, no first frame":  {`{"model":"famH-2.3","prompt":"x","content":[{"type":"image_url","image_url":{"url":"http://a/b"}}]}`, "images", "first-frame"},
		"edit, no video":        {`{"model":"famI-omni","mode":"edit","prompt":"x"}`, "videos", "the video to edit"},
		"material, none":        {`{"model":"famD-2-0-260128","mode":"reference_material","prompt":"x"}`, "images", "at least one reference"},
	} {
		t.Run(name, func(t *testing.T) {
			e := b.refused(http.StatusBadRequest, "POST", contentPath, c.body)
			assert.Equal(t, typeInvalid, e.Code)
			assert.Equal(t, c.param, e.Param)
			assert.Contains(t, e.Message, c.says)
			assert.NotContains(t, e.Message, "at least one image")
		})
	}
	assert.Zero(t, b.s.Creates())
}

// What the format allows, by the models that it names, is taken and used.
func TestContentAccepts(t *testing.T) {
	b := newBench(t)
	uri := pictureURI(t, 30, 20, color.White)
	item := func(kind, role string) string {
		u := map[string]string{"image_url": uri, "video_url": "https://example.com/v.mp4", "audio_url": "https://example.com/a.mp3"}[kind]
		return fmt.Sprintf(`{"type":%q,%q:{"url":%q},"role":%q,"name":"it"}`, kind, kind, u, role)
	}
	for name, c := range map[string]struct {
		body  string
		check func(p *videoPlan)
	}{
		"prompt in content":  {`"famD-1-0-pro-250528","content":[{"type":"text","text":"a lighthouse"}],"duration":5`, func(p *videoPlan) { assert.EqualValues(t, 5000, p.DurationMS) }},
		"famH by image_urls": {`"famH-2.3","prompt":"x","image_urls":["` + uri + `"]`, func(p *videoPlan) { assert.NotNil(t, p.First) }},
		"famH by content":    {`"famH-2.3","prompt":"x","content":[` + item("image_url", "first_frame") + `]`, func(p *videoPlan) { assert.NotNil(t, p.First) }},
		"famG, audio":        {`"famG-h3","mode":"reference_material","prompt":"x","content":[` + item("audio_url", "reference_audio") + `]`, func(p *videoPlan) { assert.Nil(t, p.First) }},
		"first and last": {`"famD-1-5-pro-251215","mode":"i2v_first_last","prompt":"x","image_url":"` + uri + `","last_image_url":"` + uri + `"`,
			func(p *videoPlan) { assert.NotNil(t, p.First); assert.NotNil(t, p.Last) }},
		"omni reference": {`"famD-2-0-260128","function_mode":"omni_reference","content":[{"type":"text","text":"x"},` + item("image_url", "reference_image") + `,` + item("video_url", "reference_video") + `]`,
			func(p *videoPlan) { assert.Len(t, p.References, 1); assert.NotNil(t, p.First) }},
		"material by URLs":    {`"famD-2-0-260128","mode":"reference_material","prompt":"x","video_urls":["https://example.com/v.mp4"]`, func(p *videoPlan) { assert.NotNil(t, p.First) }},
		"famI edit":           {`"famI-omni","mode":"edit","prompt":"x","video_urls":["https://example.com/v.mp4"],"seconds":7`, func(p *videoPlan) { assert.Contains(t, []int64{6000, 8000}, p.DurationMS) }},
		"nulls are not there": {`"famI-omni","prompt":"x","mode":null,"image_url":null,"image_urls":null,"seconds":null`, func(p *videoPlan) { assert.Nil(t, p.First) }},
	} {
		t.Run(name, func(t *testing.T) {
			m := b.ok("POST", contentPath, `{"model":`+c.body+`}`)
			c.check(b.s.store.get(m["id"].(string), kindVideo).Video)
		})
	}
}
