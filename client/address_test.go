package client_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/transport"
)

// public is a gateway that is not at this machine, for as long as nobody asks it.
const public = "http://192.0.2.1"

// TestResultsOfPrivateAddressesAreNotFetched, by name and by number, unless the profile takes
// them or the gateway is there as well.
func TestResultsOfPrivateAddressesAreNotFetched(t *testing.T) {
	inside := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("secret of the house")) })
	u, err := url.Parse(inside.URL)
	require.NoError(t, err)
	for _, address := range []string{
		inside.URL + "/a.mp4", "http://localhost:" + u.Port() + "/a.mp4", "http://[::ffff:127.0.0.1]:" + u.Port() + "/a.mp4", "http://0.0.0.0:" + u.Port() + "/a.mp4",
	} {
		c := newClient(t, public)
		_, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: address}, 0, "")
		var refused *transport.UnfetchableError
		require.ErrorAs(t, err, &refused, address)
		assert.Contains(t, err.Error(), "an address of this machine")
		assert.Contains(t, err.Error(), "`private_results: true`")
		_, err = c.Head(t.Context(), address)
		require.ErrorContains(t, err, "private_results", address)
	}
	assert.Empty(t, inside.seen(), "nothing was connected to")

	c := newClient(t, public, func(o *client.Options) { o.PrivateResults = true })
	m, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: inside.URL + "/a.mp4"}, 0, "")
	require.NoError(t, err)
	assert.Equal(t, "secret of the house", readAll(t, m))
	m, err = newClient(t, "http://localhost:1").Open(t.Context(), "videos", "task_1", client.Asset{URL: inside.URL + "/a.mp4"}, 0, "")
	require.NoError(t, err, "the gateway is at this machine, too")
	assert.Equal(t, "secret of the house", readAll(t, m))
}

// TestARedirectLeadsToNoOtherKindOfAddress: every hop is judged.
func TestARedirectLeadsToNoOtherKindOfAddress(t *testing.T) {
	for _, target := range []string{"http://10.255.255.1/a", "http://169.254.169.254/latest/meta-data/iam", "http://[fe80::1]/a", "http://[fd00:ec2::254]/"} {
		g := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hop" || strings.HasSuffix(r.URL.Path, "/content") {
				http.Redirect(w, r, target, http.StatusFound)
				return
			}
			http.Redirect(w, r, "/hop", http.StatusFound)
		})
		c := newClient(t, g.URL)
		for _, a := range []client.Asset{{URL: g.URL + "/a.mp4"}, {Content: true}} {
			_, err := c.Open(t.Context(), "videos", "task_1", a, 0, "")
			var refused *transport.UnfetchableError
			require.ErrorAs(t, err, &refused, target)
		}
		_, err := c.Head(t.Context(), g.URL+"/a.mp4")
		require.ErrorContains(t, err, "nothing is fetched from there", target)
	}
}

// TestTheKeyGoesToDocumentedContentPathsOnly, and to no address that an answer or a row of the
// history names, the gateway's own origin among them.
func TestTheKeyGoesToDocumentedContentPathsOnly(t *testing.T) {
	g := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/base/v1/videos/task_1/content":
			http.Redirect(w, r, "/base/files/kept.mp4", http.StatusFound)
		case "/base/v1/videos/task_2/content":
			http.Redirect(w, r, "http://localhost"+r.Host[strings.LastIndexByte(r.Host, ':'):]+"/base/files/a.mp4", http.StatusFound)
		case "/base/hop":
			http.Redirect(w, r, "/base/v1/videos/task_1/content", http.StatusFound)
		default:
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = w.Write([]byte("x"))
		}
	})
	base := g.URL + "/base"
	c := newClient(t, base)
	for _, k := range []struct {
		format, id string
		asset      client.Asset
		keys       []bool // of the requests
	}{
		{"videos", "task_1", client.Asset{URL: base + "/files/a.mp4"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: "/files/a.mp4"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: base + "/v1/videos/task_9"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: base + "/v1/videos/task_9/content"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: base + "/v1/videos/../videos/task_1/content"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: g.URL + "/v1/videos/task_1/content"}, []bool{false}},
		{"content", "task_1", client.Asset{URL: base + "/v1/videos/task_9/content"}, []bool{false}},
		{"videos", "task_1", client.Asset{URL: base + "/hop"}, []bool{false, false, false}},
		{"videos", "task_1", client.Asset{Content: true}, []bool{true, true}},
		{"videos", "task_1", client.Asset{URL: base + "/v1/videos/task_1/content"}, []bool{true, true}},
		{"videos", "task_1", client.Asset{URL: base + "/v1/videos/task_1/content?variant=thumbnail"}, []bool{true, true}},
		{"videos", "task_2", client.Asset{Content: true}, []bool{true, false}},
	} {
		g.mu.Lock()
		g.reqs = nil
		g.mu.Unlock()
		m, err := c.Open(t.Context(), k.format, k.id, k.asset, 0, "")
		require.NoError(t, err, "%+v", k.asset)
		_ = m.Body.Close()
		var keys []bool
		for _, r := range g.seen() {
			keys = append(keys, r.Header.Get("Authorization") != "")
		}
		assert.Equal(t, k.keys, keys, "%s %+v", k.format, k.asset)
	}
}

// TestNothingThatAnotherHostSaysIsTold: its status, type and length are.
func TestNothingThatAnotherHostSaysIsTold(t *testing.T) {
	const words = "role-credentials-of-the-house"
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", words)
		switch r.URL.Path {
		case "/page":
			answer(200, `{"error":{"message":"`+words+`","code":"`+words+`"}}`)(w, r)
		case "/old":
			answer(400, `{"error":{"code":"ExpiredToken","message":"`+words+`"}}`)(w, r)
		default:
			answer(401, `{"message":"`+words+`"}`)(w, r)
		}
	})
	c := newClient(t, "http://localhost:1")
	for path, says := range map[string]string{"/page": "application/json (", "/denied": "HTTP 401", "/old": "expired"} {
		_, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: other.URL + path}, 0, "")
		api := asAPI(t, err)
		assert.NotContains(t, err.Error(), words)
		assert.Empty(t, api.Body)
		assert.Empty(t, api.Code+api.RequestID+api.Param+api.Type)
		assert.Contains(t, err.Error(), says)
		assert.NotContains(t, err.Error(), "the key was refused", "none was sent there")
		assert.True(t, api.Keyless)
	}
	_, err := c.Open(t.Context(), "videos", "task_1", client.Asset{URL: other.URL + "/denied"}, 0, "")
	require.ErrorContains(t, err, "without the key")
	require.ErrorContains(t, err, "a fresh one")
	// Where the key was sent it may be the key.
	g := serve(t, answer(401, `{"error":{"message":"who are you"}}`))
	_, err = newClient(t, g.URL).Open(t.Context(), "videos", "task_1", client.Asset{Content: true}, 0, "")
	require.ErrorContains(t, err, "the key was refused")
	require.ErrorContains(t, err, "who are you")
	_, err = newClient(t, g.URL).Open(t.Context(), "videos", "task_1", client.Asset{URL: g.URL + "/a.mp4"}, 0, "")
	assert.NotContains(t, err.Error(), "the key was refused")
}
