package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// at is an exchange of a kind, so many seconds after the base.
func at(second int, kind, raw, failure string) jobs.Exchange {
	return jobs.Exchange{
		At: Base.Add(time.Duration(second) * time.Second), Kind: kind, Format: "videos", Path: "GET /v1/videos/x",
		RequestID: fmt.Sprint("r", second), RawStatus: raw, Error: failure,
	}
}

// noted adds exchanges to a job, a few with each change, and returns the ring.
func noted(t *testing.T, s jobs.Store, id string, all []jobs.Exchange) []jobs.Exchange {
	t.Helper()
	for len(all) > 0 {
		n := min(3, len(all))
		change(t, s, id, func(c *jobs.Change) { c.Exchanges = all[:n] })
		all = all[n:]
	}
	d, err := s.Detail(t.Context(), id)
	require.NoError(t, err)
	return d.Exchanges
}

// testMilestones: neither polls nor failed downloads, each for a reason of its own, push out the
// create and the answers that told another state.
func testMilestones(t *testing.T, s jobs.Store) {
	list := insert(t, s, 1)
	all := []jobs.Exchange{at(0, jobs.ExchangeCreate, "queued", "")}
	for i, raw := range []string{"queued", "running", "completed"} {
		for j := range 12 {
			all = append(all, at(1+20*i+j, jobs.ExchangePoll, raw, ""))
		}
	}
	for i := range 40 {
		all = append(all, at(100+i, jobs.ExchangeFetch, "", fmt.Sprint("broke off at byte ", i)))
	}
	ring := noted(t, s, list[0].ID, all)
	require.Len(t, ring, jobs.MaxExchanges)
	var told []string
	for i, x := range ring {
		if x.Error == "" {
			told = append(told, x.Kind+" "+x.RawStatus+" "+x.RequestID)
		}
		if i > 0 {
			assert.True(t, ring[i-1].At.Before(x.At), "oldest first")
		}
	}
	assert.Equal(t, []string{"create queued r0", "poll running r21", "poll completed r41"}, told)
	assert.Equal(t, "r139", ring[len(ring)-1].RequestID, "the newest is there")
}

// testFolded: failures that are alike are one line, the last of them, with how many there were and
// when the first was; a copy of the history has it so, too.
func testFolded(t *testing.T, s jobs.Store) {
	list := insert(t, s, 1)
	all := []jobs.Exchange{at(0, jobs.ExchangeCreate, "queued", "")}
	for i := range 12 {
		refused := at(1+2*i, jobs.ExchangeFetch, "", fmt.Sprintf("HTTP 403 [request id r%d]", 1+2*i))
		all = append(all, refused, at(2+2*i, jobs.ExchangePoll, "", "busy"))
	}
	ring := noted(t, s, list[0].ID, all)
	require.Len(t, ring, 3)
	assert.Equal(t, 1, ring[0].Times())
	assert.True(t, ring[0].First.IsZero())
	for i, x := range ring[1:] {
		assert.Equal(t, 12, x.Count)
		assert.True(t, x.First.Equal(Base.Add(time.Duration(1+i)*time.Second)), "%v", x.First)
		assert.True(t, x.At.Equal(Base.Add(time.Duration(23+i)*time.Second)), "%v", x.At)
		assert.Equal(t, fmt.Sprint("r", 23+i), x.RequestID)
	}
	change(t, s, list[0].ID, func(c *jobs.Change) { c.Job.State, c.Due = jobs.Dropped, time.Time{} })
	before := records(t, s)
	_, err := s.Prune(t.Context(), jobs.Prune{})
	require.NoError(t, err)
	n, err := s.Import(t.Context(), before)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	assert.JSONEq(t, asJSON(t, before[0]), asJSON(t, records(t, s)[0]))
}
