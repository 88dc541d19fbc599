package queue

import (
	"image"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// films are jobs with a video each on the disk, in a screen with colours.
func films(t *testing.T, w, h int) *bench {
	t.Helper()
	tool := preview.FindFFmpeg()
	require.NotNil(t, tool, "the tests need ffmpeg")
	return filmsOn(t, preview.New(preview.Options{Tool: tool}), w, h)
}

func filmsOn(t *testing.T, l *preview.Loader, w, h int) *bench {
	t.Helper()
	var all []jobs.Job
	for i := range 2 {
		path := filepath.Join(t.TempDir(), "kite.mp4")
		out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:d=4:r=10", "-pix_fmt", "yuv420p", path).CombinedOutput()
		require.NoError(t, err, string(out))
		j := job(i+1, jobs.Completed)
		j.Files = []jobs.File{{Kind: client.AssetVideo, State: jobs.FileSaved, Path: path, Bytes: 100}}
		all = append(all, j)
	}
	f := newFake(all...)
	d := deps(t, f)
	d.Previews = l
	b := openDeps(t, d, f, w, h)
	b.Limit = 20 * time.Millisecond // frames come later
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	b.m.SetStyles(themes.Make(th, r, false))
	b.Send(screen.ShownMsg{})
	return b
}

// paused waits until a frame shows and none follows.
func (b *bench) paused(what string) {
	b.t.Helper()
	b.Settle(time.Minute, what, func() bool { return b.m.film.Lines() != nil && !b.m.film.Playing() })
}

func TestAVideoPlaysInItsPlace(t *testing.T) {
	b := films(t, 120, 34)
	b.Key("m")
	b.Settle(time.Minute, "it plays", func() bool { return b.m.film.Playing() && b.m.film.Lines() != nil })
	assert.Regexp(t, `▶ \d of 4.0 s`, b.View())
	assert.Contains(t, b.View(), " pause ", "what the key does next")
	first := b.m.film.Lines()[4]
	b.Settle(time.Minute, "another frame", func() bool { return b.m.film.Lines()[4] != first })
	tuitest.CheckFrame(t, b.Frame(), 120, 34)

	b.Send(screen.AwayMsg{Away: true})
	still := b.m.film.Lines()[4]
	b.Settle(time.Minute, "the frame that was due is dropped", func() bool { return b.Waiting() == 0 })
	assert.Equal(t, still, b.m.film.Lines()[4], "nobody looks")
	b.Send(screen.AwayMsg{})
	b.Settle(time.Minute, "it goes on", func() bool { return b.m.film.Lines()[4] != still })
	b.Send(screen.HiddenMsg{})
	b.Settle(time.Minute, "a hidden screen waits too", func() bool { return b.Waiting() == 0 })
	b.Send(screen.ShownMsg{})
	still = b.m.film.Lines()[4]
	b.Settle(time.Minute, "it goes on", func() bool { return b.m.film.Lines()[4] != still })

	b.Key("m")
	b.paused("the pause")
	assert.Contains(t, b.View(), "/40")
	at := b.View()
	b.Key(".")
	b.Settle(time.Minute, "the next frame", func() bool { return b.View() != at })
	b.Key(",")
	b.Settle(time.Minute, "the one before", func() bool { return b.View() == at })
	tuitest.CheckFrame(t, b.Frame(), 120, 34)

	b.Key("down")
	assert.False(t, b.m.film.Active(), "another job's does not play by itself")
	b.Key(".")
	b.paused("its first frame")
	assert.Contains(t, b.View(), "‖ 0.0 of 4.0 s · 1/40")
	b.Key("p")
	assert.False(t, b.m.film.Active())
	b.Key("m")
	assert.Contains(t, b.toast(t).Text, "previews are off")
}

// TestPlayLeadsToTheFacts: from a part of the detail that leaves no room for a video.
func TestPlayLeadsToTheFacts(t *testing.T) {
	b := films(t, 120, 34)
	b.m.showSection(request)
	require.Zero(t, b.m.detail.pictureHeight(b.m.list.job()))
	b.Key("m")
	b.Settle(time.Minute, "it plays", func() bool { return b.m.film.Playing() && b.m.film.Lines() != nil })
	assert.Equal(t, facts, b.m.detail.section)
}

// TestAVideoPlaysOnOnTheWholeScreen: at the frame at which it was, with the same keys, and on
// in the detail after that.
func TestAVideoPlaysOnOnTheWholeScreen(t *testing.T) {
	b := films(t, 120, 34)
	b.Key(".")
	b.paused("the first frame")
	pictureHeight := len(b.m.film.Lines())
	b.Key(".", ".", "w")
	b.paused("the frame in its new place")
	large := len(b.m.film.Lines())
	assert.Greater(t, large, pictureHeight, "as large as the screen, or nearly")
	assert.Contains(t, b.View(), "3/40", "the frame that it stood at")
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	at, still := b.View(), b.belowTitle()
	b.Key(".")
	b.Settle(time.Minute, "the next frame", func() bool { return strings.Contains(b.View(), "4/40") })
	assert.NotEqual(t, still, b.belowTitle(), "it shows")
	b.Key(",")
	b.Settle(time.Minute, "the one before", func() bool { return b.View() == at })
	b.Key("m")
	b.Settle(time.Minute, "it plays", func() bool { return b.m.film.Playing() && b.belowTitle() != still })
	assert.Regexp(t, `▶ \d of 4.0 s`, b.View())
	b.Key("+")
	assert.Contains(t, b.toast(t).Text, "as large as fits")
	assert.True(t, b.m.zoom.On())

	b.Key("w")
	b.Settle(time.Minute, "it plays on in the detail", func() bool { return b.m.film.Playing() && len(b.m.film.Lines()) == pictureHeight })
	b.Key("w")
	b.Settle(time.Minute, "and here again", func() bool { return b.m.film.Playing() && len(b.m.film.Lines()) == large })
	b.Key("pgdown")
	assert.False(t, b.m.film.Active(), "the next result does not play by itself")
	b.Key("m")
	b.Settle(time.Minute, "it does", func() bool { return b.m.film.Playing() && b.m.film.Lines() != nil })
	b.Send(screen.HiddenMsg{})
	b.Settle(time.Minute, "nobody looks", func() bool { return b.Waiting() == 0 })
}

// TestAVideoBeginsOnTheWholeScreen of a narrow one, where no detail shows, and waits behind
// the table.
func TestAVideoBeginsOnTheWholeScreen(t *testing.T) {
	b := films(t, 80, 24)
	b.Key("w", "m", "m")
	b.paused("a frame")
	assert.Equal(t, 23, len(b.m.film.Lines()))
	b.Key("esc")
	require.Equal(t, tablePane, b.m.focus)
	assert.True(t, b.m.film.Active())
	b.Settle(time.Minute, "nobody looks", func() bool { return b.Waiting() == 0 })
}

func TestAPictureOnTheWholeScreenDoesNotPlay(t *testing.T) {
	b := open(t, 80, 24, sized(t, 1, image.Pt(40, 40)))
	b.Key("w", ".")
	assert.Equal(t, "this is not a video; pgdown goes to the next result", b.toast(t).Text)
	assert.True(t, b.m.zoom.On())
}

// belowTitle is the frame, with its colours, but for its first line.
func (b *bench) belowTitle() string {
	_, rest, _ := strings.Cut(b.Frame(), "\n")
	return rest
}

func TestOnANarrowScreenPlayingOpensTheDetail(t *testing.T) {
	b := films(t, 80, 24)
	b.Key(".")
	b.paused("the first frame")
	assert.Contains(t, b.View(), "1/40")
	b.Key("esc")
	assert.True(t, b.m.film.Active(), "it waits behind the table")
}

// TestAVideoThatRestsPlaysAgain: where it is not seen, the key brings it back and has it play.
func TestAVideoThatRestsPlaysAgain(t *testing.T) {
	for _, c := range []struct {
		w, h int
		hide string
	}{{120, 34, "v"}, {80, 24, "esc"}} {
		b := films(t, c.w, c.h)
		plays := func() bool { return b.m.film.Playing() && b.m.film.Lines() != nil }
		b.Key("m")
		b.Settle(time.Minute, "it plays", plays)
		b.Key(c.hide)
		b.Settle(time.Minute, "nobody looks", func() bool { return b.Waiting() == 0 })
		assert.Equal(t, "play", b.m.film.word(), c.hide)
		b.Key("m")
		b.Settle(time.Minute, "it plays again", plays)
		assert.Contains(t, b.View(), " pause ")
		b.Key("m")
		b.paused("the pause")
	}
}

func TestWithoutColoursNoVideoPlays(t *testing.T) {
	b := open(t, 120, 34, saved(job(1, jobs.Completed)), job(2, jobs.Completed))
	b.Key("m")
	assert.Equal(t, "no video of this job is on the disk", b.toast(t).Text)
	b.Key("down", "m")
	assert.Equal(t, "videos play here in colours only; o opens the file", b.toast(t).Text)
	b.m.deps.Previews = nil
	b.Key("m")
	assert.Equal(t, "there are no previews here", b.toast(t).Text)
}

// TestWhatDoesNotPlayKeepsItsCard: without ffmpeg nothing is tried, and a person is told how to get it.
func TestWhatDoesNotPlayKeepsItsCard(t *testing.T) {
	b := filmsOn(t, preview.New(preview.Options{Workers: 1}), 120, 34)
	for _, zoomed := range []bool{false, true} {
		if zoomed {
			b.Key("w")
		}
		b.Key("m")
		assert.Equal(t, "playing a video here takes ffmpeg, which is not installed: apt install ffmpeg, or brew install ffmpeg; P plays it in a program of its own", b.toast(t).Text)
		b.Settle(time.Minute, "the card", func() bool { return strings.Contains(b.View(), "Video, 4.0 s") })
		assert.NotContains(t, b.View(), "not installed")
		assert.False(t, b.m.film.Active())
		for _, k := range b.m.ShortHelp() {
			assert.NotEqual(t, "play", k.Help().Desc, "what cannot be done is not offered")
		}
	}
}
