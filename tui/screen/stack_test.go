package screen_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// box is a dialog that notes what it gets and does what a test says.
type box struct {
	screen.Base
	scope    string
	offers   []string
	got      []tea.Msg
	do       func(*box, tea.Msg)
	captures bool
	keeps    bool
	loses    string
	closed   int
	inits    int
}

func (b *box) Init() tea.Cmd { b.inits++; return nil }
func (b *box) Scope() string { return b.scope }
func (b *box) View() string  { return "[" + b.scope + "]" }
func (b *box) Closed()       { b.closed++ }
func (b *box) Keep() bool    { return b.keeps }

func (b *box) Capturing() bool    { return b.captures }
func (b *box) TakesLetters() bool { return true }
func (b *box) Unsaved() string    { return b.loses }
func (b *box) ShortHelp() []key.Binding {
	return []key.Binding{key.NewBinding(key.WithHelp("x", b.scope))}
}

func (b *box) Actions() (out []screen.Action) {
	for _, id := range b.offers {
		out = append(out, screen.Action{ID: id})
	}
	return out
}

func (b *box) Update(msg tea.Msg) tea.Cmd {
	b.got = append(b.got, msg)
	if b.do != nil {
		b.do(b, msg)
	}
	return nil
}

func press(name string) tea.KeyMsg { k, _ := keys.Parse(name); return k }

func stack(t *testing.T, answers *[]any) *screen.Stack {
	s := screen.NewStack(keys.New([]keys.Action{{ID: "past.job", Keys: []string{"alt+enter"}}, {ID: "past.take", Keys: []string{"enter"}}}), tuitest.Styles(t), func(a any) tea.Cmd {
		*answers = append(*answers, a)
		return nil
	})
	s.SetSize(80, 24)
	return &s
}

func update(s *screen.Stack, msg tea.Msg) bool { _, taken := s.Update(msg); return taken }

func TestInputGoesToTheTopAndNewsToAll(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	assert.False(t, update(s, press("a")), "nothing is open")
	below := &box{scope: "past", offers: []string{"past.job"}}
	top := &box{scope: "files", captures: true}
	s.Open(below)
	s.Open(top)
	assert.Equal(t, 1, top.inits)
	assert.Equal(t, 80, top.W)
	require.NotNil(t, top.Styles)
	for _, msg := range []tea.Msg{press("a"), screen.ClickMsg{Zone: "z"}, screen.WheelMsg{Delta: 1}} {
		assert.True(t, update(s, msg))
	}
	assert.False(t, update(s, screen.ActionMsg{ID: "past.job"}), "that dialog is not on the top")
	assert.Len(t, top.got, 3)
	assert.Empty(t, below.got)
	assert.False(t, update(s, screen.JobsMsg{}), "the screen's, too")
	assert.Len(t, top.got, 4)
	assert.Len(t, below.got, 1)
	assert.True(t, s.Capturing())
	assert.True(t, s.TakesLetters())
	assert.Equal(t, "files", s.ShortHelp()[0].Help().Desc)
	assert.True(t, s.Has("past"))
}

func TestAKeyIsAnActionThatTheTopOffers(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	d := &box{scope: "past", offers: []string{"past.job"}}
	s.Open(d)
	update(s, press("alt+enter"))
	assert.Equal(t, screen.ActionMsg{ID: "past.job"}, d.got[0])
	update(s, press("enter"))
	assert.Equal(t, press("enter"), d.got[1], "past.take is not offered")
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("alt+enter"), Paste: true}
	update(s, paste)
	assert.Equal(t, paste, d.got[2])
	update(s, screen.ActionMsg{ID: "past.job"})
	assert.Equal(t, screen.ActionMsg{ID: "past.job"}, d.got[3], "by the palette")
}

func TestAnAnswerGoesToWhoeverOpenedTheDialog(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	child := &box{scope: "child", do: func(b *box, _ tea.Msg) {
		b.Answer("yes")
		b.Close()
	}}
	parent := &box{scope: "parent"}
	parent.do = func(b *box, msg tea.Msg) {
		switch msg := msg.(type) {
		case tea.KeyMsg:
			b.Open(child)
		case string:
			assert.False(t, s.Has("child"), "it is closed before")
			b.Answer("child said " + msg)
		}
	}
	s.Open(parent)
	update(s, press("x"))
	require.Same(t, child, s.Top())
	update(s, press("x"))
	assert.Same(t, parent, s.Top())
	assert.Equal(t, []any{"child said yes"}, answers)
	assert.Equal(t, 1, child.closed)
}

func TestAClosedDialogTakesWhatItOpenedWithIt(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	child, next := &box{scope: "child"}, &box{scope: "next"}
	parent := &box{scope: "parent"}
	parent.do = func(b *box, msg tea.Msg) {
		switch msg.(type) {
		case tea.KeyMsg:
			b.Open(child)
		case screen.JobsMsg:
			b.Close()
			b.Open(next)
		}
	}
	s.Open(parent)
	update(s, press("x"))
	update(s, screen.JobsMsg{})
	assert.Equal(t, 1, child.closed)
	assert.Equal(t, 1, parent.closed)
	assert.Same(t, next, s.Top(), "it took the place of the one that opened it")
	next.do = func(b *box, _ tea.Msg) { b.Answer(1) }
	update(s, press("x"))
	assert.Equal(t, []any{1}, answers)
}

func TestOneDialogOfEachScope(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	first, over, second := &box{scope: "past"}, &box{scope: "files"}, &box{scope: "past"}
	s.Open(first)
	s.Open(over)
	s.Open(second)
	assert.Equal(t, 1, first.closed)
	assert.Same(t, second, s.Top())
	s.Open(&box{})
	s.Open(&box{})
	over.keeps = true
	assert.Empty(t, s.Unsaved())
	over.loses = "an answer"
	assert.Equal(t, "an answer", s.Unsaved())
	s.Clear()
	assert.Same(t, over, s.Top())
}

func TestDialogsAreDrawnOneOverTheOther(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	s.SetSize(20, 3)
	assert.Equal(t, "frame", s.View("frame"))
	s.Open(&box{scope: "a long scope"})
	s.Open(&box{scope: "b"})
	line := "                    "
	assert.Equal(t, "   [a lo[b]scope]   ", strings.Split(tuitest.Plain(s.View(line+"\n"+line+"\n"+line)), "\n")[0])
	other := &themes.Styles{}
	s.SetStyles(other)
	top, ok := s.Top().(*box)
	require.True(t, ok)
	assert.Same(t, other, top.Styles)
	assert.Equal(t, 20, top.W)
}

// note is for one dialog.
type note struct {
	to     *box
	missed tea.Cmd
}

func (n note) To() screen.Dialog { return n.to }
func (n note) Missed() tea.Cmd   { return n.missed }

func TestWhatIsForOneDialogIsNotLostWhenItHasClosed(t *testing.T) {
	var answers []any
	s := stack(t, &answers)
	d, other := &box{scope: "past"}, &box{scope: "files"}
	said := func() tea.Msg { return "missed" }
	_, taken := s.Update(note{d, said})
	assert.True(t, taken)
	s.Open(d)
	s.Open(other)
	cmd, _ := s.Update(note{d, said})
	assert.Nil(t, cmd)
	assert.Len(t, d.got, 1)
	assert.Empty(t, other.got)
	s.Clear()
	cmd, _ = s.Update(note{d, said})
	require.NotNil(t, cmd)
	assert.Equal(t, "missed", cmd())
}
