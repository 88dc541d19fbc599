package widgets_test

import (
	"cmp"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/themes"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

func colours(t testing.TB) *themes.Styles {
	t.Helper()
	th, err := themes.Get(themes.Dark)
	require.NoError(t, err)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	return themes.Make(th, r, false)
}

var pieces = []string{
	"a", "word ", "red kite", "你好", "空", "👩‍👩‍👧", "🇩🇪", "é", "☺️", "\x1b[1;31mred\x1b[0m", "…", "한글",
	"\n", "  ", zone.Mark("z", "zone"), "\t", "\x1b[38;2;1;2;3m", "long-word-without-any-blank-in-it", "ﷺ", "\u200d",
}

func hostile(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(14) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestTextIsNeverWiderThanAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s, w, h := hostile(r), r.IntN(30), 1+r.IntN(5)
		if w > 0 {
			tuitest.CheckFrame(t, widgets.Fit(s, w, h), w, h)
			tuitest.CheckFrame(t, widgets.Line(s, w), w, 1)
			tuitest.CheckFrame(t, widgets.Center(s, w), w, widgets.Height(s))
		}
		assert.LessOrEqual(t, widgets.Width(widgets.Truncate(s, w)), w, "%q", s)
		for _, l := range strings.Split(s, "\n") {
			tuitest.CheckFrame(t, widgets.Spread(l, "right", w+1), w+1, 1)
		}
		require.LessOrEqual(t, widgets.Width(widgets.Wrap(s, w)), w, "%q at %d", s, w)
		if w > 1 {
			require.Equal(t, letters(s), letters(widgets.Wrap(s, w)), "wrapping loses nothing but blanks")
		}
	}
}

// letters is what a person reads, without blanks and breaks.
func letters(s string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(tuitest.Plain(s))
}

func TestWrapBreaksAtBlanksAndCarriesStyles(t *testing.T) {
	assert.Equal(t, "a red\nkite", widgets.Wrap("a red kite", 8))
	assert.Equal(t, "a red kite", widgets.Wrap("a red kite", 10))
	assert.Equal(t, "abcd\nefgh\nij k", widgets.Wrap("abcdefghij k", 4))
	assert.Equal(t, "one\n\n  two", widgets.Wrap("one\n\n  two", 10))
	assert.Equal(t, "你好\n吗", widgets.Wrap("你好吗", 5))
	assert.Equal(t, "x\x1b[1mred\x1b[0m\n\x1b[1mkite\x1b[0m on", widgets.Wrap("x\x1b[1mred kite\x1b[0m on", 8))
	assert.Empty(t, widgets.Wrap("abc", 0))
}

func TestTextKeepsWhatFits(t *testing.T) {
	assert.Equal(t, "red kite", widgets.Truncate("red kite", 8))
	assert.Equal(t, "red ki…", widgets.Truncate("red kite", 7))
	assert.Equal(t, "你…", widgets.Truncate("你好吗", 4))
	assert.Equal(t, "你… ", widgets.Fit("你好吗", 4, 1))
	assert.Equal(t, "ab  \n    ", widgets.Fit("ab", 4, 2))
	assert.Equal(t, "a b c", widgets.Line("a\nb\tc", 5))
	assert.Equal(t, "  7", widgets.PadLeft("7", 3))
	assert.Equal(t, " ab ", widgets.Center("ab", 4))
	assert.Equal(t, "left  right", widgets.Spread("left", "right", 11))
	assert.Equal(t, "left ", widgets.Spread("left", "right", 5))
	assert.Equal(t, []string{"one", "two …"}, widgets.WrapLines("one two three", 5, 2))
	assert.Equal(t, "a  | b\nbb |  ", widgets.JoinColumns(1, "a\nbb", "|\n|", "b\n"))
	assert.Equal(t, "a    b", widgets.Fit("a\tb", 6, 1))
	assert.Empty(t, widgets.Fit("a", 0, 3))
	assert.Empty(t, widgets.Truncate("abc", 0))
	assert.Empty(t, widgets.JoinColumns(1))
}

func TestBoxesHaveTheSizeAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	st := colours(t)
	for range 1500 {
		w, h := 1+r.IntN(60), 1+r.IntN(20)
		parts := make([]widgets.Part, 1+r.IntN(4))
		for i := range parts {
			parts[i] = widgets.Part{Title: flat(hostile(r)), Right: flat(hostile(r)), Content: hostile(r), Height: r.IntN(6)}
		}
		tuitest.CheckFrame(t, widgets.Stack(st, parts, flat(hostile(r)), w, h, r.IntN(2) == 0), w, h)
	}
}

func flat(s string) string { return strings.NewReplacer("\n", " ", "\t", " ").Replace(s) }

