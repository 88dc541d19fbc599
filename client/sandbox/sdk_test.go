package sandbox_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/sandbox"
)

// The public SDK for Go works against the embedded gateway as it is: all that it is told
// is the base URL and the key. It is pinned to v3.44.0, the newest version whose go.mod
// names neither the AWS SDK (from v3.45.0) nor github.com/coder/websocket (later still),
// whose licence, ISC, is none of those that this module takes. Tests alone import it.
const sdkKey = "sk-for-the-sdk"

// skewed is a clock that the test moves on, so that tasks end without waiting.
type skewed struct{ by atomic.Int64 }

func (c *skewed) now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

func (c *skewed) advance(d time.Duration) { c.by.Add(int64(d)) }

// sdk is a client of a gateway of its own.
func sdk(t *testing.T, change ...func(*sandbox.Options)) (openai.Client, *skewed) {
	t.Helper()
	clock := &skewed{}
	o := sandbox.Options{Key: sdkKey, Clock: clock.now}
	for _, f := range change {
		f(&o)
	}
	run, err := sandbox.Start(context.Background(), o, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	return openai.NewClient(option.WithBaseURL(run.URL+"/v1"), option.WithAPIKey(sdkKey)), clock
}

func instantly(o *sandbox.Options) { o.Timing = sandbox.Instant }

// until asks for a video until it has ended, and returns the states that were seen.
func until(t *testing.T, c openai.Client, clock *skewed, id string) (*openai.Video, []openai.VideoStatus) {
	t.Helper()
	var seen []openai.VideoStatus
	for range 20 {
		v, err := c.Videos.Get(t.Context(), id)
		require.NoError(t, err)
		if len(seen) == 0 || seen[len(seen)-1] != v.Status {
			seen = append(seen, v.Status)
		}
		if v.Status == openai.VideoStatusCompleted || v.Status == openai.VideoStatusFailed {
			return v, seen
		}
		clock.advance(500 * time.Millisecond)
	}
	require.Fail(t, "the video never ended", "%v", seen)
	return nil, nil
}

func TestSDKVideo(t *testing.T) {
	t.Parallel()
	c, clock := sdk(t)
	v, err := c.Videos.New(t.Context(), openai.VideoNewParams{Model: "famA3", Prompt: "a kite", Seconds: "4", Size: "256x144"})
	require.NoError(t, err)
	assert.Equal(t, openai.VideoStatusQueued, v.Status)
	assert.Equal(t, openai.VideoSeconds("4"), v.Seconds)
	assert.Equal(t, openai.VideoSize("256x144"), v.Size)
	assert.Equal(t, openai.VideoModel("famA3"), v.Model)

	_, err = c.Videos.DownloadContent(t.Context(), v.ID, openai.VideoDownloadContentParams{})
	refused := apiError(t, err, http.StatusBadRequest)
	assert.Equal(t, "task_not_completed", refused.Code)

	v, seen := until(t, c, clock, v.ID)
	assert.Equal(t, []openai.VideoStatus{openai.VideoStatusQueued, openai.VideoStatusInProgress, openai.VideoStatusCompleted}, seen)
	assert.EqualValues(t, 100, v.Progress)
	assert.GreaterOrEqual(t, v.CompletedAt, v.CreatedAt)
	res, err := c.Videos.DownloadContent(t.Context(), v.ID, openai.VideoDownloadContentParams{})
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, "video/mp4", res.Header.Get("Content-Type"))
	assert.Equal(t, "ftyp", string(body[4:8]))
	res, err = c.Videos.DownloadContent(t.Context(), v.ID, openai.VideoDownloadContentParams{Variant: openai.VideoDownloadContentParamsVariantThumbnail})
	require.NoError(t, err)
	_, err = png.Decode(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
}

// picture is a PNG file of one colour.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 32, 32))))
	return b.Bytes()
}

// A reference goes as a file of the form, or as an object that holds a data URI.
func TestSDKVideoFromAPicture(t *testing.T) {
	t.Parallel()
	c, _ := sdk(t, instantly)
	references := map[string]openai.VideoNewParamsInputReferenceUnion{
		"file":   {OfFile: openai.File(bytes.NewReader(picture(t)), "first.png", "image/png")},
		"reader": {OfFile: bytes.NewReader(picture(t))},
		"object": {OfImageInputReference: &openai.ImageInputReferenceParam{ImageURL: param.NewOpt("data:image/png;base64," + base64.StdEncoding.EncodeToString(picture(t)))}},
	}
	for name, ref := range references {
		t.Run(name, func(t *testing.T) {
			v, err := c.Videos.New(t.Context(), openai.VideoNewParams{Model: "famA3", Prompt: "a kite", Seconds: "4", InputReference: ref})
			require.NoError(t, err)
			v, err = c.Videos.Get(t.Context(), v.ID)
			require.NoError(t, err)
			require.Equal(t, openai.VideoStatusCompleted, v.Status)
			// The picture is square, and so is a video that starts from it: it was read.
			assert.Contains(t, v.RawJSON(), `"width":640,"height":640`)
		})
	}
}

