package paint

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/paint/internal/pixels"
)

// behindTmux are pictures that go through a tmux which can be asked what it wrote.
func behindTmux(t *testing.T, width, height int) (*pictures, *screen, frame) {
	t.Helper()
	p := newPictures(7)
	p.set(&surface{want: KittyPictures, tmux: true, local: true})
	_, lines, err := p.put(noisy(width, height), 2, 1)
	require.NoError(t, err)
	s, f := &screen{pics: p}, frame{lines: strings.Split(lines[0], "\n"), width: 9, height: 2}
	s.paint(nil, f)
	return p, s, f
}

func TestAPictureThatTmuxDroppedIsSentAgain(t *testing.T) {
	p, s, f := behindTmux(t, 100, 100)
	for try := range 1 + ackTries {
		require.True(t, p.asks(), "try %d", try)
		sent, ask := p.piece(nil, true)
		p.takeMoved()
		assert.InDelta(t, len(sent), ask, 100)
		assert.Equal(t, try > 0, strings.HasPrefix(string(sent), passthrough(pixels.KittyAbort)), "what came of it is ended")
		require.Contains(t, string(sent), "a=T")
		require.False(t, p.pending(), "nothing else is sent before it came through")
		require.False(t, p.asks())
		p.passed(false)
	}
	require.False(t, p.asks(), "not for ever")
	sendAll(p)

	s.invalidate()
	s.paint(nil, f)
	require.True(t, p.asks(), "its cells are painted anew: tmux may show the window again")
	_, ask := p.piece(nil, true)
	p.takeMoved()
	require.Positive(t, ask)
	p.passed(true)
	require.False(t, p.pending())
	s.invalidate()
	s.paint(nil, f)
	require.False(t, p.pending(), "the terminal has it")
}

func TestALargePictureGoesThroughTmuxInParcels(t *testing.T) {
	p, _, _ := behindTmux(t, 700, 500)
	parcels, dropped := 0, false
	for p.pending() {
		sent, ask := p.piece(nil, true)
		p.takeMoved()
		require.Equal(t, 1, strings.Count(string(sent), "\x1bPtmux;"))
		require.Less(t, len(sent), 1<<20, "tmux takes no more at once")
		require.Positive(t, ask)
		parcels++
		lose := parcels == 2 && !dropped
		p.passed(!lose)
		if lose {
			dropped, parcels = true, 0
			require.Equal(t, passthrough(pixels.KittyAbort)[:20], string(next(p))[:20], "it begins anew")
			p.passed(true)
			parcels++
		}
	}
	require.GreaterOrEqual(t, parcels, 2)
	require.True(t, dropped)
}

func TestTmuxIsAskedUntilItHasWrittenAParcel(t *testing.T) {
	for name, c := range map[string]struct {
		counts []int64 // what tmux has written at each look, the last one for good
		ok     bool
		want   bool
	}{
		"at once":                   {[]int64{5000}, true, true},
		"after a while":             {[]int64{1000, 1000, 1900, 5000}, true, true},
		"never: the pane was drawn": {[]int64{1000, 2200}, true, false},
		"it does not tell":          {[]int64{0}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				looks := 0
				o := &output{done: make(chan struct{})}
				o.acks.written = func() (int64, bool) {
					looks++
					return c.counts[min(looks, len(c.counts))-1], c.ok
				}
				assert.Equal(t, c.want, o.passes(count{bytes: 1000, ok: true}, 4000))
				assert.GreaterOrEqual(t, looks, len(c.counts))
				assert.True(t, o.passes(count{}, 4000), "nothing to compare with")
			})
		})
	}
}

func TestNothingGoesThroughTmuxUncounted(t *testing.T) {
	p, _, _ := behindTmux(t, 100, 100)
	sent, ask := p.piece(nil, false)
	require.Empty(t, sent)
	require.Zero(t, ask)
	require.True(t, p.pending(), "it goes in the next turn")
	_, ask = p.piece(nil, true)
	require.Positive(t, ask)
}

func TestAVideoGoesOnWhileTmuxIsAskedAboutAPicture(t *testing.T) {
	p, s, f := behindTmux(t, 100, 100)
	video, lines, err := p.put(noisy(10, 10), 2, 1)
	require.NoError(t, err)
	require.NoError(t, p.replace(video, noisy(10, 10)))
	f.lines = append(f.lines, lines[0])
	s.paint(nil, f)
	_, ask := p.piece(nil, true)
	require.Positive(t, ask)
	require.True(t, p.pending())
	require.False(t, p.asks())
	frame, ask := p.piece(nil, false)
	require.Contains(t, string(frame), syncBegin)
	require.Zero(t, ask)
	p.takeMoved()
	require.False(t, p.pending())
}
