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

// page is a form that writes down what comes into it.
type page struct {
	queue
	text    string
	asks    bool
	missing string
}

func newPage() *page {
	d := &page{}
	d.form = form{
		do: func(msg tea.Msg) tea.Cmd {
			if k := msg.(tea.KeyMsg); k.Type == tea.KeyCtrlS && d.Blocked() == "" {
				d.text += "[sent]"
			} else {
				d.text += string(k.Runes)
			}
			return nil
		},
		paste: func(text []rune) tea.Cmd { d.text += string(text); return nil },
		asks:  func() bool { return d.asks }, chooses: func() bool { return false },
	}
	return d
}

func (d *page) typed(text string) {
	for _, r := range text {
		d.Do(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// paste begins a look at a text, of which found gets into the form; "" when nothing answers.
func (d *page) paste(text, found string) LookedMsg {
	return d.look(func() pasteText { return pasteText{text: text} }, func() Found {
		if found == "" {
			return nil
		}
		return func() (tea.Cmd, string) { d.text += found; return nil, d.missing }
	})().(LookedMsg)
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
	d := newPage()
	d.typed("a")
	assert.Equal(t, "a", d.text, "nothing is waited for")
	old := d.paste("/none", "old")
	look := d.paste("/file", "FILE")
	d.typed("bc")
	d.Do(tea.KeyMsg{Type: tea.KeyCtrlS})
	assert.Equal(t, "a", d.text)
	assert.NotEmpty(t, d.Hint())
	assert.Contains(t, d.unsaved(), "still reading")
	d.Looked(old)
	assert.Equal(t, "a", d.text, "only the newest counts")
	d.Looked(look)
	assert.Equal(t, "aFILEbc[sent]", d.text)
	assert.False(t, d.waiting())
	assert.Empty(t, d.Hint()+d.unsaved()+d.Blocked())
}

func TestNothingIsSentWhereSomethingIsMissing(t *testing.T) {
	d := newPage()
	d.missing = "not all files are taken"
	look := d.paste("/file", "FILE")
	d.typed("b")
	d.Do(tea.KeyMsg{Type: tea.KeyCtrlS})
	d.Looked(look)
	assert.Equal(t, "FILEb", d.text)
	assert.Empty(t, d.Blocked(), "what comes now was meant")
}

func TestALookThatIsEndedSendsNothing(t *testing.T) {
	d := newPage()
	look := d.paste("/file", "FILE")
	d.typed("!")
	d.Do(tea.KeyMsg{Type: tea.KeyCtrlS})
	assert.Equal(t, "kept as text, not looked at", told(t, d.Do(tea.KeyMsg{Type: tea.KeyEsc})))
	assert.Equal(t, "/file!", d.text)
	assert.Nil(t, d.Looked(look), "it comes too late")
	assert.Equal(t, "/file!", d.text)
	assert.Nil(t, d.end("the console is ending"))

	assert.Equal(t, "the disk did not answer: kept as text, not looked at", told(t, d.Looked(d.paste("/file", ""))))
	d.look(nil, nil)
	assert.Equal(t, "gone: the files are not added: choose them again", told(t, d.end("gone")))
	d.look(func() pasteText { return pasteText{said: "not pasted"} }, nil)
	assert.Equal(t, "not pasted", told(t, d.end("")))
}

func TestWhatWaitsIsBounded(t *testing.T) {
	d := newPage()
	d.paste("/file", "FILE")
	d.typed(strings.Repeat("x", maxPending+3))
	assert.Equal(t, "/file"+strings.Repeat("x", maxPending+3), d.text, "nothing is lost")
}

func TestAQuestionIsAnsweredBeforeWhatWaits(t *testing.T) {
	d := newPage()
	look := d.paste("/file", "?")
	d.typed("ab")
	d.asks = true
	d.Looked(look)
	assert.Equal(t, "?", d.text)
	assert.True(t, d.waiting())
	d.release("there is a question")
	assert.Equal(t, "there is a question", d.Blocked())
	assert.Equal(t, "left out, since the form is another one now: ab", told(t, d.drop()))
	assert.Empty(t, d.Blocked())
	assert.Nil(t, d.drop())
	d.BlockRest("too early")
	assert.Empty(t, d.Blocked(), "only what waits is blocked")
}

func TestALookIsBounded(t *testing.T) {
	over := make(chan time.Time)
	close(over)
	hangs := make(chan struct{})
	defer close(hangs)
	found := func() Found { return func() (tea.Cmd, string) { return nil, "found" } }
	assert.Nil(t, within(over, func() Found { <-hangs; return found() }))
	_, missing := within(nil, found)()
	assert.Equal(t, "found", missing)
	assert.PanicsWithValue(t, "broken", func() { within(nil, func() Found { panic("broken") }) }, "as that of any command")
}

func TestATextIsLookedThroughForKeys(t *testing.T) {
	ready := make(chan pasteText, 1)
	long := strings.Repeat("x", 2*redactAtOnce)
	assert.Empty(t, redacted(long, ready).text)
	assert.Equal(t, "words", redacted("words", ready).text)
	ready <- pasteText{text: "from the command"}
	assert.Equal(t, "from the command", redacted(long, ready).text)
	assert.Equal(t, "kept; a key was taken out", pasteText{said: "a key was taken out"}.after("kept"))
}
