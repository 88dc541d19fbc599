package cutdraft

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestBeginningOfADraft(t *testing.T) {
	d := client.Draft{Modality: client.Video, Model: "famA3", ModelName: "n", Mode: "t2v", Prompt: "a 😀 \"red\"\nkite\\ 红", Values: client.Values{"x": "y"}}
	raw, err := json.Marshal(d)
	require.NoError(t, err)
	text := strings.Replace(string(raw), "😀", `\ud83d\ude00`, 1)
	last := ""
	for i := range len(text) {
		var got client.Draft
		require.NoError(t, Decode(mark+strings.ToValidUTF8(text[:i], ""), &got))
		require.True(t, got.Cut)
		require.True(t, strings.HasPrefix(d.Prompt, got.Prompt), "%q of %q", got.Prompt, text[:i])
		require.GreaterOrEqual(t, len(got.Prompt), len(last), "%q", text[:i])
		last = got.Prompt
	}
	assert.Equal(t, d.Prompt, last, "it was whole before the values")
	var whole client.Draft
	require.NoError(t, Decode(strings.Replace(text, "{", `{"cut":true,`, 1), &whole))
	assert.False(t, whole.Cut, "what was read whole is whole, whatever it says of itself")
	assert.Equal(t, d, whole)
	assert.Error(t, Decode(`{"model":`, &whole))
}

func TestOfBounds(t *testing.T) {
	for _, long := range []client.Draft{
		{Modality: client.Image, Model: "famL", Prompt: strings.Repeat("红😀\x01", 1<<20)},
		{Modality: client.Image, Model: "famL", Prompt: "short", Values: client.Values{"image": strings.Repeat("A", 1<<20)}},
	} {
		got, err := Of(long)
		require.NoError(t, err)
		assert.True(t, got.Cut)
		assert.Equal(t, "famL", got.Model)
		assert.NotEmpty(t, got.Prompt)
		assert.True(t, strings.HasPrefix(long.Prompt, got.Prompt))
		assert.LessOrEqual(t, len(got.Prompt), 4*head)
		assert.Empty(t, got.Values)
	}
	short := client.Draft{Model: "famL", Prompt: "short"}
	got, err := Of(short)
	require.NoError(t, err)
	assert.Equal(t, short, got)
}
