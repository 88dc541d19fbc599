package preview_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
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

func load(t *testing.T, cmd tea.Cmd) preview.ReadyMsg {
	t.Helper()
	msg, ok := cmd().(preview.ReadyMsg)
	require.True(t, ok)
	return msg
}

func TestLoadMakesAPreviewAndKeepsIt(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "detail", Path: file(t, "p.png", encode(t, "png", noise(40, 20))), Width: 20, Height: 5}
	_, ok := l.Peek(r)
	assert.False(t, ok)
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Equal(t, "detail", msg.Slot)
	assert.Equal(t, r.Key(), msg.Key)
	require.Len(t, msg.Lines, 5)
	assert.Equal(t, 40, msg.Info.Width)
	kept, ok := l.Peek(r)
	require.True(t, ok)
	assert.Equal(t, msg.Lines, kept.Lines)

	// Another size is another preview; the same file later is made again.
	_, ok = l.Peek(preview.Request{Path: r.Path, Width: 10, Height: 5})
	assert.False(t, ok)
	require.NoError(t, os.WriteFile(r.Path, encode(t, "png", noise(60, 20)), 0o600))
	require.NoError(t, os.Chtimes(r.Path, time.Now(), time.Now().Add(time.Hour)))
	assert.Equal(t, 60, load(t, l.Load(r)).Info.Width)
}

func TestAPosterStandsForAVideo(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "a", Path: file(t, "v.mp4", mediatest.Video(t)), Width: 20, Height: 6}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Nil(t, msg.Lines, "a card is drawn for it")
	assert.Equal(t, mediainfo.Video, msg.Info.Kind)

	r.Poster = file(t, "p.jpg", encode(t, "jpeg", noise(48, 27)))
	msg = load(t, l.Load(r))
	require.NoError(t, msg.Err)
	assert.Len(t, msg.Lines, 6)
	assert.Equal(t, 480, msg.Info.Width, "what is told is of the video")
}

func TestASoundHasItsWaveformBelowItsCover(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "a", Path: file(t, "s.wav", mediatest.WAV(8000, 1)), Poster: file(t, "p.png", encode(t, "png", noise(40, 40))),
		Width: 40, Height: 12, Mode: preview.Mode{Colors: preview.NoColor}}
	msg := load(t, l.Load(r))
	require.NoError(t, msg.Err)
	tuitest.CheckFrame(t, strings.Join(msg.Lines, "\n"), 40, 12)
	assert.Regexp(t, "^ {12,}█{18,}  $", msg.Lines[10], "it gets louder")
	assert.Equal(t, "  "+strings.Repeat("█", 36)+"  ", msg.Lines[11])
	r.Height = 5
	msg = load(t, l.Load(r))
	require.Len(t, msg.Lines, 5)
	assert.NotContains(t, msg.Lines[4], "█", "the cover needs the room")
}

func TestErrorsAreNotKept(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	r := preview.Request{Slot: "a", Path: file(t, "p.png", encode(t, "png", noise(9, 9))[:50]), Width: 9, Height: 3}
	require.Error(t, load(t, l.Load(r)).Err)
	require.NoError(t, os.WriteFile(r.Path, encode(t, "png", noise(9, 9)), 0o600))
	require.NoError(t, load(t, l.Load(r)).Err)
}

func TestANewerRequestCancelsTheOlder(t *testing.T) {
	l := preview.New(preview.Options{Workers: 1})
	path := file(t, "p.png", encode(t, "png", noise(9, 9)))
	old := l.Load(preview.Request{Slot: "a", Path: path, Width: 9, Height: 3})
	other := l.Load(preview.Request{Slot: "b", Path: path, Width: 9, Height: 3})
	newer := l.Load(preview.Request{Slot: "a", Path: path, Width: 9, Height: 4})
	assert.Nil(t, old())
	assert.Len(t, load(t, newer).Lines, 4)
	assert.Len(t, load(t, other).Lines, 3, "other places go on")

	gone := l.Load(preview.Request{Slot: "a", Path: path, Width: 9, Height: 5})
	l.Cancel("a")
	l.Cancel("never there")
	assert.Nil(t, gone())
}

func TestTheOldestIsForgottenFirst(t *testing.T) {
	path := file(t, "p.png", encode(t, "png", noise(40, 40)))
	at := func(h int) preview.Request {
		return preview.Request{Slot: "a", Path: path, Width: 40, Height: h, Mode: preview.Mode{Colors: preview.NoColor}}
	}
	size := int64(10*(40+16) + 256)
	l := preview.New(preview.Options{Workers: 1, Bytes: 3 * size})
	for h := 8; h <= 10; h++ {
		load(t, l.Load(at(h)))
	}
	load(t, l.Load(at(8))) // used again
	load(t, l.Load(at(11)))
	_, ok := l.Peek(at(9))
	assert.False(t, ok, "it was not used for the longest time")
	for _, h := range []int{8, 11} {
		_, ok = l.Peek(at(h))
		assert.True(t, ok, "%d", h)
	}
	tiny := preview.New(preview.Options{Workers: 1, Bytes: 10})
	require.NoError(t, load(t, tiny.Load(at(8))).Err)
	_, ok = tiny.Peek(at(8))
	assert.False(t, ok, "what is larger than the cache is not kept")
}

func TestManyAtOnce(t *testing.T) {
	l := preview.New(preview.Options{Workers: 2, Bytes: 4 << 10})
	var paths []string
	for i := range 4 {
		paths = append(paths, file(t, fmt.Sprint(i)+".png", encode(t, "png", noise(30+i, 20))))
	}
	var wg sync.WaitGroup
	for i := range 60 {
		r := preview.Request{Slot: fmt.Sprint(i % 7), Path: paths[i%4], Width: 10 + i%3, Height: 4}
		wg.Go(func() {
			if msg, ok := l.Load(r)().(preview.ReadyMsg); ok {
				assert.NoError(t, msg.Err)
				assert.Len(t, msg.Lines, 4)
			}
			l.Peek(r)
			if strings.HasSuffix(r.Slot, "3") {
				l.Cancel(r.Slot)
			}
		})
	}
	wg.Wait()
}
