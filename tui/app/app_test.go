package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/paint"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// fake is a screen that writes down what it gets.
type fake struct {
	name      string
	got       []tea.Msg
	capturing bool
	unsaved   string
	reply     func(tea.Msg) tea.Cmd
	body      func(w, h int) string // nil for the usual one
	flush     func() error          // nil for nothing to save
	w, h      int
	views     int
	st        *themes.Styles
}

func (f *fake) Init() tea.Cmd { return nil }
func (f *fake) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	f.got = append(f.got, msg)
	if f.reply != nil {
		return f, f.reply(msg)
	}
	return f, nil
}
func (f *fake) View() string {
	f.views++
	if f.body != nil {
		return widgets.Fit(f.body(f.w, f.h), f.w, f.h)
	}
	return widgets.Fit("screen "+f.name+"\n\n  "+zone.Mark("spot", "press here"), f.w, f.h)
}
func (f *fake) SetSize(w, h int)            { f.w, f.h = w, h }
func (f *fake) SetStyles(st *themes.Styles) { f.st = st }
func (f *fake) Capturing() bool             { return f.capturing }
func (f *fake) Unsaved() string             { return f.unsaved }
func (f *fake) Flush() error {
	if f.flush == nil {
		return nil
	}
	return f.flush()
}
func (f *fake) Actions() []screen.Action {
	return []screen.Action{{ID: f.name + ".submit", Title: "Send the " + f.name}}
}
func (f *fake) ShortHelp() []key.Binding {
	return []key.Binding{key.NewBinding(key.WithKeys("z", "alt+z"), key.WithHelp("z", "do "+f.name))}
}
func (f *fake) FullHelp() [][]key.Binding { return [][]key.Binding{f.ShortHelp()} }

func received[M tea.Msg](f *fake) []M {
	var out []M
	for _, m := range f.got {
		if x, ok := m.(M); ok {
			out = append(out, x)
		}
	}
	return out
}

type counter struct {
	Jobs
	counts jobs.Counts
}

func (c counter) Counts() jobs.Counts { return c.counts }

type console struct {
	*tuitest.Driver
	ends func(error) tea.Msg // what the editor called beside tells at its end
	t    *testing.T
	m    *Model
	one  *fake
	two  *fake
	now  time.Time
	busy int
	ran  []string
	news chan struct{}
}

func newConsole(t *testing.T, w, h int) *console {
	t.Helper()
	c := &console{t: t, one: &fake{name: "compose"}, two: &fake{name: "queue"}, now: time.Unix(1000, 0), news: make(chan struct{})}
	st := tuitest.Styles(t)
	theme := func(name string) (*themes.Styles, error) {
		th, err := themes.Get(name)
		if err != nil {
			return nil, err
		}
		return themes.Make(th, nil, true), nil
	}
	note := func(what string) tea.Cmd {
		return func() tea.Msg { c.ran = append(c.ran, what); return nil }
	}
	c.m = New(Options{
		Services: Services{Jobs: counter{counts: jobs.Counts{Running: 3, Queued: 2, Failed: 1}}, Keys: Keys(), Styles: st, Now: func() time.Time { return c.now }},
		Profile:  "sandbox", Sandbox: true, Busy: func() int { return c.busy },
		Theme: theme, Themes: themes.Names(), Auto: true, Start: screen.Compose,
		Suspend: func() tea.Cmd { return note("suspend") },
		Copy:    func(text string) tea.Cmd { return note("copy " + text) },
		Repaint: func() tea.Cmd { return note("repaint") },
		Open:    func(path string) error { return errors.New("no desktop for " + path) },
		Exec: func(name string, args []string, done func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg {
				c.ran = append(c.ran, name)
				if name == "beside" { // as the terminal does: the end is told by itself
					c.ends = done
					return nil
				}
				if name == "broken" {
					return done(errors.New("exit status 1"))
				}
				return done(os.WriteFile(args[len(args)-1], []byte("edited"), 0o600))
			}
		},
		Editor: func() []string { return []string{"ed", "-x"} },
	}, []Entry{
		{screen.Compose, "Compose", nil, func(Services) screen.Screen { return c.one }},
		{screen.Queue, "Queue", nil, func(Services) screen.Screen { return c.two }},
	})
	made(c.m, 1) // as where both were shown
	c.Driver = tuitest.New(t, c.m, w, h)
	return c
}

