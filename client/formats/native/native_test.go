package native_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/native"
	"darkroom/client/formattest"
)

const (
	u   = "https://example.test/"
	pic = "data:image/png;base64,iVBORw0KGgo="
)

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "t2v", Draft: client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "a kite"}, Dropped: []string{"mode"}},
			{Name: "full", Draft: client.Draft{Model: "famA3.1-4k", Prompt: "x", Values: client.Values{
				"aspect_ratio": "16:9", "duration": "8", "resolution": "720p", "seed": json.Number("1"),
				"reference_images": []any{pic, u + "1.png", map[string]any{"image": map[string]any{"uri": "x"}, "referenceType": "asset"}},
			}}, Dropped: []string{"seed", "reference_images"}},
		},
		Refused: []formattest.Refused{
			{Field: "model", Draft: client.Draft{Prompt: "x"}},
			{Field: "duration", Draft: client.Draft{Model: "famA3", Values: client.Values{"duration": "5.5"}}},
			{Field: "reference_images", Draft: client.Draft{Model: "famA3", Values: client.Values{"reference_images": []any{pic, pic, pic, pic}}}},
			{Field: "reference_images", Draft: client.Draft{Model: "famA3", Values: client.Values{"reference_images": []any{"data:image/png"}}}},
		},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"name":"models/famA3/operations/op-1"}`, ID: "models/famA3/operations/op-1", Status: client.StatusQueued},
			{Name: "not done", Body: `{"name":"operations/op-1","done":false}`, ID: "operations/op-1", Status: client.StatusRunning},
			{
				Name: "done", ID: "operations/op-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"name":"operations/op-1","done":true,"response":{"generatedVideos":[{"video":{"uri":"` + u + `v.mp4"}}]}}`,
			},
			{
				Name: "done, two videos", ID: "operations/op-1", Status: client.StatusCompleted, URLs: []string{u + "1.mp4", u + "2.mp4"},
				Body: `{"name":"operations/op-1","done":true,"response":{"generatedVideos":[{"video":{"uri":"` + u + `1.mp4"}},{"video":{"uri":"` + u + `2.mp4"}}]}}`,
			},
			{
				Name: "done, one level deeper", ID: "operations/op-1", Status: client.StatusCompleted, URLs: []string{u + "v.mp4"},
				Body: `{"name":"operations/op-1","done":true,"response":{"generateVideoResponse":{"generatedSamples":[{"video":{"uri":"` + u + `v.mp4"}}]}}}`,
			},
			{Name: "failed", Body: `{"name":"operations/op-1","done":true,"error":{"code":3,"message":"no"}}`, ID: "operations/op-1", Status: client.StatusFailed},
			{Name: "not served", Body: `{"error":{"code":"model_not_found","message":"no"}}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, native.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, native.New(), cases().Answers[2].Body) }

func BenchmarkNative(b *testing.B) { formattest.Bench(b, native.New(), cases()) }

func TestPaths(t *testing.T) {
	req, _, err := native.New().EncodeCreate(client.Draft{Model: "famA3.1", Prompt: "x"})
	require.NoError(t, err)
	assert.Equal(t, "/v1beta/models/famA3.1:predictLongRunning", req.Path)
	assert.Equal(t, "/v1beta/models%2FfamA3%2Foperations%2Fop-1", native.New().Query("models/famA3/operations/op-1").Path)
}
