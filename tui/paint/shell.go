//go:build unix

package paint

import (
	"strconv"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// paintEvery is the least time between two paints that no input asked for.
const paintEvery = 50 * time.Millisecond

// Cursorer is a model that wants the terminal's own cursor: it costs no wake-up
// to blink, and input methods follow it. Column and row count from 0 in the
// whole frame. Cursor is called after each View.
type Cursorer interface {
	Cursor() (x, y int, shown bool)
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
	painted time.Time // when a message that is no input was last painted
	armed   bool      // a paint is due
}

// paintMsg says that a paint is due.
type paintMsg struct{}

func newShell(t *Terminal, inner tea.Model) *shell {
	return &shell{
		t: t, inner: inner, now: time.Now,
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

// Update passes a message on and paints: at once after input, at most every
// paintEvery otherwise.
func (s *shell) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer s.t.Recover()
	urgent := false
	switch m := msg.(type) {
	case paintMsg:
		s.armed = false
		s.painted = s.now()
		s.paint()
		return s, nil
	case tea.WindowSizeMsg:
		urgent = true
		s.width, s.height = m.Width, m.Height
		cmd = s.pass(m)
	case tea.KeyMsg:
		urgent = true
		cmd = s.key(m)
	case tea.MouseMsg, tea.FocusMsg, tea.BlurMsg,
		BackgroundMsg, VersionMsg, PicturesMsg:
		urgent = true
		cmd = s.pass(msg)
	default:
		cmd = s.pass(msg)
	}
	s.show(urgent)
	if m, ok := msg.(tea.KeyMsg); ok {
		s.t.insists.key(m.Type == tea.KeyCtrlC && !m.Alt && !m.Paste)
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

// show paints now, or sees to it that it happens soon.
func (s *shell) show(urgent bool) {
	now := s.now()
	since := now.Sub(s.painted)
	switch {
	case urgent:
		s.paint()
	case s.armed:
	case since >= paintEvery:
		s.painted = now
		s.paint()
	default:
		s.armed = true
		s.after(paintEvery-since, func() { s.t.send(paintMsg{}) })
	}
}

func (s *shell) paint() {
	f := frame{text: s.inner.View(), width: s.width, height: s.height}
	if c, ok := s.inner.(Cursorer); ok {
		f.cursor.x, f.cursor.y, f.cursor.shown = c.Cursor()
	}
	s.t.out.post(f)
}
