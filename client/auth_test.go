package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

func TestNewChecksItsOptions(t *testing.T) {
	key := func() (string, error) { return secret, nil }
	for _, u := range []string{"", "gateway", "ftp://h", "http://", "http://u:p@h", "http://h/?a=b", "http://h/#x", "http://h:x", "\x1b://h"} {
		_, err := client.New(client.Options{BaseURL: u, Key: key})
		require.Error(t, err, u)
		assert.NotContains(t, err.Error(), "\x1b")
		assert.NotContains(t, err.Error(), "u:p")
	}
	_, err := client.New(client.Options{BaseURL: "http://h"})
	require.Error(t, err, "a key source is needed")
	all := append(formats.All(), formats.All()[0])
	_, err = client.New(client.Options{BaseURL: "http://h", Key: key, Formats: all})
	require.ErrorContains(t, err, "videos")
	c, err := client.New(client.Options{BaseURL: " https://h:8443/base/ ", Key: key, Formats: formats.All()})
	require.NoError(t, err)
	assert.Equal(t, "https://h:8443", c.Origin())
	assert.Len(t, c.Formats(), len(formats.All()))
	f, ok := c.Format("music")
	require.True(t, ok)
	assert.Equal(t, "music", f.Name())
}

func TestBadKeysAreToldWithoutTheKey(t *testing.T) {
	g := serve(t, answer(200, `{"id":"task_1"}`))
	for _, key := range []string{"", "  ", "sk-abc\nX-Evil: 1", "sk-abc def", "sk-\x00", "sk-ключ"} {
		c := newClient(t, g.URL, withLists, func(o *client.Options) { o.Key = func() (string, error) { return key, nil } })
		_, err := c.Create(t.Context(), video(), "videos")
		var ce *client.CreateError
		require.ErrorAs(t, err, &ce, "%q", key)
		assert.Equal(t, client.OutcomeNotSent, ce.Outcome)
		assert.NotContains(t, err.Error(), "abc")
		require.Error(t, c.CheckKey(t.Context()))
	}
	broken := errors.New("the keyring is locked")
	c := newClient(t, g.URL, func(o *client.Options) { o.Key = func() (string, error) { return "", broken } })
	_, err := c.Create(t.Context(), video(), "videos")
	require.ErrorIs(t, err, broken)
	assert.Equal(t, client.OutcomeNotSent, asCreate(t, err).Outcome)
	assert.Empty(t, g.seen())

	c = newClient(t, g.URL, withLists, func(o *client.Options) { o.Key = func() (string, error) { return secret + "\n", nil } })
	require.NoError(t, c.CheckKey(t.Context()), "a line end at the end is a matter of the file, not of the key")
}

func TestCheckKey(t *testing.T) {
	status := map[string]int{"/v1beta/models": 200}
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answer(status[r.URL.Path], `{"error":{"code":"","message":"Invalid token"}}`)(w, r)
	})
	c := newClient(t, g.URL, withLists)
	require.NoError(t, c.CheckKey(t.Context()))
	status["/v1beta/models"] = 401
	ae := asAPI(t, c.CheckKey(t.Context()))
	assert.Equal(t, 401, ae.HTTPStatus)
	assert.Contains(t, ae.Error(), "refused")

	status = map[string]int{"/v1beta/models": 404, "/v1/models": 200}
	require.NoError(t, c.CheckKey(t.Context()), "one list is enough")
	status["/v1/models"] = 401
	assert.Equal(t, 401, asAPI(t, c.CheckKey(t.Context())).HTTPStatus)
	status["/v1/models"] = 404
	err := c.CheckKey(t.Context())
	require.ErrorIs(t, err, client.ErrNoList)
	assert.ErrorContains(t, err, "/v1beta/models, /v1/models")
}

// The key must not leave the gateway's origin: not for another host, not for another
// port of the same, not for a lesser scheme, and not by way of a redirect.
func TestTheKeyStaysAtItsOrigin(t *testing.T) {
	var got []string
	c := offline(t, func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			got = append(got, r.URL.Scheme+"://"+r.URL.Host)
		}
		if to := r.URL.Query().Get("to"); to != "" {
			return reply(302, http.Header{"Location": {to}}, ""), nil
		}
		return reply(200, http.Header{"Content-Type": {"video/mp4"}}, "bytes"), nil
	})
	elsewhere := []string{
		"http://gateway.test/x", "https://gateway.test:8443/x", "https://sub.gateway.test/x",
		"https://gateway.test.evil.test/x", "https://evil.test/x", "https://evil.test/?gateway.test",
	}
	for _, u := range elsewhere {
		got = nil
		m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: u}, 0, "")
		require.NoError(t, err, u)
		require.NoError(t, m.Body.Close())
		assert.Empty(t, got, u)

		m, err = c.Open(t.Context(), "videos", "task_1", client.Asset{URL: "https://gateway.test/v1/videos/task_1/content?to=" + url.QueryEscape(u)}, 0, "")
		require.NoError(t, err, u)
		require.NoError(t, m.Body.Close())
		assert.Equal(t, []string{"https://gateway.test"}, got, u)
	}
	got = nil
	for _, u := range []string{"https://gateway.test", "https://gateway.test:443", "HTTPS://GATEWAY.test", ""} {
		m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: u + "/v1/videos/task_1/content"}, 0, "")
		require.NoError(t, err, u)
		require.NoError(t, m.Body.Close())
	}
	assert.Len(t, got, 4, "the gateway itself gets it")
}

