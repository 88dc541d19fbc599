package sandbox

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// paths of one task in every format.
func queryPaths(id string) map[string]string {
	return map[string]string{"videos": "/v1/videos/" + id, formatContent: contentPath + "/" + id, formatEnt: entQuery(id),
		formatTasks: "/api/v1/tasks/" + id, formatStatus: "/famF/v1/videos/image2video/" + id}
}

// A task is visible through every format that owns its model, and through no other.
func TestOneTaskManyFormats(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		path, body, id string
		formats        []string
	}{
		{"/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x"}`, "id", []string{"videos", formatTasks}},
		{"/v1/videos", `{"model":"famC-1.0","mode":"t2v","prompt":"x"}`, "id", []string{"videos", formatTasks}},
		{"/v1/videos", `{"model":"famK-3.0-1080p","prompt":"x"}`, "id", []string{"videos", formatTasks}},
		{"/v1/videos", `{"model":"famI-omni","prompt":"x"}`, "id", []string{"videos", formatContent}},
		{contentPath, `{"model":"famI-omni","prompt":"x"}`, "id", []string{"videos", formatContent}},
		{contentPath, `{"model":"famD-1-0-pro-250528","prompt":"x"}`, "id", []string{"videos", formatContent}},
		{"/v1/videos", `{"model":"famJq3-turbo","mode":"t2v","prompt":"x"}`, "id", []string{"videos", formatEnt}},
		{entPath, `{"model":"famJq3-turbo","prompt":"x"}`, "task_id", []string{"videos", formatEnt}},
		{"/v1/videos", `{"model":"famF-video","model_name":"famF-v3","mode":"t2v","prompt":"x"}`, "id", []string{"videos", formatStatus}},
		{"/v1/videos", `{"model":"famA3","prompt":"x"}`, "id", []string{"videos"}},
		{"/v1/videos", `{"model":"famE-video-3","prompt":"x"}`, "id", []string{"videos"}},
		{"/famN/submit/music", `{"model":"famN_music","prompt":"x"}`, "data", nil},
	} {
		id := b.ok("POST", c.path, c.body)[c.id].(string)
		for format, path := range queryPaths(id) {
			want := http.StatusNotFound
			for _, f := range c.formats {
				if f == format {
					want = http.StatusOK
				}
			}
			w := b.do("GET", path, "")
			assert.Equal(t, want, w.Code, "%s %s by %s: %s", c.path, c.body, format, w.Body)
			if want == http.StatusNotFound {
				assert.Equal(t, "not_found", errorOf(t, w).Code)
			}
		}
	}
}

// GATEWAY: Video task, second vendor-style format.
func TestTasksFromCreateToEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.ok("POST", "/v1/videos", `{"model":"famK-3.0-480p","prompt":"x","seconds":2,"fps":1}`)["id"].(string)
	path := "/api/v1/tasks/" + id
	seen, m := b.phases(path, "output.task_status", "SUCCEEDED", "FAILED")
	assert.Equal(t, []string{"PENDING", "RUNNING", "SUCCEEDED"}, seen)
	assert.Equal(t, id, at(m, "output.task_id"))
	for _, k := range []string{"submit_time", "scheduled_time", "end_time"} {
		assert.Regexp(t, `^2026-03-01 12:00:0\d\.\d{3}$`, at(m, "output."+k), k)
	}
	assert.Equal(t, map[string]any{"duration": json.Number("2"), "SR": json.Number("480"), "video_count": json.Number("1"),
		"scaled_from": "480P", "input_images": json.Number("0")}, m["usage"])
	assert.Regexp(t, `^req_`, m["request_id"])
	assert.Nil(t, at(m, "output.code"))
	assert.Equal(t, http.StatusOK, b.do("GET", pathOf(t, at(m, "output.video_url")), "").Code)

	id = b.ok("POST", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x [[sandbox:fail code=DataInspectionFailed message=no]]"}`)["id"].(string)
	_, m = b.phases("/api/v1/tasks/"+id, "output.task_status", "SUCCEEDED", "FAILED")
	assert.Equal(t, "DataInspectionFailed", at(m, "output.code"))
	assert.Equal(t, "no", at(m, "output.message"))
	assert.Nil(t, m["usage"])
	assert.Nil(t, at(m, "output.video_url"))

	id = b.ok("POST", "/v1/videos", `{"model":"famC-1.0-t2v","prompt":"x [[sandbox:status term=unknown]]"}`)["id"].(string)
	b.clock.advance(2 * time.Second)
	assert.Equal(t, "UNKNOWN", at(b.ok("GET", "/api/v1/tasks/"+id, ""), "output.task_status"))
}

