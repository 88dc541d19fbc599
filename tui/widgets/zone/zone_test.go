package zone

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestScanFindsMarkedPiecesAfterJoining(t *testing.T) {
	left := lipgloss.NewStyle().Width(6).Render("left\nside")
	box := Mark("box", lipgloss.NewStyle().Border(lipgloss.NormalBorder()).Render("界\n"+Mark("in", "ab")))
	frame, zones := Scan(lipgloss.JoinHorizontal(lipgloss.Top, left, box))
	require.NotContains(t, frame, "\x1b_")
	z, ok := zones.Find("box")
	require.True(t, ok)
	require.Equal(t, Rect{X: 6, Y: 0, W: 4, H: 4}, z.Rect)
	z, ok = zones.At(7, 2)
	require.True(t, ok)
	require.Equal(t, "in", z.ID, "the innermost zone wins")
	_, ok = zones.At(0, 0)
	require.False(t, ok)
}

func TestZonesSideBySideOverSeveralLines(t *testing.T) {
	left := Mark("left", "aa\naa\naa")
	right := Mark("right", "bbb\nbbb")
	frame, zones := Scan(lipgloss.JoinHorizontal(lipgloss.Top, left, right))
	require.Equal(t, "aabbb\naabbb\naa   ", frame)
	l, ok := zones.Find("left")
	require.True(t, ok)
	require.Equal(t, Rect{X: 0, Y: 0, W: 2, H: 3}, l.Rect)
	r, ok := zones.Find("right")
	require.True(t, ok)
	require.Equal(t, Rect{X: 2, Y: 0, W: 3, H: 2}, r.Rect)
}

func TestAZoneWithoutItsEndIsALine(t *testing.T) {
	cut := open + "cut" + ender + "abc"
	_, zones := Scan("x" + cut + "\n" + Mark("below", "yy") + "\nz")
	z, ok := zones.Find("cut")
	require.True(t, ok)
	require.Equal(t, Rect{X: 1, Y: 0, W: 3, H: 1}, z.Rect)
	z, ok = zones.Find("below")
	require.True(t, ok)
	require.Equal(t, Rect{X: 0, Y: 1, W: 2, H: 1}, z.Rect)
}

func TestEndsAreThoseOfZonesFromBefore(t *testing.T) {
	all := Mark("outer", "a\n"+Mark("in", "b\nc")+"\n"+Mark("late", "d"))
	_, rest, _ := strings.Cut(all, "c")
	require.Equal(t, shut+"in"+ender+shut+"outer"+ender, Ends(rest))
	require.Empty(t, Ends("plain"))
	require.Empty(t, Ends(Mark("whole", "x")))
}

func TestScanLeavesPlainFramesAlone(t *testing.T) {
	frame, zones := Scan("a\nb\x1b[1mc")
	require.Equal(t, "a\nb\x1b[1mc", frame)
	require.Empty(t, zones)
}

func FuzzScan(f *testing.F) {
	f.Add("a" + Mark("x", "b\nc") + "d")
	f.Add("\x1b_dz:x")
	f.Add("\x1b_dz\x1b\\\x1b_dz\x1b\\")
	f.Add(Mark("a", "x") + Ends("\x1b_dz/a\x1b\\"))
	f.Fuzz(func(t *testing.T, s string) {
		out, _ := Scan(s)
		if again, _ := Scan(s); again != out {
			t.Fatal("not deterministic")
		}
	})
}

// TestIDsThatAreNotASCII: bytes of UTF-8 end an APC sequence early (0x9c is one of its ends),
// so what measures and cuts a frame would take the rest of the id for text.
func TestIDsThatAreNotASCII(t *testing.T) {
	for _, id := range []string{"model:塩の平原", "œuvre", "한국어-모델", "famA ✓ 100%", "%41", "עפיפון", "🪁", "a\x1b\\b\x07", "\xff"} {
		marked := Mark(id, "abc")
		require.Equal(t, 3, lipgloss.Width(marked), "%q has no width", id)
		require.Equal(t, "ab", stripped(ansi.Truncate(marked, 2, "")), "%q is cut as text", id)
		frame, zones := Scan(lipgloss.JoinHorizontal(lipgloss.Top, "--", lipgloss.NewStyle().Width(5).Render(marked)))
		require.Equal(t, "--abc  ", frame)
		require.Equal(t, Zones{{ID: id, Rect: Rect{X: 2, W: 3, H: 1}}}, zones)
	}
}

func stripped(s string) string {
	out, _ := Scan(s)
	return out
}
