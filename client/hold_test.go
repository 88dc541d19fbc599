package client_test

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/transport"
)

// limited is a gateway that answers some paths with 429, and notes when it was asked for what.
type limited struct {
	mu      sync.Mutex
	began   time.Time
	refuses func(path string, since time.Duration) bool
	slow    func(path string) time.Duration // until it answers; nil for at once
	asked   map[string][]time.Duration
}

func (l *limited) client(t *testing.T) *client.Client {
	t.Helper()
	l.began, l.asked = time.Now(), map[string][]time.Duration{}
	c, err := client.New(client.Options{
		BaseURL: "https://gateway.test", Formats: newClient(t, "http://h").Formats(),
		Key:  func() (string, error) { return secret, nil },
		Pace: transport.Pace{Rate: 50},
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if l.slow != nil {
				time.Sleep(l.slow(r.URL.Path)) //nolint:forbidigo // the bubble's clock, not the wall's
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			since := time.Since(l.began)
			l.asked[r.URL.Path] = append(l.asked[r.URL.Path], since)
			if l.refuses(r.URL.Path, since) {
				return reply(429, http.Header{"Retry-After": {"30"}}, `{"error":{"message":"slow down"}}`), nil
			}
			return reply(200, nil, fmt.Sprintf(`{"id":%q,"status":"queued"}`, path.Base(r.URL.Path))), nil
		}),
	})
	require.NoError(t, err)
	return c
}

// times is when a path was asked for.
func (l *limited) times(path string) []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked[path])
}

func (l *limited) total() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.asked {
		n += len(at)
	}
	return n
}

// TestOneLimitedTaskHoldsUpNoOtherLookUp: one request to another path shows that the others are answered.
func TestOneLimitedTaskHoldsUpNoOtherLookUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{refuses: func(path string, _ time.Duration) bool { return strings.HasSuffix(path, "/bad") }}
		c := l.client(t)
		require.Equal(t, client.VerdictLimited, c.Lookup(t.Context(), "bad", "videos")[0].Verdict())
		until, narrow := c.Hold()
		assert.Equal(t, 30*time.Second, until.Sub(l.began).Round(time.Second))
		assert.False(t, narrow, "nobody knows yet whom it is about")
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				assert.Equal(t, client.VerdictTask, c.Lookup(t.Context(), fmt.Sprintf("x%d", i), "videos")[0].Verdict())
			})
		}
		wg.Wait()
		assert.Less(t, time.Since(l.began), 3*time.Second)
		_, narrow = c.Hold()
		assert.True(t, narrow)
		assert.Len(t, l.times("/v1/videos/bad"), 1)
		_, err := c.Query(t.Context(), "videos", "x1")
		require.NoError(t, err)
		assert.Greater(t, time.Since(l.began), 29*time.Second, "what no person waits for keeps the whole pause")
		assert.Equal(t, client.VerdictLimited, c.Lookup(t.Context(), "bad", "videos")[0].Verdict(), "it is asked for after its time")
	})
}

// TestATaskIsRefusedOnAllItsRoutes at once, and then another one: each costs one request to find out.
func TestATaskIsRefusedOnAllItsRoutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{refuses: func(path string, _ time.Duration) bool { return strings.Contains(path, "bad") }}
		c := l.client(t)
		var wg sync.WaitGroup
		for _, id := range []string{"bad1", "x1", "bad2", "x2", "x3", "bad3", "x4", "x5"} {
			wg.Go(func() { c.Lookup(t.Context(), id, "videos", "content", "music") })
			synctest.Wait()
		}
		time.Sleep(2 * time.Second) //nolint:forbidigo // the bubble's clock, not the wall's
		synctest.Wait()
		for _, id := range []string{"x1", "x2", "x3", "x4", "x5"} {
			assert.Len(t, l.times("/v1/videos/"+id), 1, id)
		}
		wg.Wait()
	})
}

// TestALimitedHostIsLeftAlone: one request finds out that all are refused, and the others wait.
func TestALimitedHostIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{refuses: func(_ string, since time.Duration) bool { return since < 29*time.Second }}
		c := l.client(t)
		c.Lookup(t.Context(), "first", "videos")
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() { c.Lookup(t.Context(), fmt.Sprintf("x%d", i), "videos") })
		}
		time.Sleep(20 * time.Second) //nolint:forbidigo // the bubble's clock, not the wall's
		synctest.Wait()
		assert.Equal(t, 4, l.total(), "the first, and three to find out")
		until, narrow := c.Hold()
		assert.Positive(t, time.Until(until))
		assert.False(t, narrow)
		wg.Wait()
		assert.Equal(t, 11, l.total())
		assert.Greater(t, time.Since(l.began), 29*time.Second)
	})
}

// TestALookUpThatWaitsCanBeGivenUp.
func TestALookUpThatWaitsCanBeGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{refuses: func(string, time.Duration) bool { return true }}
		c := l.client(t)
		c.Lookup(t.Context(), "first", "videos")
		for _, id := range []string{"second", "third", "fourth"} {
			c.Lookup(t.Context(), id, "videos")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := c.Lookup(ctx, "fifth", "videos")
		require.ErrorIs(t, r[0].Err, context.DeadlineExceeded)
		assert.Equal(t, 4, l.total())
	})
}

// TestAProbeOfAnEarlierHold says nothing about a later one: what it asked left before that began.
func TestAProbeOfAnEarlierHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{refuses: func(path string, _ time.Duration) bool { return strings.Contains(path, "bad") }}
		l.slow = func(path string) time.Duration {
			if strings.HasSuffix(path, "/probe") {
				return 35 * time.Second
			}
			return 0
		}
		c := l.client(t)
		c.Lookup(t.Context(), "bad1", "videos") // until 30 s
		var wg sync.WaitGroup
		wg.Go(func() { c.Lookup(t.Context(), "probe", "videos") }) // answered at 35 s
		time.Sleep(31 * time.Second)                               //nolint:forbidigo // the bubble's clock, not the wall's
		c.Lookup(t.Context(), "bad2", "videos")                    // until 61 s
		wg.Wait()
		until, narrow := c.Hold()
		assert.Equal(t, 61*time.Second, until.Sub(l.began).Round(time.Second))
		assert.False(t, narrow, "nobody has asked since")
		assert.Equal(t, client.VerdictTask, c.Lookup(t.Context(), "x", "videos")[0].Verdict())
		_, narrow = c.Hold()
		assert.True(t, narrow, "the next one finds out")
	})
}
