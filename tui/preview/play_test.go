package preview_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
	"darkroom/client/mediainfo/mediatest"
	"darkroom/tui/preview"
	"darkroom/tui/tuitest"
)

// filmer is a tool whose videos have frames of one colour each, ever lighter.
type filmer struct {
	preview.Tool
	asked []preview.FrameSpec
	only  int // frames that there are; 0 for all that are asked for
	err   error
}

func (f *filmer) Frames(_ context.Context, _ string, info mediainfo.Info, s preview.FrameSpec, out io.Writer) error {
	f.asked = append(f.asked, s)
	n := min(s.Most, int(info.Duration.Seconds()*s.Rate))
	if f.only > 0 {
		n = f.only
	}
	for i := range n {
		frame := make([]byte, 3*s.Size.X*s.Size.Y)
		for j := range frame {
			frame[j] = byte(i)
		}
		if _, err := out.Write(frame); err != nil {
			return err
		}
	}
	return f.err
}

// reel plays a video of 5 s at 8 frames a second (see [video]).
type reel struct {
	preview.Play
	t    *testing.T
	f    *filmer
	now  time.Time
	req  preview.Request
	tick tea.Cmd // the frame that comes next
}

func newReel(t *testing.T, o preview.Options) *reel {
	r := &reel{t: t, f: &filmer{}, now: time.Unix(1000, 0)}
	o.Tool = r.f
	r.Loader = preview.New(o)
	r.Now = func() time.Time { return r.now }
	r.req = preview.Request{Slot: "a", Path: file(t, "v.mp4", mediatest.Video(t)), Width: 32, Height: 9}
	return r
}

// take hands the answer of a command in, and keeps what follows.
func (r *reel) take(cmd tea.Cmd) {
	r.t.Helper()
	require.NotNil(r.t, cmd)
	next, mine, _ := r.Handle(cmd())
	require.True(r.t, mine)
	r.tick = next
}

// shade is the colour of the frame that shows.
func (r *reel) shade() string {
	r.t.Helper()
	require.Len(r.t, r.Lines(), r.req.Height)
	_, rest, ok := strings.Cut(r.Lines()[r.req.Height/2], "\x1b[48;2;")
	require.True(r.t, ok)
	shade, _, _ := strings.Cut(rest, ";")
	return shade
}

// wait lets time pass and takes the frame that is due.
func (r *reel) wait(d time.Duration) {
	r.t.Helper()
	tick := r.tick
	r.now = r.now.Add(d)
	r.take(tick)
}

// TestAShorterVideoWaitsForTheRound with its last picture: 5 s of 7.
func TestAShorterVideoWaitsForTheRound(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.Round = 7 * time.Second
	r.take(r.Toggle(r.req))
	r.take(r.tick)
	assert.Equal(t, 5*time.Second, r.Length())
	began, shown := r.now, map[string]time.Duration{}
	for r.now.Sub(began) < 7200*time.Millisecond {
		r.wait(125 * time.Millisecond)
		shown[r.shade()] = r.now.Sub(began)
	}
	assert.Equal(t, 6875*time.Millisecond, shown["39"], "until the round is over")
	assert.Equal(t, 7*time.Second, shown["0"])
	assert.Equal(t, 7125*time.Millisecond, shown["1"])
	r.Stop()
	assert.Zero(t, r.Length())
}

func TestAVideoPlaysAtItsPaceAndInALoop(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.take(r.Toggle(r.req)) // decoded
	assert.Equal(t, []preview.FrameSpec{{Size: image.Pt(64, 18), Shape: 32.0 / 18, Rate: 8, Most: 16 << 20 / (3 * 64 * 18)}}, r.f.asked)
	r.take(r.tick)
	assert.Equal(t, "0", r.shade())
	tuitest.CheckFrame(t, strings.Join(r.Lines(), "\n"), 32, 9)
	assert.True(t, r.Playing())
	r.wait(125 * time.Millisecond) // eight frames a second: none has to be left out
	assert.Equal(t, "1", r.shade())
	r.wait(time.Second) // no time for some
	assert.Equal(t, "2", r.shade(), "what was due when it was asked for")
	r.wait(125 * time.Millisecond)
	assert.Equal(t, "10", r.shade(), "and then those are left out")
	assert.Equal(t, "▶ 1 of 5.0 s", r.Text())
	r.wait(4 * time.Second)
	r.wait(0)
	assert.Equal(t, "3", r.shade(), "from the beginning again")
	assert.Len(t, r.f.asked, 1, "a loop decodes nothing")
}

