package queue

import (
	"encoding/binary"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// writeWAV writes a tone that grows louder, of some seconds.
func writeWAV(path string, seconds int) error {
	const rate = 8000
	n := seconds * rate
	data := make([]byte, 44+2*n)
	copy(data, "RIFF")
	binary.LittleEndian.PutUint32(data[4:], uint32(len(data)-8))
	copy(data[8:], "WAVEfmt ")
	for i, v := range []uint32{16, 1 | 1<<16, rate, 2 * rate, 2 | 16<<16} {
		binary.LittleEndian.PutUint32(data[16+4*i:], v)
	}
	copy(data[36:], "data")
	binary.LittleEndian.PutUint32(data[40:], uint32(2*n))
	for i := range n {
		v := int16(20000 * float64(i) / float64(n) * math.Sin(float64(i)/3))
		binary.LittleEndian.PutUint16(data[44+2*i:], uint16(v)) //nolint:gosec // its bits
	}
	return os.WriteFile(path, data, 0o600)
}

// sized is a completed job with pictures of sizes.
func sized(t *testing.T, n int, sizes ...image.Point) jobs.Job {
	t.Helper()
	j := job(n, jobs.Completed)
	j.Draft.Modality = client.Image
	for i, s := range sizes {
		path := filepath.Join(t.TempDir(), "p.png")
		f, err := os.Create(path) //nolint:gosec // of the test's folder
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, image.NewGray(image.Rectangle{Max: s})))
		require.NoError(t, f.Close())
		j.Files = append(j.Files, jobs.File{Index: i, Kind: client.AssetImage, State: jobs.FileSaved, Path: path, Bytes: 1})
	}
	return j
}

func TestZoomStepsThroughTheResults(t *testing.T) {
	two := sized(t, 4, image.Pt(40, 40), image.Pt(80, 40))
	b := open(t, 80, 24, sized(t, 6, image.Pt(40, 40)), job(5, jobs.Failed), two, job(3, jobs.Running), sized(t, 2, image.Pt(30, 30)))
	b.Key("w")
	b.zoomed(t)
	view := b.View()
	assert.Contains(t, view, "40 x 40")
	assert.Contains(t, view, "1 of 5")
	b.Key("pgup")
	assert.Equal(t, "this is the newest result", b.toast(t).Text)
	b.Key("right")
	b.zoomed(t)
	assert.Equal(t, jobID(4), b.row(), "the failed one has none")
	assert.Contains(t, b.View(), "result 1 of 2")
	b.Key("pgdown")
	b.zoomed(t)
	assert.Contains(t, b.View(), "result 2 of 2")
	assert.Contains(t, b.View(), "80 x 40")
	b.Key("pgdown")
	assert.Equal(t, jobID(2), b.row())
	b.Key("pgdown")
	assert.Equal(t, "this is the last result", b.toast(t).Text)
	b.Key("left")
	b.zoomed(t)
	assert.Equal(t, jobID(4), b.row())
	assert.Contains(t, b.View(), "result 2 of 2", "backwards the last of a job comes first")
	b.Key("esc")
	assert.Contains(t, b.View(), "Jobs")
	assert.Equal(t, jobID(4), b.row(), "the list is where the zoom was")
}

func TestZoomReadsOn(t *testing.T) {
	all := []jobs.Job{sized(t, 900, image.Pt(40, 40)), sized(t, 100, image.Pt(20, 20))}
	for n := 101; n < 900; n++ {
		all = append(all, job(n, jobs.Queued))
	}
	b := open(t, 80, 24, all...)
	b.Limit = 20 * time.Second
	b.Key("w", "pgdown")
	assert.Equal(t, jobID(100), b.row(), "through four pages without a result")
	b.zoomed(t)
	assert.False(t, b.m.zoom.seeking)

	none := []jobs.Job{sized(t, 4000, image.Pt(40, 40))}
	for n := 1; n < 4000; n++ {
		none = append(none, job(n, jobs.Queued))
	}
	b = open(t, 80, 24, none...)
	b.Limit = 20 * time.Second
	b.Key("w", "pgdown")
	b.Settle(time.Minute, "it gives up", func() bool { _, ok := tuitest.Last[screen.ToastMsg](b.Driver); return ok })
	assert.Equal(t, "no further result among the next 2000 jobs", b.toast(t).Text)
	assert.Equal(t, jobID(4000), b.row())
	assert.Less(t, b.m.list.jobs.Len(), 3000, "it does not read for ever")
}

func TestZoomLevelsAndPanning(t *testing.T) {
	b := open(t, 80, 24, sized(t, 2, image.Pt(1000, 500)), sized(t, 1, image.Pt(10, 10)))
	b.Key("w")
	b.zoomed(t)
	now, fits := b.m.zoom.Scale()
	require.Equal(t, fits, now)
	require.Less(t, fits, 12, "ASCII: a pixel a cell")
	b.Key("z")
	b.zoomed(t)
	assert.Contains(t, b.View(), "1:1")
	assert.Equal(t, preview.Part{Zoom: 100, X: 5000, Y: 5000}, b.m.zoom.Part())
	b.Key("right", "down")
	b.zoomed(t)
	assert.Greater(t, b.m.zoom.Part().X, 5000)
	assert.Greater(t, b.m.zoom.Part().Y, 5000)
	for range 200 {
		b.Key("l")
	}
	b.zoomed(t)
	assert.Equal(t, 10_000-400, b.m.zoom.Part().X, "80 of 1000 pixels show: it ends at the edge")
	assert.Equal(t, jobID(2), b.row(), "and goes to no other picture")
	b.Key("+")
	assert.Equal(t, 200, b.m.zoom.Part().Zoom)
	b.Key("-", "-", "-")
	assert.Equal(t, 25, b.m.zoom.Part().Zoom)
	b.Key("-", "-")
	assert.True(t, b.m.zoom.Part().Whole)
	b.Wheel("zoom", -1)
	assert.Equal(t, 12, b.m.zoom.Part().Zoom)
	b.Key("0")
	assert.True(t, b.m.zoom.Part().Whole)

	b.Key("pgdown")
	b.zoomed(t)
	_, fits = b.m.zoom.Scale()
	require.Greater(t, fits, 100)
	b.Key("-", "-", "-", "-", "-")
	assert.Equal(t, 100, b.m.zoom.Part().Zoom, "a small picture shrinks to its own size, no further")
	b.Key("z")
	assert.True(t, b.m.zoom.Part().Whole)
}