func TestSDKImages(t *testing.T) {
	t.Parallel()
	c, _ := sdk(t, instantly)
	p := openai.ImageGenerateParams{Model: "famL", Prompt: "a fox", N: openai.Int(1), Size: "1024x1024"}
	img, err := c.Images.Generate(t.Context(), p)
	require.NoError(t, err)
	require.Len(t, img.Data, 1)
	res, err := http.Get(img.Data[0].URL) //nolint:gosec // the address of the test's own server
	require.NoError(t, err)
	byURL, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())

	p.ResponseFormat = openai.ImageGenerateParamsResponseFormatB64JSON
	img, err = c.Images.Generate(t.Context(), p)
	require.NoError(t, err)
	require.Len(t, img.Data, 1)
	byText, err := base64.StdEncoding.DecodeString(img.Data[0].B64JSON)
	require.NoError(t, err)
	assert.Equal(t, byURL, byText, "one request, one picture")
	assert.Empty(t, img.Data[0].URL)
}

func TestSDKChat(t *testing.T) {
	c, _ := sdk(t, instantly)
	p := openai.ChatCompletionNewParams{Model: "any", Messages: []openai.ChatCompletionMessageParamUnion{
		openai.SystemMessage("You improve prompts."), openai.UserMessage("a kite")}}
	whole, err := c.Chat.Completions.New(t.Context(), p)
	require.NoError(t, err)
	text := whole.Choices[0].Message.Content
	assert.Contains(t, text, "A kite, ")
	assert.Equal(t, "stop", whole.Choices[0].FinishReason)
	assert.Positive(t, whole.Usage.CompletionTokens)

	p.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
	stream := c.Chat.Completions.NewStreaming(t.Context(), p)
	var acc openai.ChatCompletionAccumulator
	chunks := 0
	var last openai.ChatCompletionChunk
	for ; stream.Next(); chunks++ {
		last = stream.Current()
		require.True(t, acc.AddChunk(last))
	}
	require.NoError(t, stream.Err())
	assert.Greater(t, chunks, 5)
	assert.Equal(t, text, acc.Choices[0].Message.Content)
	assert.Equal(t, "stop", acc.Choices[0].FinishReason)
	assert.Empty(t, last.Choices, "the usage comes in a chunk of its own")
	assert.Equal(t, whole.Usage.TotalTokens, last.Usage.TotalTokens)
}

func TestSDKResponses(t *testing.T) {
	t.Parallel()
	c, clock := sdk(t)
	r, err := c.Responses.New(t.Context(), responses.ResponseNewParams{Model: "famL", Background: openai.Bool(true),
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("a red fox")}})
	require.NoError(t, err)
	assert.Equal(t, responses.ResponseStatusQueued, r.Status)
	clock.advance(time.Minute)
	r, err = c.Responses.Get(t.Context(), r.ID, responses.ResponseGetParams{})
	require.NoError(t, err)
	assert.Equal(t, responses.ResponseStatusCompleted, r.Status)
	require.Len(t, r.Output, 1)
	call := r.Output[0].AsImageGenerationCall()
	assert.Equal(t, "completed", call.Status)
	assert.Contains(t, call.RawJSON(), "/files/"+r.ID)
}

func TestSDKModels(t *testing.T) {
	c, _ := sdk(t)
	models, err := c.Models.List(t.Context())
	require.NoError(t, err)
	assert.Greater(t, len(models.Data), 50)
}

// apiError is an error as the SDK's own type.
func apiError(t *testing.T, err error, status int) *openai.Error {
	t.Helper()
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, status, e.StatusCode)
	require.NotEmpty(t, e.Code)
	require.NotEmpty(t, e.Message)
	require.NotEmpty(t, e.Type)
	return e
}

func TestSDKErrors(t *testing.T) {
	c, _ := sdk(t, instantly)
	_, err := c.Videos.Get(t.Context(), "video_aaaaaaaaaaaaaaaa", option.WithAPIKey("sk-another"))
	assert.Equal(t, "invalid_api_key", apiError(t, err, http.StatusUnauthorized).Code)
	_, err = c.Videos.Get(t.Context(), "video_aaaaaaaaaaaaaaaa")
	assert.Equal(t, "not_found", apiError(t, err, http.StatusNotFound).Code)
	_, err = c.Videos.List(t.Context(), openai.VideoListParams{})
	apiError(t, err, http.StatusNotFound)
	_, err = c.Videos.New(t.Context(), openai.VideoNewParams{Model: "famZ", Prompt: "a kite"})
	assert.Equal(t, "model", apiError(t, err, http.StatusBadRequest).Param)

	limited := openai.VideoNewParams{Model: "famA3", Prompt: "a kite [[sandbox:429 times=1 retry-after=1]]"}
	_, err = c.Videos.New(t.Context(), limited, option.WithMaxRetries(0))
	e := apiError(t, err, http.StatusTooManyRequests)
	assert.Equal(t, "rate_limit_exceeded", e.Code)
	assert.Equal(t, "1", e.Response.Header.Get("Retry-After"))
	_, err = c.Videos.New(t.Context(), limited, option.WithMaxRetries(0))
	require.NoError(t, err, "the limit is over after the first")

	_, err = c.Images.Generate(t.Context(), openai.ImageGenerateParams{Model: "famL", Prompt: "a fox [[sandbox:fail code=policy]]"})
	assert.Equal(t, "policy", apiError(t, err, http.StatusBadRequest).Code)
	v, err := c.Videos.New(t.Context(), openai.VideoNewParams{Model: "famA3", Prompt: `a kite [[sandbox:fail code=policy message="not this"]]`})
	require.NoError(t, err)
	v, err = c.Videos.Get(t.Context(), v.ID)
	require.NoError(t, err)
	assert.Equal(t, openai.VideoStatusFailed, v.Status)
	assert.Equal(t, "policy", v.Error.Code)
	assert.Equal(t, "not this", v.Error.Message)
}
