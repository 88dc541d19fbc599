package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// TestRenew: what stays of a job's exchanges, and where in the old ring it stood.
func TestRenew(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	x := func(second int, kind, raw, failure string) jobs.Exchange {
		return jobs.Exchange{At: at.Add(time.Duration(second) * time.Second), Kind: kind, RawStatus: raw, Error: failure, RequestID: fmt.Sprint("r", second)}
	}
	poll := func(second int, raw string) jobs.Exchange { return x(second, jobs.ExchangePoll, raw, "") }

	t.Run("a failure moves to the end and counts", func(t *testing.T) {
		t.Parallel()
		ring := []jobs.Exchange{x(0, jobs.ExchangeCreate, "", ""), x(1, jobs.ExchangeFetch, "", "no r1"), poll(2, "running")}
		kept, from := jobs.Renew(ring, []jobs.Exchange{x(3, jobs.ExchangeFetch, "", "no r3"), x(4, jobs.ExchangeFetch, "", "other")})
		require.Equal(t, []int{0, 2, -1, -1}, from)
		assert.Equal(t, 2, kept[2].Count)
		assert.Equal(t, at.Add(time.Second), kept[2].Began())
		assert.Equal(t, at.Add(3*time.Second), kept[2].At)
		assert.Equal(t, 1, kept[3].Times())
		assert.Len(t, ring, 3)
		assert.Zero(t, ring[1].Count, "the old ring is as it was")
	})
	t.Run("neither creates nor answers fold", func(t *testing.T) {
		t.Parallel()
		kept, _ := jobs.Renew(nil, []jobs.Exchange{x(0, jobs.ExchangeCreate, "", "busy"), x(1, jobs.ExchangeCreate, "", "busy"), poll(2, "running"), poll(3, "running")})
		assert.Len(t, kept, 4)
	})
	t.Run("a gateway that invents states fills a part only", func(t *testing.T) {
		t.Parallel()
		all := []jobs.Exchange{x(0, jobs.ExchangeCreate, "", "")}
		for i := range 200 {
			all = append(all, poll(1+i, fmt.Sprint("state ", i)))
		}
		for i := range 3 {
			all = append(all, x(900+i, jobs.ExchangeFetch, "", fmt.Sprint("no ", i)))
		}
		kept, from := jobs.Renew(nil, all)
		require.Len(t, kept, jobs.MaxExchanges)
		require.Len(t, from, jobs.MaxExchanges)
		assert.Equal(t, jobs.ExchangeCreate, kept[0].Kind)
		assert.Equal(t, "state 199", kept[len(kept)-4].RawStatus)
		assert.Equal(t, "no 2", kept[len(kept)-1].Error)
	})
}