// press presses the mouse on the first cell of a zone.
func (c *console) press(id string, button tea.MouseButton) {
	_ = c.View()
	for _, z := range c.m.zones {
		if strings.HasPrefix(z.ID, id) {
			c.Send(tea.MouseMsg{X: z.Rect.X, Y: z.Rect.Y, Action: tea.MouseActionPress, Button: button})
			return
		}
	}
	require.Failf(c.t, "no such zone", "%s in %v", id, c.m.zones)
}

func TestDigitsSwitchScreensUnlessTextIsTyped(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Key("2")
	require.Contains(t, c.View(), "screen queue")
	require.Len(t, received[screen.HiddenMsg](c.one), 1)
	require.Len(t, received[screen.ShownMsg](c.two), 1)

	c.two.capturing = true
	c.Key("1", "?", "q")
	require.Contains(t, c.View(), "screen queue", "a text field takes digits")
	require.Len(t, received[tea.KeyMsg](c.two), 3)
	c.Key("alt+1")
	require.Contains(t, c.View(), "screen compose", "alt and a digit always switch")
}

func TestPasteIsNeverAGlobalKey(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.one.capturing = true
	c.Paste("q")
	require.Len(t, received[tea.KeyMsg](c.one), 1)
}

func TestPaletteRunsActionsOfAnyScreen(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Key("ctrl+p")
	require.Contains(t, c.View(), "Command palette")
	c.Type("send the queue")
	c.Key("enter")
	require.Equal(t, []screen.ActionMsg{{ID: "queue.submit"}}, received[screen.ActionMsg](c.two))
	require.Contains(t, c.View(), "screen queue")
	require.NotContains(t, c.View(), "Command palette")
}

func TestPaletteHoldsEveryActionOfTheShell(t *testing.T) {
	c := newConsole(t, 120, 60)
	c.Key("ctrl+p")
	for _, a := range Keys().Actions(keys.App) {
		if a.ID == "app.palette" || strings.HasPrefix(a.ID, "app.screen.") {
			continue
		}
		c.m.palette.SetQuery(a.Title)
		item, ok := c.m.palette.Current()
		require.True(t, ok, a.ID)
		require.Equal(t, a.Title, item.Title)
	}
}

func TestHelpShowsScreenAndConsole(t *testing.T) {
	c := newConsole(t, 100, 30)
	c.Key("?")
	require.Contains(t, c.View(), "do compose")
	require.Contains(t, c.View(), "Command palette")
	c.Key("esc")
	require.NotContains(t, c.View(), "esc closes")
}

func TestAnswersOfACommandGoBackToTheirScreenOnly(t *testing.T) {
	type answer struct{ n int }
	c := newConsole(t, 80, 24)
	c.one.reply = func(msg tea.Msg) tea.Cmd {
		if _, ok := msg.(screen.ActionMsg); !ok {
			return nil
		}
		return tea.Batch(
			func() tea.Msg { return answer{1} },
			screen.Open(screen.Queue, screen.ShowJob{JobID: "j"}),
			screen.Toast(screen.Good, "done\x1b[31m"),
		)
	}
	c.Send(routed{to: screen.Compose, msg: screen.ActionMsg{ID: "compose.submit"}})
	require.Equal(t, []answer{{1}}, received[answer](c.one))
	require.Empty(t, received[answer](c.two))
	require.Equal(t, []screen.ShowJob{{JobID: "j"}}, received[screen.ShowJob](c.two))
	require.Contains(t, c.View(), "screen queue")
	require.Contains(t, c.View(), "done")
	require.NotContains(t, c.Frame(), "\x1b[31m", "what a toast says is cleaned")
}

func TestNewsReachStartedScreens(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(newsMsg{})
	require.Len(t, received[screen.JobsMsg](c.one), 1)
	require.Empty(t, received[screen.JobsMsg](c.two), "a screen that was never shown has nothing to update")
	c.Key("2", "1")
	c.Send(newsMsg{})
	require.Len(t, received[screen.JobsMsg](c.two), 1)
}

