// Package tuitest drives a screen or a whole console in a test: it sends messages, runs
// the commands that come back until there are no more, and looks at what is drawn.
//
// Nothing here sleeps. Commands run one at a time in the order in which they came, so a
// test is as deterministic as its commands are.
package tuitest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/zone"
)

// DefaultLimit is how long a command may take before the driver goes on without it.
const DefaultLimit = 300 * time.Millisecond

// maxBusy is long enough for the work of any command on a busy machine.
const maxBusy = 30 * time.Second

// maxMessages stops models that send themselves messages without end.
const maxMessages = 10_000

// Driver drives one model. Make it with [New] or [NewScreen]. Use it from the test's
// own goroutine.
type Driver struct {
	// Limit is how long a command may take; one that takes longer (a timer, a wait for news) is set
	// aside, and its message is delivered once it has come. See [Driver.Settle].
	Limit time.Duration
	// Busy is how long a command may be at work, and not wait for anything, before it is set aside
	// all the same. A test of work without end sets it to zero.
	Busy time.Duration
	// Sent has the messages for the shell that the screen has sent, in order; they are not
	// delivered to it. For a whole console it has those that only bubbletea understands.
	Sent []tea.Msg
	// Quit says that the model has asked to quit.
	Quit bool

	t      testing.TB
	update func(tea.Msg) tea.Cmd
	view   func() string
	resize func(w, h int) tea.Cmd
	shell  bool // messages for the shell are recorded, not delivered
	w, h   int
	late   chan tea.Msg
	aside  int

	messages int
}

// Styles are the dark theme's styles without colours, as goldens want them.
func Styles(t testing.TB) *themes.Styles {
	t.Helper()
	theme, err := themes.Get(themes.Dark)
	if err != nil {
		t.Fatalf("tuitest: %v", err)
	}
	return themes.Make(theme, nil, true)
}

// New drives a whole console, starting with its Init and its size.
func New(t testing.TB, m tea.Model, w, h int) *Driver {
	t.Helper()
	d := newDriver(t)
	d.update = func(msg tea.Msg) tea.Cmd {
		var cmd tea.Cmd
		m, cmd = m.Update(msg)
		return cmd
	}
	d.view = func() string { return m.View() }
	d.resize = func(w, h int) tea.Cmd { return d.update(tea.WindowSizeMsg{Width: w, Height: h}) }
	d.run(m.Init())
	d.Resize(w, h)
	return d
}

// NewScreen drives one screen as the shell would, with [Styles]: it gets its styles and
// size, Init, and ShownMsg. Messages for the shell are kept in Sent.
func NewScreen(t testing.TB, s screen.Screen, w, h int) *Driver {
	t.Helper()
	d := newDriver(t)
	d.shell = true
	d.update = func(msg tea.Msg) tea.Cmd {
		var cmd tea.Cmd
		s, cmd = s.Update(msg)
		return cmd
	}
	d.view = func() string { return s.View() }
	d.resize = func(w, h int) tea.Cmd { s.SetSize(w, h); return nil }
	s.SetStyles(Styles(t))
	d.Resize(w, h)
	d.run(s.Init())
	d.Send(screen.ShownMsg{})
	return d
}

func newDriver(t testing.TB) *Driver {
	return &Driver{Limit: DefaultLimit, Busy: maxBusy, t: t, late: make(chan tea.Msg, maxMessages)}
}

// Resize sets the size in cells.
func (d *Driver) Resize(w, h int) {
	d.t.Helper()
	d.w, d.h = w, h
	d.run(d.resize(w, h))
}

// Size returns the size that was set last.
func (d *Driver) Size() (w, h int) { return d.w, d.h }

// Send delivers messages to the model and runs all commands that follow from them.
func (d *Driver) Send(msgs ...tea.Msg) {
	d.t.Helper()
	d.messages = 0
	for _, m := range msgs {
		d.deliver(m)
	}
	d.collect()
}

