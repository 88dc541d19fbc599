package catalog_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// codec is the format with a name.
func codec(t *testing.T, name string) client.Format {
	t.Helper()
	for _, f := range formats.All() {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("no format %q", name)
	return nil
}

// created reads the answer to a create, queried that to a query.
func created(t *testing.T, format, body string) client.Task {
	t.Helper()
	task, err := codec(t, format).DecodeCreate(client.Response{StatusCode: http.StatusOK, Body: []byte(words.Replace(body))})
	require.NoError(t, err, body)
	return task
}

func queried(t *testing.T, format, body string) client.Task {
	t.Helper()
	task, err := codec(t, format).DecodeQuery(client.Response{StatusCode: http.StatusOK, Body: []byte(words.Replace(body))})
	require.NoError(t, err, body)
	return task
}

// urls are the addresses of a task's assets with their kinds.
func urls(task client.Task) map[client.AssetKind]string {
	out := map[client.AssetKind]string{}
	for _, a := range task.Assets {
		if out[a.Kind] == "" {
			out[a.Kind] = a.URL
		}
	}
	return out
}

const (
	aPNG, bPNG, aMP4, aWAV = "https://e.com/a.png", "https://e.com/b.png", "https://e.com/a.mp4", "https://e.com/a.wav"
	createdAt              = 1772366400
)

// answerSentences are the responses of all formats, in the shapes of the document.
func answerSentences() []sentence {
	fact := func(id, says string, holds func(t *testing.T)) sentence {
		return sentence{id: id, says: says, holds: func(t *testing.T, _ *catalog.Catalog) { holds(t) }}
	}
	return []sentence{
		fact("common.create-response", "an object with id", func(t *testing.T) {
			task := created(t, "videos", `{"id":"v1"}`)
			assert.Equal(t, "v1", task.ID)
			assert.False(t, task.Status.Terminal(), "the initial status is not documented")
		}),
		fact("common.query-response", "video_url when completed", func(t *testing.T) {
			task := queried(t, "videos", `{"id":"v1","status":"completed","video_url":<mp4>}`)
			assert.Equal(t, client.StatusCompleted, task.Status)
			assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
		}),
		fact("common.query-response", "fields that are not documented are kept", func(t *testing.T) {
			assert.Contains(t, queried(t, "videos", `{"id":"v1","status":"completed","video_url":<mp4>,"mood":"calm"}`).Extra, "mood")
		}),
		fact("array.create-response", "id, status, created_at and items as strings", func(t *testing.T) {
			task := created(t, "content", `{"id":"c1","status":"queued","created_at":"1772366400","items":"[]"}`)
			assert.Equal(t, "c1", task.ID)
			assert.Equal(t, "queued", task.RawStatus)
			assert.Equal(t, int64(createdAt), task.CreatedAt.Unix())
		}),
		fact("array.query-response", "all fields", arrayQuery),
		fact("array.items", "a string: status, content.video_url or video_url, error, progress", arrayItems),
		fact("ent.create-response", "task_id, state and what was asked", func(t *testing.T) {
			task := created(t, "ent", `{"task_id":"e1","state":"created","model":"famJq3-turbo","prompt":"x","images":[<img>],"duration":5,"resolution":"720p","created_at":"2026-03-01T12:00:00Z","creations":""}`)
			assert.Equal(t, "e1", task.ID)
			assert.Equal(t, "created", task.RawStatus)
			assert.Equal(t, "famJq3-turbo", task.Model)
			assert.Equal(t, time.Unix(createdAt, 0).UTC(), task.CreatedAt)
			assert.Empty(t, task.Assets, "an input is no result")
		}),
		fact("ent.query-response", "id, state, payload, creations, task_id", func(t *testing.T) {
			task := queried(t, "ent", `{"id":"e1","state":"success","err_code":"","payload":"p","task_id":"t1","creations":[{"id":"c","url":<mp4>,"cover_url":<img>,"watermarked_url":"https://e.com/w.mp4"}]}`)
			assert.Equal(t, "e1", task.ID)
			assert.Contains(t, task.AltIDs, "t1")
			assert.Equal(t, map[client.AssetKind]string{client.AssetVideo: aMP4, client.AssetCover: aPNG}, urls(task))
			assert.Contains(t, task.Extra, "payload")
		}),
		fact("tasks.query-response", "output, usage, request_id", func(t *testing.T) {
			task := queried(t, "tasks", `{"request_id":"r1","output":{"task_id":"k1","task_status":"SUCCEEDED","submit_time":"2026-03-01T12:00:00Z","scheduled_time":"2026-03-01T12:00:01Z","end_time":"2026-03-01T12:01:00Z","video_url":<mp4>,"code":"","message":""},"usage":{"duration":5,"SR":720,"video_count":1}}`)
			assert.Equal(t, "k1", task.ID)
			assert.Equal(t, "SUCCEEDED", task.RawStatus)
			assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
			assert.JSONEq(t, `{"duration":5,"SR":720,"video_count":1}`, string(task.Usage))
			assert.Contains(t, task.Extra, "request_id")
			assert.Equal(t, int64(createdAt), task.CreatedAt.Unix())
			assert.Equal(t, int64(createdAt+1), task.StartedAt.Unix())
			assert.Equal(t, int64(createdAt+60), task.EndedAt.Unix())
		}),
		fact("tasks.path-id", "the id of the create, whole", func(t *testing.T) {
			assert.Equal(t, "/api/v1/tasks/0385dc79-5ff8-4d82-bcb6-a1b2c3d4e5f6", codec(t, "tasks").Query("0385dc79-5ff8-4d82-bcb6-a1b2c3d4e5f6").Path)
		}),
		fact("status.response", "task_id, status, url, format, metadata", func(t *testing.T) {
			task := queried(t, "status", `{"task_id":"s1","status":"completed","url":<mp4>,"format":"mp4","metadata":{"duration":5,"fps":24,"width":1280,"height":720,"seed":9007199254740993}}`)
			assert.Equal(t, "s1", task.ID)
			assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
			assert.Contains(t, string(task.Extra["metadata"]), "9007199254740993")
			assert.Contains(t, task.Extra, "format")
		}),
		fact("status.errors", "an integer code", func(t *testing.T) {
			task := queried(t, "status", `{"task_id":"s1","status":"failed","error":{"code":1203,"message":"no"}}`)
			assert.Equal(t, &client.TaskError{Code: "1203", Message: "no"}, task.Error)
		}),
		fact("status.errors", "the alternative shape", func(t *testing.T) {
			_, err := codec(t, "status").DecodeQuery(client.Response{StatusCode: 200, Body: []byte(`{"error":{"message":"no","type":"t","param":"p","code":"c"}}`)})
			require.ErrorContains(t, err, "no")
			e, ok := client.ErrorIn([]byte(`{"message":"no","type":"t","param":"p","code":"c"}`))
			assert.True(t, ok)
			assert.Equal(t, client.TaskError{Code: "c", Message: "no", Type: "t", Param: "p"}, e)
		}),
		fact("native.response", "name is the operation's", func(t *testing.T) {
			assert.Equal(t, "models/famA3/operations/1", created(t, "native", `{"name":"models/famA3/operations/1"}`).ID)
		}),
		fact("native.query-response", "done and generatedVideos", func(t *testing.T) {
			task := queried(t, "native", `{"name":"o","done":true,"response":{"generatedVideos":[{"video":{"uri":<mp4>}}]}}`)
			assert.Equal(t, client.StatusCompleted, task.Status)
			assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
		}),
		fact("responses.fields", "all fields", responseObject),
		fact("responses.nulls", "these may be null", func(t *testing.T) {
			task := queried(t, "responses", `{"id":"resp_1","object":"response","status":"in_progress","error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"previous_response_id":null,"reasoning":null,"text":null,"truncation":null,"usage":null,"user":null,"store":null,"output":[]}`)
			assert.Equal(t, client.StatusRunning, task.Status)
			assert.Nil(t, task.Error)
		}),
		fact("responses.url", "the item's url is the picture, when completed", func(t *testing.T) {
			body := `{"id":"resp_1","status":"completed","output":[{"id":"i","type":"image_generation_call","status":"completed","result":"","url":<img>}]}`
			assert.Equal(t, aPNG, urls(queried(t, "responses", body))[client.AssetImage])
		}),
		fact("images.response", "created, data of url, b64_json, revised_prompt", func(t *testing.T) {
			task := created(t, "images", `{"created":1772366400,"data":[{"url":<img>,"revised_prompt":"a kite"},{"b64_json":"iVBORw0KGgoAAAANSUhEUg=="}]}`)
			require.Len(t, task.Assets, 2)
			assert.Equal(t, client.StatusCompleted, task.Status)
			assert.Equal(t, aPNG, task.Assets[0].URL)
			assert.Contains(t, string(task.Assets[1].Inline), "PNG")
			assert.Contains(t, string(task.Extra["revised_prompt"]), "a kite")
			assert.Equal(t, int64(createdAt), task.CreatedAt.Unix())
		}),
		fact("music.create-response", "data is the task id", func(t *testing.T) {
			task := created(t, "music", `{"code":"success","message":"","data":"n1"}`)
			assert.Equal(t, "n1", task.ID)
			assert.False(t, task.Status.Terminal())
		}),
		fact("music.fetch", "status, audio, cover, title, lyrics, the raw fragment", func(t *testing.T) {
			task := queried(t, "music", `{"status":"completed","audio_url":<wav>,"cover_url":<img>,"title":"t","lyrics":"la","raw":{"upstream":1}}`)
			assert.Equal(t, map[client.AssetKind]string{client.AssetAudio: aWAV, client.AssetCover: aPNG}, urls(task))
			assert.Equal(t, "t", task.Title)
			assert.Equal(t, "la", task.Lyrics)
			assert.Contains(t, task.Extra, "raw")
		}),
		fact("model-list.response", "all fields", func(t *testing.T) {
			list, _, err := formats.ModelLists()[0].Decode(client.Response{Body: []byte(`{"models":[{"name":"famA3","version":"1","displayName":"A","description":"d","inputTokenLimit":480,"outputTokenLimit":8192,"supportedGenerationMethods":["m"]}]}`)})
			require.NoError(t, err)
			require.Equal(t, []client.RemoteModel{{ID: "famA3", Version: "1", DisplayName: "A", Description: "d", InputLimit: 480, OutputLimit: 8192, Methods: []string{"m"}}}, list)
		}),
	}
}

func arrayQuery(t *testing.T) {
	task := queried(t, "content", `{"id":"c1","model":"famD-2-0-260128","status":"succeeded","created_at":1772366400,"updated_at":1772366460,"content":{"video_url":<mp4>,"last_frame_url":<img>},"usage":{"completion_tokens":7,"total_tokens":8},"items":"[]"}`)
	assert.Equal(t, "c1", task.ID)
	assert.Equal(t, "famD-2-0-260128", task.Model)
	assert.Equal(t, client.StatusCompleted, task.Status)
	assert.Equal(t, int64(createdAt), task.CreatedAt.Unix())
	assert.Equal(t, int64(createdAt+60), task.UpdatedAt.Unix())
	assert.Equal(t, map[client.AssetKind]string{client.AssetVideo: aMP4, client.AssetLastFrame: aPNG}, urls(task))
	assert.JSONEq(t, `{"completion_tokens":7,"total_tokens":8}`, string(task.Usage))
	task = queried(t, "content", `{"id":"c1","status":"failed","error":{"code":"Sensitive","message":"no"}}`)
	assert.Equal(t, &client.TaskError{Code: "Sensitive", Message: "no"}, task.Error)
}

func arrayItems(t *testing.T) {
	task := queried(t, "content", `{"id":"c1","status":"succeeded","items":"[{\"status\":\"succeeded\",\"content\":{\"video_url\":\"https://e.com/a.mp4\"}}]"}`)
	assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
	task = queried(t, "content", `{"id":"c1","status":"succeeded","items":"[{\"video_url\":\"https://e.com/a.mp4\"}]"}`)
	assert.Equal(t, aMP4, urls(task)[client.AssetVideo])
	task = queried(t, "content", `{"id":"c1","status":"running","items":"[{\"status\":\"running\",\"progress\":40}]"}`)
	assert.InDelta(t, 40, task.Progress, 0)
	task = queried(t, "content", `{"id":"c1","status":"failed","items":"[{\"status\":\"failed\",\"error\":{\"code\":\"x\",\"message\":\"no\"}}]"}`)
	require.NotNil(t, task.Error)
	assert.Equal(t, "no", task.Error.Message)
}

func responseObject(t *testing.T) {
	task := queried(t, "responses", `{"id":"resp_1","created_at":1772366400,"error":null,"incomplete_details":null,"instructions":"i","metadata":{"a":"b"},"model":"famL","object":"response","output":[{"id":"i1","result":"","status":"completed","type":"image_generation_call","url":<img2>}],"parallel_tool_calls":false,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"status":"completed"}`)
	assert.Equal(t, "resp_1", task.ID)
	assert.Equal(t, "famL", task.Model)
	assert.Equal(t, int64(createdAt), task.CreatedAt.Unix())
	assert.Equal(t, client.StatusCompleted, task.Status)
	assert.Equal(t, bPNG, urls(task)[client.AssetImage])
	for _, name := range []string{"instructions", "metadata", "parallel_tool_calls", "temperature", "tool_choice", "tools", "top_p"} {
		assert.Contains(t, task.Extra, name, "kept and shown")
	}
	task = queried(t, "responses", `{"id":"resp_1","status":"failed","error":{"code":"x","message":"no"},"output":[]}`)
	assert.Equal(t, &client.TaskError{Code: "x", Message: "no"}, task.Error)
}
