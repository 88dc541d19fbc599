package queue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// lineage is a history in which a picture became a video (2), which was extended (3) and edited (4),
// beside a job of its own (5).
func lineage() []jobs.Job {
	var out []jobs.Job
	for i, x := range []struct {
		parent     int
		as, prompt string
	}{{0, "", "a lighthouse 塩の平原"}, {1, "i2v", "it turns on 🪁"}, {2, "extend", "and goes on, מישור המלח"}, {2, "edit", "at night\x1b[2J\u202e"}, {0, "", "alone"}} {
		j := many(5)[0]
		j.ID, j.CreatedAt = jobID(i+1), start.Add(time.Duration(i-60)*time.Minute)
		j.State, j.TaskID, j.Draft.Prompt = jobs.Completed, fmt.Sprint("task-", i+1), x.prompt
		j.Draft.Modality = client.Video
		j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: fmt.Sprint("https://media.invalid/", i+1)}}
		j.Draft.Values, j.Draft.Parents = nil, nil
		if x.parent > 0 {
			ref := fmt.Sprint("https://media.invalid/", x.parent)
			j.Draft.Values = client.Values{"image": ref}
			j.Draft.Parents = []client.Parent{{Job: jobID(x.parent), As: x.as, Ref: ref}}
		}
		out = append(out, j)
	}
	return out
}

func TestTheChainOfAJob(t *testing.T) {
	b := open(t, 120, 34, lineage()...)
	b.Send(screen.ShowJob{JobID: jobID(2)})
	b.Key("C")
	assert.Equal(t, detailPane, b.m.focus)
	require.Len(t, b.m.detail.tree.read.Links, 4)
	view := b.View()
	assert.Contains(t, view, "✓ extended: and goes on")
	assert.Contains(t, view, "this one")
	assert.NotContains(t, view, "\u202e")
	b.Key("down", "enter")
	assert.Equal(t, jobID(3), b.m.list.current, "enter goes to the job under the cursor")
	assert.Equal(t, detailPane, b.m.focus, "and the tree stays")
	assert.True(t, b.m.detail.tree.read.Links[b.m.detail.tree.at].Self)
	b.Key("<")
	assert.Equal(t, jobID(2), b.m.list.current)
	b.Key("<")
	assert.Equal(t, jobID(1), b.m.list.current)
	b.Key("<")
	assert.Contains(t, toast(t, b).Text, "was not made from another one")
	b.Key(">", ">")
	assert.Equal(t, jobID(4), b.m.list.current, "the newest child")
	b.Key(">")
	assert.Contains(t, toast(t, b).Text, "no job was made from this one")
	b.Send(screen.ShowJob{JobID: jobID(5)})
	assert.Contains(t, b.View(), "Made from no other job")
}

func TestTheChainFollowsNews(t *testing.T) {
	all := lineage()
	b := open(t, 120, 34, all...)
	b.Send(screen.ShowJob{JobID: jobID(2)})
	b.Key("C")
	next := all[3]
	next.ID, next.State = jobID(6), jobs.Running
	b.f.change(next)
	b.Send(screen.JobsMsg{})
	require.Len(t, b.m.detail.tree.read.Links, 5)
	assert.Equal(t, jobs.Running, b.m.detail.tree.read.Links[4].Job.State)
	next.State = jobs.Failed
	b.f.change(next)
	b.Send(screen.JobsMsg{})
	assert.Equal(t, jobs.Failed, b.m.detail.tree.read.Links[4].Job.State)
}

func TestAChainThatCanNotBeRead(t *testing.T) {
	b := open(t, 120, 34, lineage()...)
	b.Send(screen.ShowJob{JobID: jobID(2)})
	b.f.listErr = errors.New("the disk is gone")
	b.Key("C")
	assert.Contains(t, b.View(), "the disk is gone")
	b.Key(">")
	assert.Contains(t, toast(t, b).Text, "the disk is gone")
	b.f.listErr = nil
}

func TestGoingOnWithAResult(t *testing.T) {
	b := open(t, 120, 34, lineage()...)
	b.Send(screen.ShowJob{JobID: jobID(2)})
	for key, as := range map[string]string{"u": "reference", "E": "extend", "e": "edit"} {
		b.Key(key)
		msg, ok := tuitest.Last[screen.OpenMsg](b.Driver)
		require.True(t, ok)
		assert.Equal(t, screen.OpenMsg{Screen: screen.Compose, Payload: screen.ComposeResult{JobID: jobID(2), As: as}}, msg)
	}
	b.Key("V")
	assert.Contains(t, toast(t, b).Text, "no last frame of its own", "it is said why")
	j := lineage()[1]
	j.State = jobs.Running
	b.f.change(j)
	b.Send(screen.JobsMsg{})
	b.Key("u")
	assert.Contains(t, toast(t, b).Text, "this one is running")
}

func TestGoldensOfChains(t *testing.T) {
	for _, s := range sizes {
		b := open(t, s[0], s[1], lineage()...)
		b.Send(screen.ShowJob{JobID: jobID(2)})
		b.Key("C", "down")
		b.Golden(fmt.Sprintf("chain-%dx%d", s[0], s[1]))
	}
}

func toast(t *testing.T, b *bench) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok)
	return msg
}

// The id of a task says nothing to another profile's gateway, and may be another's task there.
func TestOnlyOnesOwnTasksAreExtended(t *testing.T) {
	other := lineage()[1]
	other.Profile = "studio"
	f := newFake(other)
	d := deps(t, f)
	d.Profile = "sandbox"
	m := New(d)
	m.SetSize(120, 34)
	drain(m, m.Init(), 0)
	require.Empty(t, offTake(&other, chain.Extend))
	_, cmd := m.Update(screen.ShowJob{JobID: other.ID})
	drain(m, cmd, 0)
	require.NotNil(t, m.list.job())
	assert.Contains(t, m.off("queue.extend"), "of the profile studio")
	assert.Empty(t, m.off("queue.edit"), "a result is one anywhere")
}

// TestWithoutFFmpegNoLastFrameIsPromised: the person stays where the video is, and is told why.
func TestWithoutFFmpegNoLastFrameIsPromised(t *testing.T) {
	f := newFake(saved(job(1, jobs.Completed)))
	d := deps(t, f)
	d.Frames = false
	b := openDeps(t, d, f, 120, 34)
	b.Key("V")
	assert.Contains(t, b.toast(t).Text, "install ffmpeg")
	_, left := tuitest.Last[screen.OpenMsg](b.Driver)
	assert.False(t, left)

	last := saved(job(1, jobs.Completed))
	last.Assets = append(last.Assets, client.Asset{Kind: client.AssetLastFrame, URL: "https://cdn.example/last.png"})
	f.change(last)
	b.Send(screen.JobsMsg{})
	b.Key("V")
	_, left = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.True(t, left, "a last frame of its own needs none")
}