// Type types text, one key a character; a line end is the enter key.
func (d *Driver) Type(text string) {
	d.t.Helper()
	for _, r := range text {
		switch r {
		case '\n':
			d.Key("enter")
		case ' ':
			d.Key(" ")
		default:
			d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
}

// Paste pastes text in one message.
func (d *Driver) Paste(text string) {
	d.t.Helper()
	d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// Key presses keys by their names: "ctrl+s", "shift+tab", "enter", "a", " ".
func (d *Driver) Key(names ...string) {
	d.t.Helper()
	for _, n := range names {
		d.Send(KeyMsg(d.t, n))
	}
}

// KeyMsg returns the message of a key by its name.
func KeyMsg(t testing.TB, name string) tea.KeyMsg {
	t.Helper()
	msg, ok := keys.Parse(name)
	if !ok {
		t.Fatalf("tuitest: %q is not a key", name)
	}
	return msg
}

// Click clicks into the first cell of a zone; it must be on the screen. A screen gets a
// screen.ClickMsg, a whole console the mouse messages.
func (d *Driver) Click(zoneID string) { d.t.Helper(); d.click(zoneID, false) }

// DoubleClick is [Driver.Click] twice in a row.
func (d *Driver) DoubleClick(zoneID string) { d.t.Helper(); d.click(zoneID, true) }

func (d *Driver) click(zoneID string, double bool) {
	d.t.Helper()
	z := d.zone(zoneID)
	if d.shell {
		d.Send(screen.ClickMsg{Zone: zoneID, Double: double})
		return
	}
	n := 1
	if double {
		n = 2
	}
	for range n {
		at := tea.MouseMsg{X: z.Rect.X, Y: z.Rect.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
		d.Send(at)
		at.Action = tea.MouseActionRelease
		d.Send(at)
	}
}

// Wheel turns the wheel over a zone, -1 for up and +1 for down.
func (d *Driver) Wheel(zoneID string, delta int) {
	d.t.Helper()
	if d.shell {
		d.Send(screen.WheelMsg{Zone: zoneID, Delta: delta})
		return
	}
	z := d.zone(zoneID)
	button := tea.MouseButtonWheelDown
	if delta < 0 {
		button = tea.MouseButtonWheelUp
	}
	d.Send(tea.MouseMsg{X: z.Rect.X, Y: z.Rect.Y, Button: button, Action: tea.MouseActionPress})
}

func (d *Driver) zone(id string) zone.Zone {
	d.t.Helper()
	frame, zones := zone.Scan(d.view())
	z, ok := zones.Find(id)
	if !ok {
		var ids []string
		for _, e := range zones {
			ids = append(ids, e.ID)
		}
		d.t.Fatalf("tuitest: no zone %q on the screen; there are %s\n%s", id, strings.Join(ids, " "), frame)
	}
	return z
}

// Zones returns the zones of the current frame.
func (d *Driver) Zones() zone.Zones {
	_, zones := zone.Scan(d.view())
	return zones
}

// Frame returns what the model draws, with its zone marks.
func (d *Driver) Frame() string { return d.view() }

// View returns what a person sees: the frame without zone marks and colours.
func (d *Driver) View() string { return Plain(d.view()) }

// Last returns the last message of a type that the model has sent to the shell.
func Last[M tea.Msg](d *Driver) (M, bool) {
	for i := len(d.Sent) - 1; i >= 0; i-- {
		if m, ok := d.Sent[i].(M); ok {
			return m, true
		}
	}
	var none M
	return none, false
}

// deliver gives one message to the model, unless it is for something else.
func (d *Driver) deliver(msg tea.Msg) {
	d.t.Helper()
	switch m := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, c := range m {
			d.run(c)
		}
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	case screen.OpenMsg, screen.ToastMsg, screen.UntoastMsg, screen.CopyMsg, screen.EditMsg, screen.OpenFileMsg, screen.SwitchMsg, screen.ThemesMsg:
		if d.shell {
			d.Sent = append(d.Sent, msg)
			return
		}
	}
	if cmds, ok := sequence(msg); ok {
		for _, c := range cmds {
			d.run(c)
		}
		return
	}
	if internal(msg) {
		d.Sent = append(d.Sent, msg)
		return
	}
	d.run(d.update(msg))
}

// sequence recognises the unexported message of tea.Sequence: a slice of commands.
func sequence(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i], _ = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds, true
}

// internal reports messages that bubbletea's own loop consumes, such as that of tea.Exec.
func internal(msg tea.Msg) bool {
	t := reflect.TypeOf(msg)
	return t.PkgPath() == reflect.TypeFor[tea.KeyMsg]().PkgPath() && t.Name() != "" &&
		t.Name()[0] >= 'a' && t.Name()[0] <= 'z'
}
