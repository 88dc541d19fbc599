package download

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/jobs"
)

// host serves one file with faults, and keeps what it was asked.
type host struct {
	*httptest.Server
	data []byte
	etag string
	// fault answers the n-th request, counted from 1; false leaves it to the host.
	fault func(w http.ResponseWriter, r *http.Request, n int) bool

	mu     sync.Mutex
	ranges []string
	keys   []string
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{data: mp4(300_000), etag: `"e"`}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.ranges = append(h.ranges, r.Header.Get("Range")+" "+r.Header.Get("If-Range"))
	h.keys = append(h.keys, r.Header.Get("Authorization"))
	n, fault, data := len(h.ranges), h.fault, h.data
	w.Header().Set("ETag", h.etag)
	h.mu.Unlock()
	w.Header().Set("Content-Type", "video/mp4")
	if fault != nil && fault(w, r, n) {
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// half sends the first half and ends the connection, in order or by a reset.
func (h *host) half(w http.ResponseWriter, reset bool) bool {
	w.Header().Set("Content-Length", fmt.Sprint(len(h.data)))
	_, _ = w.Write(h.data[:len(h.data)/2])
	c := http.NewResponseController(w)
	_ = c.Flush()
	conn, _, err := c.Hijack()
	if err != nil {
		return true
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
	return true
}

func (h *host) request() jobs.FileRequest {
	r := request()
	r.Job.TaskID = "" // there is no content path to fall back to
	r.Asset.URL = h.URL + "/v.mp4"
	return r
}

func webSaver(t *testing.T, base string) *Saver {
	t.Helper()
	s, err := New(Options{Dir: t.TempDir(), Source: webSource(t, base)})
	require.NoError(t, err)
	return s
}

// TestBrokenBodies are gone on with where they broke off, over real connections.
func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	for name, reset := range map[string]bool{"reset": true, "truncated": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool { return n == 1 && h.half(w, reset) }
			s := webSaver(t, "http://127.0.0.1:1")
			_, err := s.Save(t.Context(), h.request(), nil)
			require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
			f, err := s.Save(t.Context(), h.request(), nil)
			require.NoError(t, err)
			assert.Equal(t, sum(h.data), f.SHA256)
			require.Len(t, h.ranges, 2)
			if !reset { // a reset may take bytes along that were sent
				assert.Equal(t, `bytes=150000- "e"`, h.ranges[1])
			}
		})
	}
}

// TestServersThatCanNotResume: what they send is saved whole and right, or not at all.
func TestServersThatCanNotResume(t *testing.T) {
	t.Parallel()
	part := func(w http.ResponseWriter, from, to, total int, body []byte) bool {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, total))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(body)
		return true
	}
	for name, second := range map[string]func(h *host, w http.ResponseWriter, r *http.Request) bool{
		"ignores ranges, and says that it has them": func(_ *host, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Accept-Ranges", "bytes")
			r.Header.Del("Range")
			return false
		},
		"sends the whole as a part": func(h *host, w http.ResponseWriter, _ *http.Request) bool {
			return part(w, 150_000, 299_999, 300_000, h.data)
		},
		"sends another part": func(h *host, w http.ResponseWriter, _ *http.Request) bool {
			return part(w, 100_000, 299_999, 300_000, h.data[100_000:])
		},
		"sends a part of another length": func(h *host, w http.ResponseWriter, _ *http.Request) bool {
			return part(w, 150_000, 299_999, 300_001, h.data[150_000:])
		},
		"sends a part of a changed file": func(h *host, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("ETag", `"f"`)
			return part(w, 150_000, 299_999, 300_000, h.data[150_000:])
		},
		"sends a part of whatever": func(h *host, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Del("ETag")
			return part(w, 150_000, 299_999, 300_000, h.data[150_000:])
		},
		"does not like the range": func(_ *host, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			s := webSaver(t, "http://127.0.0.1:1")
			h.fault = func(w http.ResponseWriter, r *http.Request, n int) bool {
				switch n {
				case 1:
					return h.half(w, false)
				case 2:
					return second(h, w, r)
				}
				return false
			}
			_, err := s.Save(t.Context(), h.request(), nil)
			require.Error(t, err)
			h.mu.Lock()
			h.data = append(mp4(100_000), h.data[100_000:]...) // it has changed, whatever it says
			h.mu.Unlock()
			f, err := s.Save(t.Context(), h.request(), nil)
			if err != nil { // more came than there is: the next try begins again
				require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
				require.Empty(t, files(t, s))
				f, err = s.Save(t.Context(), h.request(), nil)
			}
			require.NoError(t, err)
			assert.Equal(t, sum(h.data), f.SHA256)
			b, err := os.ReadFile(f.Path)
			require.NoError(t, err)
			assert.Equal(t, h.data, b)
		})
	}
}