func TestHiddenScreensAreNotDrawn(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Key("2", "1")
	before := c.two.views
	c.Send(newsMsg{})
	_ = c.View()
	require.Equal(t, before, c.two.views)
}

func TestQuitAsksOnlyWhenSomethingWouldBeLost(t *testing.T) {
	quits := func(c *console) bool {
		_, cmd := c.m.Update(quitCheck{})
		return cmd != nil && isQuit(cmd())
	}
	c := newConsole(t, 80, 24)
	require.True(t, quits(c))

	c.busy = 2
	c.Key("q")
	require.Contains(t, c.View(), "names the task: 2 jobs.")
	c.Key("esc")
	require.Equal(t, noOverlay, c.m.overlay, "esc stays")

	c.busy, c.one.unsaved = 0, "the draft is not saved"
	c.Key("q")
	require.Contains(t, c.View(), "the draft is not saved")
	_, cmd := c.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	require.True(t, isQuit(cmd()), "q in the dialog is its quit button")
}

// writes is a screen with a text that is marked.
type writes struct{ *fake }

func (writes) TakesLetters() bool { return true }

func TestNoLetterQuitsWhereATextIsMarked(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.m.slots[c.m.active].screen = writes{c.one}
	c.one.got = nil
	c.Key("q")
	require.False(t, c.Quit)
	require.Equal(t, []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("q")}}, received[tea.KeyMsg](c.one))
	c.Key("?")
	require.NotEqual(t, noOverlay, c.m.overlay, "signs are the shell's")
	c.Key("esc", "ctrl+q")
	require.True(t, c.Quit)
}

func TestQuitLetsTheScreenSaveFirst(t *testing.T) {
	type saved struct{}
	c := newConsole(t, 80, 24)
	c.one.unsaved = "not yet saved"
	c.one.reply = func(msg tea.Msg) tea.Cmd {
		switch msg.(type) {
		case screen.HiddenMsg:
			return func() tea.Msg { return saved{} }
		case saved:
			c.one.unsaved = ""
		}
		return nil
	}
	c.Key("q")
	require.Equal(t, noOverlay, c.m.overlay, "what can be saved is saved, and no question asked")
}

// TestQuitFollowsWhenNothingWouldBeLost: what was asked for is done once the reason to ask is gone,
// by news and not by a key.
func TestQuitFollowsWhenNothingWouldBeLost(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.busy = 1
	c.Key("q")
	require.Contains(t, c.View(), "The console quits by itself")
	c.Send(newsMsg{})
	require.False(t, c.Quit, "the gateway has not answered yet")
	c.busy = 0
	c.Key("left")
	require.False(t, c.Quit, "a key answers the question")
	c.Send(newsMsg{})
	require.True(t, c.Quit)

	c = newConsole(t, 80, 24)
	c.busy = 1
	c.Key("q", "s")
	c.busy = 0
	c.Send(newsMsg{})
	require.False(t, c.Quit, "whoever stays, stays")
}

func isQuit(msg tea.Msg) bool {
	switch m := msg.(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range m {
			if c != nil && isQuit(c()) {
				return true
			}
		}
	}
	return false
}