func TestAZoneThatIsCutEndsWithItsBox(t *testing.T) {
	st := tuitest.Styles(t)
	content := "above\n" + zone.Mark("area", strings.TrimSuffix(strings.Repeat("text\n", 9), "\n"))
	_, zones := zone.Scan(widgets.Box(st, "", "", content, 24, 6, false))
	z, ok := zones.Find("area")
	require.True(t, ok)
	assert.Equal(t, zone.Rect{X: 2, Y: 2, W: 20, H: 3}, z.Rect)
}

func TestBoxLooks(t *testing.T) {
	st := tuitest.Styles(t)
	tuitest.Golden(t, "box", strings.Join([]string{
		widgets.Box(st, "Draft", "", "Kind  video\nModel famA 你好", 34, 5, true),
		widgets.BoxFooter(st, "Request", "common · 214 B", "JSON  curl  wire", "{\n  \"a\": 1\n}", 44, 6, false),
		widgets.Stack(st, []widgets.Part{
			{Title: "Preview", Content: "picture", Height: 2},
			{Title: "Checks", Content: "✓ prompt"},
		}, "", 30, 8, false),
		widgets.Box(st, "A title that is too long", "right", "x", 16, 3, false),
	}, "\n"))
}

func TestInnerIsTheRoomThatABoxLeaves(t *testing.T) {
	st := tuitest.Styles(t)
	for _, size := range [][2]int{{40, 10}, {19, 4}, {20, 3}, {3, 3}} {
		w, h := widgets.Inner(size[0], size[1])
		content := strings.TrimSuffix(strings.Repeat(strings.Repeat("x", w)+"\n", h), "\n")
		got := widgets.Box(st, "", "", content, size[0], size[1], false)
		assert.Equal(t, w*h, strings.Count(got, "x"))
		assert.NotContains(t, got, "…")
	}
	parts := []widgets.Part{{Height: 3}, {}, {}}
	w, hs := widgets.InnerStack(parts, 40, 20)
	assert.Equal(t, 36, w)
	assert.Equal(t, []int{3, 7, 6}, hs)
}

func TestControlsFitAndAreZones(t *testing.T) {
	st := tuitest.Styles(t)
	opts := []widgets.Option{{Value: "video"}, {Value: "image", Label: "Image"}, {Value: "music"}, {Value: "speech"}}
	got, zones := zone.Scan(widgets.Choice(st, "kind", opts, 1, true, 60))
	assert.Equal(t, " video ‹Image› music  speech ", got)
	z, ok := zones.Find("kind:image")
	require.True(t, ok)
	assert.Equal(t, zone.Rect{X: 7, W: 7, H: 1}, z.Rect)

	tabs := []widgets.Tab{{ID: "a", Label: "1 Compose"}, {ID: "b", Label: "2 Queue"}, {ID: "c", Label: "3 Compare"}}
	for w := range 50 {
		for at := range opts {
			line, zones := zone.Scan(widgets.Choice(st, "k", opts, at, false, w))
			assert.LessOrEqual(t, widgets.Width(line), w)
			if w >= 14 {
				_, ok := zones.Find("k:" + opts[at].Value)
				assert.True(t, ok, "the current option shows at %d", w)
				assert.Contains(t, line, "‹"+cmp.Or(opts[at].Label, opts[at].Value)+"›")
			}
		}
		line, _ := zone.Scan(widgets.Tabs(st, tabs, "c", w))
		assert.LessOrEqual(t, widgets.Width(line), w)
		if w >= 14 {
			assert.Contains(t, line, "[3 Compare]")
		}
	}
	assert.Empty(t, widgets.Choice(st, "k", nil, 0, false, 20))
}

func TestButtonsTellTheirStateWithoutColours(t *testing.T) {
	st := tuitest.Styles(t)
	seen := map[string]bool{}
	for _, c := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		line, zones := zone.Scan(widgets.Button(st, "go", "Go", c[0], c[1]))
		seen[line] = true
		_, ok := zones.Find("btn:go")
		assert.Equal(t, !c[1], ok, "only what can be pressed is a zone")
	}
	assert.Len(t, seen, 3)
	on := colours(t)
	assert.Equal(t, 4, widgets.Width(widgets.Button(on, "go", "Go", true, false)))
}

// TestButtonsKeepTheirShape: in themes in which their colours do not tell them from the background, too.
func TestButtonsKeepTheirShape(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	theme, err := themes.Get("high-contrast")
	require.NoError(t, err)
	st := themes.Make(theme, r, false)
	for _, c := range []struct {
		focus, off bool
		want       string
	}{{false, false, "[ Go ]"}, {true, false, "[ Go ]"}, {false, true, "( Go )"}} {
		line, _ := zone.Scan(widgets.Button(st, "go", "Go", c.focus, c.off))
		assert.Equal(t, c.want, ansi.Strip(line))
		assert.NotEqual(t, c.want, line, "in colours")
	}
	line, _ := zone.Scan(widgets.Button(colours(t), "go", "Go", false, false))
	assert.Equal(t, " Go ", ansi.Strip(line), "elsewhere its colour is enough")
}

