package tuitest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

type note string

// probe is a screen that writes down what it is sent.
type probe struct {
	w, h int
	log  []string
	wait chan tea.Msg
}

func say(s string) tea.Cmd { return func() tea.Msg { return note(s) } }

func (p *probe) Init() tea.Cmd { return tea.Batch(say("init one"), say("init two")) }

func (p *probe) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	p.log = append(p.log, fmt.Sprintf("%T %v", msg, msg))
	switch m := msg.(type) {
	case tea.KeyMsg:
		switch m.String() {
		case "s":
			return p, tea.Sequence(say("first"), tea.Batch(say("second"), say("third")), say("fourth"))
		case "w":
			return p, func() tea.Msg { return <-p.wait }
		case "t":
			return p, screen.Toast(screen.Bad, "no")
		case "q":
			return p, tea.Quit
		case "x":
			return p, tea.ExecProcess(nil, nil)
		}
	case note:
		if m == "first" {
			return p, say("after first")
		}
	}
	return p, nil
}

func (p *probe) View() string {
	text := zone.Mark("go", "[ Go ]") + " " + strings.Join(p.log, "\n")
	return widgets.Fit(text, p.w, p.h)
}
func (p *probe) SetSize(w, h int)             { p.w, p.h = w, h }
func (p *probe) SetStyles(*themes.Styles)     {}
func (p *probe) ShortHelp() []key.Binding     { return nil }
func (p *probe) FullHelp() [][]key.Binding    { return nil }
func (p *probe) Actions() []screen.Action     { return nil }
func (p *probe) Capturing() bool              { return false }
func (p *probe) since(n int) []string         { return p.log[n:] }
func newProbe() *probe                        { return &probe{wait: make(chan tea.Msg, 1)} }
func (p *probe) has(t *testing.T, s string)   { t.Helper(); assert.Contains(t, p.log, s) }
func (p *probe) lacks(t *testing.T, s string) { t.Helper(); assert.NotContains(t, p.log, s) }

func TestScreensAreStartedAsByTheShell(t *testing.T) {
	p := newProbe()
	d := tuitest.NewScreen(t, p, 40, 6)
	assert.Equal(t, []string{"tuitest_test.note init one", "tuitest_test.note init two", "screen.ShownMsg {}"}, p.log)
	tuitest.CheckFrame(t, d.Frame(), 40, 6)
	d.Resize(20, 3)
	tuitest.CheckFrame(t, d.Frame(), 20, 3)
}

func TestSequencesKeepTheirOrder(t *testing.T) {
	p := newProbe()
	d := tuitest.NewScreen(t, p, 40, 6)
	n := len(p.log)
	d.Key("s")
	var got []string
	for _, l := range p.since(n)[1:] {
		got = append(got, strings.TrimPrefix(l, "tuitest_test.note "))
	}
	assert.Equal(t, []string{"first", "after first", "second", "third", "fourth"}, got)
}

func TestMessagesForTheShellAreKept(t *testing.T) {
	p := newProbe()
	d := tuitest.NewScreen(t, p, 40, 6)
	d.Type("txq")
	toast, ok := tuitest.Last[screen.ToastMsg](d)
	require.True(t, ok)
	assert.Equal(t, "no", toast.Text)
	_, ok = tuitest.Last[screen.OpenMsg](d)
	assert.False(t, ok)
	assert.True(t, d.Quit)
	assert.Len(t, d.Sent, 2, "and that of tea.Exec")
	p.lacks(t, "screen.ToastMsg {3 no}")
}

func TestACommandThatWaitsIsSetAside(t *testing.T) {
	p := newProbe()
	d := tuitest.NewScreen(t, p, 40, 6)
	d.Limit = time.Millisecond
	d.Key("w")
	assert.Equal(t, 1, d.Waiting())
	p.lacks(t, "tuitest_test.note late")
	p.wait <- note("late")
	d.Settle(5*time.Second, "the late message", func() bool { return d.Waiting() == 0 })
	p.has(t, "tuitest_test.note late")
}

