package themes_test

import (
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/themes"
)

func TestParseMark(t *testing.T) {
	for in, want := range map[string]string{"bad": "bad", " Red ": "red", "#AB00cd": "#ab00cd", "teal": "teal"} {
		got, err := themes.ParseMark(in)
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{"", "crimson", "#12345", "background", "\x1b[31m"} {
		_, err := themes.ParseMark(in)
		require.ErrorContains(t, err, "is not a colour: give one of accent, good, warn, bad, info, red,", in)
	}
}

func TestAMarkIsReadableInEveryColourAndTheme(t *testing.T) {
	all, err := themes.Builtin()
	require.NoError(t, err)
	for _, theme := range all {
		st := themes.Make(theme, renderer(termenv.TrueColor), false)
		for _, color := range []string{"accent", "good", "warn", "bad", "info", "red", "orange", "yellow", "green", "teal", "cyan", "blue", "purple", "pink", "brown", "grey", "#808080"} {
			mark := st.Mark(color)
			fg, ok := mark.GetForeground().(lipgloss.Color)
			require.True(t, ok)
			bg, ok := mark.GetBackground().(lipgloss.Color)
			require.True(t, ok)
			assert.GreaterOrEqual(t, themes.Contrast(string(fg), string(bg)), 4.5, "%s in %s", color, theme.Name)
		}
		assert.True(t, themes.Make(theme, nil, true).Mark("red").GetReverse(), "without colours it is reversed")
	}
}
