package content_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/content"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func cases() formattest.Cases {
	full := client.Values{
		"content":       []any{map[string]any{"type": "image_url", "image_url": u + "c.png", "role": "first_frame", "name": "kite"}},
		"function_mode": "other", "image": u + "1.png", "images": []any{u + "2.png"}, "reference_images": u + "3.png",
		"end_image": u + "4.png", "videos": u + "5.mp4", "audios": []any{u + "6.wav"}, "duration": "5", "aspect_ratio": "16:9",
		"size": "1280x720", "quality": "high", "resolution": "720p", "fps": json.Number("24"), "generate_audio": "true",
		"watermark": false, "callback_url": u + "cb",
	}
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{
				Modality: client.Video, Model: "famD-2-0-260128", Mode: "t2v", Prompt: "salt <flat> & sky",
				Values: client.Values{"seed": json.Number("7"), "duration": json.Number("5")},
			}, Dropped: []string{"seed"}},
			{Name: "full", Draft: client.Draft{Model: "famG-h3", ModelName: "famF-v3", Mode: "i2v", Prompt: "x", Values: full}, Dropped: []string{"model_name"}},
			{Name: "reference-material", Draft: client.Draft{
				Model: "famD-2-0-260128", Mode: "reference_material", Prompt: "the @kite over the sea",
				Values: client.Values{
					"content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": u + "c.png"}, "role": "reference_image", "name": "kite"}},
					"images":  []any{u + "1.png", u + "2.png"}, "videos": []any{u + "3.mp4"}, "audios": []any{u + "4.wav"},
				},
			}},
			{Name: "omni-reference", Draft: client.Draft{
				Model: "famD-2-0-260128", Prompt: "x",
				Values: client.Values{
					"function_mode": "omni_reference", "image": u + "1.png",
					"content": []any{map[string]any{"type": "text", "text": "my own words"}},
				},
			}},
		},
		Refused: []formattest.Refused{
			{Field: "fps", Draft: client.Draft{Values: client.Values{"fps": "fast"}}},
			{Field: "duration", Draft: client.Draft{Values: client.Values{"duration": "long"}}},
			{Field: "watermark", Draft: client.Draft{Values: client.Values{"watermark": "maybe"}}},
			{Field: "reference_images", Draft: client.Draft{Values: client.Values{"reference_images": []any{true}}}},
			{Field: "content", Draft: client.Draft{Values: client.Values{"content": []any{"x"}}}},
		},
		Answers: answers(),
	}
}

func answers() []formattest.Answer {
	done := func(rest string) string { return `{"id":"cgt-1","model":"famD","status":"succeeded",` + rest + `}` }
	return []formattest.Answer{
		{Name: "created", Create: true, Body: `{"id":"cgt-1","status":"queued","created_at":"1795181346","items":""}`, ID: "cgt-1", Status: client.StatusQueued},
		{Name: "created with an id alone", Create: true, Body: `{"id":"cgt-1"}`, ID: "cgt-1", Status: client.StatusQueued},
		{Name: "running", Body: `{"id":"cgt-1","status":"running","error":null,"content":null,"items":null}`, ID: "cgt-1", Status: client.StatusRunning},
		{
			Name: "succeeded", ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4", u + "l.png"},
			Body: done(`"created_at":1795181346,"content":{"video_url":"` + u + `v.mp4","last_frame_url":"` + u + `l.png"},"usage":{"completion_tokens":1,"total_tokens":2}`),
		},
		{Name: "failed", Body: `{"id":"cgt-1","status":"failed","error":{"code":"SensitiveContentDetected","message":"no"}}`, ID: "cgt-1", Status: client.StatusFailed},
		{Name: "expired", Body: `{"id":"cgt-1","status":"expired"}`, ID: "cgt-1", Status: client.StatusFailed},
		{Name: "items as an array", Body: done(`"items":[{"status":"succeeded","content":{"video_url":"` + u + `1.mp4"}},{"status":"succeeded","video_url":"` + u + `2.mp4"}]`), ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4", u + "2.mp4"}},
		{Name: "items as JSON in a string", Body: done(`"items":"[{\"video_url\":\"` + u + `1.mp4\"}]"`), ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4"}},
		{Name: "items as an object", Body: done(`"items":{"status":"succeeded","content":{"video_url":"` + u + `1.mp4"}}`), ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4"}},
		{Name: "items as an object in a string", Body: done(`"items":"{\"video_url\":\"` + u + `1.mp4\"}"`), ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4"}},
		{Name: "items null", Body: done(`"items":null,"content":{"video_url":"` + u + `1.mp4"}`), ID: "cgt-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4"}},
		{Name: "nothing", Body: `{"items":null}`, Fails: true},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, content.New(), cases()) }

func FuzzDecode(f *testing.F) {
	formattest.Fuzz(f, content.New(), answers()[3].Body, answers()[7].Body)
}

func BenchmarkContent(b *testing.B) { formattest.Bench(b, content.New(), cases()) }

func TestItemsTellProgressAndErrors(t *testing.T) {
	task, err := content.New().DecodeQuery(formattest.OK(`{"id":"cgt-1","status":"running","items":"[{\"status\":\"running\",\"progress\":40},{\"status\":\"queued\",\"progress\":\"20%\"}]"}`))
	require.NoError(t, err)
	assert.InDelta(t, 30, task.Progress, 1e-9)
	assert.Contains(t, task.Extra, "items")
	task, err = content.New().DecodeQuery(formattest.OK(`{"id":"cgt-1","status":"failed","items":[{"status":"failed","error":{"code":"X","message":"too dark"}}]}`))
	require.NoError(t, err)
	require.NotNil(t, task.Error)
	assert.Equal(t, "too dark", task.Error.Message)
}

func TestPaths(t *testing.T) {
	f := content.New()
	req, _, err := f.EncodeCreate(client.Draft{Model: "famG-h3", Prompt: "x"})
	require.NoError(t, err)
	assert.Equal(t, "/api/v3/contents/generations/tasks", req.Path)
	assert.Equal(t, "/api/v3/contents/generations/tasks/cgt-1", f.Query("cgt-1").Path)
	_, ok := f.Content("cgt-1")
	assert.False(t, ok)
}
