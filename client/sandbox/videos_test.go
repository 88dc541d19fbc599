package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// picturePNG is a picture of one colour.
func picturePNG(t testing.TB, w, h int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func pictureURI(t testing.TB, w, h int, c color.Color) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(picturePNG(t, w, h, c))
}

func TestVideoFromCreateToEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.ok("POST", "/v1/videos", t2v+`,"fps":2,"external_task_id":"job-1","callback_url":"http://127.0.0.1:1/x"}`)
	id := m["id"].(string)
	assert.Regexp(t, `^video_[a-z2-7]{24}$`, id)
	assert.Equal(t, "queued", m["status"])
	assert.Equal(t, "famI-omni", m["model"])
	assert.Equal(t, "job-1", m["external_task_id"])
	assert.EqualValues(t, 1, b.s.Creates())

	seen := []string{}
	for range 60 {
		m = b.ok("GET", "/v1/videos/"+id, "")
		if st := m["status"].(string); len(seen) == 0 || seen[len(seen)-1] != st {
			seen = append(seen, st)
		}
		if m["status"] == "completed" {
			break
		}
		assert.Nil(t, m["video_url"])
		e := b.refused(http.StatusBadRequest, "GET", "/v1/videos/"+id+"/content", "")
		assert.Contains(t, e.Message, "not completed yet, current status: "+m["status"].(string))
		b.clock.advance(100 * time.Millisecond)
	}
	assert.Equal(t, []string{"queued", "in_progress", "completed"}, seen)
	assert.Equal(t, json.Number("100"), m["progress"])
	for path, want := range map[string]string{"metadata.duration": "4", "metadata.fps": "2", "metadata.width": "640",
		"metadata.height": "360", "metadata.seed": "7"} {
		assert.Equal(t, json.Number(want), at(m, path), path)
	}

	content := b.do("GET", "/v1/videos/"+id+"/content", "")
	require.Equal(t, http.StatusOK, content.Code)
	assert.Equal(t, "video/mp4", content.Header().Get("Content-Type"))
	byURL := b.do("GET", pathOf(t, m["video_url"]), "")
	assert.Equal(t, content.Body.Bytes(), byURL.Body.Bytes())
	for _, k := range []string{"cover_url", "last_frame_url"} {
		cfg, format, err := image.DecodeConfig(b.do("GET", pathOf(t, m[k]), "").Body)
		require.NoError(t, err)
		assert.Equal(t, "png 640x360", fmt.Sprintf("%s %dx%d", format, cfg.Width, cfg.Height))
	}
	assert.EqualValues(t, 1, b.s.Stats().Made, "one making for all files of a video")
	assert.EqualValues(t, 1, b.s.Creates())
}

func TestVideoRules(t *testing.T) {
	b := newBench(t)
	uri := pictureURI(t, 8, 8, color.White)
	for name, c := range map[string]struct{ body, param, says string }{
		"model unknown":        {`{"model":"famI-omn","prompt":"x"}`, "model", "famI-omni"},
		"model with a group":   {`{"model":"famI-omni-stable","prompt":"x"}`, "model", "unknown"},
		"an image model":       {`{"model":"famL","prompt":"x"}`, "model", "this path takes video models"},
		"no prompt":            {`{"model":"famI-omni","mode":"t2v"}`, "prompt", "prompt"},
		"no model_name":        {`{"model":"famF-video","mode":"t2v","prompt":"x"}`, "model_name", "famF-v2-6"},
		"odd model_name":       {`{"model":"famF-video","model_name":"famF-v9","mode":"t2v","prompt":"x"}`, "model_name", "famF-v9"},
		"famK too short":       {`{"model":"famK-3.0","prompt":"x","seconds":1}`, "seconds", "2 to 30"},
		"famK too long, text":  {`{"model":"famK-3.0","prompt":"x","duration":"31"}`, "duration", "2 to 30"},
		"famK wrong size":      {`{"model":"famK-3.0","prompt":"x","resolution":"1080P"}`, "resolution", "720P"},
		"seconds no number":    {`{"model":"famI-omni","mode":"t2v","prompt":"x","seconds":"long"}`, "seconds", "number"},
		"seconds beyond ours":  {`{"model":"famA3","prompt":"x","seconds":600}`, "seconds", "60"},
		"seed no integer":      {`{"model":"famI-omni","mode":"t2v","prompt":"x","seed":"abc"}`, "seed", "abc"},
		"i2v without image":    {`{"model":"famD-1-0-lite-i2v-250428","mode":"i2v","prompt":"x"}`, "", "image"},
		"first_last, one":      {`{"model":"famD-1-5-pro-251215","mode":"i2v_first_last","prompt":"x","image_url":"` + uri + `"}`, "", "end_image"},
		"a bare word":          {`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x","image_url":"kite.png"}`, "image_url", "data URI"},
		"a file URL":           {`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x","image_url":"file:///etc/passwd"}`, "image_url", "data URI"},
		"a broken data URI":    {`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x","image_url":"data:image/png;base64,@@"}`, "image_url", "base64"},
		"no picture in it":     {`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x","image_url":"data:image/png;base64,AAAA"}`, "image_url", "not a picture"},
		"content, bare string": {`{"model":"famI-omni","mode":"r2v","prompt":"x","content":["http://a/b.png"]}`, "", "content"},
		"famH without image":   {`{"model":"famH-2.3","prompt":"x"}`, "images", "first-frame"},
		"extend, no video_id":  {`{"model":"famF-video","model_name":"famF-v2-6","mode":"extend"}`, "video_id", "video_id"},
		"extend of nothing":    {`{"model":"famF-video","model_name":"famF-v2-6","mode":"extend","video_id":"video_aaaaaaaaaaaa"}`, "video_id", "no video task"},
		"a very wide shape":    {`{"model":"famA3","prompt":"x","aspect_ratio":"100:1"}`, "aspect_ratio", "8:1"},
		"unknown directive":    {`{"model":"famI-omni","mode":"t2v","prompt":"x [[sandbox:explode]]"}`, "prompt", "allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := b.refused(http.StatusBadRequest, "POST", "/v1/videos", c.body)
			assert.Equal(t, typeInvalid, e.Code)
			assert.Contains(t, e.Message, c.says)
			if c.param != "" {
				assert.True(t, e.Param == c.param || strings.HasPrefix(e.Param, c.param+"["), "param %q", e.Param)
			}
		})
	}
	assert.Zero(t, b.s.Creates(), "a refused create is none")
}