func TestBars(t *testing.T) {
	st := tuitest.Styles(t)
	assert.Equal(t, "──────────", widgets.Progress(st, 0, 10))
	assert.Equal(t, "━━━━╸─────", widgets.Progress(st, 0.45, 10))
	assert.Equal(t, "━━━━━━━━━━", widgets.Progress(st, 1.7, 10))
	assert.Equal(t, "╌╌╌", widgets.Progress(st, -1, 3))
	assert.Equal(t, "╌╌╌", widgets.Progress(st, math.NaN(), 3))
	assert.Equal(t, "▁▅█  ", widgets.Spark(st, []float64{0, 1, 2}, 5))
	assert.Equal(t, "▅█", widgets.Spark(st, []float64{1, 0, 2, 2}, 2))
	assert.Equal(t, "▁▁▁", widgets.Spark(st, []float64{math.NaN(), -1, math.Inf(1)}, 3))
	for w := range 40 {
		for i := range 50 {
			assert.Equal(t, w, widgets.Width(widgets.Progress(st, float64(i)/49, w)))
		}
		assert.Equal(t, w, widgets.Width(widgets.Spark(st, make([]float64, 17), w)))
	}
}

func TestScrollbarShowsWhereOneIs(t *testing.T) {
	st := tuitest.Styles(t)
	assert.Equal(t, "┃││││", strings.Join(widgets.Scrollbar(st, 1000, 5, 0), ""))
	assert.Equal(t, "││││┃", strings.Join(widgets.Scrollbar(st, 1000, 5, 995), ""))
	assert.Equal(t, "││││┃", strings.Join(widgets.Scrollbar(st, 1000, 5, 5000), ""))
	assert.Equal(t, "     ", strings.Join(widgets.Scrollbar(st, 5, 5, 0), ""))
	assert.Empty(t, widgets.Scrollbar(st, 10, 0, 0))
}

func TestInkDrawsAsItsStyle(t *testing.T) {
	st := colours(t)
	for _, s := range []lipgloss.Style{st.Accent, st.Strong, st.Button, st.RowSelected, st.Match, st.Struck} {
		k := widgets.NewInk(s)
		assert.Equal(t, s.Padding(0).Render("x"), k.Text("x"))
	}
	assert.Equal(t, "plain", widgets.Ink{}.Text("plain"))
	assert.Empty(t, widgets.NewInk(st.Accent).Text(""))

	sel := widgets.NewInk(st.RowSelected)
	got := sel.Over("a" + widgets.NewInk(st.Bad).Text("b") + "c")
	assert.Equal(t, "abc", ansi.Strip(got))
	assert.Contains(t, got, "\x1b[0m"+sel.Begin()+"c", "the background goes on after a styled piece")
}

func TestSignsDifferWithoutColours(t *testing.T) {
	st := tuitest.Styles(t)
	seen := map[string]string{}
	for _, s := range []string{"queued", "running", "completed", "failed", "ambiguous", "unknown"} {
		sign, _ := widgets.Sign(st, s)
		assert.Equal(t, 1, widgets.Width(sign))
		assert.Empty(t, seen[sign], s)
		seen[sign] = s
	}
}

func BenchmarkBox(b *testing.B) {
	st := colours(b)
	content := strings.Repeat(strings.Repeat("word ", 40)+"\n", 60)
	for b.Loop() {
		widgets.Box(st, "Title", "right", content, 200, 60, true)
	}
}

// TestDecodeAgreesWithWidth: what is taken apart piece by piece has the width of the
// whole, with any mark behind any kind of character, once it is clean.
func TestDecodeAgreesWithWidth(t *testing.T) {
	marks := []rune{0x301, 0x20e3, 0x903, 0x93e, 0x302e, 0x1f3fb, 0x200d, 0xfe0f, 0xfe0e, 0x897, 0x16ff0, 0x1f1e6, 0xac00}
	for _, base := range []string{"a", "1", "#", " ", "é", "世", "☺", "👩", "ש", "न", "│", "🇩", "한"} {
		for _, a := range marks {
			for _, b := range marks {
				s := client.Clean("x"+base+string(a)+string(b)+"y") + "\x1b[1mz\x1b[0m"
				sum, state := 0, byte(0)
				for rest := s; rest != ""; {
					_, cells, n, next := widgets.Decode(rest, state)
					sum, rest, state = sum+cells, rest[n:], next
				}
				require.Equal(t, widgets.Width(s), sum, "%+q", s)
				require.LessOrEqual(t, widgets.Width(widgets.Truncate(s, 3)), 3, "%+q", s)
			}
		}
	}
}
