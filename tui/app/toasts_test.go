package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/zone"
)

// TestToastsLeaveButtonsFree: in Queue's detail, whose buttons stand at the lower right.
func TestToastsLeaveButtonsFree(t *testing.T) {
	d := newDesk(t, newHostile(t))
	ids, err := d.engine.Submit(t.Context(), []jobs.Submission{{Draft: client.Draft{Modality: client.Video, Model: "famA3", Prompt: "a kite"}}})
	require.NoError(t, err)
	d.Settle(time.Minute, "the job has ended", func() bool {
		j, err := d.engine.Get(t.Context(), ids[0])
		return err == nil && !j.State.Active()
	})
	d.Send(newsMsg{})
	d.Key("alt+2")
	d.Settle(time.Minute, "the job shows", func() bool { return strings.Contains(d.View(), "famA3") })
	d.Key("enter")
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		d.Resize(s[0], s[1])
		buttons := pressable(d)
		require.NotEmpty(t, buttons, d.View())
		for n := range 3 {
			d.Send(screen.ToastMsg{Level: screen.Warn, Text: fmt.Sprintf("%d: %s", n, strings.Repeat("none of this can be done ", 4))})
			assert.Equal(t, buttons, pressable(d), "%d toasts at %dx%d hide something:\n%s", n+1, s[0], s[1], d.View())
			assert.Contains(t, d.View(), fmt.Sprintf("%d: none of this", n))
			tuitest.CheckFrame(t, d.Frame(), s[0], s[1])
		}
		d.model.toasts.Clear()
	}
}

// pressable are the buttons and tabs on the screen.
func pressable(d *desk) (out zone.Zones) {
	_ = d.Frame()
	for _, z := range d.model.zones {
		if isPressed(z.ID) {
			out = append(out, z)
		}
	}
	return out
}

// TestToastsHaveAPlaceOnAFullScreen: where there is nothing but buttons they lie over them.
func TestToastsHaveAPlaceOnAFullScreen(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.one.body = func(w, h int) string { return zone.Mark("btn:all", strings.Repeat(strings.Repeat("x", w)+"\n", h-1)) }
	c.Send(screen.ToastMsg{Level: screen.Info, Text: "some news"})
	assert.Contains(t, strings.Split(c.View(), "\n")[21], "some news")
}

// TestAToastIsTakenBack by its screen, once it is not true any more.
func TestAToastIsTakenBack(t *testing.T) {
	c := newConsole(t, 80, 24)
	say := func(cmd tea.Cmd) { c.Send(wrap(screen.Compose, cmd())) }
	say(screen.Toast(screen.Warn, "mark\x1btwo"))
	say(screen.Toast(screen.Info, "other news"))
	assert.Contains(t, c.View(), "two")
	say(screen.Untoast("mark\x1btwo"))
	assert.NotContains(t, c.View(), "two")
	assert.Contains(t, c.View(), "other news")
}
