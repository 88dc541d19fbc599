package client_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

func withLists(o *client.Options) { o.ModelLists = formats.ModelLists() }

func TestModelListsAreJoined(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RequestURI() {
		case "/v1beta/models":
			answer(200, `{"models":[{"name":"models/famA3","displayName":"A"},{"name":"famL"}],"nextPageToken":"2"}`)(w, r)
		case "/v1beta/models?pageToken=2":
			answer(200, `{"models":[{"name":"famB-2","inputTokenLimit":5},{"name":"famL"}]}`)(w, r)
		default:
			answer(200, `{"object":"list","data":[{"id":"famA3","owned_by":"o"},{"id":"chat-1"}]}`)(w, r)
		}
	})
	list, err := newClient(t, g.URL, withLists).Models(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []client.RemoteModel{
		{ID: "famA3", DisplayName: "A", Owner: "o", Origins: []string{"v1beta", "v1"}},
		{ID: "famL", Origins: []string{"v1beta"}},
		{ID: "famB-2", InputLimit: 5, Origins: []string{"v1beta"}},
		{ID: "chat-1", Origins: []string{"v1"}},
	}, list.Models)
	require.Len(t, list.Sources, 2)
	assert.Equal(t, 3, list.Sources[0].Count)
	assert.False(t, list.Sources[0].Guess)
	assert.True(t, list.Sources[1].Guess)
	assert.Contains(t, list.Sources[1].Label, "guess")
}

func TestOneModelListIsEnough(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			answer(200, `<html>the console</html>`)(w, r)
			return
		}
		answer(200, `{"models":[{"name":"famA3"}]}`)(w, r)
	})
	list, err := newClient(t, g.URL, withLists).Models(t.Context())
	require.NoError(t, err)
	assert.Len(t, list.Models, 1)
	assert.Contains(t, list.Sources[1].Error, "web page")
}

func TestNoModelList(t *testing.T) {
	g := serve(t, answer(401, `{"error":{"message":"no"}}`))
	list, err := newClient(t, g.URL, withLists).Models(t.Context())
	assert.Equal(t, 401, asAPI(t, err).HTTPStatus)
	assert.Contains(t, err.Error(), "/v1beta/models")
	assert.Empty(t, list.Models)
	_, err = newClient(t, g.URL).Models(t.Context())
	require.Error(t, err)
}

func TestModelListsThatNeverEnd(t *testing.T) {
	g := serve(t, answer(200, `{"models":[{"name":"a"}],"nextPageToken":"again"}`))
	list, err := newClient(t, g.URL, withLists).Models(t.Context())
	require.NoError(t, err)
	assert.Len(t, list.Models, 1)
	assert.LessOrEqual(t, len(g.seen()), 40)
}

func TestRawRequests(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "a=b")
		answer(418, `{"method":"`+r.Method+`","path":"`+r.URL.RequestURI()+`","auth":"`+r.Header.Get("Authorization")+`"}`)(w, r)
	})
	c := newClient(t, g.URL+"/base")
	a, err := c.Raw(t.Context(), "post", "/v1/anything?x=1", []byte(`{"a":1}`))
	require.NoError(t, err, "a status is no error here")
	assert.Equal(t, 418, a.StatusCode)
	assert.JSONEq(t, `{"method":"POST","path":"/base/v1/anything?x=1","auth":"Bearer <key>"}`, string(a.Body))
	assert.Empty(t, a.Header.Get("Set-Cookie"))
	assert.Equal(t, "req-1", a.Meta.RequestID)
	assert.Equal(t, "application/json", g.seen()[0].Header.Get("Content-Type"))
	for _, m := range []string{"GET", "DELETE", "PUT", "PATCH", "HEAD"} {
		a, err = c.Raw(t.Context(), m, "/x", nil)
		require.NoError(t, err, m)
		assert.Equal(t, 418, a.StatusCode)
	}
	for _, k := range [][2]string{{"TRACE", "/x"}, {"GET", "x"}, {"GET", "https://evil.test/"}, {"", "/x"}} {
		_, err = c.Raw(t.Context(), k[0], k[1], nil)
		require.Error(t, err, "%v", k)
	}
}
