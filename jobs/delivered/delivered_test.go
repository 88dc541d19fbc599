package delivered

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// wish is a draft of a video with values as JSON has them.
func wish(t testing.TB, values string) Wish {
	t.Helper()
	w := Wish{Draft: client.Draft{Modality: client.Video, Model: "m", Prompt: "a kite"}}
	require.NoError(t, json.Unmarshal([]byte(values), &w.Draft.Values))
	return w
}

func TestWhatTheTaskReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values, body string
		want         []string
	}{
		"nothing is told":         {`{"duration":8,"size":"1280x720","image":"a"}`, `{"id":"x","status":"completed"}`, nil},
		"no JSON":                 {`{"duration":8}`, `<html>`, nil},
		"shorter":                 {`{"duration":8}`, `{"seconds":"5"}`, []string{"asked for 8 s, the task reports 5 s"}},
		"some frames more":        {`{"duration":"5"}`, `{"seconds":"5.04"}`, nil},
		"as a vendor counts":      {`{"duration":5}`, `{"data":{"data":{"task_result":{"videos":[{"duration":"5.1"}]}}}}`, nil},
		"deep in a vendor's":      {`{"duration":10}`, `{"data":{"data":{"task_result":{"videos":[{"duration":"5.1"}]}}}}`, []string{"asked for 10 s, the task reports 5.1 s"}},
		"usage":                   {`{"duration":8}`, `{"output":{"task_status":"SUCCEEDED"},"usage":{"duration":5,"SR":720,"video_count":1}}`, []string{"asked for 8 s, the task reports 5 s"}},
		"how long it took":        {`{"duration":5}`, `{"duration":93.5}`, nil},
		"what went in is counted": {`{"duration":5}`, `{"usage":{"duration":15,"input_video_duration":10,"output_video_duration":5}}`, nil},
		"made from a video":       {`{"duration":5,"videos":["a"]}`, `{"usage":{"duration":15}}`, nil},
		"size":                    {`{"size":"1280x720"}`, `{"size":"1280x720","metadata":{"width":960,"height":540}}`, []string{"asked for 1280x720, the task reports 960x540"}},
		"whole blocks":            {`{"size":"1920x1080"}`, `{"metadata":{"width":1920,"height":1088}}`, nil},
		"turned":                  {`{"size":"720x1280"}`, `{"size":"1280x720"}`, []string{"asked for 720x1280, the task reports 1280x720"}},
		"a copy, said":            {`{"size":"1280x720","resolution":"720p"}`, `{"metadata":{"width":640,"height":360,"scaled_from":"1280x720"}}`, nil},
		"a copy of another shape": {`{"size":"1280x720"}`, `{"metadata":{"width":360,"height":360,"scaled_from":"1280x720"}}`, []string{"asked for 1280x720, the task reports 360x360"}},
		"resolution":              {`{"resolution":"1080p"}`, `{"resolution":"720p"}`, []string{"asked for 1080p, the task reports 720p"}},
		"resolution as a number":  {`{"resolution":"1080P"}`, `{"usage":{"SR":720}}`, []string{"asked for 1080P, the task reports 720p"}},
		"it is the same":          {`{"resolution":"720P","aspect_ratio":"16:9"}`, `{"resolution":"720p","ratio":"16:9","usage":{"SR":720}}`, nil},
		"a wide one of as many":   {`{"resolution":"720p","aspect_ratio":"21:9"}`, `{"metadata":{"width":1470,"height":630}}`, nil},
		"a square of as many":     {`{"resolution":"720p","aspect_ratio":"1:1"}`, `{"metadata":{"width":960,"height":960}}`, nil},
		"shape":                   {`{"aspect_ratio":"9:16"}`, `{"ratio":"16:9"}`, []string{"asked for 9:16, the task reports 1.78:1"}},
		"adaptive":                {`{"aspect_ratio":"adaptive","resolution":"auto"}`, `{"ratio":"16:9","resolution":"720p"}`, nil},
		"parameters":              {`{"parameters":{"duration":8,"ratio":"1:1"}}`, `{"usage":{"duration":5,"ratio":"16:9"}}`, []string{"asked for 8 s, the task reports 5 s", "asked for 1:1, the task reports 1.78:1"}},
		"seed":                    {`{"seed":42}`, `{"metadata":{"seed":7}}`, []string{"asked for seed 42, the task reports 7"}},
		"seed that is not told":   {`{"seed":42}`, `{"metadata":{"seed":0}}`, nil},
		"large seed":              {`{"seed":"9007199254740993"}`, `{"seed":9007199254740993}`, nil},
		"no image":                {`{"images":["a","b"]}`, `{"task_id":"1","images":[]}`, []string{"2 images were sent, the task reports 0"}},
		"one of two":              {`{"image":"a","end_image":"b"}`, `{"images":["a"]}`, []string{"2 images were sent, the task reports 1"}},
		"the same twice":          {`{"image":"a","images":["a"]}`, `{"images":["a"]}`, nil},
		"by number":               {`{"image":"a"}`, `{"metadata":{"input_images":0}}`, []string{"1 image was sent, the task reports 0"}},
		"in content":              {`{"content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"a"}}]}`, `{"images":[]}`, []string{"1 image was sent, the task reports 0"}},
		"made from text": {`{"image":"a"}`, `{"code":"success","data":{"action":"textGenerate","status":"SUCCESS"}}`,
			[]string{"1 image was sent, the task reports that it is made from text alone (textGenerate)"}},
		"made from it":     {`{"image":"a"}`, `{"data":{"action":"generate","status":"SUCCESS"}}`, nil},
		"null is no count": {`{"image":"a"}`, `{"images":null,"input_reference":null}`, nil},
	} {
		assert.Equal(t, c.want, Answer(wish(t, c.values), []byte(c.body), -1), name)
	}
}

