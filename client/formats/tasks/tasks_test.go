package tasks_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/tasks"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func item(kind, url, role string) map[string]any {
	return map[string]any{"type": kind, kind: map[string]any{"url": url}, "role": role}
}

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{Modality: client.Video, Model: "famC-1.0-t2v", Prompt: "a kite"}},
			{Name: "i2v", Draft: client.Draft{Model: "famC-1.0", Mode: "i2v", Prompt: "x", Values: client.Values{"images": []any{u + "1.png"}, "end_image": u + "2.png"}}},
			{Name: "first-last", Draft: client.Draft{Model: "famK-3.0", Mode: "i2v_first_last", Prompt: "x", Values: client.Values{"images": []any{u + "1.png", u + "2.png"}}}},
			{Name: "full", Draft: client.Draft{Model: "famK-3.0", Mode: "r2v", ModelName: "m", Prompt: "x", Values: client.Values{
				"image": u + "1.png", "end_image": u + "2.png", "images": []any{u + "3.png"}, "reference_images": []any{u + "4.png"},
				"videos": []any{u + "5.mp4"}, "audios": []any{u + "6.wav"},
				"content": []any{
					item("image_url", u+"7.png", "first_frame"), item("video_url", u+"8.mp4", "mine"),
					map[string]any{"type": "text", "text": "more"},
				},
				"parameters": map[string]any{"prompt_extend": true}, "duration": "5", "resolution": "720P", "aspect_ratio": "16:9",
				"watermark": true, "seed": json.Number("9007199254740993"), "callback_url": u + "cb", "size": "1x1",
			}}, Dropped: []string{"model_name", "content", "size"}},
			{Name: "text-in-content", Draft: client.Draft{Model: "famC-1.0", Mode: "r2v", Values: client.Values{
				"content": []any{map[string]any{"type": "text", "text": "the words"}, item("image_url", u+"1.png", "reference_image")},
			}}},
		},
		Refused: []formattest.Refused{
			{Field: "duration", Draft: client.Draft{Values: client.Values{"duration": "5.5"}}},
			{Field: "content", Draft: client.Draft{Values: client.Values{"content": []any{map[string]any{"type": "odd"}}}}},
			{Field: "videos", Draft: client.Draft{Values: client.Values{"videos": true}}},
			{Field: "parameters", Draft: client.Draft{Values: client.Values{"parameters": "x"}}},
		},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"request_id":"r","output":{"task_id":"t-1","task_status":"PENDING"}}`, ID: "t-1", Status: client.StatusQueued},
			{Name: "running", Body: `{"request_id":"r","output":{"task_id":"t-1","task_status":"RUNNING","submit_time":"2026-11-20 13:29:06.123","scheduled_time":"2026-11-20 13:29:07.001"}}`, ID: "t-1", Status: client.StatusRunning},
			{
				Name: "succeeded", ID: "t-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"request_id":"r","output":{"task_id":"t-1","task_status":"SUCCEEDED","end_time":"2026-11-20 13:30:06.123","video_url":"` + u + `v.mp4","orig_prompt":"x"},"usage":{"duration":5,"SR":720,"video_count":1}}`,
			},
			{Name: "failed", Body: `{"request_id":"r","output":{"task_id":"t-1","task_status":"FAILED","code":"DataInspectionFailed","message":"no"}}`, ID: "t-1", Status: client.StatusFailed},
			{Name: "unknown is no end", Body: `{"request_id":"r","output":{"task_id":"t-1","task_status":"UNKNOWN"}}`, ID: "t-1", Status: client.StatusUnknown},
			{Name: "canceled", Body: `{"output":{"task_id":"t-1","task_status":"CANCELED"}}`, ID: "t-1", Status: client.StatusFailed},
			{Name: "flat error at 200", Body: `{"code":"InvalidParameter","message":"no","request_id":"r"}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, tasks.New(), cases()) }

// TestUnknownIsNoTask where the vendor documents it, and nowhere else: other gateways say unknown of
// tasks that they have not heard of yet.
func TestUnknownIsNoTask(t *testing.T) {
	for body, absent := range map[string]bool{
		`{"request_id":"r","output":{"task_id":"t-1","task_status":"UNKNOWN"}}`: true,
		`{"output":{"task_status":"unknown"}}`:                                  true,
		`{"id":"t-1","status":"unknown"}`:                                       false,
		`{"code":"success","data":{"task_id":"t-1","task_status":"UNKNOWN"}}`:   false,
		`{"output":{"task_id":"t-1","task_status":"LATER"}}`:                    false,
		`{"output":{"task_id":"t-1","task_status":"RUNNING"}}`:                  false,
	} {
		task, err := tasks.New().DecodeQuery(formattest.OK(body))
		require.NoError(t, err, body)
		assert.Equal(t, absent, task.Absent != "", body)
		assert.False(t, task.Status.Terminal(), "a job of ours is asked about again")
	}
}

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, tasks.New(), cases().Answers[2].Body) }

func BenchmarkTasks(b *testing.B) { formattest.Bench(b, tasks.New(), cases()) }

func TestWhatIsNotTakenIsKept(t *testing.T) {
	task, err := tasks.New().DecodeQuery(formattest.OK(cases().Answers[2].Body))
	require.NoError(t, err)
	for _, k := range []string{"orig_prompt", "request_id"} {
		assert.Contains(t, task.Extra, k)
	}
	assert.JSONEq(t, `{"duration":5,"SR":720,"video_count":1}`, string(task.Usage))
	assert.True(t, task.EndedAt.IsZero(), "a time without a zone tells no moment")
	assert.NotEmpty(t, task.AsSent.Ended)
	task, err = tasks.New().DecodeQuery(formattest.OK(cases().Answers[3].Body))
	require.NoError(t, err)
	assert.Equal(t, &client.TaskError{Code: "DataInspectionFailed", Message: "no"}, task.Error)
}