func TestEnterInTheDetailZooms(t *testing.T) {
	b := open(t, 120, 34, sized(t, 2, image.Pt(100, 50)), job(1, jobs.Running))
	b.Key("v", "enter")
	require.Equal(t, detailPane, b.m.focus)
	require.False(t, b.m.zoom.On())
	b.Key("enter")
	b.zoomed(t)
	b.DoubleClick("zoom")
	assert.False(t, b.m.zoom.On())
	b.DoubleClick(pictureZone)
	assert.True(t, b.m.zoom.On())
	b.Send(screen.ShowJob{JobID: jobID(1)})
	assert.False(t, b.m.zoom.On(), "another job is to be seen")
	assert.Equal(t, jobID(1), b.row())
	b.Key("w")
	assert.Equal(t, "no result of this job is on the disk", b.toast(t).Text)
}

func TestFlip(t *testing.T) {
	b := open(t, 120, 34, sized(t, 3, image.Pt(100, 50)), sized(t, 2, image.Pt(100, 50)), sized(t, 1, image.Pt(60, 90)))
	b.Key("f")
	assert.Contains(t, b.toast(t).Text, "mark two jobs")
	b.Key(" ", " ", "f")
	b.zoomed(t)
	assert.Equal(t, jobID(2), b.row())
	assert.Contains(t, b.View(), "⇄ a red kite over a salt flat, take 3 · famA-video", "the other one is named")
	assert.Contains(t, b.View(), "both 100 x 50")
	b.Key("z")
	part := b.m.zoom.Part()
	b.Key("f")
	b.zoomed(t)
	assert.Equal(t, jobID(3), b.row())
	assert.Equal(t, part, b.m.zoom.Part(), "at the same place, as closely")
	assert.Contains(t, b.View(), "⇄ a red kite over a salt flat, take 2")
	b.Key("f")
	assert.Equal(t, jobID(2), b.row())

	b.Key("pgdown")
	b.zoomed(t)
	assert.NotContains(t, b.View(), "⇄")
	b.Key("f")
	b.zoomed(t)
	assert.Equal(t, jobID(2), b.row(), "the one that was looked at before")
	assert.Contains(t, b.View(), "other size: 60 x 90")
	require.True(t, b.m.zoom.Loaded(), "the other one was kept at hand")
	b.Key("esc", "esc", "up", "up", "down", "f")
	assert.Equal(t, jobID(3), b.row(), "without a zoom, the one that the cursor was on")
}

func TestTheZoomHasActionsOfTheScreen(t *testing.T) {
	b := open(t, 80, 24, sized(t, 2, image.Pt(100, 50)), sized(t, 1, image.Pt(100, 50)))
	offered := func(id string) bool {
		for _, a := range b.m.Actions() {
			if a.ID == id {
				return a.Off == ""
			}
		}
		return false
	}
	require.False(t, offered("zoom.next"))
	b.Send(screen.ActionMsg{ID: "zoom.next"})
	assert.Contains(t, b.toast(t).Text, "w shows one")
	b.Key("w", "s", "t")
	require.True(t, offered("zoom.next"))
	assert.Equal(t, []string{"tag [starred] [] " + jobID(2)}, b.f.done)
	b.Type("good")
	b.Key("enter")
	assert.Contains(t, b.f.done, "tag [good] [] "+jobID(2))
	assert.True(t, b.m.zoom.On())
	b.Key("n")
	b.Type("fine")
	b.Key("enter")
	assert.Contains(t, b.f.done, "remark fine "+jobID(2))
	b.Key("o")
	_, ok := tuitest.Last[screen.OpenFileMsg](b.Driver)
	assert.True(t, ok)
	b.Key(" ", "pgdown", " ")
	assert.Len(t, b.m.list.jobs.marked, 2)
	assert.Equal(t, jobID(1), b.row(), "marking does not move on")
	b.Key("c")
	_, ok = tuitest.Last[screen.OpenMsg](b.Driver)
	assert.True(t, ok)
	assert.False(t, b.m.zoom.On(), "what leads elsewhere ends it")
}

func TestANewJobDoesNotTakeThePlaceOfThePicture(t *testing.T) {
	b := open(t, 80, 24, sized(t, 2, image.Pt(100, 50)))
	b.Key("w")
	b.Send(screen.HiddenMsg{})
	b.f.change(job(3, jobs.Queued))
	b.Send(screen.JobsMsg{}, screen.ShownMsg{})
	assert.Equal(t, jobID(2), b.row())
	b.zoomed(t)
}
