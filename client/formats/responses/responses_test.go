package responses_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/responses"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func cases() formattest.Cases {
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "text", Draft: client.Draft{Modality: client.Image, Model: "famL", Prompt: "a kite", Values: client.Values{"user": "me", "size": "1024x1024"}}, Dropped: []string{"size"}},
		},
		Refused: []formattest.Refused{{Field: "user", Draft: client.Draft{Model: "famL", Values: client.Values{"user": []any{}}}}},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"id":"resp_1","object":"response","status":"queued","output":[]}`, ID: "resp_1", Status: client.StatusQueued},
			{Name: "queued", Body: `{"id":"resp_1","object":"response","status":"queued","output":[],"tools":null,"error":null}`, ID: "resp_1", Status: client.StatusQueued},
			{
				Name: "completed", ID: "resp_1", Status: client.StatusCompleted, URLs: []string{u + "1.png", u + "2.png"},
				Body: `{"id":"resp_1","object":"response","status":"completed","output":[{"id":"rs","type":"reasoning"},` +
					`{"id":"a","type":"image_generation_call","status":"completed","result":null,"url":"` + u + `1.png"},` +
					`{"id":"b","type":"image_generation_call","status":"completed","url":"` + u + `2.png"}]}`,
			},
			{Name: "failed", Body: `{"id":"resp_1","status":"failed","error":{"code":"x","message":"y"}}`, ID: "resp_1", Status: client.StatusFailed},
			{Name: "nothing", Body: `{"object":"response"}`, Fails: true},
		},
	}
}

func TestSuite(t *testing.T) { formattest.Suite(t, responses.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, responses.New(), cases().Answers[2].Body) }

func BenchmarkResponses(b *testing.B) { formattest.Bench(b, responses.New(), cases()) }

func TestIDIsNeverShortened(t *testing.T) {
	id := "resp_" + strings.Repeat("0123456789abcdef", 32)
	assert.Equal(t, "/v1/responses/"+id, responses.New().Query(id).Path)
	task, err := responses.New().DecodeQuery(formattest.OK(`{"id":"` + id + `","status":"queued"}`))
	require.NoError(t, err)
	assert.Equal(t, id, task.ID)
}

func TestWordsInOutput(t *testing.T) {
	task, err := responses.New().DecodeQuery(formattest.OK(`{"id":"resp_1","status":"completed","output":[{"type":"reasoning"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Salt"},{"type":"output_text","text":"."}]}]}`))
	require.NoError(t, err)
	assert.Equal(t, "Salt.", task.Text)
	assert.Empty(t, task.Assets)
}

func TestPicturesInResult(t *testing.T) {
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 64)...)
	task, err := responses.New().DecodeQuery(formattest.OK(`{"id":"resp_1","status":"completed","output":[{"type":"image_generation_call","result":"` +
		base64.StdEncoding.EncodeToString(png) + `"}]}`))
	require.NoError(t, err)
	require.Len(t, task.Assets, 1)
	assert.Equal(t, png, task.Assets[0].Inline)
	assert.NotContains(t, task.Extra, "output")
}
