package compose

import (
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
