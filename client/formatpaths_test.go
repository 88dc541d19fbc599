package client_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

func TestAPathThatIsNotShownHasToBeConfigured(t *testing.T) {
	g := serve(t, answer(200, `{"request_id":"r","output":{"task_id":"t-1","task_status":"PENDING"}}`))
	c := newClient(t, g.URL)
	d := client.Draft{Modality: client.Video, Model: "famK-3.0", Mode: "t2v", Prompt: "x"}
	for _, name := range []string{"tasks", "status", "responses"} {
		_, err := c.Create(t.Context(), d, name)
		assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome)
		require.ErrorContains(t, err, "the create endpoint of this format is not documented in the interface; name one in the profile (create_paths."+name+")")
		_, err = c.Preview(d, name)
		require.ErrorContains(t, err, "create_paths."+name)
		_, err = c.Curl(d, name)
		require.ErrorContains(t, err, "create_paths."+name)
		require.Error(t, c.CanCreate(name))
		f, _ := c.Format(name)
		assert.Contains(t, f.Label(), "configured")
		assert.Contains(t, f.Label(), "not documented")
	}
	assert.Empty(t, g.seen())

	c = newClient(t, g.URL, func(o *client.Options) { o.CreatePaths = map[string]string{"tasks": "/api/v1/video-synthesis"} })
	require.NoError(t, c.CanCreate("tasks"))
	p, err := c.Preview(d, "tasks")
	require.NoError(t, err)
	assert.Equal(t, "/api/v1/video-synthesis", p.Path)
	assert.Contains(t, p.Notes, "the path is configured, not documented")
	task, err := c.Create(t.Context(), d, "tasks")
	require.NoError(t, err)
	assert.Equal(t, "t-1", task.ID)
	assert.Equal(t, "tasks", task.Format)
	assert.Equal(t, "/api/v1/video-synthesis", g.seen()[0].URL.Path)
	p, err = c.Preview(d, "videos")
	require.NoError(t, err)
	assert.Empty(t, p.Notes)
}

func TestConfiguredPathsAreChecked(t *testing.T) {
	for name, paths := range map[string]map[string]string{
		"no such format":        {"nope": "/x"},
		"a documented path":     {"videos": "/x"},
		"another host":          {"tasks": "//evil.test/x"},
		"a whole URL":           {"tasks": "https://evil.test/x"},
		"no slash in front":     {"tasks": "x"},
		"blanks":                {"tasks": "/x y"},
		"a user in front of it": {"tasks": "@evil.test/x"},
	} {
		_, err := client.New(client.Options{
			BaseURL: "https://gateway.test", Formats: formats.All(), CreatePaths: paths,
			Key: func() (string, error) { return secret, nil },
		})
		require.ErrorContains(t, err, "create_paths", name)
	}
}

func TestReservedFormatsAreNotSent(t *testing.T) {
	g := serve(t, answer(200, `{"name":"operations/1"}`))
	c := newClient(t, g.URL)
	_, err := c.Create(t.Context(), video(), "native")
	assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome)
	require.ErrorContains(t, err, "reserved")
	require.ErrorContains(t, err, "POST /v1/videos")
	require.Error(t, c.CanCreate("native"))
	assert.Empty(t, g.seen())
	p, err := c.Preview(video(), "native")
	require.NoError(t, err, "a preview sends nothing")
	assert.Equal(t, "/v1beta/models/famA3:predictLongRunning", p.Path)
	require.Len(t, p.Notes, 1)
	assert.Contains(t, p.Notes[0], "reserved")
	assert.NotContains(t, c.Guess("operations/1"), "native", "it is asked by name only")

	task, err := c.Create(client.Insist(t.Context()), video(), "native")
	require.NoError(t, err)
	assert.Equal(t, "operations/1", task.ID)
	c = newClient(t, g.URL, func(o *client.Options) { o.Insist = true })
	_, err = c.Create(t.Context(), video(), "native")
	require.NoError(t, err)
	require.NoError(t, c.CanCreate("native"))
	require.Error(t, c.CanCreate("nope"))
}

func TestQueryFallsBackAlongTheRoutes(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/videos/a", "/v1/videos/lost":
			answer(404, `{"error":{"message":"Task not found"}}`)(w, r)
		case "/ent/v2/tasks/a/creations", "/ent/v2/tasks/lost/creations":
			answer(400, `{"code":"task_not_exist","message":"task_not_exist","data":null}`)(w, r)
		case "/famF/v1/videos/image2video/a", "/famF/v1/videos/image2video/lost":
			answer(200, `<!doctype html><title>console</title>`)(w, r)
		case "/api/v1/tasks/a":
			answer(200, `{"output":{"task_id":"a","task_status":"RUNNING"}}`)(w, r)
		case "/v1/videos/busy":
			answer(500, `{"error":{"message":"no"}}`)(w, r)
		default:
			answer(404, `{}`)(w, r)
		}
	})
	c := newClient(t, g.URL)
	routes := []string{"videos", "ent", "status", "tasks"}
	task, by, err := client.FirstRoute(t.Context(), c.Query, routes, "a")
	require.NoError(t, err)
	assert.Equal(t, "tasks", by)
	assert.Equal(t, "tasks", task.Format)
	assert.Equal(t, client.StatusRunning, task.Status)

	_, by, err = client.FirstRoute(t.Context(), c.Query, routes, "lost")
	assert.Equal(t, 404, asAPI(t, err).HTTPStatus)
	assert.Contains(t, err.Error(), "/v1/videos/lost", "the first route's words")
	assert.Equal(t, "videos", by)

	before := len(g.seen())
	_, by, err = client.FirstRoute(t.Context(), c.Query, []string{"videos", "videos", "", "tasks"}, "busy")
	assert.Equal(t, 500, asAPI(t, err).HTTPStatus)
	assert.Equal(t, "videos", by)
	assert.Equal(t, before+1, len(g.seen()), "the task may be there: no other route is asked")

	_, _, err = client.FirstRoute(t.Context(), c.Query, nil, "a")
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = client.FirstRoute(ctx, c.Query, routes, "a")
	require.ErrorIs(t, err, context.Canceled)
}

func TestMissing(t *testing.T) {
	for want, list := range map[bool][]*client.APIError{
		true: {
			{HTTPStatus: 404}, {HTTPStatus: 410}, {HTTPStatus: 405}, {HTTPStatus: 200},
			{HTTPStatus: 400, Code: "task_not_exist"}, {HTTPStatus: 400, Message: "Task not found"}, {HTTPStatus: 400, Code: "TaskNotFound"},
		},
		false: {{HTTPStatus: 400, Code: "invalid_request"}, {HTTPStatus: 401}, {HTTPStatus: 429}, {HTTPStatus: 500, Code: "task_not_exist"}},
	} {
		for _, e := range list {
			assert.Equal(t, want, client.Missing(e), "%+v", e)
		}
	}
	assert.False(t, client.Missing(context.Canceled))
}