func TestMouse(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.press("spot", tea.MouseButtonLeft)
	clicks := received[screen.ClickMsg](c.one)
	require.Len(t, clicks, 1)
	require.Equal(t, "spot", clicks[0].Zone)
	require.False(t, clicks[0].Double)
	c.press("spot", tea.MouseButtonLeft)
	require.True(t, received[screen.ClickMsg](c.one)[1].Double)

	c.press("tab:queue", tea.MouseButtonLeft)
	require.Contains(t, c.View(), "screen queue")
	c.press("spot", tea.MouseButtonWheelDown)
	require.Equal(t, []screen.WheelMsg{{Zone: "spot", Delta: 1}}, received[screen.WheelMsg](c.two))

	c.press("shell:app.palette", tea.MouseButtonLeft)
	require.Equal(t, paletteOverlay, c.m.overlay)
	_ = c.View()
	_, ok := c.m.zones.Find("spot")
	require.False(t, ok, "nothing below a dialog can be hit")
	c.Send(tea.MouseMsg{X: 0, Y: 23, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Equal(t, noOverlay, c.m.overlay, "a click beside the palette closes it")
}

func TestThemeFollowsTheBackgroundUntilOneIsChosen(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(paint.BackgroundMsg{Dark: false})
	require.Equal(t, "light", c.one.st.Name)
	require.Equal(t, "light", c.two.st.Name)
	c.Key("ctrl+t")
	chosen := c.m.st.Name
	require.NotEqual(t, "light", chosen)
	c.Send(paint.BackgroundMsg{Dark: false})
	require.Equal(t, chosen, c.m.st.Name)
}

func TestAThemeOnTheWrongBackgroundPaintsItsOwn(t *testing.T) {
	c := newConsole(t, 80, 24)
	colour := lipgloss.NewRenderer(io.Discard)
	colour.SetColorProfile(termenv.TrueColor)
	c.m.o.Theme = func(name string) (*themes.Styles, error) {
		th, err := themes.Get(name)
		return themes.Make(th, colour, false), err
	}
	c.Send(paint.BackgroundMsg{Dark: true})
	for range themes.Names() {
		c.Key("ctrl+t")
		th, err := themes.Get(c.m.st.Name)
		require.NoError(t, err)
		require.Equal(t, !c.m.st.Dark || th.Fill, c.m.st.Fill, c.m.st.Name)
		tuitest.CheckFrame(t, c.Frame(), 80, 24)
	}
}

func TestAThemeWithAMistakeIsSteppedOver(t *testing.T) {
	c := newConsole(t, 80, 24)
	right := c.m.o.Theme
	c.m.o.Theme = func(name string) (*themes.Styles, error) {
		if name == "mine" {
			return nil, errors.New("theme \"mine\": [3:1] unknown field")
		}
		return right(name)
	}
	first := c.m.st.Name
	c.m.o.Themes = []string{first, "mine", themes.Paper}
	c.Key("ctrl+t")
	require.Equal(t, themes.Paper, c.m.st.Name)
	require.Contains(t, c.View(), "[3:1] unknown field")
	c.Key("ctrl+t")
	require.Equal(t, first, c.m.st.Name)
}

func TestToastsGoByThemselvesAndOnAClick(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(screen.ToastMsg{Level: screen.Info, Text: "first news"})
	require.Contains(t, c.View(), "first news")
	c.now = c.now.Add(toastShort + time.Second)
	c.Send(toastTick{})
	require.NotContains(t, c.View(), "first news")
	c.Send(screen.ToastMsg{Level: screen.Bad, Text: "second news"})
	c.press("toast:", tea.MouseButtonLeft)
	require.NotContains(t, c.View(), "second news")
}

func TestEditorGivesTheTextBackWhateverHappens(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(editFor{to: screen.Compose, edit: screen.EditMsg{Text: "before", Tag: "prompt"}})
	require.Equal(t, []screen.EditedMsg{{Text: "edited", Tag: "prompt"}}, received[screen.EditedMsg](c.one))

	c.m.o.Editor = func() []string { return []string{"broken"} }
	c.Send(editFor{to: screen.Compose, edit: screen.EditMsg{Text: "typed", Tag: "prompt"}})
	last := received[screen.EditedMsg](c.one)[1]
	require.Equal(t, "typed", last.Text)
	require.ErrorContains(t, last.Err, "exit status 1")

	c.m.o.Editor = func() []string { return nil }
	c.Send(editFor{to: screen.Compose, edit: screen.EditMsg{Text: "typed"}})
	require.ErrorContains(t, received[screen.EditedMsg](c.one)[2].Err, "set EDITOR")
}

// TestWhatComesInAtOnceIsBounded: a file of any size was read back from the editor before.
func TestWhatComesInAtOnceIsBounded(t *testing.T) {
	c := newConsole(t, 80, 24)
	var path string
	c.m.o.Exec = func(_ string, args []string, done func(error) tea.Msg) tea.Cmd {
		path = args[len(args)-1]
		return func() tea.Msg { return done(os.Truncate(path, 200_000_000)) }
	}
	c.Send(editFor{to: screen.Compose, edit: screen.EditMsg{Text: "typed", Tag: "prompt"}})
	c.Settle(20*time.Second, "the editor's text came back", func() bool { return len(received[screen.EditedMsg](c.one)) > 0 })
	got := received[screen.EditedMsg](c.one)[0]
	require.Equal(t, "typed", got.Text)
	require.ErrorContains(t, got.Err, "more than 16 MiB")
	require.ErrorContains(t, got.Err, "is kept in "+path)
	info, err := os.Stat(path)
	require.NoError(t, err, "nothing that was typed is lost")
	require.EqualValues(t, 200_000_000, info.Size())
	require.NoError(t, os.RemoveAll(filepath.Dir(path)))

	before := len(received[tea.KeyMsg](c.one))
	c.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: make([]rune, maxText+1)})
	require.Len(t, received[tea.KeyMsg](c.one), before, "no screen gets it")
	require.Contains(t, c.View(), "not pasted: it has more than 16 MiB")
	c.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("short")})
	require.Len(t, received[tea.KeyMsg](c.one), before+1)
}