// create posts a video, waits for its end and returns its last answer.
func (b *bench) video(body string) map[string]any {
	b.t.Helper()
	id := b.ok("POST", "/v1/videos", body)["id"].(string)
	b.clock.advance(time.Hour)
	m := b.ok("GET", "/v1/videos/"+id, "")
	require.Equal(b.t, "completed", m["status"])
	return m
}

func TestVideoShapes(t *testing.T) {
	b := newBench(t)
	for fields, want := range map[string]string{
		`"size":"1280x720"`:                                "640x360 5 s 12 fps",
		`"size":"720x1280"`:                                "360x640 5 s 12 fps",
		`"size":"480x480"`:                                 "480x480 5 s 12 fps",
		`"aspect_ratio":"1:1"`:                             "640x640 5 s 12 fps",
		`"ratio":"9:16"`:                                   "360x640 5 s 12 fps",
		`"aspect_ratio":"21:9","seconds":"3"`:              "630x270 3 s 12 fps",
		`"aspect_ratio":"4:3","duration":2.5`:              "640x480 2.5 s 12 fps",
		`"size":"854x480","fps":"24"`:                      "640x360 5 s 24 fps",
		`"resolution":"720p"`:                              "640x360 5 s 12 fps",
		`"seconds":60`:                                     "640x360 60 s 6 fps",
		`"parameters":{"ratio":"3:4","duration":3}`:        "480x640 3 s 12 fps",
		`"seconds":6,"fps":10,"size":"640x640","seed":"5"`: "640x640 6 s 10 fps",
	} {
		m := b.video(`{"model":"famA3","prompt":"x",` + fields + `}`)
		got := fmt.Sprintf("%sx%s %s s %s fps", at(m, "metadata.width"), at(m, "metadata.height"), at(m, "metadata.duration"), at(m, "metadata.fps"))
		assert.Equal(t, want, got, fields)
	}
}

// GATEWAY: Mode and model rules 4: seconds is mapped to one of 4, 6, 8, 10.
func TestMappedDurations(t *testing.T) {
	b := newBench(t)
	for asked, want := range map[string]string{"1": "4", "4": "4", "5": "6", `"6"`: "6", "8.5": "8", "10": "10", "30": "10"} {
		m := b.video(`{"model":"famI-omni","mode":"t2v","prompt":"x","seconds":` + asked + `}`)
		assert.Equal(t, json.Number(want), at(m, "metadata.duration"), asked)
	}
}