// TestExpiredAddresses are told from what is worth another try.
func TestExpiredAddresses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		body   string
		fault  jobs.SaveFault
		says   string
		own    string
	}{
		"403":            {403, `<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`, jobs.SaveExpired, "expired", "AccessDenied"},
		"404":            {404, "", jobs.SaveExpired, "HTTP 404", ""},
		"410":            {410, "", jobs.SaveExpired, "HTTP 410", ""},
		"400 by words":   {400, `<Error><Code>ExpiredToken</Code></Error>`, jobs.SaveExpired, "has expired", "ExpiredToken"},
		"400":            {400, `{"error":{"message":"bad"}}`, jobs.SavePermanent, "HTTP 400", "bad"},
		"503":            {503, "", jobs.SaveTemporary, "HTTP 503", ""},
		"a page as .mp4": {200, "<!doctype html><title>Sign in</title><h1>Your session is over</h1>", jobs.SaveExpired, "sent text instead of the video (", "the"},
		"an error as .mp4": {200, `{"error":{"code":"expired","message":"the link is too old","blah":"` + strings.Repeat("x", 600) + `"}}`,
			jobs.SaveExpired, "sent text instead of the video (", "the"},
		"words as .mp4": {200, "quota exceeded", jobs.SaveExpired, "sent text instead of the video (14 bytes)", "quota exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				w.WriteHeader(tc.status)
				_, _ = w.Write([]byte(tc.body))
				return true
			}
			s := webSaver(t, "http://127.0.0.1:1")
			_, err := s.Save(t.Context(), h.request(), nil)
			assert.True(t, isFault(err, tc.fault), "%v", err)
			require.ErrorContains(t, err, tc.says)
			assert.Empty(t, files(t, s))
			for _, word := range []string{"AccessDenied", "ExpiredToken", "bad", "session", "link is", "quota"} {
				assert.NotContains(t, err.Error(), word, "what another host says is not told")
			}
			// The gateway itself is quoted.
			s = webSaver(t, h.URL)
			_, err = s.Save(t.Context(), h.request(), nil)
			assert.True(t, isFault(err, tc.fault), "%v", err)
			if tc.own != "" {
				require.ErrorContains(t, err, tc.own)
			}
		})
	}
}

// TestAnEchoedKeyIsNotQuoted where the gateway sends words in the place of media.
func TestAnEchoedKeyIsNotQuoted(t *testing.T) {
	t.Parallel()
	const key = "sk-test-0123456789abcdef"
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = w.Write([]byte(`no such key: ` + key + ` and \u0073k-test-0123456789abcdef`))
	}))
	t.Cleanup(gate.Close)
	c, err := client.New(client.Options{BaseURL: gate.URL, Key: func() (string, error) { return key, nil }, Formats: formats.All()})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	s, err := New(Options{Dir: t.TempDir(), Source: c})
	require.NoError(t, err)
	r := request()
	r.Asset.URL, r.Asset.Content = "", true
	_, err = s.Save(t.Context(), r, nil)
	require.ErrorContains(t, err, "no such key: <key> and <key>")
}

