package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
)

func TestTheTitleSaysWhatHoldsTheWorkUp(t *testing.T) {
	c := newConsole(t, 120, 34)
	for want, f := range map[string]jobs.Flow{
		"‖ paused":             {Paused: true, Until: c.now.Add(time.Hour)},
		"‖ a host":             {Hosts: "cdn.example"},
		"slowed to 7.5/s":      {Rate: 7.5},
		"‖ asked to wait 12 s": {Until: c.now.Add(11500 * time.Millisecond)},
	} {
		c.m.counts.Flow = f
		c.m.fresh = false
		assert.Contains(t, c.View(), want)
	}
	assert.NotNil(t, c.m.armTick(), "what is left is counted down")
	c.m.tickDue = false
	c.m.counts.Flow = jobs.Flow{Until: c.now.Add(-time.Second)}
	c.m.fresh = false
	assert.NotContains(t, c.View(), "‖")
	assert.Nil(t, c.m.armTick(), "nothing wakes up for what has gone by")
	c.m.counts.Flow = jobs.Flow{Rate: 7.5}
	assert.Equal(t, slowedTick, c.m.flowTick(), "it heals without any news")
}
