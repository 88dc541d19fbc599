package vote

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare/vote/votetest"
)

func TestThePoolHasEachPairOfTwoGroupsOnce(t *testing.T) {
	run := votetest.Run(t, 3, 2, 2, client.AssetImage, nil)
	run.Trials[0].State = jobs.Failed               // no result
	run.Trials[1].Files[0].Here = false             // not saved here
	run.Trials[2].Files[0].Kind = client.AssetCover // nothing to judge
	run.Trials[3].Slot.Warmup = true
	// What is left of the first prompt: of the third model two results, so no pair; of the second all.
	p := newPool(run)
	require.EqualValues(t, 2*2*3, p.n)
	seen := map[string]bool{}
	for k := range p.n {
		a, b := p.pair(k)
		assert.NotEqual(t, a.group, b.group)
		assert.Equal(t, a.prompt, b.prompt)
		assert.False(t, seen[pairKey(a.job, b.job)])
		seen[pairKey(a.job, b.job)] = true
	}
	assert.Equal(t, []string{"fam0-omni", "fam1-omni", "fam2-omni"}, p.groups())
}

func TestOnlyOneKindIsPaired(t *testing.T) {
	run := votetest.Run(t, 4, 1, 1, client.AssetImage, nil)
	run.Trials[0].Files[0].Kind = client.AssetVideo
	run.Trials[3].Files[0].Kind = client.AssetVideo
	p := newPool(run)
	require.EqualValues(t, 2, p.n, "two videos, two pictures")
	for k := range p.n {
		a, b := p.pair(k)
		assert.Equal(t, a.file.Kind, b.file.Kind)
	}
}

// TestThePoolIsCountedNotListed: ten thousand cells of three repeats are some hundred million pairs.
func TestThePoolIsCountedNotListed(t *testing.T) {
	run := votetest.Run(t, 1000, 10, 3, client.AssetImage, nil)
	p := newPool(run)
	assert.EqualValues(t, 10*9*1000*999/2, p.n)
	a, b := p.pair(p.n - 1)
	assert.NotEqual(t, a.group, b.group)
	o := newOrder(1, p.n)
	for range 1000 {
		k, ok := o.next()
		require.True(t, ok)
		a, b := p.pair(k)
		require.NotEqual(t, a.group, b.group)
	}
	assert.LessOrEqual(t, len(o.moved), 1000)
}

// TestEveryOrderIsEquallyLikely: of four, all 24, within what chance allows (chi square with 23 degrees
// of freedom, 49.7 at one in a thousand).
func TestEveryOrderIsEquallyLikely(t *testing.T) {
	const draws = 24_000
	counts := map[string]float64{}
	for seed := range uint64(draws) {
		o, text := newOrder(hashed(seed, "run"), 4), ""
		for {
			k, ok := o.next()
			if !ok {
				break
			}
			text += fmt.Sprint(k)
		}
		counts[text]++
	}
	require.Len(t, counts, 24)
	chi := 0.0
	for _, n := range counts {
		d := n - draws/24
		chi += d * d / (draws / 24)
	}
	assert.Less(t, chi, 49.7)
}

func TestSidesAreRandom(t *testing.T) {
	n := 0
	for seed := range uint64(10_000) {
		if turned(seed, "job-1 job-2") {
			n++
		}
	}
	assert.InDelta(t, 5000, n, 200, "four standard deviations")
}
