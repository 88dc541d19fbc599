package sandbox

import (
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const entPath = "/ent/v2/img2video"

func entQuery(id any) string { return fmt.Sprintf("/ent/v2/tasks/%v/creations", id) }

// GATEWAY: Video task, vendor-style format.
func TestEntFromCreateToEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.ok("POST", entPath, `{"model":"famJq3-turbo","prompt":"a red kite","images":["https://example.com/a.png"],"duration":1,"fps":1,"resolution":"540p",
		"aspect_ratio":"16:9","seed":7,"movement_amplitude":"auto","audio":false,"off_peak":false,"watermark":false,"payload":"mine"}`)
	id := m["task_id"].(string)
	assert.Regexp(t, `^[1-9]\d{17}$`, id)
	assert.Equal(t, map[string]any{"task_id": id, "state": "created", "model": "famJq3-turbo", "prompt": "a red kite",
		"images": []any{"https://example.com/a.png"}, "duration": json.Number("1"), "resolution": "540p",
		"created_at": "2026-03-01T12:00:00Z", "creations": "[]"}, m)

	seen, m := b.phases(entQuery(id), "state", "success", "failed")
	assert.Equal(t, []string{"created", "queueing", "processing", "success"}, seen)
	assert.Equal(t, id, m["id"])
	assert.Equal(t, id, m["task_id"])
	assert.Equal(t, "", m["err_code"])
	assert.Equal(t, "mine", m["payload"])
	require.Len(t, m["creations"], 1)
	for path, ct := range map[string]string{"creations.0.url": "video/mp4", "creations.0.watermarked_url": "video/mp4", "creations.0.cover_url": "image/png"} {
		w := b.do("GET", pathOf(t, at(m, path)), "")
		require.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, ct, w.Header().Get("Content-Type"))
	}
	assert.NotEmpty(t, at(m, "creations.0.id"))

	id = b.ok("POST", entPath, `{"model":"famJq3-turbo","prompt":"x [[sandbox:fail code=CreationPolicyViolation]]"}`)["task_id"].(string)
	_, m = b.phases(entQuery(id), "state", "success", "failed")
	assert.Equal(t, "CreationPolicyViolation", m["err_code"])
	assert.Equal(t, []any{}, m["creations"])
}

func TestEntRules(t *testing.T) {
	b := newBench(t)
	images := func(n int) string {
		return `"images":["http://a/b.png"` + strings.Repeat(`,"http://a/b.png"`, max(n-1, 0)) + `]`
	}
	for name, c := range map[string]struct{ body, param, says string }{
		"another model":        {`"famA3","prompt":"x"`, "model", "allowed are famJq3-turbo"},
		"t2v without a prompt": {`"famJq3-turbo"`, "prompt", "required for text-to-video"},
		"t2v, empty prompt":    {`"famJq3-turbo","mode":"t2v","prompt":" "`, "prompt", "required for text-to-video"},
		"t2v with an image":    {`"famJq3-turbo","mode":"t2v","prompt":"x",` + images(1), "images", "takes none"},
		"i2v without":          {`"famJq3-turbo","mode":"i2v","prompt":"x"`, "images", "exactly 1"},
		"i2v with two":         {`"famJq3-turbo","mode":"i2v","prompt":"x",` + images(2), "images", "exactly 1"},
		"first-last with one":  {`"famJq3-turbo","mode":"i2v_first_last","prompt":"x",` + images(1), "images", "exactly 2"},
		"first-last, three":    {`"famJq3-turbo","mode":"i2v_first_last","prompt":"x",` + images(3), "images", "exactly 2"},
		"references without":   {`"famJq3-turbo","mode":"reference_images","prompt":"x"`, "images", "1 to 7"},
		"references, eight":    {`"famJq3-turbo","mode":"reference_images","prompt":"x",` + images(8), "images", "1 to 7"},
		"eight, no mode":       {`"famJq3-turbo","prompt":"x",` + images(8), "images", "1 to 7"},
		"videos alone":         {`"famJq3-turbo","prompt":"x","videos":["http://a/v.mp4"]`, "images", "1 to 7"},
		"images a string":      {`"famJq3-turbo","prompt":"x","images":"http://a/b.png"`, "images", "an array of strings"},
		"images of objects":    {`"famJq3-turbo","prompt":"x","images":[{"url":"http://a/b.png"}]`, "images", "an array of strings"},
		"videos a string":      {`"famJq3-turbo","prompt":"x","videos":"http://a/v.mp4"`, "videos", "an array of strings"},
		"subjects of strings":  {`"famJq3-turbo","prompt":"x","subjects":["x"]`, "subjects", "an array of objects"},
		"duration as text":     {`"famJq3-turbo","prompt":"x","duration":"5"`, "duration", "an integer"},
		"duration, half":       {`"famJq3-turbo","prompt":"x","duration":5.5`, "duration", "an integer"},
		"resolution":           {`"famJq3-turbo","prompt":"x","resolution":"4k"`, "resolution", "540p, 720p, 1080p"},
		"aspect ratio":         {`"famJq3-turbo","prompt":"x","aspect_ratio":"2:1"`, "aspect_ratio", "16:9, 9:16, 4:3, 3:4, 1:1"},
		"seed as text":         {`"famJq3-turbo","prompt":"x","seed":"7"`, "seed", "an integer"},
		"movement":             {`"famJq3-turbo","prompt":"x","movement_amplitude":"huge"`, "movement_amplitude", "auto, small, medium, large"},
		"audio as text":        {`"famJq3-turbo","prompt":"x","audio":"true"`, "audio", "true or false"},
		"off_peak a number":    {`"famJq3-turbo","prompt":"x","off_peak":1`, "off_peak", "true or false"},
		"watermark as text":    {`"famJq3-turbo","prompt":"x","watermark":"no"`, "watermark", "true or false"},
		"a bare word":          {`"famJq3-turbo","prompt":"x","images":["kite.png"]`, "images", "data URI"},
	} {
		t.Run(name, func(t *testing.T) {
			e := b.refused(http.StatusBadRequest, "POST", entPath, `{"model":`+c.body+`}`)
			assert.Equal(t, typeInvalid, e.Code)
			assert.Equal(t, c.param, e.Param)
			assert.Contains(t, e.Message, c.says)
		})
	}
	assert.Zero(t, b.s.Creates())
}

