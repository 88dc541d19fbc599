package queue

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// takenBack is the last toast that was taken back, "" for none since the last call.
func (b *bench) takenBack() string {
	msg, _ := tuitest.Last[screen.UntoastMsg](b.Driver)
	b.Sent = nil
	return msg.Text
}

// TestARefusalGoesWithTheChoice: what was said of an action stands no longer than it is true
// and about what is chosen.
func TestARefusalGoesWithTheChoice(t *testing.T) {
	b := open(t, 120, 34, sized(t, 3, image.Pt(100, 50)), sized(t, 2, image.Pt(100, 50)), job(1, jobs.Running))
	b.Key("f")
	said := b.toast(t).Text
	require.Contains(t, said, "mark two jobs")
	b.Send(screen.TickMsg{}, screen.JobsMsg{})
	assert.Empty(t, b.takenBack(), "it is as true as before")
	b.Key(" ")
	assert.Equal(t, said, b.takenBack())
	b.Key(" ")
	assert.Empty(t, b.takenBack(), "once")

	b.Key("esc", "w")
	said = b.toast(t).Text
	require.Equal(t, "no result of this job is on the disk", said)
	b.Key("d")
	assert.Equal(t, said, b.takenBack(), "another one takes its place")
	done := sized(t, 1, image.Pt(10, 10))
	b.f.change(done)
	b.Send(screen.JobsMsg{})
	assert.Contains(t, b.takenBack(), "only completed jobs", "the job has changed")
	b.Key("R")
	b.Send(screen.HiddenMsg{})
	assert.Contains(t, b.takenBack(), "only a lost or refused", "another screen shows")
}
