package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestPause(t *testing.T) {
	j := job(1, jobs.Running)
	b := open(t, 120, 34, j, job(0, jobs.Completed))
	b.Key("z")
	assert.Equal(t, []string{"paused true " + j.ID}, b.f.done)
	j.Paused = true
	b.f.change(j)
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "‖ running")
	assert.Contains(t, b.View(), "z lets it go on")
	b.f.took()
	b.Key("z")
	assert.Equal(t, []string{"paused false " + j.ID}, b.f.done)
	b.f.took()
	b.Key("j")
	b.Key("z")
	assert.Empty(t, b.f.done, "what has ended cannot be paused")
}

func TestPauseAll(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Running))
	b.Key("Z")
	assert.Equal(t, []string{"pause true "}, b.f.done)
	b.f.flow.Paused = true
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "‖ all paused, Z goes on")
	b.f.took()
	b.Key("Z")
	assert.Equal(t, []string{"pause false "}, b.f.done)
	b.f.flow = jobs.Flow{Until: start.Add(12 * time.Second)}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "the gateway asked for a pause: 12")
	assert.LessOrEqual(t, b.m.NextTick(), time.Second)
	b.f.flow = jobs.Flow{Hosts: "cdn.example"}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "paused: cdn.example")
}

// TestPauseHost: what is offered is the host where the job under the cursor goes next; a
// host that is paused goes on.
func TestPauseHost(t *testing.T) {
	f := newFake(savingJob(2), job(1, jobs.Running))
	d := deps(t, f)
	d.Host = "gateway.example"
	b := openDeps(t, d, f, 120, 34)
	b.Key("H")
	assert.Contains(t, b.View(), "Pause a host")
	assert.Contains(t, b.View(), "host: cdn.example")
	b.Key("enter")
	assert.Equal(t, []string{"pause true cdn.example"}, f.done)
	f.took()

	b.Key("j", "H")
	assert.Contains(t, b.View(), "host: gateway.example", "a task is asked for at the gateway")
	b.Key("ctrl+u")
	b.Key("enter")
	assert.Contains(t, b.View(), "type a host name")
	b.Type("https://x/")
	b.Key("enter")
	assert.Empty(t, f.done)
	assert.Contains(t, b.View(), "type a host name")
	b.Key("esc")

	f.flow.Hosts = "CDN cdn.example"
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "‖ paused: CDN cdn.example, H goes on")
	b.Key("k")
	assert.Contains(t, b.View(), "the host cdn.example; H lets it go")
	assert.Contains(t, line(b.View(), "‖   a red"), "paused", "the sign of the row")
	b.Send(screen.ActionMsg{ID: "queue.pause-host"}) // as the palette and a button do
	v := b.View()
	assert.Contains(t, v, "Resume a host")
	assert.Contains(t, v, "Paused now: CDN, cdn.example")
	b.Send(screen.ClickMsg{Zone: "btn:yes"})
	assert.Equal(t, []string{"pause false cdn.example"}, f.done)
}

// savingJob is a completed job with one file on its way and one that waits, from a host of its
// own.
func savingJob(n int) jobs.Job {
	j := job(n, jobs.Completed)
	j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileFetching, Bytes: 3_100_000, Total: 9_000_000}, {Index: 1, Kind: client.AssetCover, State: jobs.FileWanted, Total: 80_000}}
	return j
}

// TestWhatHoldsAJobIsTold: each pause with the key that ends it, and none of another
// profile's.
func TestWhatHoldsAJobIsTold(t *testing.T) {
	j, ended, other := job(3, jobs.Running), job(2, jobs.Completed), job(1, jobs.Running)
	j.Paused, other.Profile = true, "other"
	f := newFake(j, ended, other)
	f.flow = jobs.Flow{Paused: true, Hosts: "gateway.example"}
	d := deps(t, f)
	d.Profile, d.Host = "sandbox", "gateway.example"
	b := openDeps(t, d, f, 120, 34)
	v := b.View()
	for _, want := range []string{"this job; z lets it go on", "everything, by hand; Z lets it go on", "the host gateway.example; H lets it",
		"[ resume ]", "[ resume all ]", "[ resume host ]", "‖ all paused, and gateway.example, Z H go on"} {
		assert.Contains(t, v, want)
	}
	assert.Contains(t, line(v, "State  "), "‖ running")
	assert.NotContains(t, v, "Next poll", "there is none while it is paused")
	b.Key("r")
	assert.Equal(t, "when the pause ends, asking again about 1 job", b.toast(t).Text)
	f.took()
	b.Send(screen.ClickMsg{Zone: "btn:queue.pause"})
	assert.Equal(t, []string{"paused false " + j.ID}, f.done)

	b.Send(screen.ShowJob{JobID: ended.ID})
	assert.NotContains(t, b.View(), "lets it go on", "nothing is left to do for it")
	b.Send(screen.ShowJob{JobID: other.ID})
	assert.NotContains(t, b.View(), "lets it go on", "the pauses are another profile's")

	f.flow = jobs.Flow{}
	b.Send(screen.JobsMsg{})
	b.Send(screen.ShowJob{JobID: j.ID})
	assert.Contains(t, b.View(), "this job; z lets it go on")
	assert.Contains(t, b.View(), "‖ running")
	assert.NotContains(t, b.View(), "everything, by hand", "the detail follows the pauses")
}

func TestASlowedRateIsTold(t *testing.T) {
	b := open(t, 120, 34, job(1, jobs.Running))
	b.f.flow = jobs.Flow{Rate: 3.5}
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.View(), "slowed to 3.5 requests a second")
	b.f.flow = jobs.Flow{}
	b.Send(screen.JobsMsg{})
	assert.NotContains(t, b.View(), "slowed")
}

// TestFilesOfAnotherInstallation: a job that names another machine's files says why it waits,
// and is sent from here only by a person who was shown the paths.
func TestFilesOfAnotherInstallation(t *testing.T) {
	js := many(2)
	js[1].State, js[1].Foreign = jobs.Planned, true
	js[1].Draft.Values = client.Values{"image": "file:///home/me/.ssh/id.png"}
	b := open(t, 120, 34, js...)
	assert.Contains(t, b.View(), "it names local files")
	b.Key("z")
	assert.Contains(t, b.View(), "/home/me/.ssh/id.png")
	b.Key("n")
	assert.Empty(t, b.f.done)
	b.Key("z", "y")
	assert.Equal(t, []string{"send files " + jobID(2)}, b.f.done)

	b.f.took()
	js[1].State = jobs.Refused
	b = open(t, 120, 34, js...)
	b.Key("c") // to Compose: the paths stay behind
	msg, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Empty(t, msg.Payload.(screen.ComposeDraft).Draft.Values)
	assert.Contains(t, b.toast(t).Text, "/home/me/.ssh/id.png")
}

// TestResultsOfAnotherInstallation: where another one saved a result is told, and nothing is
// opened there.
func TestResultsOfAnotherInstallation(t *testing.T) {
	js := many(1)
	js[0].State = jobs.Completed
	js[0].Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: "/home/other/x.desktop", Elsewhere: true}}
	b := open(t, 120, 34, js...)
	assert.Contains(t, b.View(), "saved by another installation")
	assert.Contains(t, b.m.off("queue.open-file"), "no file")
	path, poster := js[0].Showpiece()
	assert.Empty(t, path+poster)
}
