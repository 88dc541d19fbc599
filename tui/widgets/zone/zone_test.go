package zone

import (
	"testing"

	"github.com/charmbracelet/lipgloss"
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

func TestScanLeavesPlainFramesAlone(t *testing.T) {
	frame, zones := Scan("a\nb\x1b[1mc")
	require.Equal(t, "a\nb\x1b[1mc", frame)
	require.Empty(t, zones)
}

func FuzzScan(f *testing.F) {
	f.Add("a" + Mark("x", "b\nc") + "d")
	f.Add("\x1b_dz:x")
	f.Add("\x1b_dz\x1b\\\x1b_dz\x1b\\")
	f.Fuzz(func(t *testing.T, s string) {
		out, _ := Scan(s)
		if again, _ := Scan(s); again != out {
			t.Fatal("not deterministic")
		}
	})
}
