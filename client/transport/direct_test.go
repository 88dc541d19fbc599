package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func directTo(t *testing.T, address string) *directTransport {
	t.Helper()
	base, err := url.Parse(address)
	require.NoError(t, err)
	d, ok := direct(tuned(), base).(*directTransport)
	require.True(t, ok)
	t.Cleanup(d.CloseIdleConnections)
	return d
}

func getFrom(t *testing.T, rt http.RoundTripper, address string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	r.Header.Set("User-Agent", "darkroom")
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, resp.Body.Close())
	return resp, string(body), err
}

// script is a server that answers each request on a connection with the next text, and
// hangs up where it has none; a text "hang" waits for the test's end.
func script(t *testing.T, texts ...string) (address string, conns *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	conns = new(atomic.Int32)
	var next atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Add(1)
			go func() {
				defer c.Close() //nolint:errcheck // a test's server
				br := bufio.NewReader(c)
				for {
					if _, err := http.ReadRequest(br); err != nil {
						return
					}
					i := int(next.Add(1)) - 1
					if i >= len(texts) {
						return
					}
					if texts[i] == "hang" {
						<-t.Context().Done()
						return
					}
					if _, err := io.WriteString(c, texts[i]); err != nil || strings.Contains(texts[i], "close") {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String(), conns
}

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// Whatever a server answers, the direct transport makes of it what net/http's does.
func TestDirectAnswersAsNetHTTP(t *testing.T) {
	z := packed(`{"id":"t-1"}`)
	for name, text := range map[string]string{
		"length":             "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Request-Id: r-1\r\n\r\nhello",
		"no body":            "HTTP/1.1 204 No Content\r\n\r\n",
		"nothing":            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"chunked":            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
		"trailer":            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n",
		"until the end":      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end",
		"1.0":                "HTTP/1.0 200 OK\r\nX: close\r\n\r\nold",
		"early hints":        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"continue":           "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
		"gzip":               fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(z), z),
		"gzip that is not":   "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
		"another packing":    "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nxx",
		"truncated":          "HTTP/1.1 200 OK\r\nContent-Length: 50\r\nX: close\r\n\r\nhello",
		"truncated chunk":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: close\r\n\r\n50\r\nhello",
		"no HTTP":            "220 smtp.test close\r\n",
		"two lengths":        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\nX: close\r\n\r\nabc",
		"bad length":         "HTTP/1.1 200 OK\r\nContent-Length: -2\r\nX: close\r\n\r\nabc",
		"bad header":         "HTTP/1.1 200 OK\r\nno colon, close\r\n\r\n",
		"nothing at all":     "",
		"a server's failure": "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nbusy",
	} {
		t.Run(name, func(t *testing.T) {
			texts := []string{text}
			if text == "" {
				texts = nil
			}
			a, _ := script(t, texts...)
			got, body, err := getFrom(t, directTo(t, a), a+"/v1/videos/t-1")
			b, _ := script(t, texts...)
			plain := tuned()
			defer plain.CloseIdleConnections()
			want, wantBody, wantErr := getFrom(t, plain, b+"/v1/videos/t-1")
			if wantErr != nil {
				require.Error(t, err)
				assert.Equal(t, worthAnother(nil, wantErr), worthAnother(nil, err), "%v, and net/http: %v", err, wantErr)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, wantBody, body)
			assert.Equal(t, want.StatusCode, got.StatusCode)
			assert.Equal(t, want.Header, got.Header)
			assert.Equal(t, want.ContentLength, got.ContentLength)
			assert.Equal(t, want.Uncompressed, got.Uncompressed)
		})
	}
}

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func TestDirectKeepsAConnection(t *testing.T) {
	var heads atomic.Pointer[http.Request]
	conns := map[string]bool{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conns[r.RemoteAddr] = true
		heads.Store(r)
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000)) // chunked, and more than a buffer
	}))
	defer srv.Close()
	d := directTo(t, srv.URL)
	for range 20 {
		_, body, err := getFrom(t, d, srv.URL+"/a%2Fb?q=1&r=%20")
		require.NoError(t, err)
		assert.Len(t, body, 100_000)
	}
	assert.Len(t, conns, 1)
	r := heads.Load()
	assert.Equal(t, "/a%2Fb?q=1&r=%20", r.RequestURI)
	assert.Equal(t, strings.TrimPrefix(srv.URL, "http://"), r.Host)
	assert.Equal(t, http.Header{"User-Agent": {"darkroom"}, "Accept-Encoding": {"gzip"}}, r.Header)
	d.CloseIdleConnections()
	assert.Empty(t, d.idle)
	assert.Nil(t, d.expiry)
}

