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
	c.one.body = func(w, h int) string { return zone.Mark("btn:all", strings.Repeat(strings.Repeat("x", w)+"\n", h)) }
	c.Send(screen.ToastMsg{Level: screen.Info, Text: "some news"})
	assert.Contains(t, strings.Split(c.View(), "\n")[22], "some news")
}

// TestAToastIsTakenBack by its screen, once it is not true any more.
func TestAToastIsTakenBack(t *testing.T) {
	c := newConsole(t, 80, 24)
	say := func(cmd tea.Cmd) { c.Send(wrap(screen.Compose, cmd())) }
	say(screen.Toast(screen.Warn, "mark\x1btwo"))
	assert.Contains(t, c.View(), "two")
	say(screen.Toast(screen.Info, "other news"))
	assert.Contains(t, c.View(), "other news · 1 more")
	say(screen.Untoast("mark\x1btwo"))
	assert.NotContains(t, c.View(), "more")
	assert.Contains(t, c.View(), "other news")
}

// TestAToastEndsWithItsScreen: what one screen says is not read on another.
func TestAToastEndsWithItsScreen(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(wrap(screen.Compose, screen.ToastMsg{Level: screen.Bad, Text: "not submitted"}))
	c.Send(screen.ToastMsg{Level: screen.Warn, Text: "the disk is full"})
	c.Key("2")
	assert.Contains(t, c.View(), "the disk is full", "the console's own stays")
	assert.NotContains(t, c.View(), "more")
	c.Send(wrap(screen.Queue, screen.ToastMsg{Level: screen.Warn, Text: "the seed was left out"}))
	c.Send(wrap(screen.Queue, screen.OpenMsg{Screen: screen.Compose}))
	assert.Contains(t, c.View(), "the seed was left out", "it is about the screen that it opened")
}

// TestAToastOverAFormHasOneLine, and leaves the row with the cursor.
func TestAToastOverAFormHasOneLine(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.one.capturing = true
	c.one.body = func(w, h int) string {
		return strings.Repeat(strings.Repeat("x", w)+"\n", h-1) + "› " + strings.Repeat("y", w-2)
	}
	before := strings.Split(c.View(), "\n")
	c.Send(screen.ToastMsg{Level: screen.Bad, Text: "why not: " + strings.Repeat("this and that ", 20)})
	after, changed := strings.Split(c.View(), "\n"), 0
	for i := range before {
		if before[i] != after[i] {
			changed++
		}
	}
	assert.Equal(t, 1, changed, c.View())
	assert.Equal(t, before[22], after[22], "the row with the cursor")
}

// TestTheFooterOffersKeysThatWork: where letters are typed, other keys do what letters do elsewhere.
func TestTheFooterOffersKeysThatWork(t *testing.T) {
	c := newConsole(t, 80, 24)
	first, last := func() string { return strings.Split(c.View(), "\n")[0] }, func() string { return strings.Split(c.View(), "\n")[23] }
	assert.Contains(t, last(), "? help")
	assert.Contains(t, first(), "  [1 Compose] 2 Queue")
	c.one.capturing = true
	c.Key("x")
	assert.Contains(t, last(), "F1 help")
	assert.Contains(t, first(), "alt+[1 Compose] 2 Queue")
	c.Key("f1")
	assert.Contains(t, c.View(), "F1  ?  Help", "the key that works is the first")
	assert.Contains(t, c.View(), "alt+z  z  do compose", "of the screen, too")
	assert.Contains(t, c.View(), "^Q  ^C  q  Quit")
}
