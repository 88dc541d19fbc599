package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLettersGoOnInTheMarkedText(t *testing.T) {
	b := start(t, 80, 24)
	b.Key("ctrl+g", "esc", "esc")
	require.False(t, b.m.Capturing())
	require.True(t, b.m.TakesLetters(), "no letter is a key of the shell")
	b.Type("a quick fox")
	assert.Equal(t, "a quick fox", b.m.sheet.Draft.Prompt)
	b.Key("esc")
	require.True(t, b.m.sheet.Form.Focus("#kind"))
	assert.False(t, b.m.TakesLetters(), "a choice takes none")
	b.m.sheet.Form.Focus("prompt")
	b.Key("esc", "f2")
	assert.False(t, b.m.TakesLetters(), "nor does the request where it hides the form")
}

func TestOneKeyLeadsBackToThePrompt(t *testing.T) {
	b := start(t, 80, 24)
	b.Type("a kite")
	b.Key("tab", "tab", "tab")
	require.NotEqual(t, "prompt", b.m.sheet.Form.Focused())
	b.Key("alt+x")
	b.Type(" at dawn")
	assert.Equal(t, "a kite at dawn", b.m.sheet.Draft.Prompt)
	assert.Contains(t, offPrompt(b.m), "being written")
	b.Key("f2")
	require.True(t, b.m.doc.Side.Alone())
	b.Key("alt+x")
	b.Type("!")
	assert.Equal(t, "a kite at dawn!", b.m.sheet.Draft.Prompt, "from the request, too")
}

func TestTheKeyOfThePromptLeavesTheResults(t *testing.T) {
	b, _ := latestBench(t, 120, 34, results(t)...)
	b.Key("alt+e")
	require.True(t, b.m.latest.Focused())
	b.Key("alt+x")
	assert.False(t, b.m.latest.Focused())
	b.Type("a kite")
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
}

func TestThePromptKeepsItsPlace(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 34}, {200, 60}} {
		b := start(t, size[0], size[1])
		at := map[int]bool{}
		for _, m := range []string{"famA3", "famI-omni", "famK-3.0", "famF-video"} {
			b.pick(m)
			for i, l := range strings.Split(b.m.View(), "\n") {
				if strings.Contains(l, "Prompt") {
					at[i] = true
					break
				}
			}
		}
		assert.Len(t, at, 1, "%v", size)
	}
}