// TestTheKeyGoesToTheGatewayOnly: to the content path of the task at its own scheme, host and port, whatever names the result
// and whatever it redirects to.
func TestTheKeyGoesToTheGatewayOnly(t *testing.T) {
	t.Parallel()
	gate, other := newHost(t), newHost(t)
	secure := newHost(t)
	secure.Close()
	secure.Server = httptest.NewTLSServer(secure)
	t.Cleanup(secure.Close)
	moved := func(to string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.URL.Path != "/moved" && (to == "" || !strings.HasSuffix(r.URL.Path, "/content")) {
				return false
			}
			http.Redirect(w, r, to, http.StatusFound)
			return true
		}
	}
	byName := strings.Replace(gate.URL, "127.0.0.1", "localhost", 1)
	for name, tc := range map[string]struct {
		url, redirect string
		first, last   string
		on            *host
	}{
		"own":                     {gate.URL + "/v.mp4", "", "", "", gate},
		"content path":            {gate.URL + "/v1/videos/t1/content", "", "Bearer k", "Bearer k", gate},
		"another's content path":  {gate.URL + "/v1/videos/t2/content", "", "", "", gate},
		"content path, then own":  {"", "/v.mp4", "Bearer k", "Bearer k", gate},
		"content path, elsewhere": {"", byName + "/v.mp4", "Bearer k", "", gate},
		"own, then own":           {gate.URL + "/moved", "/v.mp4", "", "", gate},
		"own, then another host":  {gate.URL + "/moved", byName + "/v.mp4", "", "", gate},
		"another host":            {byName + "/v.mp4", "", "", "", gate},
		"another port":            {other.URL + "/v.mp4", "", "", "", other},
		"another host, then own":  {byName + "/moved", gate.URL + "/v.mp4", "", "", gate},
		"own as a user's":         {strings.Replace(gate.URL, "//", "//gateway@", 1) + "/v.mp4", "", "", "", nil},
		"no http":                 {"ftp" + strings.TrimPrefix(gate.URL, "http") + "/v.mp4", "", "", "", nil},
		"content, then no http":   {"", "file:///etc/passwd", "Bearer k", "Bearer k", nil},
		"content, another scheme": {"", strings.Replace(gate.URL, "http:", "https:", 1) + "/v.mp4", "Bearer k", "Bearer k", nil},
	} {
		gate.keys, other.keys = nil, nil
		gate.fault = moved(tc.redirect)
		s := webSaver(t, gate.URL)
		r := gate.request()
		r.Job.TaskID, r.Asset.URL, r.Asset.Content = "t1", tc.url, tc.url == ""
		if tc.url != "" && tc.on == nil {
			r.Job.TaskID = ""
		}
		_, err := s.Save(t.Context(), r, nil)
		if tc.on == nil {
			require.Error(t, err, name)
			for _, k := range gate.keys {
				assert.Equal(t, tc.first, k, name)
			}
			continue
		}
		require.NoError(t, err, name)
		keys := append(gate.keys, other.keys...)
		require.NotEmpty(t, keys, name)
		assert.Equal(t, tc.first, keys[0], name)
		assert.Equal(t, tc.last, keys[len(keys)-1], name)
		for _, f := range files(t, s) {
			b, err := os.ReadFile(s.Dir() + "/" + f)
			require.NoError(t, err)
			assert.NotContains(t, string(b), "Bearer", f)
		}
	}

	// The same host and port by https: the key of the http gateway does not go there.
	gate.fault = moved(secure.URL + "/v.mp4")
	c, err := client.New(client.Options{BaseURL: strings.Replace(secure.URL, "https:", "http:", 1), Key: func() (string, error) { return "k", nil },
		Transport: secure.Client().Transport})
	require.NoError(t, err)
	defer c.Close()
	m, err := c.Open(t.Context(), "", "", client.Asset{URL: secure.URL + "/v.mp4"}, 0, "")
	require.NoError(t, err)
	require.NoError(t, m.Body.Close())
	assert.Equal(t, []string{""}, secure.keys)
}

