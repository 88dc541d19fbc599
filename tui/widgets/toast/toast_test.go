package toast_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/toast"
	"darkroom/tui/widgets/zone"
)

var t0 = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

func TestMessagesGoAtTheirTime(t *testing.T) {
	var s toast.Stack
	_, ok := s.Next()
	assert.False(t, ok)
	s.Push(toast.Info, "", "one", t0.Add(3*time.Second))
	s.Push(toast.Bad, "", "two", t0.Add(time.Second))
	at, ok := s.Next()
	require.True(t, ok)
	assert.Equal(t, t0.Add(time.Second), at)
	assert.False(t, s.Expire(t0))
	assert.True(t, s.Expire(t0.Add(time.Second)))
	assert.Equal(t, 1, s.Len())
	assert.True(t, s.Expire(t0.Add(time.Hour)))
	assert.Equal(t, page, s.Over(tuitest.Styles(t), page, toast.Room{}))
}

func TestTheSameMessageIsNotDoubled(t *testing.T) {
	var s toast.Stack
	s.Push(toast.Info, "", "one", t0.Add(time.Second))
	s.Push(toast.Info, "", "one", t0.Add(9*time.Second))
	s.Push(toast.Info, "", "one", t0.Add(2*time.Second))
	require.Equal(t, 1, s.Len())
	at, _ := s.Next()
	assert.Equal(t, t0.Add(9*time.Second), at)
	s.Push(toast.Bad, "", "one", t0)
	assert.Equal(t, 2, s.Len(), "of another level it is another message")
	for i := range 20 {
		s.Push(toast.Info, "", fmt.Sprint(i), t0)
	}
	assert.Equal(t, 5, s.Len(), "the oldest go")
	s.Clear()
	assert.Zero(t, s.Len())
}

// page is a frame of 60 x 12 cells without a blank one.
var page = strings.TrimSuffix(strings.Repeat(strings.Repeat("f", 60)+"\n", 12), "\n")

func TestMessagesEndWithTheirScreen(t *testing.T) {
	var s toast.Stack
	s.Push(toast.Bad, "compose", "not submitted", t0)
	s.Push(toast.Warn, "", "the history is old", t0)
	s.Push(toast.Good, "queue", "saved", t0)
	s.Leave("queue")
	assert.Equal(t, 2, s.Len(), "that of the other screen has ended")
	s.Pass("models")
	s.Leave("models")
	assert.Equal(t, 2, s.Len(), "what is said as another screen opens stays with that one")
	s.Leave("queue")
	assert.Equal(t, 1, s.Len(), "what belongs to no screen stays")
}

func TestClickDismissesTheNewestAndShowsTheOneBefore(t *testing.T) {
	st := tuitest.Styles(t)
	var s toast.Stack
	s.Push(toast.Good, "", "kept kite.mp4", t0)
	s.Push(toast.Bad, "", "failed", t0)
	frame, zones := zone.Scan(s.Over(st, page, toast.Room{}))
	require.Len(t, zones, 1)
	assert.Contains(t, frame, "failed · 1 more")
	assert.NotContains(t, frame, "kite")
	assert.True(t, s.Dismiss(zones[0].ID))
	assert.False(t, s.Dismiss(zones[0].ID))
	assert.False(t, s.Dismiss("toast:99"))
	assert.Contains(t, s.Over(st, page, toast.Room{}), "kept kite.mp4")
	s.Push(toast.Bad, "", "again", t0)
	s.Push(toast.Good, "", "kept kite.mp4", t0)
	assert.Contains(t, s.Over(st, page, toast.Room{}), "kite", "what is said once more is the newest")
}

func TestOverHasTheSizeOfTheFrame(t *testing.T) {
	st := tuitest.Styles(t)
	texts := []string{"short", strings.Repeat("long words 你好 ", 30), "👩‍👩‍👧👩‍👩‍👧", "", "not opened: no program /" + strings.Repeat("a/long/path/", 20) + "kite.mp4"}
	for w := 1; w < 90; w += 3 {
		for h := 1; h < 24; h += 2 {
			frame := strings.TrimSuffix(strings.Repeat(strings.Repeat(" ", w/2)+strings.Repeat("好", (w-w/2)/2)+strings.Repeat("x", (w-w/2)%2)+"\n", h), "\n")
			for _, text := range texts {
				var s toast.Stack
				s.Push(toast.Warn, "", text, t0)
				tuitest.CheckFrame(t, s.Over(st, frame, toast.Room{Above: 1, Below: 1, Typing: h%4 == 1}), w, h)
			}
		}
	}
}

