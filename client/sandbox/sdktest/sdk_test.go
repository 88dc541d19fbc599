// Package sdktest checks the embedded gateway with a public SDK. It is apart from the
// gateway's own tests since the SDK takes minutes to compile under the race detector.
package sdktest

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
)

// videos are the SDK's calls for videos. Called through an interface they are free of the
// SDK's note that its vendor will end that service: the gateway's path does not depend on it.
type videos interface {
	New(context.Context, openai.VideoNewParams, ...option.RequestOption) (*openai.Video, error)
	Get(context.Context, string, ...option.RequestOption) (*openai.Video, error)
	DownloadContent(context.Context, string, openai.VideoDownloadContentParams, ...option.RequestOption) (*http.Response, error)
}

// A public SDK works against the gateway by base URL and key alone.
func TestPublicSDK(t *testing.T) {
	run, err := sandbox.Start(t.Context(), sandbox.Options{Timing: sandbox.Instant}, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	c := openai.NewClient(option.WithBaseURL(run.URL+"/v1"), option.WithAPIKey(run.Key), option.WithMaxRetries(0))
	var videos videos = &c.Videos //nolint:staticcheck // see the type

	t.Run("videos", func(t *testing.T) {
		v, err := videos.New(t.Context(), openai.VideoNewParams{Model: "famJq3-turbo", Prompt: "a kite", Seconds: "1", Size: "256x144"})
		require.NoError(t, err)
		assert.EqualValues(t, "queued", v.Status)
		v, err = videos.Get(t.Context(), v.ID)
		require.NoError(t, err)
		assert.EqualValues(t, "completed", v.Status)
		res, err := videos.DownloadContent(t.Context(), v.ID, openai.VideoDownloadContentParams{})
		require.NoError(t, err)
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, "ftyp", string(b[4:8]))
		frame := openai.File(portrait(t), "first.png", "image/png")
		v, err = videos.New(t.Context(), openai.VideoNewParams{Model: "famJq3-turbo", Prompt: "a kite", Seconds: "1",
			InputReference: openai.VideoNewParamsInputReferenceUnion{OfFile: frame}})
		require.NoError(t, err)
		v, err = videos.Get(t.Context(), v.ID)
		require.NoError(t, err)
		assert.Contains(t, v.RawJSON(), `"width":360,"height":640`, "a file part is an input, whose shape counts")
	})
	t.Run("images", func(t *testing.T) {
		for _, form := range []openai.ImageGenerateParamsResponseFormat{"url", "b64_json"} {
			img, err := c.Images.Generate(t.Context(), openai.ImageGenerateParams{Model: "famL", Prompt: "a fox", ResponseFormat: form})
			require.NoError(t, err)
			require.Len(t, img.Data, 1)
			assert.Equal(t, form == "url", img.Data[0].URL != "")
			assert.Equal(t, form == "b64_json", img.Data[0].B64JSON != "")
		}
	})
	t.Run("chat", func(t *testing.T) {
		p := openai.ChatCompletionNewParams{Model: "any", StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
			Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("You improve prompts."), openai.UserMessage("a kite")}}
		whole, err := c.Chat.Completions.New(t.Context(), p)
		require.NoError(t, err)
		stream := c.Chat.Completions.NewStreaming(t.Context(), p)
		var acc openai.ChatCompletionAccumulator
		for stream.Next() {
			require.True(t, acc.AddChunk(stream.Current()))
		}
		require.NoError(t, stream.Err())
		assert.Equal(t, whole.Choices[0].Message.Content, acc.Choices[0].Message.Content)
		assert.Equal(t, whole.Usage.TotalTokens, acc.Usage.TotalTokens)
		assert.Equal(t, "stop", acc.Choices[0].FinishReason)
	})
	t.Run("responses", func(t *testing.T) {
		r, err := c.Responses.New(t.Context(), responses.ResponseNewParams{Model: "famL", Background: openai.Bool(true),
			Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("a red fox")}})
		require.NoError(t, err)
		assert.EqualValues(t, "queued", r.Status)
		r, err = c.Responses.Get(t.Context(), r.ID, responses.ResponseGetParams{})
		require.NoError(t, err)
		assert.EqualValues(t, "completed", r.Status)
		require.Len(t, r.Output, 1)
		assert.Contains(t, r.Output[0].RawJSON(), run.URL+"/files/")
	})
	t.Run("models", func(t *testing.T) {
		list, err := c.Models.List(t.Context())
		require.NoError(t, err)
		assert.Greater(t, len(list.Data), 50)
	})
	t.Run("errors", func(t *testing.T) {
		_, err := videos.New(t.Context(), openai.VideoNewParams{Model: "famJq3-turbo", Prompt: "a kite [[sandbox:429 retry-after=1]]"})
		var e *openai.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, http.StatusTooManyRequests, e.StatusCode)
		assert.Equal(t, "rate_limit_exceeded", e.Code)
	})
}

func portrait(t *testing.T) io.Reader {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 16))))
	return &b
}