// TestZerosAreNoResult, of any kind: they are asked for again at the content path, where
// there is one, and what was asked is told in turn.
func TestZerosAreNoResult(t *testing.T) {
	t.Parallel()
	for _, kind := range []client.AssetKind{client.AssetVideo, client.AssetAudio, client.AssetImage, client.AssetCover, "other"} {
		gate, cdn := newHost(t), newHost(t)
		cdn.data = make([]byte, 100_000)
		s := webSaver(t, gate.URL)
		r := cdn.request()
		r.Job.TaskID, r.Asset.Kind = "t1", kind
		r.Asset.URL += "?signature=secret"
		var tried []string
		var why []error
		r.Tried = func(from string, err error) { tried, why = append(tried, from), append(why, err) }
		at := strings.TrimPrefix(cdn.URL, "http://") + "/v.mp4"
		f, err := s.Save(t.Context(), r, nil)
		require.ErrorContains(t, why[0], at+": the server sent 100.0 kB that are all zero instead of the "+string(kind))
		assert.Equal(t, at, tried[0], "without its signature")
		if kind != client.AssetVideo {
			assert.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
			assert.Empty(t, files(t, s), "nothing is left to go on with")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, sum(gate.data), f.SHA256)
		assert.Equal(t, []string{at, "/v1/videos/t1/content"}, tried)
		require.NoError(t, why[1])

		gate.fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		_, err = s.Save(t.Context(), r, nil)
		require.ErrorContains(t, err, at+": the server sent 100.0 kB")
		require.ErrorContains(t, err, "/v1/videos/t1/content: HTTP 503", "each place is named with what it said")
	}
}

// TestNothingIsNoResult, of any kind, whether its length was told or not.
func TestNothingIsNoResult(t *testing.T) {
	t.Parallel()
	for _, kind := range []client.AssetKind{client.AssetVideo, client.AssetAudio, client.AssetImage, client.AssetCover, "other"} {
		for _, told := range []bool{true, false} {
			cdn := newHost(t)
			cdn.data = nil
			cdn.fault = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				if !told {
					_ = http.NewResponseController(w).Flush()
				}
				return !told
			}
			s := webSaver(t, "http://127.0.0.1:1")
			r := cdn.request()
			r.Asset.Kind = kind
			_, err := s.Save(t.Context(), r, nil)
			assert.True(t, isFault(err, jobs.SaveTemporary), "%s, %v: %v", kind, told, err)
			require.ErrorContains(t, err, "/v.mp4: the server sent nothing")
			assert.Empty(t, files(t, s))
		}
	}
}

// TestZerosAtTheBeginning are no fault: so begins raw sound after a pause.
func TestZerosAtTheBeginning(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.data = append(make([]byte, 2<<20), 1)
	r := h.request()
	r.Asset.Kind = client.AssetAudio
	f, err := webSaver(t, h.URL).Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.Equal(t, sum(h.data), f.SHA256)
}

// TestAHostThatSendsBack: who once was sent to another origin comes to the gateway without
// the key, so that no host chooses what is asked in its name.
func TestAHostThatSendsBack(t *testing.T) {
	t.Parallel()
	gate, other := newHost(t), newHost(t)
	other.fault = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, gate.URL+"/v1/videos/secret/content", http.StatusFound)
		return true
	}
	gate.fault = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		switch {
		case r.URL.Path == "/v1/videos/out/content":
			http.Redirect(w, r, other.URL+"/back", http.StatusFound)
		case r.Header.Get("Authorization") == "":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			return false
		}
		return true
	}
	for name, tc := range map[string]struct {
		url, task string
		keys      []string
	}{
		"from another host":            {other.URL + "/v.mp4", "", []string{""}},
		"from the gateway and back":    {"", "out", []string{"Bearer k", ""}},
		"to the gateway, nowhere else": {"", "in", []string{"Bearer k"}},
	} {
		gate.keys, other.keys = nil, nil
		r := gate.request()
		r.Asset.URL, r.Job.TaskID, r.Asset.Content = tc.url, tc.task, tc.url == ""
		_, err := webSaver(t, gate.URL).Save(t.Context(), r, nil)
		if len(tc.keys) > 1 || tc.keys[0] == "" {
			assert.True(t, isFault(err, jobs.SaveExpired), "%s: %v", name, err)
			require.ErrorContains(t, err, "/v1/videos/secret/content: HTTP 401", name)
		} else {
			require.NoError(t, err, name)
		}
		assert.Equal(t, tc.keys, gate.keys, name)
		for _, k := range other.keys {
			assert.Empty(t, k, name)
		}
	}
}
