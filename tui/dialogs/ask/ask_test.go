package ask_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

// over is a stack with a dialog, and what was answered.
type over struct {
	screen.Stack
	answers []any
}

func open(t *testing.T, d screen.Dialog) *over {
	t.Helper()
	o := &over{}
	o.Stack = screen.NewStack(keys.Map{}, tuitest.Styles(t), func(a any) tea.Cmd {
		o.answers = append(o.answers, a)
		return nil
	})
	o.SetSize(80, 24)
	o.Open(d)
	return o
}

func (o *over) press(names ...string) {
	for _, n := range names {
		k, _ := keys.Parse(n)
		_, _ = o.Update(k)
	}
}

func TestADecision(t *testing.T) {
	decide := func() *ask.Decision { return ask.Decide("Drop it?", "It is billed.", "Keep", "Drop", 7) }
	for name, do := range map[string]func(*over){
		"no":     func(o *over) { o.press("n") },
		"escape": func(o *over) { o.press("esc") },
		"enter":  func(o *over) { o.press("enter") },
		"click":  func(o *over) { _, _ = o.Update(screen.ClickMsg{Zone: "btn:no"}) },
	} {
		o := open(t, decide())
		do(o)
		assert.Nil(t, o.Top(), name)
		assert.Empty(t, o.answers, name)
	}
	o := open(t, decide())
	o.press("x")
	_, _ = o.Update(screen.ClickMsg{Zone: "row:1"})
	require.NotNil(t, o.Top(), "that is no answer")
	assert.Contains(t, o.Top().View(), "It is billed.")
	assert.Equal(t, "yes", o.ShortHelp()[0].Help().Desc)
	o.press("y")
	assert.Equal(t, []any{ask.Agreed{About: 7}}, o.answers)
	assert.Nil(t, o.Top())
}

func line() *ask.Line {
	return ask.ForLine(ask.Options{
		Look: ask.Look{Title: "Tags", Hint: "A word is a tag.", Button: "Tag"}, Prompt: "tags: ", Subject: "3 jobs", Text: "a\x1b[2Jb", About: "tags",
		Check: func(text string) string {
			if text == "" {
				return "type\na tag"
			}
			return ""
		},
	})
}

func TestALine(t *testing.T) {
	o := open(t, line())
	assert.True(t, o.Capturing())
	assert.NotContains(t, o.Top().View(), "\x1b[2J")
	assert.Contains(t, o.Top().View(), "A word is a tag.")
	o.press("ctrl+u", "enter")
	require.NotNil(t, o.Top())
	assert.Contains(t, o.Top().View(), "a tag", "what is wrong stands in place of the hint")
	assert.NotContains(t, o.Top().View(), "A word is a tag.")
	_, _ = o.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("kept\ngood"), Paste: true})
	assert.Contains(t, o.Top().View(), "A word is a tag.")
	_, _ = o.Update(screen.ClickMsg{Zone: "btn:yes"})
	require.Len(t, o.answers, 1)
	typed, ok := o.answers[0].(ask.Typed)
	require.True(t, ok)
	assert.Equal(t, "tags", typed.About)
	assert.NotContains(t, typed.Text, "\n")
	assert.Nil(t, o.Top())

	left := open(t, line())
	left.press("esc")
	assert.Empty(t, left.answers)
	assert.Nil(t, left.Top())
}

func TestASecretIsNotShown(t *testing.T) {
	d := ask.ForLine(ask.Options{Look: ask.Look{Button: "Keep"}, Prompt: "> ", Secret: true, Limit: 2000})
	o := open(t, d)
	_, _ = o.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("k3y-", 300)), Paste: true})
	assert.NotContains(t, d.View(), "k3y")
	assert.Contains(t, d.View(), "•••")
	o.press("enter")
	assert.Equal(t, []any{ask.Typed{Text: strings.Repeat("k3y-", 300)}}, o.answers)
}

func TestALineThatLooksByWhatIsTyped(t *testing.T) {
	o := open(t, ask.ForLine(ask.Options{Prompt: "host: ", LookOf: func(text string) ask.Look {
		return ask.Look{Title: "Pause " + text, Button: "Pause"}
	}}))
	o.press("c", "d", "n")
	assert.Contains(t, o.Top().View(), "Pause cdn")
	assert.Equal(t, "pause", o.ShortHelp()[0].Help().Desc)
}

func TestAnySize(t *testing.T) {
	for w := 0; w < 90; w += 4 {
		for h := range 12 {
			d, l := ask.Decide("Drop it?", "It is billed.", "Keep", "Drop", nil), line()
			for _, x := range []screen.Dialog{d, l} {
				x.SetStyles(tuitest.Styles(t))
				x.SetSize(w, h)
				assert.LessOrEqual(t, widgets.Width(x.View()), max(w, 0), "%T %dx%d", x, w, h)
			}
		}
	}
}