func TestEntAccepts(t *testing.T) {
	b := newBench(t)
	uri := pictureURI(t, 30, 20, color.White)
	list := func(n int) string { return `"images":["` + uri + `"` + strings.Repeat(`,"`+uri+`"`, n-1) + `]` }
	for name, c := range map[string]struct {
		body              string
		mode              string
		first, last, refs int
	}{
		"text":                      {`"prompt":"x"`, "t2v", 0, 0, 0},
		"one image, no prompt":      {list(1), "i2v", 1, 0, 0},
		"two images":                {list(2), "i2v_first_last", 1, 1, 0},
		"three images":              {list(3), "reference_images", 0, 0, 3},
		"seven images":              {list(7), "reference_images", 0, 0, 7},
		"one reference":             {`"mode":"reference_images",` + list(1), "reference_images", 0, 0, 1},
		"references and a video":    {`"videos":["http://a/v.mp4"],` + list(1), "reference_images", 1, 0, 1},
		"a subject, no image":       {`"prompt":"@it runs","subjects":[{"name":"it"}]`, "", 0, 0, 0},
		"every shown field":         {`"prompt":"x","duration":3,"resolution":"1080p","aspect_ratio":"3:4","seed":-9007199254740993,"movement_amplitude":"large","audio":true,"off_peak":true,"watermark":true,"callback_url":"http://127.0.0.1:1/"`, "t2v", 0, 0, 0},
		"the nameless, under any":   {`"prompt":"x","audio_type":"speech_only","wm_position":3`, "t2v", 0, 0, 0},
		"nulls":                     {`"prompt":"x","images":null,"seed":null`, "t2v", 0, 0, 0},
		"the named mode, one image": {`"mode":"i2v","prompt":"x",` + list(1), "i2v", 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := b.ok("POST", entPath, `{"model":"famJq3-turbo",`+c.body+`}`)
			for _, v := range m["images"].([]any) {
				assert.Equal(t, "data:image/png;base64,…", v, "pictures are not sent back")
			}
			r := b.s.store.get(m["task_id"].(string), kindVideo)
			assert.Equal(t, c.mode, r.Mode)
			assert.Equal(t, c.first, count(r.Video.First))
			assert.Equal(t, c.last, count(r.Video.Last))
			assert.Len(t, r.Video.References, c.refs)
		})
	}
}

func count(r *ref) int {
	if r == nil {
		return 0
	}
	return 1
}