func TestMappedDurations(t *testing.T) {
	t.Parallel()
	for asked, c := range map[string]struct {
		fine, wrong []string
	}{
		"5":  {[]string{"4", "5", "6"}, []string{"8", "10"}},
		"4":  {[]string{"4"}, []string{"6", "8"}},
		"30": {[]string{"10", "30"}, []string{"8"}},
		"1":  {[]string{"4"}, []string{"6"}},
	} {
		w := wish(t, `{"duration":`+asked+`}`)
		w.Mapped = []float64{4, 6, 8, 10}
		for _, s := range c.fine {
			assert.Empty(t, Answer(w, []byte(`{"seconds":"`+s+`"}`), -1), "%s for %s", s, asked)
		}
		for _, s := range c.wrong {
			assert.NotEmpty(t, Answer(w, []byte(`{"seconds":"`+s+`"}`), -1), "%s for %s", s, asked)
		}
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	w := wish(t, `{"n":4,"size":"1024x1024","image":"a"}`)
	w.Draft.Modality = client.Image
	answer := `{"created":1,"data":[{"url":"x"}],"usage":{"input_tokens":50,"input_tokens_details":{"image_tokens":%,"text_tokens":10}}}`
	with := func(n string) []byte { return []byte(strings.ReplaceAll(answer, "%", n)) }
	assert.Equal(t, []string{"1 image was sent, the task reports that it has read none", "asked for 4 pictures, got 2"}, Answer(w, with("0"), 2))
	assert.Empty(t, Answer(w, with("40"), 4))
	assert.Empty(t, Answer(w, []byte(`{"usage":{"input_tokens_details":{"image_tokens":0,"text_tokens":0}}}`), -1), "nothing was counted")
	assert.Equal(t, []string{"asked for 1024x1024, got 512x512"}, Saved(w, File{Width: 512, Height: 512}, nil))
	w.Draft.Values["resolution"] = "2k" // of pictures, that is another thing than of videos
	delete(w.Draft.Values, "size")
	assert.Empty(t, Saved(w, File{Width: 2048, Height: 2048}, nil))
}

func TestWhatTheFileIs(t *testing.T) {
	t.Parallel()
	w := wish(t, `{"duration":8,"size":"1280x720"}`)
	got := Saved(w, File{Duration: 5 * time.Second, Width: 960, Height: 540}, nil)
	assert.Equal(t, []string{"asked for 8 s, got 5.0 s", "asked for 1280x720, got 960x540"}, got)
	assert.Empty(t, Saved(w, File{Duration: 8041 * time.Millisecond, Width: 1280, Height: 720}, nil))
	assert.Empty(t, Saved(w, File{}, nil), "it does not say")
	assert.Equal(t, got[1:], New([]string{"asked for 8 s, the task reports 5 s", "not started on this machine"}, got), "once for each thing")
}

// TestCapturesWarnOfNothing that is not so: recorded bodies of tasks whose requests are known.
func TestCapturesWarnOfNothing(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CAPTURES")
	if dir == "" {
		dir = filepath.Join("testdata", "answers")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		b, err := os.ReadFile(f) //nolint:gosec // of the test's folder
		require.NoError(t, err)
		var c struct {
			Response struct {
				Body json.RawMessage `json:"body"`
			} `json:"response"`
		}
		require.NoError(t, json.Unmarshal(b, &c), f)
		values := `{"duration":5,"image":"http://127.0.0.1/in.png","seed":1024,"resolution":"1080p"}`
		switch name := filepath.Base(f); {
		case strings.Contains(name, "text2video"):
			values = `{"duration":5}`
		case strings.Contains(name, "sora"):
			values = `{"duration":4,"size":"1280x720"}`
		}
		assert.Empty(t, Answer(wish(t, values), c.Response.Body, -1), f)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{`{"seconds":"5"}`, `{"data":{"data":{"videos":[{"duration":"NaN"}]}}}`, `{"size":"1e400x1"}`, `{"images":[]}`, `{"ratio":"0:0"}`} {
		f.Add(s)
	}
	w := wish(f, `{"duration":8,"size":"1280x720","seed":3,"images":["a"],"n":2}`)
	f.Fuzz(func(t *testing.T, body string) {
		for _, text := range append(Answer(w, []byte(body), 1), Saved(w, File{Duration: 1, Width: 1, Height: 1}, []byte(body))...) {
			require.NotContains(t, text, "NaN")
			require.Less(t, len(text), 1000)
		}
	})
}