// A request without a mode is taken when it fits any mode of its model.
func TestWithoutAMode(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{
		`{"model":"famH-2.3","prompt":"x","image_urls":["http://h/a.png"]}`,
		`{"model":"famH-2.3","prompt":"x","content":[{"type":"image_url","role":"first_frame","image_url":{"url":"http://h/a.png"}}]}`,
		`{"model":"famA3","prompt":"x"}`, `{"model":"famI-omni","prompt":"x"}`, `{"model":"famK-3.0","prompt":"x"}`,
		`{"model":"famG-h3","prompt":"x","audio_urls":["http://h/a.mp3"]}`, `{"model":"famJq3-turbo","prompt":"x"}`, `{"model":"famB-2","prompt":"x"}`,
		`{"model":"famD-1-0-lite-i2v-250428","prompt":"x","image_url":"http://h/a.png"}`, `{"model":"famE-video-3","prompt":"x","resolution":"720p"}`,
	} {
		b.ok("POST", "/v1/videos", body)
	}
	m := b.video(`{"model":"famH-2.3","prompt":"x","image_urls":["http://h/a.png"]}`)
	assert.Equal(t, json.Number("6"), at(m, "metadata.duration"), "the usual duration nearest to 5 s")
}

func TestLargeSeeds(t *testing.T) {
	b := newBench(t)
	for _, seed := range []string{"9007199254740993", `"9223372036854775807"`, "-5"} {
		m := b.video(`{"model":"famI-omni","mode":"t2v","prompt":"x","seed":` + seed + `}`)
		assert.Equal(t, strings.Trim(seed, `"`), at(m, "metadata.seed").(json.Number).String())
	}
	b.video(`{"model":"famI-omni","mode":"t2v","prompt":"x","seed":"123456789012345678901234567890"}`)
}

func colourAt(t testing.TB, b *bench, url any, x, y float64) (r, g, bl int) {
	t.Helper()
	img, err := png.Decode(b.do("GET", pathOf(t, url), "").Body)
	require.NoError(t, err)
	s := img.Bounds().Size()
	c := color.RGBAModel.Convert(img.At(int(x*float64(s.X-1)), int(y*float64(s.Y-1)))).(color.RGBA)
	return int(c.R), int(c.G), int(c.B)
}

// Inputs count: what comes out starts and ends with the pictures that went in.
func TestVideoInputs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	green, red := pictureURI(t, 90, 160, color.RGBA{0, 200, 0, 255}), pictureURI(t, 90, 160, color.RGBA{220, 0, 0, 255})
	m := b.video(fmt.Sprintf(`{"model":"famD-1-5-pro-251215","mode":"i2v_first_last","prompt":"x","seconds":1,"fps":2,"image_url":%q,"end_image_url":%q}`, green, red))
	assert.Equal(t, json.Number("360"), at(m, "metadata.width"), "without a shape, the picture's counts")
	assert.Equal(t, json.Number("640"), at(m, "metadata.height"))
	_, g, _ := colourAt(t, b, m["cover_url"], 0.5, 0.3)
	assert.Greater(t, g, 150, "the poster is the first picture")
	r, g, _ := colourAt(t, b, m["last_frame_url"], 0.5, 0.3)
	assert.Greater(t, r, 150, "the last frame is the last picture")
	assert.Less(t, g, 80)

	id := m["id"].(string)
	ext := b.video(`{"model":"famF-video","model_name":"famF-v2-6","mode":"extend",` + small + `,"video_id":"` + id + `"}`)
	assert.Equal(t, id, at(ext, "metadata.derived_from"))
	r, _, _ = colourAt(t, b, ext["cover_url"], 0.5, 0.3)
	assert.Greater(t, r, 150, "an extension starts where its source ends")

	edit := b.video(fmt.Sprintf(`{"model":"famI-omni","mode":"edit","prompt":"x",%s,"videos":[%q]}`, small, m["video_url"]))
	assert.Equal(t, id, at(edit, "metadata.derived_from"))
	_, g, _ = colourAt(t, b, edit["cover_url"], 0.5, 0.3)
	assert.Greater(t, g, 150, "an edit starts as its source does")

	other := b.video(`{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x",` + small + `,"image_url":"http://169.254.169.254/latest/meta-data"}`)
	assert.Contains(t, at(other, "metadata.note"), "not fetched")
	require.Equal(t, http.StatusOK, b.do("GET", pathOf(t, other["cover_url"]), "").Code)
}

