package client

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type recorder struct{ got []*http.Request }

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.got = append(r.got, q)
	return httptest.NewRecorder().Result(), nil
}

// The authorising round tripper alone has to keep the key at its origin, whoever above
// it follows redirects.
func TestAuthTransportKnowsItsOrigin(t *testing.T) {
	base, err := url.Parse("https://gateway.test/prefix")
	require.NoError(t, err)
	next := &recorder{}
	rt := &authTransport{next: next, base: base, key: func() (string, error) { return "sk-0123456789", nil }}
	for u, want := range map[string]string{
		"https://gateway.test/x":      "Bearer sk-0123456789",
		"https://gateway.test:443/x":  "Bearer sk-0123456789",
		"https://GATEWAY.test/x":      "Bearer sk-0123456789",
		"http://gateway.test/x":       "",
		"http://gateway.test:443/x":   "",
		"https://gateway.test:444/x":  "",
		"https://a.gateway.test/x":    "",
		"https://gateway.test.evil/x": "",
		"https://evil/gateway.test":   "",
	} {
		r, err := http.NewRequest(http.MethodGet, u, nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer from-above")
		resp, err := rt.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, next.got[len(next.got)-1].Header.Get("Authorization"), u)
		assert.Equal(t, "Bearer from-above", r.Header.Get("Authorization"), "the caller's request was changed")
	}
}

func TestPayloadCannotBeRewound(t *testing.T) {
	c := &Client{opts: Options{UserAgent: "x"}}
	u, err := url.Parse("https://gateway.test/v1/videos")
	require.NoError(t, err)
	r, err := c.newRequest(t.Context(), http.MethodPost, u, []byte(`{}`))
	require.NoError(t, err)
	assert.Nil(t, r.GetBody)
	assert.EqualValues(t, 2, r.ContentLength)
}

func TestNoPaceAtAll(t *testing.T) {
	assert.Nil(t, newBucket(Pace{Rate: -1}))
	b := newBucket(Pace{})
	now := time.Now()
	for range DefaultRate {
		assert.Zero(t, b.take(now))
	}
	assert.Positive(t, b.take(now))
}

func TestRetryAfterHoldsTheOthersBack(t *testing.T) {
	b := newBucket(Pace{Rate: 100})
	b.slow(time.Hour)
	d := b.take(time.Now())
	assert.Greater(t, d, 29*time.Second)
	assert.Less(t, d, 31*time.Second, "but not for an hour")
}

func TestRedactURL(t *testing.T) {
	u, err := url.Parse("https://u:p@cdn.test/a.mp4?X-Sig=abc&e=1")
	require.NoError(t, err)
	assert.Equal(t, "https://cdn.test/a.mp4?X-Sig=…&e=…", redactURL(u, false))
	assert.Equal(t, "https://cdn.test/a.mp4?X-Sig=abc&e=1", redactURL(u, true))
}

func FuzzElideRuns(f *testing.F) {
	f.Add([]byte(`{"a":"QUJD"}`))
	f.Add(make([]byte, 2000))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := redactBody(b, int64(len(b)))
		if len(s) > logBody+64 {
			t.Fatal("not capped")
		}
	})
}
