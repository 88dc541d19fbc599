package paint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/tui/cells"
)

func TestAPictureKeepsItsColoursToTheEndOfTheLine(t *testing.T) {
	var b strings.Builder
	for x := range 200 {
		fmt.Fprintf(&b, "\x1b[38;2;%d;1;1;48;2;%d;2;2m▀", x, x+1)
	}
	l := parseLine(nil, b.String(), 200)
	require.Len(t, l.cells, 200)
	for x, c := range l.cells {
		require.Equal(t, pen{fg: fmt.Sprintf("38;2;%d;1;1", x), bg: fmt.Sprintf("48;2;%d;2;2", x+1)}, c.pen)
	}
}

func TestWhatAPenHolds(t *testing.T) {
	for params, want := range map[string]pen{
		"":                    {},
		"0":                   {},
		"1":                   {rest: "1"},
		"1;31;104":            {rest: "1", fg: "31", bg: "104"},
		"31;39":               {},
		"41;1;49":             {rest: "1"},
		"38;5;9;48;2;1;2;3;4": {fg: "38;5;9", bg: "48;2;1;2;3", rest: "4"},
		"38:2::1:2:3;7":       {fg: "38:2::1:2:3", rest: "7"},
		"4:3;58;2;1;2;3":      {rest: "4:3;58;2;1;2;3"},
		"1;;3":                {rest: "3"},
		"7;0":                 {},
		"38;5":                {},
		"38;2;1;2":            {},
		"38;9;1":              {},
		"7;7":                 {rest: "7"},
	} {
		require.Equal(t, want, pen{}.with(params), "%q", params)
	}
	long := pen{}.with(strings.Repeat("1;2;", 500) + "31")
	require.Equal(t, "31", long.fg)
	require.InDelta(t, maxPen, len(long.rest), 1, "what it collects is bounded")
}

func TestSingleCharactersAreWhatACarefulLookSaysOfThem(t *testing.T) {
	for r := rune(0x20); r < 0x20000; r++ {
		if !cells.Alone(r) {
			continue
		}
		s := string(r) + "x"
		require.Equal(t, len(s)-1, single(s), "%U", r)
		c, rest := cluster(s, pen{})
		require.Equal(t, cell{text: string(r), width: 1}, c, "%U", r)
		require.Equal(t, "x", rest)
	}
	require.Zero(t, single("│\u0301"))
	require.Zero(t, single("a\u0301"))
	require.Zero(t, single("界"))
}

func TestTmuxGetsEmojiWithoutWhatIsJoinedToThem(t *testing.T) {
	text := "a👨\u200d👩\u200d👧b👍🏽c🏳\ufe0f\u200d🌈dनि\u200de"
	paint := func(tmux bool) string {
		p := newPictures(1)
		p.set(&surface{tmux: tmux})
		s := &screen{pics: p}
		return string(s.paint(nil, frame{lines: strings.Split(text, "\n"), width: 40, height: 1}))
	}
	for _, whole := range []string{"👨\u200d👩\u200d👧", "👍🏽", "🏳\ufe0f\u200d🌈", "🏳\ufe0f"} {
		require.Contains(t, paint(false), whole)
		require.NotContains(t, paint(true), whole)
	}
	for _, part := range []string{"👨", "👍", "🏳", "नि\u200d"} {
		require.Contains(t, paint(true), part)
	}
	require.NotContains(t, paint(true), "🌈")
}
