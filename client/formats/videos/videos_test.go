package videos_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/videos"
	"darkroom/client/formattest"
)

func item(kind, url, role string) map[string]any {
	return map[string]any{"type": kind, kind: map[string]any{"url": url}, "role": role}
}

func cases() formattest.Cases {
	const u = "https://example.test/"
	full := client.Draft{
		Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "i2v", Prompt: "a <red> kite & a salt flat at dawn",
		Values: client.Values{
			"negative_prompt": "blur", "duration": json.Number("6"), "size": "1280x720", "aspect_ratio": "16:9",
			"resolution": "720p", "quality": "high", "fps": json.Number("24"), "seed": json.Number("9007199254740993"),
			"generate_audio": true, "sound": "on", "cfg_scale": json.Number("0.50"), "function_mode": "omni_reference",
			"image": u + "1.png", "end_image": u + "2.png", "images": []any{u + "3.png"}, "reference_images": []any{u + "4.png"},
			"image_list": []any{map[string]any{"image": u + "5.png"}}, "videos": []any{u + "6.mp4"}, "audios": []any{u + "7.wav"},
			"content": []any{
				map[string]any{"type": "text", "text": "look at @kite"},
				item("image_url", u+"8.png", "first_frame"),
				map[string]any{"type": "audio_url", "audio_url": u + "9.wav", "name": "wind"},
			},
			"video_id": "v-1", "task_id": "t-1", "camera_control": map[string]any{"type": "simple", "config": map[string]any{"pan": json.Number("1")}},
			"watermark_info": map[string]any{"enabled": false}, "parameters": map[string]any{"ratio": "16:9"},
			"callback_url": u + "cb", "external_task_id": "mine-1",
		},
	}
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{
				Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a paper plane",
				Values: client.Values{"duration": json.Number("6"), "watermark": true},
			}, Dropped: []string{"watermark"}},
			{Name: "full", Draft: full},
			{Name: "wire-names", Draft: client.Draft{
				Model: "famF-video", ModelName: "famF-v3", Mode: "i2v", Prompt: "x",
				Values: client.Values{"image": u + "1.png", "duration": "5", "seed": "42", "aspect_ratio": "1:1", "images": u + "2.png"},
				Wire:   map[string]string{"image": "image", "duration": "parameters.duration", "aspect_ratio": "parameters.ratio"},
				Extra:  map[string]json.RawMessage{"anything": json.RawMessage(`[ 1, 2 ]`)},
			}},
		},
		Refused: []formattest.Refused{
			{Field: "fps", Draft: client.Draft{Model: "famA3", Values: client.Values{"fps": "fast"}}},
			{Field: "seed", Draft: client.Draft{Model: "famA3", Values: client.Values{"seed": "1.5"}}},
			{Field: "generate_audio", Draft: client.Draft{Model: "famA3", Values: client.Values{"generate_audio": "maybe"}}},
			{Field: "parameters", Draft: client.Draft{Model: "famA3", Values: client.Values{"parameters": "x"}}},
			{Field: "content", Draft: client.Draft{Model: "famA3", Values: client.Values{"content": []any{"x"}}}},
			{Field: "duration", Draft: client.Draft{Model: "famA3", Values: client.Values{"duration": []any{}}}},
			{Field: "cfg_scale", Draft: client.Draft{Model: "famA3", Values: client.Values{"duration": "5", "cfg_scale": "1"}, Wire: map[string]string{"cfg_scale": "seconds.x"}}},
		},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"id":"task_1","status":"queued"}`, ID: "task_1", Status: client.StatusQueued},
			{Name: "no id", Create: true, Body: `{"status":"queued"}`, Fails: true},
			{
				Name: "completed", Body: `{"id":"task_1","status":"completed","video_url":"` + u + `v.mp4"}`,
				ID: "task_1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
			},
			{Name: "failed", Body: `{"id":"task_1","status":"failed","error":{"message":"no"}}`, ID: "task_1", Status: client.StatusFailed},
			{Name: "running", Body: `{"id":"task_1","status":"in_progress","progress":"30%"}`, ID: "task_1", Status: client.StatusRunning},
			{Name: "nothing", Body: `{"x":1}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, videos.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, videos.New(), cases().Answers[2].Body) }

func BenchmarkVideos(b *testing.B) { formattest.Bench(b, videos.New(), cases()) }

func TestSecondsAreAString(t *testing.T) {
	req, _, err := videos.New().EncodeCreate(client.Draft{Model: "famA3", Values: client.Values{"duration": json.Number("6")}})
	require.NoError(t, err)
	assert.Equal(t, `{"model":"famA3","seconds":"6"}`, string(req.Body)) //nolint:testifylint // the very bytes
	req, _, err = videos.New().EncodeCreate(client.Draft{
		Model: "famA3", Values: client.Values{"duration": json.Number("6")}, Wire: map[string]string{"duration": "duration"},
	})
	require.NoError(t, err)
	assert.Equal(t, `{"model":"famA3","duration":6}`, string(req.Body)) //nolint:testifylint // the very bytes
}

func TestSuccessWithoutURLIsAtTheContentPath(t *testing.T) {
	task, err := videos.New().DecodeQuery(formattest.OK(`{"id":"a/b","status":"completed","metadata":{"url":""}}`))
	require.NoError(t, err)
	require.Equal(t, []client.Asset{{Kind: client.AssetVideo, Content: true}}, task.Assets)
	req, ok := videos.New().Content(task.ID)
	require.True(t, ok)
	assert.Equal(t, "/v1/videos/a%2Fb/content", req.Path)
}