func TestInputsByFieldAndRole(t *testing.T) {
	b := newBench(t)
	uri := func(i int) string { return pictureURI(t, 16, 16+i, color.White) }
	type want struct {
		first, last int // height less 16, 0 for none
		refs        int
	}
	for name, c := range map[string]struct {
		body string
		want want
	}{
		"image":           {`"mode":"i2v","image":"` + uri(1) + `"`, want{1, 0, 0}},
		"input_reference": {`"mode":"i2v","input_reference":"` + uri(1) + `"`, want{1, 0, 0}},
		"image_urls":      {`"mode":"i2v","image_url":"` + uri(1) + `","image_urls":["` + uri(2) + `"]`, want{1, 0, 1}},
		"two image_urls":  {`"mode":"i2v_first_last","image_url":"` + uri(1) + `","end_image_url":"` + uri(3) + `"`, want{1, 3, 0}},
		"references":      {`"mode":"reference_images","reference_images":["` + uri(1) + `","` + uri(2) + `"]`, want{0, 0, 2}},
		"content": {`"mode":"reference_material","image_urls":["` + uri(4) + `"],"content":[{"type":"text","text":"x"},` +
			`{"type":"image_url","role":"first_frame","image_url":{"url":"` + uri(1) + `"}},` +
			`{"type":"image_url","role":"last_frame","image_url":{"url":"` + uri(2) + `"}},` +
			`{"type":"image_url","role":"reference_image","image_url":{"url":"` + uri(3) + `"}},` +
			`{"type":"audio_url","role":"reference_audio","audio_url":{"url":"http://h/a.wav"}}]`, want{1, 2, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			m := b.video(`{"model":"famD-1-5-pro-251215","prompt":"x",` + c.body + `}`)
			p := b.s.store.get(m["id"].(string), kindVideo).Video
			got := want{refs: len(p.References)}
			if p.First != nil {
				got.first = p.First.Height - 16
			}
			if p.Last != nil {
				got.last = p.Last.Height - 16
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// The prompt may be in content alone, as public clients send it.
func TestPromptFromContent(t *testing.T) {
	b := newBench(t)
	m := b.ok("POST", "/v1/videos", `{"model":"famI-omni","mode":"t2v","content":[{"type":"text","text":"a kite"}]}`)
	assert.Equal(t, "a kite", b.s.store.get(m["id"].(string), kindVideo).Prompt)
}

func TestScriptedTasks(t *testing.T) {
	b := newBench(t)
	create := func(prompt string) string {
		return b.ok("POST", "/v1/videos", fmt.Sprintf(`{"model":"famI-omni","mode":"t2v","prompt":%q}`, prompt))["id"].(string)
	}
	fail := create(`x [[sandbox:fail code=E7 message="no luck"]]`)
	stay := create("x [[sandbox:stay-queued]]")
	odd := create("x [[sandbox:unknown-status]]")
	slow := create("x [[sandbox:slow]]")
	b.clock.advance(2 * time.Second)
	assert.Equal(t, "reticulating", b.ok("GET", "/v1/videos/"+odd, "")["status"])
	b.clock.advance(5 * time.Second)
	m := b.ok("GET", "/v1/videos/"+fail, "")
	assert.Equal(t, "failed", m["status"])
	assert.Equal(t, map[string]any{"code": "E7", "message": "no luck"}, m["error"])
	assert.Nil(t, m["video_url"])
	assert.Equal(t, "completed", b.ok("GET", "/v1/videos/"+odd, "")["status"])
	assert.Equal(t, "queued", b.ok("GET", "/v1/videos/"+slow, "")["status"])
	b.clock.advance(time.Hour)
	assert.Equal(t, "queued", b.ok("GET", "/v1/videos/"+stay, "")["status"])
	assert.Equal(t, "completed", b.ok("GET", "/v1/videos/"+slow, "")["status"])
	e := b.refused(http.StatusBadRequest, "GET", "/v1/videos/"+fail+"/content", "")
	assert.Contains(t, e.Message, "failed")
}

func TestScriptedAnswers(t *testing.T) {
	b := newBench(t)
	body := func(prompt string) string {
		return fmt.Sprintf(`{"model":"famI-omni","mode":"t2v","prompt":%q}`, prompt)
	}
	w := b.do("POST", "/v1/videos", body("x [[sandbox:429 times=2 retry-after=3]]"))
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	assert.Equal(t, "3", w.Header().Get("Retry-After"))
	assert.Equal(t, "rate_limit_exceeded", errorOf(t, w).Code)
	b.refused(http.StatusTooManyRequests, "POST", "/v1/videos", body("x [[sandbox:429 times=2 retry-after=3]]"))
	assert.Zero(t, b.s.Creates())
	b.ok("POST", "/v1/videos", body("x [[sandbox:429 times=2 retry-after=3]]"))
	assert.EqualValues(t, 1, b.s.Creates())

	b.refused(http.StatusInternalServerError, "POST", "/v1/videos", body("x [[sandbox:500]]"))
	assert.EqualValues(t, 1, b.s.Creates())
	b.refused(http.StatusBadGateway, "POST", "/v1/videos", body("x [[sandbox:502 after]]"))
	assert.EqualValues(t, 2, b.s.Creates(), "the answer was lost, the task was not")
}

func TestThumbnail(t *testing.T) {
	b := newBench(t)
	m := b.video(`{"model":"famA3","prompt":"x",` + small + `}`)
	path := "/v1/videos/" + m["id"].(string) + "/content?variant="
	assert.Equal(t, "image/png", b.do("GET", path+"thumbnail", "").Header().Get("Content-Type"))
	b.refused(http.StatusBadRequest, "GET", path+"spritesheet", "")
}
