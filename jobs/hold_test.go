package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	const gateway = "gateway.example"
	running := jobs.Job{State: jobs.Running}
	all, host, own := jobs.Hold{Kind: jobs.HoldAll}, jobs.Hold{Kind: jobs.HoldHost, Host: gateway}, jobs.Hold{Kind: jobs.HoldJob}
	assert.Empty(t, jobs.Flow{}.Holds(running, gateway))
	assert.Empty(t, jobs.Flow{Hosts: "other.example gateway.example.org", Rate: 1, Until: time.Now()}.Holds(running, gateway))
	flow := jobs.Flow{Paused: true, Hosts: "cdn.example gateway.example"}
	assert.Equal(t, []jobs.Hold{all, host}, flow.Holds(running, gateway))
	paused := running
	paused.Paused = true
	assert.Equal(t, []jobs.Hold{own, all, host}, flow.Holds(paused, gateway))
	assert.Equal(t, []jobs.Hold{own}, jobs.Flow{}.Holds(paused, gateway))

	for _, s := range []jobs.State{jobs.Submitting, jobs.Ambiguous, jobs.Refused, jobs.Completed, jobs.Failed, jobs.Lost, jobs.Dropped} {
		assert.Empty(t, flow.Holds(jobs.Job{State: s, Paused: true}, gateway), "nothing is to begin: %s", s)
	}
	assert.Empty(t, flow.Holds(jobs.Job{State: jobs.Unknown}, gateway), "parked")

	// Files go to their own hosts, one after the other.
	saving := jobs.Job{State: jobs.Completed,
		Assets: []client.Asset{{URL: "https://CDN.example/a"}, {URL: "/relative"}},
		Files:  []jobs.File{{Index: 0, State: jobs.FileWanted}, {Index: 1, State: jobs.FileWanted}}}
	assert.Equal(t, []jobs.Hold{all, {Kind: jobs.HoldHost, Host: "cdn.example"}}, flow.Holds(saving, gateway))
	saving.Files[0].State = jobs.FileSaved
	assert.Equal(t, []jobs.Hold{all, host}, flow.Holds(saving, gateway), "a relative address is the gateway's")
}

func TestFlowOf(t *testing.T) {
	t.Parallel()
	assert.Zero(t, jobs.FlowOf(nil))
	assert.Equal(t, jobs.Flow{Paused: true, Hosts: "a.example b.example"}, jobs.FlowOf([]jobs.Pause{{Host: "b.example"}, {}, {Host: "a.example"}}))
}
