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

// plain is what the form draws, without styles and zones.
func plain(f *Form) string {
	s, _ := zone.Scan(strings.Join(f.Lines(), "\n"))
	return ansi.Strip(s)
}

func TestEachChoiceStandsOnce(t *testing.T) {
	seconds := Field{ID: "n", Label: "Duration", Kind: Text, Unit: "s", Open: "or type",
		Options: []Option{{Label: Auto}, {Value: "5", Usual: true}, {Value: "10"}}}
	for _, c := range []struct{ name, text, want string }{
		{"not set", "", "‹auto›·5· 10 s"},
		{"what auto stands for, chosen", "5", " auto ‹5› 10 s"},
		{"the last", "10", " auto ·5·‹10› s"},
		{"none of them", "7", " auto ·5· 10 ‹7› s"},
		{"wide characters", "塩", " auto ·5· 10 ‹塩› s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := New("f:", styles(t))
			f.SetSize(59, 4)
			f.SetFields([]Field{{ID: "k", Kind: Choice, Options: []Option{{Value: "x"}}}, seconds})
			f.SetText("n", c.text)
			assert.Contains(t, plain(f), "Duration   "+c.want)
			exact(t, f)
			for _, w := range []int{24, 28, 33, 41} { // what is set shows in any width
				f.SetSize(w, 4)
				exact(t, f)
				assert.Contains(t, plain(f), "‹"+map[bool]string{true: Auto}[c.text == ""]+c.text)
			}
		})
	}
}

func TestTypingMovesBetweenTheChoices(t *testing.T) {
	f := New("f:", styles(t))
	f.SetSize(60, 4)
	f.SetFields([]Field{{ID: "n", Label: "Duration", Kind: Text, Unit: "s", Open: "or type",
		Options: []Option{{Label: Auto}, {Value: "5"}, {Value: "10"}}}})
	f.Focus("n")
	assert.Contains(t, plain(f), "‹▏auto 5  10 s  or type")
	f.Update(typed("1"))
	assert.Contains(t, plain(f), "auto  5  10 ‹1▏ s")
	f.Update(typed("0"))
	assert.Contains(t, plain(f), "auto  5 ‹10▏ s", "what is typed and one of the choices is that one")
	f.Update(typed("0"))
	assert.Contains(t, plain(f), "auto  5  10 ‹100▏ s")
	f.Update(key(tea.KeyCtrlU))
	f.Update(key(tea.KeyRight))
	assert.Equal(t, "5", f.Text("n"))
	f.Update(key(tea.KeyLeft))
	assert.Empty(t, f.Text("n"), "auto is a step away")
}

func TestValuesBeginInOneColumn(t *testing.T) {
	f := sized(t, 80, 30)
	fields := sample()
	fields[3].Options = append([]Option{{Label: Auto}}, fields[3].Options...)
	f.SetFields(append(fields[:5:5], Field{ID: "seed", Label: "Seed", Kind: Text, Hint: Auto},
		Field{ID: "e", Label: "Entries", Kind: Items, Add: "+ add"}, Field{ID: "o", Label: "Old", Kind: Struck, Hint: "gone"}))
	f.SetText("kind", "video")
	f.SetText("model", "a")
	f.SetText("prompt", "kite")
	at := func(text string) int {
		for _, l := range strings.Split(plain(f), "\n") {
			if before, _, ok := strings.Cut(l, text); ok {
				return ansi.StringWidth(before)
			}
		}
		t.Fatal(text)
		return 0
	}
	for _, text := range []string{"a ▾", "kite", "auto› 4", "path or URL", "auto  ", "+ add", "gone"} {
		assert.Equal(t, at("video"), at(text), text)
	}
}

func TestALongTextGrowsWithTheForm(t *testing.T) {
	rows := func(h int) int {
		f := New("f:", styles(t))
		f.SetSize(80, h)
		f.SetFields([]Field{{ID: "p", Label: "Prompt", Kind: Lines, Boxed: true, Grows: true, MinRows: 3}})
		return strings.Count(plain(f), "│") / 2
	}
	assert.Equal(t, []int{3, 5, 22}, []int{rows(18), rows(29), rows(55)}, "half of what a tall form has over goes to the text")
}

func TestALongTextSaysHowLinesEnd(t *testing.T) {
	f := sized(t, 80, 24)
	f.Focus("prompt")
	assert.Contains(t, plain(f), "enter new line")
	f.Update(key(tea.KeyEsc))
	assert.NotContains(t, plain(f), "enter new line", "enter goes on typing then")
}

// TestLinesBelowAValue begin with it, and are as wide as the form allows.
func TestLinesBelowAValue(t *testing.T) {
	f := New("f:", styles(t))
	f.SetSize(40, 6)
	field := Field{ID: "image", Label: "Image", Kind: Text, Below: []string{"<picture>", strings.Repeat("=", 90)}}
	f.SetFields([]Field{field})
	f.SetText("image", "a.png")
	exact(t, f)
	lines := make([]string, 0, 6)
	for _, l := range f.Lines() {
		plain, _ := zone.Scan(l)
		lines = append(lines, ansi.Strip(plain))
	}
	before := func(l, text string) int { head, _, _ := strings.Cut(l, text); return ansi.StringWidth(head) }
	assert.Equal(t, before(lines[0], "a.png"), before(lines[1], "<picture>"))
	assert.Contains(t, lines[2], "==")

	field.Below = nil
	f.SetFields([]Field{field})
	assert.NotContains(t, strings.Join(f.Lines(), "\n"), "<picture>", "it is drawn anew")
}

// TestTextsWithoutAFrameSayHowLinesEnd: the long ones, and lists, of which each line is one.
func TestTextsWithoutAFrameSayHowLinesEnd(t *testing.T) {
	f := New("f:", styles(t))
	f.SetSize(60, 20)
	f.SetFields([]Field{{ID: "avoid", Label: "Avoid", Kind: Lines, Hint: "what is not wanted"}, {ID: "urls", Label: "URLs", Kind: List}})
	f.Focus("avoid")
	assert.Contains(t, plain(f), "what is not wanted   ")
	assert.Regexp(t, `what is not wanted +enter new line`, plain(f))
	f.SetText("avoid", "blur")
	assert.Regexp(t, `blur.* +enter new line`, plain(f))
	f.SetText("avoid", strings.Repeat("a", 40))
	assert.NotContains(t, plain(f), "enter new line", "the text goes first")
	f.SetText("urls", "https://a.example/1.png")
	assert.NotContains(t, plain(f), "enter another one", "nobody writes there")
	f.Focus("urls")
	assert.Contains(t, plain(f), "+ add  enter another one")
}
