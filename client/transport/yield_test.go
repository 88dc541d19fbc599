package transport

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestYielding: a request that yields leaves at once while nobody else does, not before the others where
// they take all that there is, and in its turn after ten seconds of that.
func TestYielding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waited := func(b *bucket) time.Duration {
			began := time.Now()
			require.NoError(t, b.waitSpare(t.Context()))
			return time.Since(began)
		}
		b := newBucket(Pace{Rate: 4, Burst: 4})
		assert.Zero(t, waited(b))
		assert.Equal(t, 250*time.Millisecond, waited(b), "the bucket is to be full again")
		for range 3 {
			require.NoError(t, b.wait(t.Context()), "those that come next find it unused")
		}
		assert.Equal(t, time.Second, waited(b), "what they used is theirs")

		ctx, stop := context.WithCancel(t.Context())
		for range 8 {
			go func() {
				for b.wait(ctx) == nil {
				}
			}()
		}
		<-time.After(5 * time.Second)
		late := waited(b)
		assert.GreaterOrEqual(t, late, maxYield)
		assert.Less(t, late, maxYield+3*time.Second, "then it is one of them")
		stop()
		synctest.Wait()

		<-time.After(time.Minute)
		b.slow(slowBy, 5*time.Second, "/v1/videos/t1")
		assert.GreaterOrEqual(t, waited(b), 5*time.Second, "a hold is for all")

		b.slow(slowBy, 0, "/v1/videos/t1")
		ctx, stop = context.WithTimeout(t.Context(), time.Second)
		defer stop()
		require.ErrorIs(t, b.waitSpare(ctx), context.DeadlineExceeded)
		before := b.state(time.Now()).Free
		assert.GreaterOrEqual(t, before, 0.5, "it took nothing")
	})
}