func TestQueriesFollowNoRedirectElsewhere(t *testing.T) {
	other := serve(t, answer(200, `{"id":"task_1","status":"completed"}`))
	var to string
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			answer(200, `{"id":"task_1","status":"queued"}`)(w, r)
			return
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	c := newClient(t, g.URL)
	to = other.URL + "/v1/videos/task_1?token=abc"
	_, err := c.Query(t.Context(), "videos", "task_1")
	assert.Equal(t, 307, asAPI(t, err).HTTPStatus)
	assert.Contains(t, err.Error(), "redirects to "+other.URL)
	assert.NotContains(t, err.Error(), "abc")
	assert.Empty(t, other.seen())

	_, err = c.Create(t.Context(), video(), "videos")
	assert.Equal(t, client.OutcomeRefused, asCreate(t, err).Outcome)
	assert.Contains(t, err.Error(), "redirects to "+other.URL)
	assert.Empty(t, other.seen())
	assert.Equal(t, 1, g.count("POST"))

	to = "/moved"
	task, err := c.Query(t.Context(), "videos", "task_1")
	require.NoError(t, err, "inside the origin it is followed")
	assert.Equal(t, client.StatusQueued, task.Status)

	to = "/again"
	_, err = c.Query(t.Context(), "videos", "task_1")
	require.Error(t, err, "and not for ever")
}

func TestTheKeyIsNowhereToBeSeen(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=verysecret")
		answer(401, `{"error":{"message":"Incorrect API key provided: `+secret+`."}}`)(w, r)
	})
	c := newClient(t, g.URL)
	_, err := c.Create(t.Context(), video(), "videos")
	ce := asCreate(t, err)
	assert.Contains(t, err.Error(), "<key>")
	assert.NotContains(t, string(ce.Raw), secret)
	_, err = c.Query(t.Context(), "videos", "task_1")
	assert.NotContains(t, err.Error(), secret)
	_, err = c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
	assert.NotContains(t, err.Error(), secret)
	assert.NotContains(t, string(asAPI(t, err).Body), secret)
	log := c.Exchanges()
	require.Len(t, log, 3)
	for _, e := range log {
		all := e.URL + e.ReqBody + e.RespBody + e.Err + headerText(e.ReqHeader) + headerText(e.RespHeader)
		assert.NotContains(t, all, secret)
		assert.NotContains(t, all, "Bearer")
		assert.NotContains(t, all, "verysecret")
	}
}

func headerText(h http.Header) string {
	var b strings.Builder
	if err := h.Write(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

func TestTheLogKeepsTheLastAndNoMedia(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/content") {
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = w.Write([]byte("not to be kept"))
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		answer(200, `{"id":"task_1","status":"queued","pad":"`+strings.Repeat("word ", 10_000)+`"}`)(w, r)
	})
	c := newClient(t, g.URL, func(o *client.Options) { o.Exchanges = 3 })
	d := video()
	d.Values = client.Values{"image": "data:image/png;base64," + strings.Repeat("QUJD", 4000)}
	_, err := c.Create(t.Context(), d, "videos")
	require.NoError(t, err)
	first := c.Exchanges()[0]
	assert.EqualValues(t, 1, first.Seq)
	assert.Equal(t, "POST", first.Method)
	assert.Equal(t, g.URL+"/v1/videos", first.URL)
	assert.Equal(t, 200, first.Status)
	assert.True(t, first.Done)
	assert.Positive(t, first.Latency)
	assert.Equal(t, "req-1", first.RequestID)
	assert.Contains(t, first.ReqBody, `"model":"famA3"`)
	assert.Contains(t, first.ReqBody, "…(16000 characters)")
	assert.Less(t, len(first.RespBody), 17<<10)
	assert.Contains(t, first.RespBody, "bytes in all")

	m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, m.Body)
	require.NoError(t, err)
	require.NoError(t, m.Body.Close())
	for range 2 {
		_, err = c.Query(t.Context(), "videos", "task_1")
		require.NoError(t, err)
	}
	log := c.Exchanges()
	require.Len(t, log, 3)
	assert.EqualValues(t, 2, log[0].Seq)
	assert.EqualValues(t, 4, log[2].Seq)
	assert.Empty(t, log[0].RespBody)
	assert.EqualValues(t, len("not to be kept"), log[0].RespBytes)
}
