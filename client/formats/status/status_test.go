package status_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/status"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{
				Modality: client.Video, Model: "famF-video", ModelName: "famF-v3", Mode: "t2v", Prompt: "x", Values: client.Values{"watermark": true},
			}, Dropped: []string{"watermark"}},
			{Name: "full", Draft: client.Draft{Model: "famF-video", ModelName: "famF-v3", Mode: "i2v", Prompt: "x", Values: client.Values{
				"negative_prompt": "blur", "image": u + "1.png", "image_list": []any{u + "2.png"}, "video_id": "v", "task_id": "t", "duration": "5",
				"aspect_ratio": "16:9", "cfg_scale": json.Number("0.5"), "sound": "on", "camera_control": map[string]any{"type": "simple"},
				"watermark_info": map[string]any{"enabled": true}, "callback_url": u + "cb", "external_task_id": "mine",
			}}},
		},
		Refused: []formattest.Refused{{Field: "duration", Draft: client.Draft{Values: client.Values{"duration": "long"}}}},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"task_id":"t-1","status":"queued"}`, ID: "t-1", Status: client.StatusQueued},
			{Name: "in progress", Body: `{"task_id":"t-1","status":"in_progress","url":"","format":"","metadata":null,"error":null}`, ID: "t-1", Status: client.StatusRunning},
			{
				Name: "completed", ID: "t-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"task_id":"t-1","status":"completed","url":"` + u + `v.mp4","format":"mp4","metadata":{"duration":5.1,"fps":30,"width":1280,"height":720,"seed":9007199254740993}}`,
			},
			{Name: "failed with an integer code", Body: `{"task_id":"t-1","status":"failed","error":{"code":1301,"message":"no"}}`, ID: "t-1", Status: client.StatusFailed},
			{Name: "the other error shape", Body: `{"error":{"message":"no","type":"t","param":"p","code":"c"}}`, Fails: true},
			{
				Name: "envelope", ID: "t-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"code":"success","message":"","data":{"id":3,"task_id":"t-1","status":"SUCCESS","progress":"100%","result_url":"` + u + `v.mp4","fail_reason":"","data":{"code":0,"data":{"task_id":"up","task_status":"succeed"}}}}`,
			},
			{
				Name: "envelope of a failure", ID: "t-1", Status: client.StatusFailed,
				Body: `{"code":"success","data":{"task_id":"t-1","status":"FAILURE","progress":"100%","fail_reason":"declined","result_url":"declined","data":{"code":0}}}`,
			},
			{
				Name: "the vendor's own", ID: "t-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"code":0,"message":"SUCCEED","request_id":"r","data":{"task_id":"t-1","task_status":"succeed","task_status_msg":"","created_at":1795181346405,"task_result":{"videos":[{"id":"v","url":"` + u + `v.mp4","duration":"5.1"}]}}}`,
			},
			{
				Name: "the vendor's own failure", ID: "t-1", Status: client.StatusFailed,
				Body: `{"code":0,"message":"SUCCEED","data":{"task_id":"t-1","task_status":"failed","task_status_msg":"declined"}}`,
			},
			{Name: "the vendor's own, waiting", Body: `{"code":0,"data":{"task_id":"t-1","task_status":"submitted"}}`, ID: "t-1", Status: client.StatusQueued},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, status.New(), cases()) }

func FuzzDecode(f *testing.F) {
	formattest.Fuzz(f, status.New(), cases().Answers[2].Body, cases().Answers[5].Body, cases().Answers[7].Body)
}

func BenchmarkStatus(b *testing.B) { formattest.Bench(b, status.New(), cases()) }

func TestErrorsOfAllShapes(t *testing.T) {
	for i, want := range map[int]client.TaskError{
		3: {Code: "1301", Message: "no"}, 6: {Message: "declined"}, 8: {Message: "declined"},
	} {
		task, err := status.New().DecodeQuery(formattest.OK(cases().Answers[i].Body))
		require.NoError(t, err)
		require.NotNil(t, task.Error)
		assert.Equal(t, want, *task.Error)
	}
	_, err := status.New().DecodeQuery(formattest.OK(cases().Answers[4].Body))
	require.ErrorContains(t, err, "no")
}

func TestLargeSeedsSurvive(t *testing.T) {
	task, err := status.New().DecodeQuery(formattest.OK(cases().Answers[2].Body))
	require.NoError(t, err)
	assert.Contains(t, string(task.Extra["metadata"]), "9007199254740993")
}