// form is a page with a form that has the cursor on a field, blank room and a border below.
func form() string {
	lines := []string{"title" + strings.Repeat(" ", 75)}
	for range 8 {
		lines = append(lines, "│"+widgets.Fit(" Ratio     auto  16:9", 38, 1)+"│"+strings.Repeat("r", 39)+"│")
	}
	lines = append(lines, "│"+widgets.Fit("› Images   path", 38, 1)+"│"+strings.Repeat("r", 39)+"│")
	for range 6 {
		lines = append(lines, "│"+strings.Repeat(" ", 38)+"│"+strings.Repeat("r", 39)+"│")
	}
	return strings.Join(append(lines, "╰"+strings.Repeat("─", 38)+"┴"+strings.Repeat("─", 39)+"╯", widgets.Fit(" ^S submit", 80, 1)), "\n")
}

func TestAMessageHidesNothing(t *testing.T) {
	st := tuitest.Styles(t)
	room := toast.Room{Above: 1, Below: 1}
	for name, c := range map[string]struct {
		text   string
		typing bool
	}{
		"form":      {"copied the prompt", true},
		"form-long": {"not submitted: Images is missing, since the mode needs at least one picture to begin with", true},
		"list":      {"copied the prompt", false},
		"list-long": {"not opened: there is no program for pictures: install xdg-open · /home/ada/darkroom/2030-01/a-paper-kite-famA3-11.png", false},
	} {
		var s toast.Stack
		s.Push(toast.Warn, "", "an older message", t0)
		s.Push(toast.Bad, "", c.text, t0)
		room.Typing = c.typing
		got := s.Over(st, form(), room)
		assert.Contains(t, got, "› Images   path", "%s: the row with the cursor", name)
		if name != "list-long" { // which has nowhere to go
			assert.Equal(t, strings.Count(form(), strings.Repeat("r", 39)), strings.Count(got, strings.Repeat("r", 39)), "%s hides text:\n%s", name, got)
		}
		tuitest.Golden(t, name, got)
	}
}

func TestAMessageOnAFullPageLeavesButtonsAndTheCursor(t *testing.T) {
	st := tuitest.Styles(t)
	var s toast.Stack
	s.Push(toast.Bad, "", strings.Repeat("why it was not done ", 9), t0)
	lines := strings.Split(page, "\n")
	lines[10] = "› the row" + strings.Repeat("f", 51)
	got := strings.Split(s.Over(st, strings.Join(lines, "\n"), toast.Room{Above: 1, Below: 1, Pressed: []zone.Rect{{X: 50, Y: 8, W: 5, H: 1}}}), "\n")
	assert.Equal(t, lines[8:], got[8:])
	assert.Contains(t, got[5], "why it was not done")
	s.Clear()
	s.Push(toast.Bad, "", strings.Repeat("why it was not done ", 9), t0)
	one := strings.Split(s.Over(st, page, toast.Room{Above: 1, Below: 1, Typing: true}), "\n")
	one[10] = lines[1]
	assert.Equal(t, strings.Split(page, "\n"), one, "over a form it has one line")
}

func TestShorten(t *testing.T) {
	const path = "/home/ada/darkroom/2030-01/a-paper-kite-famA3-11.png"
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"short", 20, "short"},
		{"not opened: no program · " + path, 60, "not opened: no program · /home/ada/d…paper-kite-famA3-11.png"},
		{"not opened: no program · " + path, 41, "not opened: no program · /home…mA3-11.png"},
		{"not opened: no program · " + path, 20, "not opened: no prog…"},
		{"a/b and words that are too long", 20, "a/b and words that …"},
	} {
		got := toast.Shorten(c.text, c.w)
		assert.LessOrEqual(t, widgets.Width(got), c.w)
		assert.Equal(t, c.want, got)
	}
}