// The request of the second vendor-style format is taken where tasks of its models are
// created, since its own path is not shown.
func TestVendorStyleRequest(t *testing.T) {
	b := newBench(t)
	m := b.ok("POST", "/v1/videos", `{"model":"famC-1.0","mode":"r2v","input":{"prompt":"a kite","media":[
		{"type":"first_frame","url":"https://example.com/a.png"},{"type":"last_frame","url":"https://example.com/b.png"},
		{"type":"reference_image","url":"https://example.com/c.png"},{"type":"reference_audio","url":"https://example.com/d.mp3"}]},
		"parameters":{"duration":3,"resolution":"1080P","ratio":"1:1","watermark":true,"seed":12}}`)
	r := b.s.store.get(m["id"].(string), kindVideo)
	assert.Equal(t, "a kite", r.Prompt)
	assert.EqualValues(t, 12, r.Seed)
	assert.EqualValues(t, 3000, r.Video.DurationMS)
	assert.Equal(t, "1080P", r.Video.Resolution)
	assert.Equal(t, r.Video.Width, r.Video.Height)
	require.NotNil(t, r.Video.First)
	assert.Equal(t, "https://example.com/a.png", r.Video.First.Value)
	require.NotNil(t, r.Video.Last)
	assert.Equal(t, "https://example.com/b.png", r.Video.Last.Value)
	assert.Len(t, r.Video.References, 1)

	for name, c := range map[string]struct{ body, param, says string }{
		"no prompt":          {`"famC-1.0-t2v","input":{}`, "input.prompt", "required"},
		"prompt no text":     {`"famC-1.0-t2v","input":{"prompt":1}`, "input.prompt", "a string"},
		"media no list":      {`"famC-1.0-r2v","input":{"prompt":"x","media":{}}`, "input.media", "an array of objects"},
		"odd kind":           {`"famC-1.0-r2v","input":{"prompt":"x","media":[{"type":"picture","url":"http://a/b"}]}`, "input.media[0]", "first_frame, last_frame"},
		"no address":         {`"famC-1.0-r2v","input":{"prompt":"x","media":[{"type":"first_frame"}]}`, "input.media[0]", "data URI"},
		"duration as text":   {`"famK-3.0","input":{"prompt":"x"},"parameters":{"duration":"5"}`, "parameters.duration", "an integer"},
		"watermark as text":  {`"famK-3.0","input":{"prompt":"x"},"parameters":{"watermark":"no"}`, "parameters.watermark", "true or false"},
		"famK, 31 seconds":   {`"famK-3.0","input":{"prompt":"x"},"parameters":{"duration":31}`, "parameters", "2 to 30"},
		"famK, other size":   {`"famK-3.0","input":{"prompt":"x"},"parameters":{"resolution":"1080P"}`, "parameters", "720P"},
		"a model of another": {`"famA3","input":{"prompt":"x"}`, "input", "no requests of that form"},
		"unknown model":      {`"famC-9","input":{"prompt":"x"}`, "model", "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			e := b.refused(http.StatusBadRequest, "POST", "/v1/videos", `{"model":`+c.body+`}`)
			assert.Equal(t, c.param, e.Param)
			assert.Contains(t, e.Message, c.says)
		})
	}
}

// GATEWAY: Video task, status format.
func TestStatusFromCreateToEnd(t *testing.T) {
	b := newBench(t)
	body := `{"model":"famF-video","model_name":"famF-v2-6","mode":"t2v","seconds":1,"fps":2,"seed":7,"size":"256x144","prompt":"x%s"}`
	create := func(more string) string {
		return "/famF/v1/videos/image2video/" + b.ok("POST", "/v1/videos", replace(body, more))["id"].(string)
	}
	path := create("")
	seen, m := b.phases(path, "status", "completed", "failed")
	assert.Equal(t, []string{"queued", "in_progress", "completed"}, seen)
	assert.Equal(t, "mp4", m["format"])
	assert.Equal(t, map[string]any{"duration": json.Number("1"), "fps": json.Number("2"), "width": json.Number("256"),
		"height": json.Number("144"), "seed": json.Number("7"), "input_images": json.Number("0")}, m["metadata"])
	assert.Equal(t, http.StatusOK, b.do("GET", pathOf(t, m["url"]), "").Code)

	_, m = b.phases(create(" [[sandbox:fail code=1301 message=no]]"), "status", "failed")
	assert.Equal(t, map[string]any{"code": json.Number("1301"), "message": "no"}, m["error"], "an integer code")
	assert.Nil(t, m["url"])
	_, m = b.phases(create(" [[sandbox:fail code=odd message=no]]"), "status", "failed")
	assert.Equal(t, map[string]any{"code": json.Number("5000"), "message": "odd: no"}, m["error"])
}
