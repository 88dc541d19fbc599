package form

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/widgets/zone"
)

func styles(t testing.TB) *themes.Styles {
	t.Helper()
	theme, err := themes.Get("dark")
	require.NoError(t, err)
	return themes.Make(theme, nil, true)
}

func typed(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func sample() []Field {
	return []Field{
		{ID: "kind", Label: "Kind", Kind: Choice, Options: []Option{{Value: "video"}, {Value: "image"}, {Value: "music"}}},
		{ID: "model", Label: "Model", Kind: Pick, Detail: "famI", Options: []Option{{Value: "a"}, {Value: "b"}}},
		{ID: "prompt", Label: "Prompt", Kind: Lines, Boxed: true, MinRows: 3, Corner: "^O"},
		{ID: "n", Label: "Seconds", Kind: Text, Unit: "s", Options: []Option{{Value: "4"}, {Value: "6"}}, Mark: Warn, Note: "one of 4, 6"},
		{ID: "refs", Label: "References", Kind: List, Hint: "path or URL, one a line"},
		{ID: "more", Label: "▸ 7 more fields", Kind: Fold},
		{ID: "h", Label: "not used by this model", Kind: Heading},
		{ID: "old", Label: "Old", Kind: Struck, Hint: "gone"},
		{ID: "do", Kind: Buttons, Options: []Option{{Value: "submit", Label: "Submit ^S"}, {Value: "compare", Label: "To compare"}}},
	}
}

func sized(t testing.TB, w, h int) *Form {
	f := New("f:", styles(t))
	f.SetSize(w, h)
	f.SetFields(sample())
	return f
}

// exact fails unless the form's lines have exactly its size.
func exact(t *testing.T, f *Form) {
	t.Helper()
	lines := f.Lines()
	require.Len(t, lines, f.h)
	for i, l := range lines {
		plain, _ := zone.Scan(l)
		require.Equal(t, f.w, ansi.StringWidth(plain), "line %d: %q", i, plain)
	}
}

func TestTypingGoesToTheFocusedTextOnly(t *testing.T) {
	f := sized(t, 80, 24)
	assert.Equal(t, Ignored, f.Update(typed("x")).Kind, "a choice takes no text")
	require.True(t, f.Focus("prompt"))
	assert.True(t, f.Capturing())
	assert.Equal(t, Event{Kind: Changed, ID: "prompt"}, f.Update(typed("héllo 世界 👩‍👩‍👧")))
	assert.Equal(t, "héllo 世界 👩‍👩‍👧", f.Text("prompt"))
	assert.Equal(t, 10, f.Len("prompt"))
	f.Update(key(tea.KeyBackspace))
	assert.Equal(t, "héllo 世界 ", f.Text("prompt"), "a cluster goes as a whole")
	ev := f.Update(key(tea.KeyEsc))
	assert.Equal(t, "prompt", ev.Left)
	assert.False(t, f.Capturing())
	f.Update(key(tea.KeyEnter))
	assert.True(t, f.Capturing())
}

func TestTypingBeginsInTheMarkedText(t *testing.T) {
	f := sized(t, 80, 24)
	f.Focus("prompt")
	f.Update(typed("a"))
	f.Update(key(tea.KeyEsc))
	require.True(t, f.Marked())
	assert.Equal(t, Event{Kind: Changed, ID: "prompt"}, f.Update(typed("q")))
	assert.True(t, f.Capturing())
	assert.Equal(t, "aq", f.Text("prompt"), "nothing that is typed is lost")
	f.Update(key(tea.KeyEsc))
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("b"), Alt: true})
	assert.False(t, f.Capturing(), "a key with alt is none that types")
	f.Focus("kind")
	assert.False(t, f.Marked())
}

