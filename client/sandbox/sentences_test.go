package sandbox_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/sandbox"
)

// These are the sentences of GATEWAY.md that need a gateway; client/catalog's
// testdata/sentences.txt names the tests.

// live is a client of a running embedded gateway.
func live(t *testing.T, timing sandbox.Timing) (*client.Client, *catalog.Catalog) {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	run, err := sandbox.Start(t.Context(), sandbox.Options{Timing: timing, Catalog: c}, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	gateway, err := client.New(client.Options{
		BaseURL: run.URL, Formats: formats.All(), WireNames: c.WireNames, Timeout: 10 * time.Second,
		Key: func() (string, error) { return run.Key, nil },
	})
	require.NoError(t, err)
	t.Cleanup(gateway.Close)
	return gateway, c
}

// a film that costs little to make
func film(extra client.Values) client.Draft {
	d := client.Draft{Modality: client.Video, Model: "famA3", Mode: "t2v", Prompt: "x", Values: client.Values{"duration": "1", "fps": "2", "size": "256x144"}}
	for k, v := range extra {
		d.Values[k] = v
	}
	return d
}

// GATEWAY: Endpoints, rule 1: create, poll, then video_url, or the content path.
func TestFlowOfTheCommonFormat(t *testing.T) {
	gateway, _ := live(t, sandbox.Instant)
	task, err := gateway.Create(t.Context(), film(nil), "videos")
	require.NoError(t, err)
	require.NotEmpty(t, task.ID)
	task, err = gateway.Query(t.Context(), "videos", task.ID)
	require.NoError(t, err)
	require.Equal(t, client.StatusCompleted, task.Status)
	require.NotEmpty(t, task.Assets)
	require.NotEmpty(t, task.Assets[0].URL, "video_url is preferred")
	for _, a := range []client.Asset{task.Assets[0], {Kind: client.AssetVideo, Content: true}} {
		m, err := gateway.Open(t.Context(), "videos", task.ID, a, 0, "")
		require.NoError(t, err)
		head := make([]byte, 12)
		_, err = io.ReadFull(m.Body, head)
		require.NoError(t, err)
		require.NoError(t, m.Body.Close())
		assert.Contains(t, string(head), "ftyp")
	}
}

// GATEWAY: Transitions: what an accepted create answers.
func TestFirstStates(t *testing.T) {
	gateway, _ := live(t, sandbox.Real)
	for format, x := range map[string]struct{ model, term, field string }{
		"content": {"famI-omni", "queued", `"id"`}, "ent": {"famJq3-turbo", "created", `"task_id"`}, "videos": {"famA3", "", `"id"`},
	} {
		task, err := gateway.Create(t.Context(), client.Draft{Modality: client.Video, Model: x.model, Prompt: "x"}, format)
		require.NoError(t, err, format)
		assert.NotEmpty(t, task.ID, format)
		assert.Contains(t, string(task.Raw), x.field, format)
		assert.False(t, task.Status.Terminal(), format)
		if x.term != "" {
			assert.Equal(t, x.term, task.RawStatus, format)
		}
	}
}

// GATEWAY: Events: callback_url is accepted on video and image requests and passed on;
// no events are described, so nothing is ever called.
func TestCallbacksAreAcceptedAndNeverCalled(t *testing.T) {
	var calls atomic.Int32
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer hook.Close()
	gateway, c := live(t, sandbox.Instant)
	call := client.Values{"callback_url": hook.URL}
	for format, d := range map[string]client.Draft{
		"videos":  film(call),
		"content": {Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "x", Values: call},
		"ent":     {Modality: client.Video, Model: "famJq3-turbo", Mode: "t2v", Prompt: "x", Values: call},
		"images":  {Modality: client.Image, Model: "famL", Prompt: "x", Values: call},
	} {
		require.Empty(t, c.CheckFor(d, format), format)
		p, err := gateway.Preview(d, format)
		require.NoError(t, err)
		require.Contains(t, string(p.Body), `"callback_url": "`+hook.URL+`"`, format)
		task, err := gateway.Create(t.Context(), d, format)
		require.NoError(t, err)
		if task.ID != "" {
			task, err = gateway.Query(t.Context(), format, task.ID)
			require.NoError(t, err)
		}
		require.Equal(t, client.StatusCompleted, task.Status, format)
	}
	require.Zero(t, calls.Load())
}

// GATEWAY: Errors 3: a create of the content-array format without a required image.
func TestARequiredImageIsMissing(t *testing.T) {
	gateway, _ := live(t, sandbox.Instant)
	_, err := gateway.Create(t.Context(), client.Draft{Modality: client.Video, Model: "famH-2.3", Mode: "i2v", Prompt: "x"}, "content")
	var api *client.APIError
	require.ErrorAs(t, err, &api)
	assert.Equal(t, http.StatusBadRequest, api.HTTPStatus)
	assert.Equal(t, "invalid_request_error", api.Code)
	assert.Contains(t, api.Message, "at least one image is required")
}
