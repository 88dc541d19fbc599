package thumbs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/widgets"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text        string
		w           int
		first, rest string
	}{
		{"a red kite", 20, "a red kite", ""},
		{"a red kite", 10, "a red kite", ""},
		{"a red kite", 9, "a red", "kite"},
		{"a red kite", 5, "a red", "kite"},
		{"abcdefgh ij", 4, "abcd", "efgh ij"},
		{"a red kite", 0, "", "a red kite"},
		{"夜の港 と 海", 6, "夜の港", "と 海"},
		{"夜の港の海", 5, "夜の", "港の海"},
		{"夜の港", 20, "夜の港", ""},
		{"boat 👩‍👩‍👧👩‍👩‍👧", 7, "boat", "👩‍👩‍👧👩‍👩‍👧"},
	} {
		first, rest := Split(c.text, c.w)
		assert.Equal(t, [2]string{c.first, c.rest}, [2]string{first, rest}, "%q in %d", c.text, c.w)
	}
}

// TestSplitLosesNothing of any text, however narrow.
func TestSplitLosesNothing(t *testing.T) {
	text := "a red kite 塩の平原 over a salt flat, שלום e̸͙̋̕͝ ไทย 🪁 and-a-very-long-word-without-any-blank"
	for w := 2; w < 60; w++ {
		got, rest := "", text
		for rest != "" {
			first, next := Split(rest, w)
			if !assert.NotEmpty(t, first) || !assert.LessOrEqual(t, widgets.Width(first), w) {
				return
			}
			got, rest = got+first, next
		}
		assert.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(got, " ", ""), "in %d", w)
	}
}

func TestBelow(t *testing.T) {
	facts := Facts{All: []string{"famA", "seed 4", "1024 × 1024"}, Must: 2}
	texts, tails := Below("", facts, 2, 60)
	assert.Equal(t, []string{"", ""}, texts)
	assert.Equal(t, []string{"famA · seed 4 · 1024 × 1024", ""}, tails, "at once below the prompt")
	texts, tails = Below("in the rain", facts, 1, 60)
	assert.Equal(t, []string{"in the rain"}, texts)
	assert.Equal(t, []string{" · famA · seed 4 · 1024 × 1024"}, tails)
	_, tails = Below("in the rain", facts, 1, 30)
	assert.Equal(t, []string{" · famA · seed 4"}, tails, "what may give way does")
	texts, tails = Below("in the rain at night", facts, 2, 12)
	assert.Equal(t, []string{"in the rain", "at night"}, texts)
	assert.Equal(t, []string{"", " · famA · seed 4"}, tails)
}
