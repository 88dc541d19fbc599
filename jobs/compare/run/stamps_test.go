package run_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/run"
)

// TestStampsOfWholeSeconds: each of the two may be a second off, whatever the other one is.
func TestStampsOfWholeSeconds(t *testing.T) {
	at := func(s float64) time.Time { return time.UnixMilli(int64(s * 1000)) }
	j := jobs.Job{State: jobs.Completed, Seen: jobs.Seen{GatewayCreated: at(100), GatewayStarted: at(102.25), GatewayEnded: at(106.5)}}
	l := run.OutcomeOf(&j, false).Latency
	stamped := func(least, most time.Duration) compare.Interval {
		return compare.Interval{Source: compare.Stamped, Least: least, Most: most}
	}
	assert.Equal(t, stamped(1250*time.Millisecond, 3250*time.Millisecond), l.GatewayQueue)
	assert.Equal(t, stamped(4250*time.Millisecond, 4250*time.Millisecond), l.GatewayRun, "both are exact")
	assert.Equal(t, stamped(5500*time.Millisecond, 7500*time.Millisecond), l.GatewayTotal)
}