func TestPasteKeepsLinesAndDropsControls(t *testing.T) {
	f := sized(t, 80, 24)
	f.Focus("prompt")
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\r\nb\rc\x1b[31m\td"), Paste: true})
	assert.Equal(t, "a\nb\nc[31m\td", f.Text("prompt"))
	exact(t, f)
	f.Focus("n")
	f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1\n2"), Paste: true})
	assert.Equal(t, "1 2", f.Text("n"))
}

func TestStepAndReplaceOfSuggestions(t *testing.T) {
	f := sized(t, 80, 24)
	f.Focus("n")
	f.Update(key(tea.KeyRight))
	assert.Equal(t, "4", f.Text("n"))
	f.Update(key(tea.KeyRight))
	assert.Equal(t, "6", f.Text("n"))
	f.Update(typed("12"))
	assert.Equal(t, "12", f.Text("n"), "a value that was stepped to is replaced")
	f.Update(typed("3"))
	assert.Equal(t, "123", f.Text("n"))
	f.Update(key(tea.KeyLeft))
	assert.Equal(t, "123", f.Text("n"), "left moves the cursor in typed text")
}

func TestMovesBetweenFields(t *testing.T) {
	f := sized(t, 80, 24)
	var seen []string
	for range 8 {
		seen = append(seen, f.Focused())
		f.Update(key(tea.KeyTab))
	}
	assert.Equal(t, []string{"kind", "model", "prompt", "n", "refs", "more", "do", "kind"}, seen, "tab goes around")
	assert.Equal(t, "kind", f.Update(key(tea.KeyShiftTab)).ID)
	assert.Equal(t, "do", f.Update(key(tea.KeyShiftTab)).ID)
	assert.Equal(t, "do", f.Update(key(tea.KeyDown)).ID, "down stays at the end")
	assert.Equal(t, "more", f.Update(key(tea.KeyShiftTab)).ID)
	assert.Equal(t, Event{Kind: Pressed, ID: "more"}, f.Update(key(tea.KeyEnter)))
	f.Update(key(tea.KeyTab))
	f.Update(key(tea.KeyRight))
	assert.Equal(t, Event{Kind: Pressed, ID: "do", Value: "compare"}, f.Update(key(tea.KeyEnter)))
}

func TestTheEndIsReachedByKeys(t *testing.T) {
	f := sized(t, 80, 6)
	f.SetFields(append(sample(), Field{ID: "k", Label: "not used now, kept:", Kind: Heading},
		Field{ID: "k1", Label: "First", Kind: Struck, Hint: "one"}, Field{ID: "k2", Label: "Second", Kind: Struck, Hint: "two"}))
	shown := func() string { plain, _ := zone.Scan(strings.Join(f.Lines(), "\n")); return ansi.Strip(plain) }
	for range 10 {
		f.Update(key(tea.KeyPgDown))
		shown()
	}
	assert.Equal(t, "do", f.Focused())
	assert.Contains(t, shown(), "two")
	assert.Zero(t, f.Below())
	f.Update(key(tea.KeyHome))
	assert.Equal(t, "kind", f.Focused())
	assert.NotContains(t, shown(), "two")
	f.Update(key(tea.KeyEnd))
	assert.Equal(t, "do", f.Focused())
	assert.Contains(t, shown(), "two")
	f.Update(key(tea.KeyUp))
	assert.Contains(t, shown(), "more fields", "the next key goes back to the focus")
}

func TestTextsOutliveTheirFields(t *testing.T) {
	f := sized(t, 80, 24)
	f.Focus("n")
	f.Update(typed("9"))
	f.SetFields(sample()[:3])
	assert.Equal(t, "prompt", f.Focused())
	assert.Equal(t, "9", f.Text("n"))
	f.SetFields(sample())
	f.Focus("n")
	assert.Contains(t, strings.Join(f.Lines(), "\n"), "9▏")
}

func TestClicks(t *testing.T) {
	f := sized(t, 80, 40)
	f.Focus("refs")
	f.Update(typed("one\ntwo"))
	_, zones := zone.Scan(strings.Join(f.Lines(), "\n"))
	for _, id := range []string{"f:kind/o1", "f:model/v", "f:prompt/e0", "f:n/o1", "f:refs/x0", "f:refs/+", "f:more", "btn:f:do/o1"} {
		_, ok := zones.Find(id)
		require.True(t, ok, id)
	}
	assert.Equal(t, Event{Kind: Changed, ID: "kind", Left: "refs"}, f.Click(zone.Click{Zone: "f:kind/o1"}))
	assert.Equal(t, "image", f.Text("kind"))
	assert.Equal(t, Opened, f.Click(zone.Click{Zone: "f:model/v"}).Kind)
	f.Click(zone.Click{Zone: "f:refs/x0"})
	assert.Equal(t, "two", f.Text("refs"))
	f.Click(zone.Click{Zone: "f:refs/+"})
	f.Update(typed("three"))
	assert.Equal(t, "two\nthree", f.Text("refs"))
	f.Click(zone.Click{Zone: "f:refs/e0", X: 2})
	f.Update(typed("|"))
	assert.Equal(t, "tw|o\nthree", f.Text("refs"))
	assert.Equal(t, Event{Kind: Pressed, ID: "do", Value: "compare", Left: "refs"}, f.Click(zone.Click{Zone: "btn:f:do/o1"}))
	assert.Equal(t, Ignored, f.Click(zone.Click{Zone: "other"}).Kind)
}

func TestLongFormFollowsTheFocus(t *testing.T) {
	f := New("f:", styles(t))
	f.SetSize(40, 5)
	var fields []Field
	for i := range 30 {
		fields = append(fields, Field{ID: fmt.Sprint("f", i), Label: fmt.Sprint("Field", i), Kind: Text})
	}
	f.SetFields(fields)
	for i := range 30 {
		assert.Contains(t, strings.Join(f.Lines(), "\n"), fmt.Sprintf("Field%d ", i))
		f.Update(key(tea.KeyTab))
	}
	assert.Equal(t, 25, f.Above())
	f.Wheel(-100)
	f.Lines()
	assert.Equal(t, 0, f.Above())
	assert.Equal(t, 25, f.Below())
}

// TestAnyKeysAnySizeExactLines types and moves at random, in any script, at any size.
func TestAnyKeysAnySizeExactLines(t *testing.T) {
	pool := []rune("ab 世界🇩🇪🇫🇷👩\u200d🚀e\u0301שלום\u202e\u200b☺\ufe0f\tक्षि한ᄀ\u3164\n1#\ufe0f\u20e3\u0903\U0001F3FB\ue000\U000e0041")
	keys := []tea.KeyType{tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter,
		tea.KeyEsc, tea.KeyBackspace, tea.KeyDelete, tea.KeyHome, tea.KeyEnd, tea.KeyCtrlW, tea.KeyCtrlK, tea.KeyCtrlU,
		tea.KeyCtrlUnderscore, tea.KeyCtrlY, tea.KeyPgUp, tea.KeyPgDown, tea.KeyCtrlLeft, tea.KeyCtrlRight}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // reproducible, not secret
		f := sized(t, 24+r.IntN(150), 1+r.IntN(50))
		for range 150 {
			switch r.IntN(3) {
			case 0:
				f.Update(key(keys[r.IntN(len(keys))]))
			case 1:
				var s []rune
				for range 1 + r.IntN(4) {
					s = append(s, pool[r.IntN(len(pool))])
				}
				f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: s, Paste: r.IntN(2) == 0})
			default:
				if r.IntN(10) == 0 {
					f.SetSize(24+r.IntN(150), 1+r.IntN(50))
				}
				f.Wheel(r.IntN(7) - 3)
			}
			exact(t, f)
		}
	}
}