func TestMouseAndKeys(t *testing.T) {
	p := newProbe()
	d := tuitest.NewScreen(t, p, 40, 6)
	d.Click("go")
	p.has(t, "zone.Click {go 0 0 false}")
	d.DoubleClick("go")
	p.has(t, "zone.Click {go 0 0 true}")
	d.Wheel("go", -1)
	p.has(t, "screen.WheelMsg {go -1}")
	d.Key("ctrl+s", "shift+tab", "alt+x", "f2", " ")
	d.Type("a\n")
	d.Paste("b c")
	for _, k := range []string{"ctrl+s", "shift+tab", "alt+x", "f2", " ", "a", "enter", "[b c]"} {
		p.has(t, "tea.KeyMsg "+k)
	}
	assert.Contains(t, d.View(), "[ Go ]")
	assert.Len(t, d.Zones(), 1)
}

// console is a whole console as small as can be.
type console struct{ w, h, x, y int }

func (c console) Init() tea.Cmd { return nil }
func (c console) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		c.w, c.h = m.Width, m.Height
	case tea.MouseMsg:
		c.x, c.y = m.X, m.Y
		return c, screen.Toast(screen.Info, "clicked")
	case screen.ToastMsg:
		return c, nil
	}
	return c, nil
}
func (c console) View() string {
	return widgets.Fit(fmt.Sprintf("%d,%d\n  %s", c.x, c.y, zone.Mark("b", "B")), c.w, c.h)
}

func TestAWholeConsoleGetsTheMouse(t *testing.T) {
	d := tuitest.New(t, console{}, 12, 3)
	d.Click("b")
	assert.Contains(t, d.View(), "2,1")
	assert.Empty(t, d.Sent, "its own messages come back to it")
	d.Golden("console")
}

// fake catches what fails a test.
type fake struct {
	testing.TB
	failed string
}

var errFailed = errors.New("failed")

func (f *fake) Helper() {}
func (f *fake) Fatalf(format string, args ...any) {
	f.failed = fmt.Sprintf(format, args...)
	panic(errFailed)
}

func failure(t *testing.T, run func(testing.TB)) string {
	t.Helper()
	f := &fake{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != error(errFailed) {
				panic(p)
			}
		}()
		run(f)
	}()
	return f.failed
}

func TestChecksFail(t *testing.T) {
	for want, frame := range map[string]string{
		"frame has 3 lines, wanted 2":               "ab\nab\nab",
		"line 1 is 3 cells wide, wanted 2":          "ab\nabc",
		"line 0 is 1 cells wide, wanted 2":          "a\nab",
		`line 1 holds the control character "\r"`:   "ab\na\rb",
		`line 0 holds the control character "\x1b"`: "a\x1b[2Jb\nab",
	} {
		assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.CheckFrame(tb, frame, 2, 2) }), want)
	}
	assert.Empty(t, failure(t, func(tb testing.TB) { tuitest.CheckFrame(tb, "\x1b[1m你\x1b[0m\nab", 2, 2) }))
	assert.Empty(t, failure(t, func(tb testing.TB) { tuitest.CheckWithin(tb, "a", 2, 2) }))
	assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.CheckWithin(tb, "abc", 2, 2) }), "3 cells")
	t.Setenv("UPDATE_GOLDEN", "")
	assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.Golden(tb, "console", "other") }), `got  "other"`)
	assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.Golden(tb, "missing", "x") }), "make golden")
	assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.New(tb, console{}, 9, 3).Key("nokey") }), "not a key")
	assert.Contains(t, failure(t, func(tb testing.TB) { tuitest.New(tb, console{}, 9, 3).Click("nozone") }), "there are b")
	assert.Contains(t, failure(t, func(tb testing.TB) {
		tuitest.New(tb, console{}, 9, 3).Settle(time.Millisecond, "what never comes", func() bool { return false })
	}), "what never comes")
}
