package pasted

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/screen"
)

// desk is a form that writes down what comes into it.
type desk struct {
	Queue
	text string
	asks bool
}

func newDesk() *desk {
	d := &desk{}
	d.Queue = New(Form{
		Do: func(msg tea.Msg) tea.Cmd {
			if k := msg.(tea.KeyMsg); k.Type == tea.KeyCtrlS && d.Barred() == "" {
				d.text += "[sent]"
			} else {
				d.text += string(k.Runes)
			}
			return nil
		},
		Paste: func(text string) tea.Cmd { d.text += text; return nil },
		Asks:  func() bool { return d.asks },
	})
	return d
}

func (d *desk) typed(text string) {
	for _, r := range text {
		d.Do(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// look begins a look at a text, which ends with what is found.
func (d *desk) look(text string, found tea.Msg) LookedMsg {
	return d.Look(func() Text { return Text{Text: text} }, func() tea.Msg { return found })().(LookedMsg)
}

func told(t *testing.T, cmd tea.Cmd) string {
	t.Helper()
	require.NotNil(t, cmd)
	switch msg := cmd().(type) {
	case screen.ToastMsg:
		return msg.Text
	case tea.BatchMsg:
		for _, c := range msg {
			if c != nil {
				return told(t, c)
			}
		}
	}
	return ""
}

func TestWhatIsTypedComesBehindInItsOrder(t *testing.T) {
	d := newDesk()
	d.typed("a")
	assert.Equal(t, "a", d.text, "nothing is waited for")
	old := d.look("/none", "old")
	look := d.look("/file", "found")
	d.typed("bc")
	d.Do(tea.KeyMsg{Type: tea.KeyCtrlS})
	assert.Equal(t, "a", d.text)
	assert.NotEmpty(t, d.Hint())
	assert.Contains(t, d.Unsaved(), "still being looked at")
	found, _ := d.Looked(old)
	assert.Nil(t, found, "only the newest counts")
	found, _ = d.Looked(look)
	assert.Equal(t, "found", found)
	assert.True(t, d.Waiting())
	d.Release("")
	assert.Equal(t, "abc[sent]", d.text)
	assert.False(t, d.Waiting())
	assert.Empty(t, d.Hint()+d.Unsaved()+d.Barred())
}

func TestALookThatIsEndedSendsNothing(t *testing.T) {
	d := newDesk()
	look := d.look("/file", "found")
	d.typed("!")
	d.Do(tea.KeyMsg{Type: tea.KeyCtrlS})
	assert.Equal(t, "kept as text, not looked at", told(t, d.Do(tea.KeyMsg{Type: tea.KeyEsc})))
	assert.Equal(t, "/file!", d.text)
	found, cmd := d.Looked(look)
	assert.Nil(t, found, "it comes too late")
	assert.Nil(t, cmd)
	assert.Nil(t, d.End("the end came"))

	_, cmd = d.Looked(d.look("/file", nil))
	assert.Equal(t, "the disk did not answer: kept as text, not looked at", told(t, cmd))
	d.Look(nil, nil)
	assert.Equal(t, "gone: the files are not added: choose them again", told(t, d.End("gone")))
	d.Look(func() Text { return Text{Said: "not pasted"} }, nil)
	assert.Equal(t, "not pasted", told(t, d.End("")))
}

func TestWhatWaitsIsBounded(t *testing.T) {
	d := newDesk()
	d.look("/file", "found")
	d.typed(strings.Repeat("x", maxHeld+3))
	assert.Equal(t, "/file"+strings.Repeat("x", maxHeld+3), d.text, "nothing is lost")
}

func TestAQuestionIsAnsweredBeforeWhatWaits(t *testing.T) {
	d := newDesk()
	d.look("/file", "found")
	d.typed("ab")
	d.Looked(LookedMsg{d.gen, "found"})
	d.asks = true
	d.Release("there is a question")
	assert.Empty(t, d.text)
	assert.Equal(t, "there is a question", d.Barred())
	assert.Equal(t, "left out, since the form is another one now: ab", told(t, d.Drop()))
	assert.Empty(t, d.Barred())
	assert.Nil(t, d.Drop())
	d.BarRest("too early")
	assert.Empty(t, d.Barred(), "only what waits is barred")
}

func TestALookIsBounded(t *testing.T) {
	over := make(chan time.Time)
	close(over)
	hangs := make(chan struct{})
	defer close(hangs)
	assert.Nil(t, within(over, func() tea.Msg { <-hangs; return LookedMsg{} }))
	assert.Equal(t, "found", within(nil, func() tea.Msg { return "found" }))
	assert.PanicsWithValue(t, "broken", func() { within(nil, func() tea.Msg { panic("broken") }) }, "as that of any command")
}

func TestATextIsLookedThroughForKeys(t *testing.T) {
	ready := make(chan Text, 1)
	long := strings.Repeat("x", 2*redactAtOnce)
	assert.Empty(t, Redacted(long, ready).Text)
	assert.Equal(t, "words", Redacted("words", ready).Text)
	ready <- Text{Text: "from the command"}
	assert.Equal(t, "from the command", Redacted(long, ready).Text)
	assert.Equal(t, "kept; a key was taken out", Text{Said: "a key was taken out"}.After("kept"))
}
