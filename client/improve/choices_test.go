package improve

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCapitalsAndDotsAreNoChoices(t *testing.T) {
	parts := Diff("a kite on a beach", "A kite on a beach, soft light of the early morning, close-up with a shallow depth of field.")
	choices := Choices(parts)
	var said []string
	for _, c := range choices {
		said = append(said, Sentence(parts[c]))
	}
	assert.Equal(t, []string{"soft light of the early morning", "close-up with a shallow depth of field"}, said)
	only := func(want ...int) func(int) bool {
		return func(i int) bool {
			for _, w := range want {
				if choices[w] == i {
					return true
				}
			}
			return false
		}
	}
	assert.Equal(t, "a kite on a beach", Compose(parts, only()), "nothing chosen, nothing changed")
	assert.Equal(t, "A kite on a beach, soft light of the early morning.", Compose(parts, only(0)))
	assert.Equal(t, "A kite on a beach, close-up with a shallow depth of field.", Compose(parts, only(1)))
	assert.Equal(t, "A kite on a beach, soft light of the early morning, close-up with a shallow depth of field.", Compose(parts, only(0, 1)))
}

func TestSlightChanges(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     bool
	}{
		{"a", "A", true}, {"", ".", true}, {"end", "End.", true}, {"塩", "塩。", true},
		{"a", "b", false}, {"a", "a", false}, {"", ",", false}, {"a b", "ab", false}, {"", "\n", false},
	} {
		assert.Equal(t, c.want, Slight(Part{c.old, c.new}), "%q %q", c.old, c.new)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", ", soft light.", "soft light"},
		{"red", "crimson", "crimson (was: red)"},
		{", very  big", "", "without “very big”"},
		{"", "\n\n", "line ends and signs"},
	} {
		assert.Equal(t, c.want, Sentence(Part{c.old, c.new}))
	}
}
