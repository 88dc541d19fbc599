package overlay_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

func TestPlaceKeepsTheFrameAround(t *testing.T) {
	frame := strings.TrimSuffix(strings.Repeat("abcdefghij\n", 4), "\n")
	assert.Equal(t, "abcdefghij\nabXXefghij\nabXXefghij\nabcdefghij", overlay.Place(frame, "XX\nXX", 2, 1))
	assert.Equal(t, "abcdefghij\nabcdefghij\nabcdefghij\nabcdefghXX", overlay.Place(frame, "XXX\nXXX", 8, 3), "what stands out is cut")
	assert.Equal(t, frame, overlay.Place(frame, "XX", 10, 0))
	assert.Equal(t, frame, overlay.Place(frame, "XX", 0, 9))
	assert.Equal(t, "XXcdefghij", overlay.Place("abcdefghij", "XX", -3, -3))
}

func TestHalfAWideCharacterBecomesABlank(t *testing.T) {
	assert.Equal(t, " XX 好", overlay.Place("你好好", "XX", 1, 0))
	assert.Equal(t, "你X 好", overlay.Place("你好好", "X", 2, 0))
}

func TestMarksBehindASCIITakeNoCellOfTheirOwn(t *testing.T) {
	assert.Equal(t, "a\u0903bXXef", overlay.Place("a\u0903bcdef", "XX", 2, 0))
	assert.Equal(t, "1\u20e3XXde", overlay.Place("1\u20e3bcde", "XX", 1, 0))
}

func TestStylesAroundTheBoxStay(t *testing.T) {
	got := overlay.Place("\x1b[31mred text here\x1b[0m end", "XX", 4, 0)
	assert.Equal(t, "\x1b[31mred \x1b[0mXX\x1b[31mxt here\x1b[0m end", got)
	got = overlay.Place("\x1b[31mred\x1b[0m text here", "XX", 4, 0)
	assert.Equal(t, "\x1b[31mred\x1b[0m \x1b[0mXXxt here", got)
}

func TestZonesAroundTheBoxStay(t *testing.T) {
	frame := zone.Mark("all", "ab"+zone.Mark("left", "cd")+zone.Mark("under", "ef")+zone.Mark("cut", "ghi")+"jkl"+zone.Mark("right", "mn"))
	box := zone.Mark("box", "XXX")
	line, zones := zone.Scan(overlay.Place(frame, box, 4, 0))
	assert.Equal(t, "abcdXXXhijklmn", line)
	find := func(id string) zone.Rect {
		z, ok := zones.Find(id)
		require.True(t, ok, id)
		return z.Rect
	}
	assert.Equal(t, zone.Rect{X: 0, W: 14, H: 1}, find("all"))
	assert.Equal(t, zone.Rect{X: 2, W: 2, H: 1}, find("left"))
	assert.Equal(t, zone.Rect{X: 4, W: 3, H: 1}, find("box"))
	assert.Equal(t, zone.Rect{X: 7, W: 2, H: 1}, find("cut"), "what still shows of it")
	assert.Equal(t, zone.Rect{X: 12, W: 2, H: 1}, find("right"))
	z, ok := zones.At(5, 0)
	require.True(t, ok)
	assert.Equal(t, "box", z.ID)
	assert.Zero(t, find("under").W, "nothing of it shows")
}

func TestPlaceNeverChangesTheSize(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	bits := []string{"a", "word", "你", "👩‍👩‍👧", "\x1b[31m", "\x1b[0m", zone.Mark("z", "kite"), "é", "─", "한"}
	line := func(w int) string {
		var b strings.Builder
		for range r.IntN(16) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		return widgets.Fit(b.String(), w, 1)
	}
	block := func(w, h int) string {
		ls := make([]string, h)
		for i := range ls {
			ls[i] = line(w)
		}
		return strings.Join(ls, "\n")
	}
	for range 3000 {
		w, h := 1+r.IntN(40), 1+r.IntN(4)
		got := overlay.Place(block(w, h), block(1+r.IntN(20), 1+r.IntN(4)), r.IntN(w+3)-1, r.IntN(h+2)-1)
		tuitest.CheckFrame(t, got, w, h)
	}
}

func TestDialogShadesAndCentres(t *testing.T) {
	frame := strings.TrimSuffix(strings.Repeat(zone.Mark("row", "some text ▀▞ here\n"), 8), "\n")
	frame = widgets.Fit(frame, 17, 8)
	got := overlay.Dialog(tuitest.Styles(t), frame, "[dialog]\n[dialog]")
	tuitest.CheckFrame(t, got, 17, 8)
	_, zones := zone.Scan(got)
	assert.Empty(t, zones, "nothing below a modal can be clicked")
	assert.Equal(t, 2, strings.Count(got, "[dialog]"))
	assert.NotContains(t, got, "▀")
}

func TestAPictureStaysUnderADialog(t *testing.T) {
	cell := string(kitty.Placeholder) + "\u0305\u030d\u030e"
	line := "ab\x1b[31mcd\x1b[0m\x1b[38;5;9m" + strings.Repeat(cell, 6) + "\x1b[0m" + zone.Mark("z", "ef▀h")
	frame := strings.TrimSuffix(strings.Repeat(line+"\n", 6), "\n")
	got := overlay.Dialog(tuitest.Styles(t), frame, "[box]\n[box]")
	tuitest.CheckFrame(t, got, 14, 6)
	lines := strings.Split(got, "\n")
	assert.Equal(t, "abcd\x1b[0m\x1b[38;5;9m"+strings.Repeat(cell, 6)+"\x1b[0mef h\x1b[0m", lines[0])
	assert.Equal(t, 1, strings.Count(lines[1], cell), "but for what the box covers: %q", lines[1])
	assert.Contains(t, lines[1], "\x1b[38;5;9m"+cell)
	_, zones := zone.Scan(got)
	assert.Empty(t, zones)
}

func BenchmarkDialog(b *testing.B) {
	th, _ := themes.Get(themes.Dark)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	st := themes.Make(th, r, false)
	line := st.Muted.Render(strings.Repeat("word ", 20)) + st.Bad.Render(strings.Repeat("word ", 20))
	frame := strings.TrimSuffix(strings.Repeat(line+"\n", 60), "\n")
	box := widgets.Box(st, "Title", "", "content", 80, 20, true)
	if ansi.StringWidth(line) != 200 {
		b.Fatal("not 200 cells")
	}
	b.Run("shade", func(b *testing.B) {
		for b.Loop() {
			overlay.Dialog(st, frame, box)
		}
	})
	b.Run("place", func(b *testing.B) {
		for b.Loop() {
			overlay.Center(frame, box)
		}
	})
}
