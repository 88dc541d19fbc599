package transport

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
	l := &Link{header: http.Header{}}
	u, err := url.Parse("https://gateway.test/v1/videos")
	require.NoError(t, err)
	r, err := l.Request(t.Context(), http.MethodPost, u, []byte(`{}`))
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
	b.slow(slowBy, time.Hour, "/x")
	d := b.take(time.Now())
	assert.Greater(t, d, 29*time.Second)
	assert.Less(t, d, 31*time.Second, "but not for an hour")
}

func TestPaceState(t *testing.T) {
	b := newBucket(Pace{Rate: 10, Burst: 2})
	now := time.Now()
	assert.Equal(t, PaceState{Rate: 10, Top: 10, Free: 2}, b.state(now))
	for range 3 {
		b.take(now)
	}
	st := b.state(now)
	assert.InDelta(t, float64(200*time.Millisecond), float64(st.Wait), 1e6, "two others are before it")
	assert.Zero(t, st.Until)
	b.slow(failBy, 0, "/x")
	assert.InDelta(t, 9, b.state(now).Rate, 0.1, "a failure of the server slows down a little")
	b.slow(slowBy, 12*time.Second, "/x")
	st = b.state(now)
	assert.InDelta(t, 6.3, st.Rate, 0.1)
	assert.InDelta(t, 12, st.Until.Sub(now).Seconds(), 1)
	assert.Greater(t, st.Wait, 12*time.Second)
	b.slow(slowBy, time.Second, "/x")
	assert.InDelta(t, 12, b.state(now).Until.Sub(now).Seconds(), 1, "a shorter pause does not shorten it")
	assert.Zero(t, b.state(now.Add(time.Minute)).Until)
	b = newBucket(Pace{Rate: 10})
	b.slow(slowBy, 5*time.Second, "/x")
	after := b.paused
	leave := 0
	for b.take(after.Add(time.Millisecond)) < time.Second {
		leave++
	}
	assert.Less(t, leave, 9, "the end of a pause is no burst")
	assert.Zero(t, (&Link{}).Pace(), "without pacing there is nothing to tell")
}

func TestSlowing(t *testing.T) {
	for status, want := range map[int]float64{200: 1, 400: 1, 401: 1, 404: 1, 429: slowBy, 500: failBy, 501: 1, 502: failBy, 503: failBy, 504: failBy} {
		assert.InDelta(t, want, slowing(status), 0, "%d", status)
	}
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
