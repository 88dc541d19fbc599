package images_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/images"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

// png is the beginning of one, enough to be known as one.
func png() []byte { return append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 64)...) }

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "text", Draft: client.Draft{
				Modality: client.Image, Model: "famL-2", Prompt: "a fox", Mode: "t2i",
				Values: client.Values{"n": "2", "size": "1024x1024", "seed": json.Number("1")},
			}, Dropped: []string{"mode", "seed"}},
			{Name: "full", Draft: client.Draft{
				Modality: client.Image, Model: "famF-image", ModelName: "famF-v3", Prompt: "a fox",
				Values: client.Values{
					"negative_prompt": "blur", "n": json.Number("1"), "size": "1024x1024", "aspect_ratio": "1:1", "resolution": "1k",
					"quality": "hd", "style": "vivid", "response_format": "b64_json", "image": u + "1.png", "images": []any{u + "2.png"},
					"image_list": []any{u + "3.png"}, "subject_image_list": []any{map[string]any{"subject_image": u + "4.png"}},
					"scene_image": u + "5.png", "style_image": u + "6.png", "human_image": u + "7.png", "cloth_image": u + "8.png",
					"up_expansion_ratio": json.Number("0.1"), "down_expansion_ratio": json.Number("0.2"),
					"left_expansion_ratio": json.Number("0.3"), "right_expansion_ratio": json.Number("0.4"),
					"element_list": []any{map[string]any{"element_id": json.Number("9007199254740993")}},
					"result_type":  "series", "series_amount": json.Number("4"), "user": "u-1",
					"callback_url": u + "cb", "external_task_id": "mine-1",
				},
			}},
		},
		Refused: []formattest.Refused{
			{Field: "n", Draft: client.Draft{Model: "famL", Values: client.Values{"n": "two"}}},
			{Field: "size", Draft: client.Draft{Model: "famL", Values: client.Values{"size": true}}},
		},
		Answers: []formattest.Answer{
			{
				Name: "urls", Create: true, Body: `{"created":1,"data":[{"url":"` + u + `a.png","revised_prompt":"x"},{"url":"` + u + `b.png"}]}`,
				Status: client.StatusCompleted, Format: "images", URLs: []string{u + "a.png", u + "b.png"},
			},
			{
				Name: "response object", Create: true, Body: `{"id":"resp_1","object":"response","status":"in_progress","output":[]}`,
				ID: "resp_1", Format: "responses", Status: client.StatusRunning,
			},
			{
				Name: "finished response object", Create: true, ID: "resp_1", Format: "responses", Status: client.StatusCompleted,
				Body: `{"id":"resp_1","object":"response","status":"completed","output":[{"type":"image_generation_call","url":"` + u + `r.png"}]}`,
				URLs: []string{u + "r.png"},
			},
			{Name: "id and status", Create: true, Body: `{"id":"t-1","status":"queued"}`, ID: "t-1", Format: "responses", Status: client.StatusQueued},
			{Name: "failed at once", Create: true, Body: `{"id":"t-1","status":"failed","error":"no"}`, ID: "t-1", Format: "responses", Status: client.StatusFailed},
			{Name: "completed without picture", Create: true, Body: `{"status":"completed","data":[]}`, Fails: true},
			{Name: "no picture", Create: true, Body: `{"created":1,"data":null}`, Fails: true},
			{Name: "a text instead", Create: true, Body: `{"created":1,"data":[{"b64_json":"bm90IGEgcGljdHVyZSBhdCBhbGw="}]}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, images.New(), cases()) }

func FuzzDecode(f *testing.F) {
	formattest.Fuzz(f, images.New(), cases().Answers[0].Body, `{"data":[{"b64_json":"`+base64.StdEncoding.EncodeToString(png())+`"}]}`)
}

func BenchmarkImages(b *testing.B) { formattest.Bench(b, images.New(), cases()) }

func TestInlinePictures(t *testing.T) {
	std := base64.StdEncoding.EncodeToString(png())
	for name, data := range map[string]string{
		"base64":     std,
		"unpadded":   base64.RawStdEncoding.EncodeToString(png()),
		"url-safe":   base64.URLEncoding.EncodeToString(png()),
		"wrapped":    std[:40] + `\r\n` + std[40:],
		"a data URI": "data:image/png;base64," + std,
	} {
		task, err := images.New().DecodeCreate(formattest.OK(`{"created":1795181346,"data":[{"url":"","b64_json":"` + data + `","revised_prompt":"a fox"}]}`))
		require.NoError(t, err, name)
		require.Len(t, task.Assets, 1, name)
		assert.Equal(t, png(), task.Assets[0].Inline, name)
		assert.Equal(t, "image/png", task.Assets[0].MediaType, name)
		assert.Equal(t, int64(1795181346), task.CreatedAt.Unix())
		assert.JSONEq(t, `["a fox"]`, string(task.Extra["revised_prompt"]))
		assert.NotContains(t, task.Extra, "data", "pictures do not belong in the history")
	}
	task, err := images.New().DecodeCreate(formattest.OK(`{"data":[{"url":"data:image/png;base64,` + std + `"}]}`))
	require.NoError(t, err)
	assert.Equal(t, png(), task.Assets[0].Inline)
}
