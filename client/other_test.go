package client_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// TestAnAnswerAboutAnotherTaskIsAnError on every route: what it says is never taken for what
// was asked.
func TestAnAnswerAboutAnotherTaskIsAnError(t *testing.T) {
	for _, k := range []struct{ format, body string }{
		{"videos", `{"id":"task_B","status":"completed","video_url":"https://cdn.example.test/b.mp4"}`},
		{"videos", `[{"id":"task_B","status":"completed","video_url":"https://cdn.example.test/b.mp4"}]`},
		{"videos", `{"code":"success","message":"","data":{"task_id":"task_B","status":"SUCCESS","result_url":"https://cdn.example.test/b.mp4"}}`},
		{"videos", `{"code":"success","data":[{"task_id":"task_B","status":"SUCCESS","result_url":"https://cdn.example.test/b.mp4"}]}`},
		{"videos", `{"data":{"id":"task_B","status":"completed","video_url":"https://cdn.example.test/b.mp4"}}`},
		{"content", `{"id":"cgt-B","status":"succeeded","content":{"video_url":"https://cdn.example.test/b.mp4"}}`},
		{"content", `{"id":"cgt-B","status":"failed","error":{"code":"x","message":"y"}}`},
		{"ent", `{"id":"task_B","task_id":"task_B","state":"success","creations":[{"id":"c","url":"https://cdn.example.test/b.mp4"}]}`},
		{"ent", `{"task_id":"task_B","state":"success","creations":[{"id":"task_A","url":"https://cdn.example.test/b.mp4"}]}`},
		{"tasks", `{"code":"success","data":{"task_id":"task_B","status":"SUCCESS","result_url":"https://cdn.example.test/b.mp4"}}`},
		{"status", `{"task_id":"task_B","status":"completed","url":"https://cdn.example.test/b.mp4"}`},
		{"status", `{"code":"success","data":{"id":28,"task_id":"task_B","status":"SUCCESS","result_url":"https://cdn.example.test/b.mp4"}}`},
		{"music", `{"code":"success","data":{"task_id":"task_B","status":"SUCCESS","data":[{"id":"task_A","audio_url":"https://cdn.example.test/b.mp3"}]}}`},
		{"music", `{"code":"success","data":[{"task_id":"task_B","status":"SUCCESS"},{"task_id":"task_C","status":"SUCCESS"}]}`},
		{"responses", `{"id":"resp_B","object":"response","status":"completed","output":[{"id":"ig_1","url":"https://cdn.example.test/b.png"}]}`},
		{"native", `{"name":"operations/B","done":true,"response":{"generatedVideos":[{"video":{"uri":"https://cdn.example.test/b.mp4"}}]}}`},
	} {
		t.Run(k.format+" "+k.body[:24], func(t *testing.T) {
			g := serve(t, answer(200, k.body))
			c := newClient(t, g.URL)
			task, err := c.Query(t.Context(), k.format, "task_A")
			var other *client.OtherTaskError
			require.ErrorAs(t, err, &other)
			assert.Equal(t, "task_A", other.Asked)
			assert.Contains(t, err.Error(), `"task_A"`)
			assert.Contains(t, err.Error(), other.Named)
			assert.False(t, client.Missing(err), "the task may well be there")
			assert.Empty(t, task.Assets)
			assert.Empty(t, task.ID)
			assert.Empty(t, task.Status)
			assert.Equal(t, 200, task.Meta.HTTPStatus, "for the record of the exchange")
			assert.NotEmpty(t, task.Raw)

			res := c.Lookup(t.Context(), "task_A", k.format)
			require.ErrorAs(t, res[0].Err, &other)
			assert.Nil(t, res[0].Task)
		})
	}
}