func TestDirectReplacesALostConnection(t *testing.T) {
	t.Run("closed while idle", func(t *testing.T) {
		a, conns := script(t, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nclose", okAnswer)
		d := directTo(t, a)
		for _, want := range []string{"close", "ok"} {
			_, body, err := getFrom(t, d, a)
			require.NoError(t, err)
			assert.Equal(t, want, body)
		}
		assert.EqualValues(t, 2, conns.Load())
	})
	t.Run("closed at the next request", func(t *testing.T) {
		a, conns := script(t, okAnswer)
		d := directTo(t, a)
		_, _, err := getFrom(t, d, a)
		require.NoError(t, err)
		_, _, err = getFrom(t, d, a)
		assert.True(t, worthAnother(nil, err), "%v", err)
		assert.EqualValues(t, 2, conns.Load(), "a kept connection, and then a new one")
	})
	t.Run("words that nobody asked for", func(t *testing.T) {
		a, conns := script(t, okAnswer+"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong", okAnswer)
		d := directTo(t, a)
		for range 2 {
			_, body, err := getFrom(t, d, a)
			require.NoError(t, err)
			assert.Equal(t, "ok", body)
		}
		assert.EqualValues(t, 2, conns.Load())
	})
}

func TestDirectSpeaksTLS(t *testing.T) {
	conns := map[string]bool{}
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conns[r.RemoteAddr] = true
		_, _ = io.WriteString(w, r.Proto)
	}))
	defer srv.Close()
	d := directTo(t, srv.URL)
	_, _, err := getFrom(t, d, srv.URL)
	unknown := x509.UnknownAuthorityError{}
	require.ErrorAs(t, err, &unknown, "a certificate of nobody is refused")
	clear(conns)
	d.tls.RootCAs = x509.NewCertPool()
	d.tls.RootCAs.AddCert(srv.Certificate())
	for range 10 {
		_, body, err := getFrom(t, d, srv.URL)
		require.NoError(t, err)
		assert.Equal(t, "HTTP/1.1", body)
	}
	assert.LessOrEqual(t, len(conns), 2, "one may go with the server's session tickets")
	assert.EqualValues(t, tls.VersionTLS12, d.tls.MinVersion)
}

func TestDirectEndsWithItsContext(t *testing.T) {
	for name, text := range map[string]string{
		"no answer": "hang",
		"half one":  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := script(t, text)
			d := directTo(t, a)
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, a, nil)
			require.NoError(t, err)
			if text == "hang" {
				context.AfterFunc(ctx, func() {})
				go cancel(why)
				_, err = d.RoundTrip(r) //nolint:bodyclose // there is none
			} else {
				resp, rerr := d.RoundTrip(r)
				require.NoError(t, rerr)
				go cancel(why)
				_, err = io.ReadAll(resp.Body)
				_, again := resp.Body.Read(make([]byte, 1))
				assert.Equal(t, err, again)
				require.NoError(t, resp.Body.Close())
			}
			require.ErrorIs(t, err, why)
			assert.Empty(t, d.idle)
		})
	}
}

func TestDirectBoundsTheHead(t *testing.T) {
	for name, text := range map[string]string{
		"one line":    "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", directHead) + "\r\n\r\n",
		"early words": strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", directHead/25),
	} {
		t.Run(name, func(t *testing.T) {
			a, conns := script(t, text, okAnswer)
			_, _, err := getFrom(t, directTo(t, a), a)
			require.ErrorIs(t, err, errHeadTooLarge)
			assert.EqualValues(t, 1, conns.Load())
		})
	}
}

func TestDirectTakesOnlyPolls(t *testing.T) {
	d := directTo(t, "http://gateway.test:8080")
	for name, c := range map[string]struct {
		method, url string
		body        io.Reader
		change      func(*http.Request)
		want        bool
	}{
		"poll":           {"GET", "http://gateway.test:8080/v1/videos/x", nil, nil, true},
		"create":         {"POST", "http://gateway.test:8080/v1/videos", strings.NewReader("{}"), nil, false},
		"head":           {"HEAD", "http://gateway.test:8080/", nil, nil, false},
		"body":           {"GET", "http://gateway.test:8080/", strings.NewReader("{}"), nil, false},
		"another port":   {"GET", "http://gateway.test/", nil, nil, false},
		"another host":   {"GET", "http://other.test:8080/", nil, nil, false},
		"another way":    {"GET", "https://gateway.test:8080/", nil, nil, false},
		"Host":           {"GET", "http://gateway.test:8080/", nil, func(r *http.Request) { r.Host = "x" }, false},
		"upgrade":        {"GET", "http://gateway.test:8080/", nil, func(r *http.Request) { r.Header.Set("Upgrade", "x") }, false},
		"not to be kept": {"GET", "http://gateway.test:8080/", nil, func(r *http.Request) { r.Close = true }, false},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, c.body)
		require.NoError(t, err)
		if c.change != nil {
			c.change(r)
		}
		assert.Equal(t, c.want, d.takes(r), name)
	}
	next := tuned()
	for _, base := range []string{"https://g\u00e4teway.test", "http://gateway.test\u0430"} {
		u, err := url.Parse(base)
		require.NoError(t, err)
		assert.Same(t, next, direct(next, u), "names that want translating are net/http's")
	}
}

func TestDirectDoesNotSwitch(t *testing.T) {
	a, _ := script(t, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
	_, _, err := getFrom(t, directTo(t, a), a)
	require.ErrorContains(t, err, "another protocol")
}

func TestDirectRefusesWhatNoRequestCarries(t *testing.T) {
	a, conns := script(t, okAnswer)
	d := directTo(t, a)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a, nil)
	require.NoError(t, err)
	r.URL.RawQuery = "x HTTP/1.1\r\nA: b"
	_, err = d.RoundTrip(r) //nolint:bodyclose // there is none
	require.ErrorContains(t, err, "not a path")
	_, body, err := getFrom(t, d, a)
	require.NoError(t, err)
	assert.Equal(t, "ok", body)
	assert.EqualValues(t, 2, conns.Load())
}

func TestDirectLetsGoOfWhatIsNotRead(t *testing.T) {
	a, conns := script(t, okAnswer, okAnswer)
	d := directTo(t, a)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a, nil)
	require.NoError(t, err)
	resp, err := d.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	_, err = resp.Body.Read(make([]byte, 1))
	require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
	_, _, err = getFrom(t, d, a)
	require.NoError(t, err)
	assert.EqualValues(t, 2, conns.Load())
}
