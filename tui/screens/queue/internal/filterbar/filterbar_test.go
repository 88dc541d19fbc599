package filterbar_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/filterbar"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

func bar(t *testing.T, text string) *filterbar.Bar {
	t.Helper()
	b := filterbar.New(func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	b.SetStyles(tuitest.Styles(t))
	b.Begin()
	for _, r := range text {
		b.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return &b
}

// TestATabCompletes as far as it is clear, then the first way; it ends the typing where nothing is left.
func TestATabCompletes(t *testing.T) {
	for text, want := range map[string]string{
		"sta": "state:", "kite state:fa": "kite state:failed", "-ta": "-tag:", "is:s": "is:s", "sort:-too": "sort:-too",
		"a": "age", "age": "age<", "kite": "kite", "": "", `"is:st`: `"is:st`,
	} {
		b := bar(t, text)
		changed := b.Key(tuitest.KeyMsg(t, "tab"))
		if text == "is:s" {
			assert.True(t, changed)
			assert.Contains(t, []string{"is:starred", "is:slow", "is:stuck"}, b.Text())
			continue
		}
		assert.Equal(t, want, b.Text(), text)
		assert.Equal(t, want != text, changed, text)
		assert.Equal(t, want != text, b.Typing(), text)
	}
}

func TestTheHintSaysWhatATermTakes(t *testing.T) {
	assert.Contains(t, bar(t, "st").Hint(), "state:")
	assert.Contains(t, bar(t, "took>").Hint(), "took>2m  ended, and took more")
	assert.Contains(t, bar(t, "is:").Hint(), "is:slow")
	assert.Empty(t, bar(t, "kite ").Hint())
	assert.Empty(t, bar(t, `"st`).Hint(), "within quotes it is text")
	b := bar(t, "st")
	b.End()
	assert.Empty(t, b.Hint())
}

// TestWhatIsNoTermIsSaidAtOnce, with the terms that there are.
func TestWhatIsNoTermIsSaidAtOnce(t *testing.T) {
	b := bar(t, "foo:bar")
	_, ok := b.Query()
	assert.False(t, ok)
	assert.Contains(t, b.Wrong(), "foo: is not a filter")
	assert.Contains(t, b.Wrong(), "state:")
	b.Key(tuitest.KeyMsg(t, "ctrl+u"))
	q, ok := b.Query()
	assert.True(t, ok)
	assert.Equal(t, jobs.Query{}, q)
	assert.Empty(t, b.Wrong())
}

func TestTermsAreAddedAndTakenAway(t *testing.T) {
	b := bar(t, `"is:fault" kite`)
	assert.False(t, b.Has("is:fault"), "in quotes it is text")
	b.Add("IS:fault")
	assert.Equal(t, `"is:fault" kite IS:fault`, b.Text())
	assert.True(t, b.Has("is:fault"))
	b.Remove("is:fault")
	assert.Equal(t, `"is:fault" kite`, b.Text())
	b.SetText("sort:-took a  sort:age\x1b[2J b")
	b.Remove("sort:")
	assert.Equal(t, "a b", b.Text())
}

func TestTheLineIsAsWideAsItMayBe(t *testing.T) {
	k := inks.New(tuitest.Styles(t))
	for w := 4; w < 90; w += 5 {
		b := bar(t, "state:failed kite over a very long salt flat")
		assert.LessOrEqual(t, widgets.Width(b.View(&k, "esc", "/", w)), w)
		b.End()
		assert.LessOrEqual(t, widgets.Width(b.View(&k, "esc", "/", w)), w)
	}
}
