package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare/vote/votetest"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// TestTwoVideosPlayInStep: side by side they begin together, flipped the other one goes on, and they rest
// while nobody looks.
func TestTwoVideosPlayInStep(t *testing.T) {
	d, x := deps(t)
	tool := preview.FindFFmpeg()
	require.NotNil(t, tool, "tests need ffmpeg")
	d.Previews = preview.New(preview.Options{Workers: 2, Tool: tool})
	d.Now = time.Now
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	x.open(t, d, 120, 34)
	x.m.SetStyles(themes.Make(th, r, false))
	x.Limit = 20 * time.Millisecond // frames come later
	x.shows(votetest.Videos(t, 2, 1, 1))
	x.Key(" ", "l", "b", "m")
	inStep := func() bool { return strings.Contains(x.View(), "▶ ") && strings.Contains(x.View(), "both in step") }
	x.Settle(time.Minute, "both play", inStep)
	tuitest.CheckFrame(t, x.Frame(), 120, 34)
	first := x.Frame()
	x.Settle(time.Minute, "another frame", func() bool { return x.Frame() != first })
	x.Key("m")
	x.Settle(time.Minute, "both pause", func() bool { return x.Waiting() == 0 && strings.Contains(x.View(), "‖ ") })
	x.Key("b", "m")
	x.Settle(time.Minute, "both play in one place", inStep)
	before := x.flat()
	x.Key("f")
	assert.NotEqual(t, before[:40], x.flat()[:40], "the other one shows")
	assert.True(t, inStep(), "it goes on where it is, and does not begin anew")
	x.Send(screen.HiddenMsg{})
	x.Settle(time.Minute, "nobody looks", func() bool { return x.Waiting() == 0 })
	x.Send(screen.ShownMsg{})
	x.Settle(time.Minute, "and it goes on", func() bool { return x.Waiting() > 0 })
	x.Key("esc")
	x.Settle(time.Minute, "the end", func() bool { return x.Waiting() == 0 })
}