func TestPauseStepAndGoOn(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.take(r.Step(r.req, 1))
	r.take(r.tick)
	assert.Nil(t, r.tick, "it is paused")
	assert.Equal(t, "‖ 0.0 of 5.0 s · 1/40", r.Text())
	r.take(r.Step(r.req, 1))
	assert.Equal(t, "1", r.shade())
	r.take(r.Step(r.req, -2))
	assert.Equal(t, "39", r.shade(), "back over the beginning")
	r.take(r.Step(r.req, 1))
	assert.Equal(t, "0", r.shade())

	due := r.Toggle(r.req)
	require.NotNil(t, due)
	assert.True(t, r.Playing())
	assert.Nil(t, r.Toggle(r.req))
	assert.False(t, r.Playing())
	late := due()
	_, mine, _ := r.Handle(late)
	assert.False(t, mine, "a frame that was due before the pause is dropped")
	assert.Equal(t, "0", r.shade())
}

func TestNobodyLooksAndNothingIsDrawn(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.take(r.Toggle(r.req))
	r.take(r.tick)
	r.Rest()
	_, mine, _ := r.Handle(r.tick())
	assert.False(t, mine)
	assert.Nil(t, r.Fit(r.req))
	r.tick = r.Wake()
	require.NotNil(t, r.tick)
	assert.Nil(t, r.Wake(), "once")
	r.now = r.now.Add(time.Hour)
	r.take(r.tick)
	assert.Equal(t, "1", r.shade(), "it goes on where it was")

	// It came while nobody looked: its first frame waits.
	r = newReel(t, preview.Options{})
	load := r.Toggle(r.req)
	r.Rest()
	r.take(load)
	r.take(r.tick)
	assert.Nil(t, r.tick)
	assert.Equal(t, "0", r.shade())
	assert.NotNil(t, r.Wake())
}

func TestAnotherSizeIsDecodedAnewAndAnotherFileEndsIt(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.take(r.Toggle(r.req))
	r.take(r.tick)
	r.wait(125 * time.Millisecond)
	r.req.Width, r.req.Height = 16, 5
	r.take(r.Fit(r.req))
	r.take(r.tick)
	assert.Equal(t, "1", r.shade(), "at the same frame")
	assert.True(t, r.Playing())
	other := r.req
	other.Path = "/another.mp4"
	assert.Nil(t, r.Fit(other))
	assert.False(t, r.Active())
	assert.Nil(t, r.Lines())
	assert.Empty(t, r.Text())
}

func TestWhatDoesNotPlaySaysWhy(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.f.err = errors.New("exit status 187")
	r.f.only = 3
	r.take(r.Toggle(r.req))
	r.take(r.tick)
	assert.Equal(t, "▶ 0 of 0.4 s, the beginning", r.Text(), "what came plays")
	r.Stop()

	r.req.Path = file(t, "w.mp4", []byte("\x00\x00\x00\x10ftypisomnonsense"))
	r.take(r.Toggle(r.req))
	require.ErrorContains(t, r.Err(), "MP4")
	assert.Equal(t, "does not play", r.Text())
	r.req.Path = file(t, "s.wav", mediatest.WAV(8000, 1))
	r.take(r.Toggle(r.req))
	require.ErrorContains(t, r.Err(), "not a video")
	none := preview.Play{Loader: preview.New(preview.Options{Workers: 1})}
	none.Handle(none.Toggle(r.req)())
	require.ErrorContains(t, none.Err(), "takes ffmpeg, which is not installed")
}

func TestAVideoThatIsStoppedIsNotDecodedFurther(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	load := r.Toggle(r.req)
	r.Stop()
	assert.Nil(t, load())
	assert.Empty(t, r.f.asked)
}

func TestOfALongVideoTheBeginningPlays(t *testing.T) {
	t.Parallel()
	r := newReel(t, preview.Options{})
	r.req.Width, r.req.Height = 600, 169 // 1.2 MB a frame: no room for 40 of them
	r.take(r.Toggle(r.req))
	s := r.f.asked[0]
	assert.Less(t, s.Most, 40)
	assert.LessOrEqual(t, s.Most*3*s.Size.X*s.Size.Y, 16<<20)
	assert.InDelta(t, 8, s.Rate, 0.01)
	assert.Contains(t, r.Text(), ", the beginning")
}

func TestFramesAreKeptOnTheDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "previews")
	for i := range 2 {
		r := newReel(t, preview.Options{Disk: preview.NewDisk(dir, 64<<20)})
		r.req.Path = filepath.Join(filepath.Dir(dir), "v.mp4")
		if i == 0 {
			require.NoError(t, os.WriteFile(r.req.Path, mediatest.Video(t), 0o600))
		}
		r.take(r.Toggle(r.req))
		r.take(r.tick)
		r.wait(125 * time.Millisecond)
		assert.Equal(t, "1", r.shade())
		assert.Len(t, r.f.asked, 1-i, "another run decodes nothing")
		all := kept(t, dir)
		require.Len(t, all, 1)
		info, err := all[0].Info()
		require.NoError(t, err)
		assert.Equal(t, int64(40*3*64*18), info.Size())
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	// One that was cut off is not taken, and what was not kept leaves nothing behind.
	require.NoError(t, os.Truncate(filepath.Join(dir, kept(t, dir)[0].Name()), 1000))
	r := newReel(t, preview.Options{Disk: preview.NewDisk(dir, 64<<20)})
	r.req.Path = filepath.Join(filepath.Dir(dir), "v.mp4")
	r.f.err, r.f.only = errors.New("broken"), 2
	r.take(r.Toggle(r.req))
	r.take(r.tick)
	assert.Len(t, r.f.asked, 1)
	r.Stop()
	require.Eventually(t, func() bool { return len(kept(t, dir)) == 1 }, time.Minute, 5*time.Millisecond)
}

func TestPixelsThatPlayStayUnderOneNumber(t *testing.T) {
	t.Parallel()
	for _, exact := range []bool{false, true} {
		c := &canvas{shown: map[int]image.Point{}}
		r := newReel(t, preview.Options{Canvas: c})
		r.Loader.SetSurface(preview.Surface{Cell: image.Pt(10, 20), Exact: exact})
		r.req.Width, r.req.Height, r.req.Mode = 48, 14, r.Loader.Mode(colourful(t))
		r.take(r.Toggle(r.req))
		kept := r.f.asked[0].Size
		assert.LessOrEqual(t, kept.X*kept.Y, 320*180)
		r.take(r.tick)
		first := r.Lines()
		next, mine, changed := r.Handle(r.tick())
		require.True(t, mine)
		assert.False(t, changed, "the frame need not be drawn anew")
		require.NotNil(t, next)
		assert.Equal(t, fmt.Sprintf("%p", first), fmt.Sprintf("%p", r.Lines()))
		assert.Equal(t, 1, c.replaced)
		want := kept
		if exact {
			want = image.Pt(48*10, 14*20)
			assert.Equal(t, "▶ 0 of 5.0 s", r.Text())
		}
		assert.Equal(t, map[int]image.Point{1: want}, c.shown)
		c.Drop(1) // the terminal has lost it
		r.Handle(next())
		assert.Equal(t, map[int]image.Point{2: want}, c.shown)
		r.Stop()
		require.Eventually(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return len(c.shown) == 0 }, time.Minute, time.Millisecond)
	}
}

func TestFFmpegMakesTheFrames(t *testing.T) {
	t.Parallel()
	path := produce(t, "v.mp4", "-f", "lavfi", "-i", "color=red:s=320x180:d=1:r=12", "-pix_fmt", "yuv420p")
	l := preview.New(preview.Options{Tool: tool(t)})
	p := preview.Play{Loader: l}
	r := preview.Request{Slot: "a", Path: path, Width: 32, Height: 9}
	next, _, _ := p.Handle(p.Step(r, 1)())
	require.NoError(t, p.Err())
	p.Handle(next())
	require.Len(t, p.Lines(), 9)
	for _, l := range p.Lines() {
		assert.Contains(t, l, "\x1b[48;2;25", "red up to the edges: there are no bars")
		assert.NotContains(t, l, ";2;0;0;0")
	}
	assert.Equal(t, "‖ 0.0 of 1.0 s · 1/12", p.Text())
}
