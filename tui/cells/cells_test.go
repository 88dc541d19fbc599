package cells

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestCharactersThatStandAlone(t *testing.T) {
	n := 0
	for r := rune(0); r < 0x20000; r++ {
		if !Alone(r) {
			continue
		}
		n++
		require.Equal(t, 1, ansi.StringWidth(string(r)), "%U", r)
		require.Equal(t, 3, ansi.StringWidth("a"+string(r)+"b"), "%U joins letters", r)
		require.Equal(t, 2, ansi.StringWidth(string(r)+string(r)), "%U joins itself", r)
		require.Equal(t, 2, ansi.StringWidth("é"+string(r)), "%U joins what is before", r)
	}
	require.Greater(t, n, 1000)
}

func TestWidthIsThatOfAnsi(t *testing.T) {
	for _, line := range []string{
		"", "plain", "\x1b[1;38;2;10;20;30mcolour\x1b[0m", "│ box ▀▄ ⣿ 🬀 │", "naïve – “quoted” …",
		"界面", "e\u0301 and a\u200d", "👩‍👩‍👧 family", "שלום عربي", "\x1b_dz:zone\x1b\\in\x1b_dz/zone\x1b\\",
		"\x1b_open", "a\x1b_dz:a\x1b[1mb\x1b\\c", "\x1b_é\x1b\\x", "\x1b_dz:row:1\x1b\\✓ ★\x1b\\", "✓\ufe0f ★\ufe0e",
		"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "cut \x1b[38;2", "\x1b[2Kerase", "tab\tbell\a",
		"\x80\xff broken", "€ ▶️ ↔ ⚠️ ✓", "█\u0301", "a\u0301", "\x1b[1mA\x1b[m\u0301",
	} {
		require.Equal(t, ansi.StringWidth(line), Width(line), "%q", line)
	}
}

func FuzzWidth(f *testing.F) {
	f.Add("a\x1b[1mé\u0301▀\x1b[0m界")
	f.Add("\x1b[38;5;1")
	f.Add("\x1b_dz:row\x1b\\✓\x1b_dz/row\x1b\\")
	f.Add("\x1b[;:m\u200b\u0600a")
	f.Fuzz(func(t *testing.T, s string) {
		if want := ansi.StringWidth(s); Width(s) != want {
			t.Fatalf("%q: %d, not %d", s, Width(s), want)
		}
	})
}
