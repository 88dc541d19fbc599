package ent_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/ent"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{
				Modality: client.Video, Model: "famJq3-turbo", Mode: "t2v", Prompt: "a kite", Values: client.Values{"seed": "42", "duration": "5"},
			}, Dropped: []string{"mode"}},
			{Name: "first-last", Draft: client.Draft{
				Model: "famJq3-turbo", Mode: "i2v_first_last", Values: client.Values{"image": u + "1.png", "end_image": u + "2.png"},
			}, Dropped: []string{"mode"}},
			{Name: "full", Draft: client.Draft{Model: "famJq3-turbo", Prompt: "x", Values: client.Values{
				"image": u + "1.png", "images": []any{u + "2.png", u + "1.png"}, "reference_images": []any{u + "3.png"}, "end_image": u + "4.png",
				"videos": []any{u + "5.mp4"}, "subjects": []any{map[string]any{"name": "kite", "voice": "v"}}, "duration": json.Number("5"),
				"resolution": "720p", "aspect_ratio": "16:9", "seed": json.Number("9007199254740993"), "movement_amplitude": "small",
				"generate_audio": true, "off_peak": false, "watermark": true, "callback_url": u + "cb",
				"content": []any{map[string]any{"type": "text", "text": "x"}}, "audios": []any{u + "6.wav"},
			}}, Dropped: []string{"content", "audios"}},
		},
		Refused: []formattest.Refused{
			{Field: "duration", Draft: client.Draft{Values: client.Values{"duration": "5.5"}}},
			{Field: "seed", Draft: client.Draft{Values: client.Values{"seed": "x"}}},
			{Field: "off_peak", Draft: client.Draft{Values: client.Values{"off_peak": json.Number("1")}}},
			{Field: "images", Draft: client.Draft{Values: client.Values{"images": []any{json.Number("1")}}}},
		},
		Answers: []formattest.Answer{
			{
				Name: "created", Create: true, ID: "816", Status: client.StatusQueued,
				Body: `{"task_id":"816","state":"created","model":"famJq3-turbo","prompt":"x","images":["` + u + `in.png"],"duration":5,"resolution":"720p","created_at":"2026-11-20T13:29:06.5Z","creations":""}`,
			},
			{Name: "queueing", Body: `{"id":"816","state":"queueing","err_code":"","creations":[],"payload":""}`, ID: "816", Status: client.StatusQueued},
			{Name: "processing", Body: `{"id":"816","state":"processing","creations":null}`, ID: "816", Status: client.StatusRunning},
			{
				Name: "success", ID: "816", Status: client.StatusCompleted, URLs: []string{u + "v.mp4", u + "c.png"},
				Body: `{"id":"816","state":"success","err_code":"","creations":[{"id":"c1","url":"` + u + `v.mp4","cover_url":"` + u + `c.png","watermarked_url":"` + u + `w.mp4"}]}`,
			},
			{
				Name: "only the watermarked one", ID: "816", Status: client.StatusCompleted, URLs: []string{u + "w.mp4"},
				Body: `{"id":"816","state":"success","creations":[{"id":"c1","url":"","watermarked_url":"` + u + `w.mp4"}]}`,
			},
			{
				Name: "creations in a string", ID: "816", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"id":"816","state":"success","creations":"[{\"id\":\"c1\",\"url\":\"` + u + `v.mp4\"}]"}`,
			},
			{
				Name: "creations as an object", ID: "816", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"id":"816","state":"success","creations":{"id":"c1","url":"` + u + `v.mp4"}}`,
			},
			{Name: "failed", Body: `{"id":"816","state":"failed","err_code":"CreationPolicyViolation","creations":null}`, ID: "816", Status: client.StatusFailed},
			{Name: "nothing", Body: `{"creations":[]}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, ent.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, ent.New(), cases().Answers[3].Body) }

func BenchmarkEnt(b *testing.B) { formattest.Bench(b, ent.New(), cases()) }

// One picture may be the first and the last frame.
func TestTheSamePictureTwice(t *testing.T) {
	for want, v := range map[string]client.Values{
		`{"model":"m","images":["a","a"]}`:  {"images": []any{"a", "a"}},
		`{"model":"m","images":["a","a"] }`: {"image": "a", "end_image": "a"},
		`{"model":"m","images":["a"]}`:      {"image": "a", "images": []any{"a"}},
	} {
		r, _, err := ent.New().EncodeCreate(client.Draft{Model: "m", Values: v})
		require.NoError(t, err)
		assert.JSONEq(t, want, string(r.Body))
	}
}

func TestErrCode(t *testing.T) {
	task, err := ent.New().DecodeQuery(formattest.OK(cases().Answers[7].Body))
	require.NoError(t, err)
	require.NotNil(t, task.Error)
	assert.Equal(t, "CreationPolicyViolation", task.Error.Code)
	assert.Equal(t, "/ent/v2/tasks/a%2Fb/creations", ent.New().Query("a/b").Path)
}
