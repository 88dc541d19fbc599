package catalog_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// wireSentences are "Authentication", "Errors" and the headers.
func wireSentences() []sentence {
	fact := func(id, says string, holds func(t *testing.T)) sentence {
		return sentence{id: id, says: says, holds: func(t *testing.T, _ *catalog.Catalog) { holds(t) }}
	}
	refusal := func(status int, body string) *client.APIError {
		return client.ParseError(client.Response{StatusCode: status, Header: http.Header{}, Body: []byte(body)}, "POST", "/v1/videos", time.Unix(createdAt, 0))
	}
	out := []sentence{
		{id: "auth.1", says: "Bearer on every request of every format, JSON on every POST", holds: headers},
		{id: "auth.2", says: "native and family paths among them", holds: headers},
		{id: "auth.3", says: "the group is no part of a request", holds: everyModelIsSentAsItIs},
		{id: "tasks.async-header", says: "none is sent", holds: headers},
		fact("endpoints.base", "paths are relative to the base address, whatever it is", func(t *testing.T) {
			seen := make(chan string, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen <- r.URL.EscapedPath()
				_, _ = w.Write([]byte(`{"id":"a/b","status":"queued"}`))
			}))
			defer server.Close()
			_, err := clientOf(t, server.URL+"/some/prefix", "k").Query(t.Context(), "ent", "a/b")
			require.NoError(t, err)
			assert.Equal(t, "/some/prefix/ent/v2/tasks/a%2Fb/creations", <-seen)
		}),
		fact("errors.1", "code and message", func(t *testing.T) {
			e := refusal(400, `{"error":{"code":"invalid_request_error","message":"no"}}`)
			assert.Equal(t, "invalid_request_error", e.Code)
			assert.Equal(t, "no", e.Message)
		}),
		fact("errors.1", "some add type and param", func(t *testing.T) {
			e := refusal(400, `{"error":{"code":"c","message":"no","type":"t","param":"size"}}`)
			assert.Equal(t, "t", e.Type)
			assert.Equal(t, "size", e.Param)
			assert.Contains(t, e.Error(), "size")
		}),
		fact("errors.2", "HTTP status, then code, then message", func(t *testing.T) {
			assert.Regexp(t, `HTTP 400 the_code: the words`, refusal(400, `{"error":{"code":"the_code","message":"the words"}}`).Error())
		}),
		fact("errors.4", "each in its place", func(t *testing.T) {
			for format, body := range map[string]string{
				"content":   `{"id":"x","status":"failed","error":{"code":"c1","message":"no"}}`,
				"tasks":     `{"output":{"task_id":"x","task_status":"FAILED","code":"c1","message":"no"}}`,
				"status":    `{"task_id":"x","status":"failed","error":{"code":"c1","message":"no"}}`,
				"responses": `{"id":"x","status":"failed","error":{"code":"c1","message":"no"}}`,
			} {
				assert.Equal(t, &client.TaskError{Code: "c1", Message: "no"}, queried(t, format, body).Error, format)
			}
			e := queried(t, "ent", `{"id":"x","state":"failed","err_code":"c1"}`).Error
			require.NotNil(t, e)
			assert.Equal(t, "c1", e.Code)
		}),
		fact("errors.5", "codes that are not documented are shown as they are", func(t *testing.T) {
			assert.Contains(t, refusal(403, `{"error":{"code":"weather","message":"rain"}}`).Error(), "HTTP 403 weather: rain")
		}),
	}
	for status, action := range map[int]string{400: "required fields, model name, path parameters", 401: "key", 404: "query path and the task id", 429: "frequency or retry", 500: "record the request, retry or contact support"} {
		out = append(out, fact("errors.http", http.StatusText(status), func(t *testing.T) {
			assert.Contains(t, refusal(status, `{"error":{"code":"c","message":"no"}}`).Hint(), action)
		}))
	}
	return out
}

// clientOf is a client of a server at url.
func clientOf(t *testing.T, url, key string) *client.Client {
	t.Helper()
	gateway, err := client.New(client.Options{
		BaseURL: url, Formats: formats.All(), ModelLists: formats.ModelLists(), Timeout: 10 * time.Second, Insist: true,
		Key:         func() (string, error) { return key, nil },
		CreatePaths: map[string]string{"tasks": "/set/tasks", "status": "/set/status", "responses": "/v1/responses"},
	})
	require.NoError(t, err)
	t.Cleanup(gateway.Close)
	return gateway
}

// headers sends a create and a query of every format.
func headers(t *testing.T, c *catalog.Catalog) {
	var mu sync.Mutex
	seen := map[string]http.Header{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Method+" "+r.URL.EscapedPath()] = r.Header
		mu.Unlock()
		http.Error(w, `{"error":{"code":"c","message":"no"}}`, http.StatusBadRequest)
	}))
	defer server.Close()
	gateway := clientOf(t, server.URL, "sk-1")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for _, f := range formats.All() {
		_, err := gateway.Create(ctx, client.Draft{Modality: f.Modalities()[0], Model: "m", Prompt: "x"}, f.Name())
		require.Error(t, err)
		if f.Query("x").Path != "" {
			_, err = gateway.Query(ctx, f.Name(), "x")
			require.Error(t, err)
		}
	}
	_, err := gateway.Models(ctx)
	require.Error(t, err)
	mu.Lock()
	defer mu.Unlock()
	for _, e := range endpoints {
		row := strings.ReplaceAll(parameters.Replace(e.row), "models/x:", "models/m:")
		if strings.HasSuffix(row, "/content") {
			continue // asked for after a success: endpoints.1
		}
		h, ok := seen[row]
		require.True(t, ok, "%s was not asked for", row)
		assert.Equal(t, "Bearer sk-1", h.Get("Authorization"), row)
		if strings.HasPrefix(row, "POST") {
			assert.Equal(t, "application/json", h.Get("Content-Type"), row)
		}
		for name := range h {
			assert.NotContains(t, strings.ToLower(name), "async", "the gateway handles the vendor's header")
		}
	}
	require.NotEmpty(t, c.Formats())
}