func TestShellServices(t *testing.T) {
	c := newConsole(t, 80, 24)
	c.Send(screen.CopyMsg{Text: "task_1", What: "the id"})
	c.Key("ctrl+l", "ctrl+z")
	require.Equal(t, []string{"copy task_1", "repaint", "suspend"}, c.ran)
	require.Contains(t, c.View(), "copied the id")
	c.Send(screen.OpenFileMsg{Path: "/nowhere/a.png"})
	require.Contains(t, c.View(), "no desktop for /nowhere/a.png")
}

func TestFramesFitEverySize(t *testing.T) {
	c := newConsole(t, 80, 24)
	for _, overlayKey := range []string{"", "ctrl+p", "?"} {
		if overlayKey != "" {
			c.Key(overlayKey)
		}
		for w := 10; w <= 220; w += 7 {
			for h := 3; h <= 62; h += 5 {
				c.Resize(w, h)
				tuitest.CheckFrame(t, c.Frame(), w, h)
			}
		}
		c.Key("esc")
	}
}

func TestTitleShowsGatewayAndCounts(t *testing.T) {
	for _, w := range []int{40, 80, 120, 200} {
		c := newConsole(t, w, 24)
		line, _, _ := strings.Cut(c.View(), "\n")
		require.Contains(t, line, "● sandbox", w)
		require.Contains(t, line, "▶3", w)
		require.Contains(t, line, "✗1", w)
	}
}

func TestEveryScreenHasADigitAndAPage(t *testing.T) {
	m := Keys()
	seen := map[screen.ID]bool{}
	for i, e := range Screens() {
		require.False(t, seen[e.ID], "registered twice: %s", e.ID)
		seen[e.ID] = true
		a, ok := m.Action(fmt.Sprintf("app.screen.%d", i+1))
		require.True(t, ok, "no key for screen %d", i+1)
		require.Equal(t, "Go to "+e.Title, a.Title)
	}
}

// TestEveryKeyDoesSomething: an action that has a key is in the palette or in the help of
// its screen. A key that does nothing would only be in the way of one that does.
func TestEveryKeyDoesSomething(t *testing.T) {
	h := newHostile(t)
	d := newDesk(t, h)
	for i, e := range Screens() {
		d.Key(fmt.Sprintf("alt+%d", i+1))
		sc := d.model.slots[i].screen
		offered := map[string]bool{}
		for _, a := range sc.Actions() {
			offered[a.ID] = true
		}
		helped := map[string]bool{}
		for _, group := range sc.FullHelp() {
			for _, b := range group {
				helped[b.Help().Desc] = true
			}
		}
		for _, a := range Keys().Actions(string(e.ID)) {
			require.True(t, offered[a.ID] || helped[a.Title], "%s is neither in the palette nor in the help", a.ID)
		}
	}
}
