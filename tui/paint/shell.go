//go:build unix

package paint

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// When to paint. What is typed shows at once, unless more is typed behind it: then all of that is
// applied first. What comes by itself shows at once too, as long as it comes seldom.
const (
	// inputApart is the least time between two paints that input asked for, while more input waits.
	inputApart = 16 * time.Millisecond
	// paintApart is the least time before a paint that no input asked for.
	paintApart = 8 * time.Millisecond
	// paintEvery is how often there is such a paint where they go on, paintBurst how many may come
	// sooner after a pause or after input.
	paintEvery = 50 * time.Millisecond
	paintBurst = 4
)

// Cursorer is a model that wants the terminal's own cursor: it costs no wake-up
// to blink, and input methods follow it. Column and row count from 0 in the
// whole frame. Cursor is called after each View.
type Cursorer interface {
	Cursor() (x, y int, shown bool)
}

// Liner is a model that has the lines of its View. Of lines that are the same as before, the very same
// strings save the painter to compare them. What it returns is not written to again.
type Liner interface {
	Lines() []string
}

// shell stands between bubbletea's loop and the inner model. It delivers
// messages, asks for the View after them, and posts it to the painter. Only the
// loop's goroutine uses it.
type shell struct {
	t             *Terminal
	inner         tea.Model
	width, height int

	after   func(time.Duration, func()) // arms the timer
	now     func() time.Time
	rests   func() bool // all that was typed is here
	shown   []string    // the last frame
	painted time.Time   // when it was asked for
	room    float64     // so many paints that no input asked for may come now
	counted time.Time   // when room was counted
	armed   time.Time   // when a timer fires, zero for none
	due     bool        // something does not show yet
}

// paintMsg says that the time has come for what is due.
type paintMsg struct{}

func newShell(t *Terminal, inner tea.Model) *shell {
	return &shell{
		t: t, inner: inner, now: time.Now, rests: t.in.Rests, room: paintBurst,
		after: func(d time.Duration, f func()) { time.AfterFunc(d, f) },
	}
}

// Init starts the inner model, tells it the size and paints, before the loop
// does anything else.
func (s *shell) Init() (cmd tea.Cmd) {
	defer s.t.Recover()
	start := s.t.guarded(s.inner.Init())
	s.width, s.height = s.t.Size()
	cmd = tea.Batch(start, s.pass(tea.WindowSizeMsg{Width: s.width, Height: s.height}))
	s.paint()
	return cmd
}

// View is for bubbletea, which shows nothing.
func (s *shell) View() string { return "" }

// Update passes a message on, and paints.
func (s *shell) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer s.t.Recover()
	switch m := msg.(type) {
	case paintMsg:
		s.catchUp()
		return s, nil
	case tea.WindowSizeMsg:
		s.width, s.height = m.Width, m.Height
		cmd = s.pass(m)
		s.paint()
	case tea.KeyMsg:
		cmd = s.key(m)
		s.showInput()
		s.t.insists.key(m.Type == tea.KeyCtrlC && !m.Alt && !m.Paste)
	case tea.MouseMsg:
		cmd = s.pass(msg)
		s.showInput()
	case tea.FocusMsg, tea.BlurMsg, BackgroundMsg, VersionMsg, PicturesMsg:
		cmd = s.pass(msg)
		s.paint()
	default:
		cmd = s.pass(msg)
		s.show()
	}
	return s, cmd
}

// pass gives one message to the inner model.
func (s *shell) pass(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	s.inner, cmd = s.inner.Update(msg)
	return s.t.guarded(cmd)
}

// key passes a paste whole, and the runes of one read as one key each: a key
// that is held down must not be lost because several came at once.
func (s *shell) key(m tea.KeyMsg) tea.Cmd {
	if m.Paste {
		m.Runes = s.pasted(m.Runes)
		return s.pass(m)
	}
	if m.Type != tea.KeyRunes || len(m.Runes) < 2 {
		return s.pass(m)
	}
	cmds := make([]tea.Cmd, 0, len(m.Runes))
	for i := range m.Runes {
		one := m
		one.Runes = m.Runes[i : i+1 : i+1]
		cmds = append(cmds, s.pass(one))
	}
	return tea.Batch(cmds...)
}

// pasted returns the text that the filter put aside under this number.
func (s *shell) pasted(number []rune) []rune {
	serial, err := strconv.Atoi(string(number))
	if err != nil {
		return number
	}
	text, ok := s.t.in.Pasted(serial)
	if !ok {
		return number
	}
	runes := make([]rune, 0, utf8.RuneCount(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r != utf8.RuneError || size > 1 {
			runes = append(runes, r)
		}
		text = text[size:]
	}
	return runes
}

// showInput shows what was typed: now, or when all that waits behind it is applied.
func (s *shell) showInput() {
	now := s.now()
	s.room, s.counted = paintBurst, now // what it asks for is to show soon
	since := now.Sub(s.painted)
	if since < inputApart {
		// Whoever reads looks at behind once it rests: one of the two sees that it does.
		s.t.behind.Store(true)
		if !s.rests() {
			s.arm(inputApart - since)
			return
		}
	}
	s.paint()
}

// show shows what came by itself: now, or soon.
func (s *shell) show() {
	now := s.now()
	s.room = min(paintBurst, s.room+float64(now.Sub(s.counted))/float64(paintEvery))
	s.counted = now
	wait := paintApart - now.Sub(s.painted)
	if s.room < 1 {
		wait = max(wait, time.Duration((1-s.room)*float64(paintEvery)))
	}
	if wait > 0 {
		s.arm(wait)
		return
	}
	s.paint()
}

// arm has what is due painted after a while at the latest.
func (s *shell) arm(d time.Duration) {
	s.due = true
	at := s.now().Add(d)
	if !s.armed.IsZero() && !s.armed.After(at) {
		return
	}
	s.armed = at
	s.after(d, func() { s.t.send(paintMsg{}) })
}

// catchUp paints what is due: its time has come, or no more input waits.
func (s *shell) catchUp() {
	if !s.armed.After(s.now()) {
		s.armed = time.Time{}
	}
	if s.due {
		s.paint()
	}
}

func (s *shell) paint() {
	s.due = false
	s.t.behind.Store(false)
	f := frame{lines: lines(s.inner), width: s.width, height: s.height}
	if c, ok := s.inner.(Cursorer); ok {
		f.cursor.x, f.cursor.y, f.cursor.shown = c.Cursor()
	}
	s.painted = s.now()
	if !slices.Equal(f.lines, s.shown) {
		s.shown, s.room = f.lines, max(0, s.room-1)
	}
	s.t.out.post(f)
}

// lines are those of a model's View.
func lines(m tea.Model) []string {
	if l, ok := m.(Liner); ok {
		return l.Lines()
	}
	return strings.Split(m.View(), "\n")
}
