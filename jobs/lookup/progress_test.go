package lookup

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs/inspect"
)

// busy is a gateway that refuses an id until some time, and takes a second for any other.
type busy struct {
	gateway
	until time.Time
	after time.Duration
	tries int
}

func (b *busy) Lookup(ctx context.Context, id string, formats ...string) []client.RouteResult {
	if id != "busy" {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
		return b.gateway.Lookup(ctx, id, formats...)
	}
	b.tries++
	if time.Now().After(b.until) {
		return b.gateway.Lookup(ctx, id, formats...)
	}
	return []client.RouteResult{{Format: "videos", Err: &client.APIError{HTTPStatus: 429, RetryAfter: b.after}}}
}

func (b *busy) Hold() (time.Time, bool) { return b.until, true }

// order looks up four ids, of which the first is refused for a while, and tells the order and
// the states of what came.
func order(t *testing.T, after time.Duration, limit time.Duration) (order []int, states []string, tries int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := &busy{gateway: gateway{knows: map[string]string{"busy": "videos", "a": "videos", "b": "videos", "c": "videos"}}, until: time.Now().Add(2500 * time.Millisecond), after: after}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		(&Desk{Gateway: g, Slots: 1}).Each(ctx, []inspect.Subject{id("busy"), id("a"), id("b"), id("c")}, func(i int, r Result) {
			order, states = append(order, i), append(states, r.State())
		})
		tries = g.tries
	})
	return order, states, tries
}

// TestWhatIsRefusedIsAskedOnceMoreAfterTheOthers, unless the gateway asks for more patience than that.
func TestWhatIsRefusedIsAskedOnceMoreAfterTheOthers(t *testing.T) {
	at, states, tries := order(t, 2*time.Second, time.Minute)
	assert.Equal(t, []int{1, 2, 3, 0}, at)
	assert.Equal(t, "running", states[3])
	assert.Equal(t, 2, tries)

	at, states, tries = order(t, time.Hour, time.Minute)
	assert.Equal(t, []int{0, 1, 2, 3}, at)
	assert.Equal(t, NotKnown, states[0])
	assert.Equal(t, 1, tries)

	at, states, _ = order(t, 2*time.Second, 1500*time.Millisecond)
	assert.Equal(t, []int{1, 0}, at, "given up, with what has come by then")
	assert.Equal(t, []string{"running", NotKnown}, states)
}

func TestProgressInWords(t *testing.T) {
	now := time.Now()
	p := Progress{Done: 12, All: 40, Host: "example.com"}
	assert.Equal(t, "12 of 40 done", p.Words())
	p.Held(&gateway{}, now)
	assert.Empty(t, p.Hold(), "it tells nothing")
	p.Held(&busy{until: now.Add(22100 * time.Millisecond)}, now)
	assert.Equal(t, "example.com refuses one task for 23 s, 12 of 40 done", p.Words())
	p.Narrow = false
	assert.Equal(t, "example.com is on hold for 23 s, 12 of 40 done", p.Words())
	p.Held(&busy{until: now.Add(-time.Second)}, now)
	assert.Equal(t, "12 of 40 done", p.Words())
	assert.Equal(t, "the gateway is on hold for 1 s, asking …", Progress{All: 1, Left: time.Millisecond}.Words())
}