// TestAnAnswerAboutTheTaskIsTaken whatever other ids stand in it: of rows, of songs, of the
// vendor behind the gateway.
func TestAnAnswerAboutTheTaskIsTaken(t *testing.T) {
	for _, k := range []struct{ format, body string }{
		{"videos", `{"id":"task_A","task_id":"upstream-9","status":"completed","video_url":"https://cdn.example.test/a.mp4"}`},
		{"videos", `{"id":"row-9","task_id":"task_A","status":"completed","video_url":"https://cdn.example.test/a.mp4"}`},
		{"videos", `{"id":9,"status":"completed","video_url":"https://cdn.example.test/a.mp4"}`},
		{"videos", `{"status":"completed","video_url":"https://cdn.example.test/a.mp4"}`},
		{"videos", `{"id":" ","status":"completed","video_url":"https://cdn.example.test/a.mp4"}`},
		{"videos", `{"code":0,"request_id":"r","data":{"task_id":"86","task_status":"succeed","task_result":{"videos":[{"id":"v86","url":"https://cdn.example.test/a.mp4"}]}}}`},
		{"content", `{"id":"TASK_a","status":"succeeded","content":{"video_url":"https://cdn.example.test/a.mp4"}}`},
		{"ent", `{"id":"816","task_id":"task_A","state":"success","creations":[{"id":"c","url":"https://cdn.example.test/a.mp4"}]}`},
		{"tasks", `{"output":{"task_id":"0198c0de-0000-7000-8000-000000000001","task_status":"SUCCEEDED","video_url":"https://cdn.example.test/a.mp4"},"request_id":"r"}`},
		{"status", `{"code":"success","data":{"id":28,"task_id":"task_A","status":"SUCCESS","result_url":"https://cdn.example.test/a.mp4","data":{"data":{"task_id":"86","task_status":"succeed"}}}}`},
		{"music", `{"code":"success","data":[{"id":"clip-a","status":"complete","audio_url":"https://cdn.example.test/a.mp3"}]}`},
		{"music", `{"code":"success","data":{"id":"clip-a","status":"complete","audio_url":"https://cdn.example.test/a.mp3"}}`},
		{"music", `{"id":"clip-a","status":"complete","audio_url":"https://cdn.example.test/a.mp3"}`},
		{"native", `{"name":"models/famA3/operations/task_A","done":true,"response":{"generatedVideos":[{"video":{"uri":"https://cdn.example.test/a.mp4"}}]}}`},
	} {
		t.Run(k.format+" "+k.body[:24], func(t *testing.T) {
			g := serve(t, answer(200, k.body))
			task, err := newClient(t, g.URL).Query(t.Context(), k.format, "task_A")
			require.NoError(t, err)
			assert.Equal(t, "task_A", task.ID)
			assert.Equal(t, client.StatusCompleted, task.Status)
			assert.True(t, strings.HasPrefix(task.Assets[0].URL, "https://cdn.example.test/a."))
		})
	}
}

func TestAnotherIDOfTheTaskIsKnown(t *testing.T) {
	g := serve(t, answer(200, `{"id":"vendor-7","status":"queued"}`))
	c := newClient(t, g.URL)
	var other *client.OtherTaskError
	_, err := c.Query(t.Context(), "videos", "task_A")
	require.ErrorAs(t, err, &other)
	_, err = c.Query(client.KnownAs(t.Context(), []string{"x"}), "videos", "task_A")
	require.ErrorAs(t, err, &other)
	task, err := c.Query(client.KnownAs(t.Context(), []string{"x", "vendor-7"}), "videos", "task_A")
	require.NoError(t, err)
	assert.Equal(t, "task_A", task.ID)
	assert.Equal(t, []string{"vendor-7"}, task.AltIDs)
}

