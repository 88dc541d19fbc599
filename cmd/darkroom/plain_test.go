package main_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// colour is a sequence that sets one.
var colour = regexp.MustCompile(`\x1b\[([0-9;:]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m`)

// TestPlainHasNoColours in a terminal that has them all; pictures are characters there.
func TestPlainHasNoColours(t *testing.T) {
	h := newHome(t)
	_, _, code := h.run(t, "", "create", "image", "--prompt", "a kite", "--wait")
	require.Zero(t, code)
	x := h.open(t, 120, 34, "--plain")
	x.shows("Compose")
	x.keys(alt + "2")
	x.shows("completed", "Picture")
	require.NotRegexp(t, colour, x.bytes())
	require.NotContains(t, x.text(), "▀")

	x = h.open(t, 120, 34)
	x.until("colours", func(string) bool { return colour.MatchString(x.bytes()) })
}