// TestACreateWithoutAnIDIsAmbiguous: whatever stands where an id belongs, and is none, makes
// no job that is polled by it.
func TestACreateWithoutAnIDIsAmbiguous(t *testing.T) {
	ids := []string{
		`"   "`, `"\t\n"`, `"\u00a0\u3000"`, `"\u200b"`, `"---"`, `"\ud800"`, `"https://cdn.example.test/x.mp4"`,
		`0`, `-1`, `-0`, `1e400`, `1e3`, `1.5`, `12.0`, `8.439120558712320e17`, `18446744073709551616`, `null`, `true`, `{}`, `{"id":"x"}`, `["x"]`,
	}
	for _, id := range ids {
		for _, k := range []struct{ format, body string }{
			{"videos", `{"id":` + id + `,"status":"queued"}`},
			{"videos", `{"id":` + id + `,"status":"completed"}`},
			{"videos", `{"code":"success","data":{"task_id":` + id + `}}`},
			{"content", `{"id":` + id + `}`},
			{"ent", `{"task_id":` + id + `,"state":"created"}`},
			{"music", `{"code":"success","message":"","data":` + id + `}`},
		} {
			if k.format == "music" && strings.HasPrefix(id, "{") || strings.Contains(id, "://") && strings.Contains(k.body, "completed") {
				continue // an object there is read, and an address may be the result
			}
			g := serve(t, answer(200, k.body))
			d := video()
			_, err := newClient(t, g.URL).Create(t.Context(), d, k.format)
			require.Error(t, err, k.body)
			assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome, k.body)
			assert.Equal(t, 1, g.count(http.MethodPost))
		}
	}
}

// TestAnIDAtTheWrongPlaceIsNone: an id of something else than the task.
func TestAnIDAtTheWrongPlaceIsNone(t *testing.T) {
	for _, k := range []struct{ format, body string }{
		{"videos", `{"status":"queued","request_id":"r-1"}`},
		{"videos", `{"status":"queued","name":"my kite"}`},
		{"videos", `{"status":"queued","user":{"id":"u-1"},"model":{"id":"famA3"},"input":{"id":"i"},"metadata":{"id":"m"},"usage":{"id":"u"}}`},
		{"videos", `{"data":[{"id":"famA3","object":"model"},{"id":"famB","object":"model"}],"object":"list"}`},
		{"videos", `{"id":"chatcmpl-1","object":"chat.completion","choices":[]}`},
		{"videos", `{"id":"famA3","object":"model"}`},
		{"videos", `{"code":0,"data":"ok"}`},
		{"videos", `{"code":0,"result":"success"}`},
		{"music", `{"code":"success","message":"task_1","data":null}`},
		{"music", `{"code":"success","message":"","data":"https://cdn.example.test/a.mp3"}`},
		{"music", `{"code":"success","message":"","data":"queued"}`},
		{"music", `{"code":"success","message":"","data":["task_1"]}`},
		{"content", `["cgt-1"]`},
		{"ent", `{"state":"created","creations":[{"id":"c-1"}]}`},
	} {
		g := serve(t, answer(200, k.body))
		task, err := newClient(t, g.URL).Create(t.Context(), video(), k.format)
		require.Error(t, err, "%s: %s became %q", k.format, k.body, task.ID)
		assert.Equal(t, client.OutcomeAmbiguous, asCreate(t, err).Outcome, k.body)
	}
}

func TestIDsThatAreTaken(t *testing.T) {
	for body, id := range map[string]string{
		`{"id":"task_1"}`:                           "task_1",
		`{"id":843912055871232001}`:                 "843912055871232001",
		`{"id":18446744073709551615}`:               "18446744073709551615",
		`{"id":"99999999999999999999999999999999"}`: "99999999999999999999999999999999",
		`{"id":"-42"}`:                              "-42",
		`{"id":"  ","task_id":"t"}`:                 "t",
		`{"id":-1,"task_id":7}`:                     "7",
		`{"id":"操作7"}`:                              "操作7",
		`{"name":"operations/op-1"}`:                "operations/op-1",
		`{"code":0,"data":"task_S1"}`:               "task_S1",
	} {
		g := serve(t, answer(200, body))
		task, err := newClient(t, g.URL).Create(t.Context(), video(), "videos")
		require.NoError(t, err, body)
		assert.Equal(t, id, task.ID)
	}
}
